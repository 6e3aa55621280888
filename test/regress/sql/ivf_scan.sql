-- The ordered scan: every operator class, LIMIT, NULL, rescans, cursors, prepared statements.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pagoda;
RESET client_min_messages;
\getenv srcdir PG_ABS_SRCDIR
\set support :srcdir '/sql/support/ivf.sql'
\set ECHO none
\i :support
\set ECHO all

CREATE TABLE ivf_scan_t (id int PRIMARY KEY, v vector(12), h halfvec(12));
INSERT INTO ivf_scan_t
SELECT i, CASE WHEN i % 50 <> 0 THEN pg_temp.sample_vector(i, 12) END,
       CASE WHEN i % 40 <> 0 THEN pg_temp.sample_vector(i, 12)::halfvec END
FROM generate_series(1, 3000) AS i;
ANALYZE ivf_scan_t;
SELECT pg_temp.sample_vector(0, 12) AS q \gset

-- Each operator class serves its operator, returns every row once, and finds the nearest.
CREATE TABLE ivf_scan_classes (class text, col text, operator text);
INSERT INTO ivf_scan_classes VALUES
    ('vector_l2_ops', 'v', '<->'), ('vector_ip_ops', 'v', '<#>'), ('vector_cosine_ops', 'v', '<=>'),
    ('halfvec_l2_ops', 'h', '<->'), ('halfvec_ip_ops', 'h', '<#>'),
    ('halfvec_cosine_ops', 'h', '<=>');
CREATE FUNCTION pg_temp.check_class(class text, col text, operator text, query text, OUT full_scan
                                    text, OUT finds_nearest boolean, OUT metric text)
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE INDEX ivf_scan_class ON ivf_scan_t USING ivf_rabitq (%s %s)', col,
                   class);
    full_scan := pg_temp.full_scan('ivf_scan_t', col, operator, quote_literal(query));
    finds_nearest := pg_temp.recall('ivf_scan_t', col, operator, quote_literal(query), 10) >= 0.9;
    metric := (SELECT i.metric FROM pagoda_index_info('ivf_scan_class') AS i);
    DROP INDEX ivf_scan_class;
END
$$;
SELECT class, checks.* FROM ivf_scan_classes, pg_temp.check_class(class, col, operator, :'q') AS checks;

-- An operator of another class is not served.
CREATE INDEX ivf_scan_v ON ivf_scan_t USING ivf_rabitq (v);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM ivf_scan_t ORDER BY v <-> :'q' LIMIT 5;
EXPLAIN (COSTS OFF) SELECT id FROM ivf_scan_t ORDER BY v <=> :'q' LIMIT 5;
EXPLAIN (COSTS OFF) SELECT id FROM ivf_scan_t ORDER BY v <-> :'q' DESC LIMIT 5;
EXPLAIN (COSTS OFF) SELECT count(*) FROM ivf_scan_t WHERE v <-> :'q' < 1;
EXPLAIN (COSTS OFF) SELECT v FROM ivf_scan_t ORDER BY :'q' <-> v LIMIT 5;

-- LIMIT 0, 1, all, beyond all; OFFSET.
SELECT count(*) FROM (SELECT id FROM ivf_scan_t ORDER BY v <-> :'q' LIMIT 0) AS s;
SELECT count(*) FROM (SELECT id FROM ivf_scan_t ORDER BY v <-> :'q' LIMIT 1) AS s;
SELECT count(*) FROM (SELECT id FROM ivf_scan_t ORDER BY v <-> :'q' LIMIT ALL) AS s;
SELECT count(*), count(DISTINCT id)
FROM (SELECT id FROM ivf_scan_t ORDER BY v <-> :'q' LIMIT 100000) AS s;
SELECT count(*) FROM (SELECT id FROM ivf_scan_t ORDER BY v <-> :'q' OFFSET 2930) AS s;
SELECT id FROM ivf_scan_t ORDER BY v <-> (SELECT v FROM ivf_scan_t WHERE id = 77) LIMIT 1;

-- A NULL query: every row that is in the index, in any order.
SELECT count(*), count(DISTINCT id) FROM (SELECT id FROM ivf_scan_t ORDER BY v <-> NULL) AS s;
SELECT count(*), count(DISTINCT id)
FROM (SELECT id FROM ivf_scan_t ORDER BY v <-> (SELECT v FROM ivf_scan_t WHERE id = 50)) AS s;

-- Filters: as many rows as match.
SELECT count(*) FROM (SELECT id FROM ivf_scan_t WHERE id % 100 = 1 ORDER BY v <-> :'q' LIMIT 50) AS s;
SELECT count(*) FROM (SELECT id FROM ivf_scan_t WHERE id = 2999 ORDER BY v <-> :'q' LIMIT 50) AS s;
SELECT count(*) FROM (SELECT id FROM ivf_scan_t WHERE id < 0 ORDER BY v <-> :'q' LIMIT 50) AS s;

-- Parameterised rescans: each outer row finds itself; some outer rows are NULL.
SET enable_sort = off;
EXPLAIN (COSTS OFF)
SELECT o.id, n.id FROM ivf_scan_t AS o,
    LATERAL (SELECT id FROM ivf_scan_t AS i ORDER BY i.v <-> o.v LIMIT 1) AS n WHERE o.id <= 120;
SELECT count(*), count(*) FILTER (WHERE o.id = n.id) AS finds_itself
FROM ivf_scan_t AS o,
    LATERAL (SELECT id FROM ivf_scan_t AS i ORDER BY i.v <-> o.v LIMIT 1) AS n WHERE o.id <= 120;
SELECT o.id, count(n.id), count(DISTINCT n.id) FROM ivf_scan_t AS o,
    LATERAL (SELECT id FROM ivf_scan_t AS i ORDER BY i.v <-> o.v) AS n
WHERE o.id IN (1, 50, 99) GROUP BY o.id ORDER BY o.id;

-- Two scans of one index at the same time.
SELECT count(*), count(*) FILTER (WHERE a.id <> b.id) AS different
FROM (SELECT id, row_number() OVER () AS n FROM
          (SELECT id FROM ivf_scan_t ORDER BY v <-> pg_temp.sample_vector(1, 12)) AS s) AS a
JOIN (SELECT id, row_number() OVER () AS n FROM
          (SELECT id FROM ivf_scan_t ORDER BY v <-> pg_temp.sample_vector(1, 12)) AS s) AS b USING (n);
SELECT (SELECT id FROM ivf_scan_t ORDER BY v <-> pg_temp.sample_vector(7, 12) LIMIT 1) AS seven,
       (SELECT id FROM ivf_scan_t ORDER BY v <-> pg_temp.sample_vector(8, 12) LIMIT 1) AS eight;

-- Prepared statements, custom and generic plans.
PREPARE nearest(vector) AS SELECT id FROM ivf_scan_t ORDER BY v <-> $1 LIMIT 1;
SET plan_cache_mode = force_custom_plan;
EXECUTE nearest(pg_temp.sample_vector(11, 12));
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE nearest(NULL);
EXECUTE nearest(pg_temp.sample_vector(12, 12));
EXECUTE nearest(pg_temp.sample_vector(13, 12));
SELECT pg_temp.error_of($$EXECUTE nearest('[1,2]')$$);
RESET plan_cache_mode;
DEALLOCATE nearest;

-- Cursors: two at once, scrolling back through a Materialize node, and after a rollback.
BEGIN;
DECLARE one CURSOR FOR SELECT id FROM ivf_scan_t ORDER BY v <-> pg_temp.sample_vector(21, 12);
DECLARE two SCROLL CURSOR FOR SELECT id FROM ivf_scan_t ORDER BY v <-> pg_temp.sample_vector(22, 12);
FETCH 1 FROM one;
FETCH 1 FROM two;
MOVE FORWARD 100 IN two;
MOVE BACKWARD 101 IN two;
FETCH FORWARD 1 FROM two;
MOVE FORWARD ALL IN one;
FETCH FORWARD 1 FROM one;
SAVEPOINT before;
SELECT id FROM ivf_scan_t ORDER BY v <-> '[1]' LIMIT 1;
ROLLBACK TO before;
FETCH ABSOLUTE 1 FROM two;
MOVE FORWARD ALL IN two;
COMMIT;
DECLARE held CURSOR WITH HOLD FOR
    SELECT id FROM ivf_scan_t ORDER BY v <-> pg_temp.sample_vector(23, 12) LIMIT 3;
FETCH 1 FROM held;
CLOSE held;

-- FOR UPDATE, and isolation levels.
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT id FROM ivf_scan_t ORDER BY v <-> pg_temp.sample_vector(31, 12) LIMIT 1 FOR UPDATE;
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT id FROM ivf_scan_t ORDER BY v <-> pg_temp.sample_vector(31, 12) LIMIT 1;
COMMIT;

-- Equal distances, and more duplicates than the scan buffers at a time.
INSERT INTO ivf_scan_t SELECT i, '[1,1,1,1,1,1,1,1,1,1,1,1]' FROM generate_series(3001, 8000) AS i;
SELECT pg_temp.full_scan('ivf_scan_t', 'v', '<->', $$'[1,1,1,1,1,1,1,1,1,1,1,1]'$$);
SELECT min(id), count(DISTINCT id)
FROM (SELECT id FROM ivf_scan_t ORDER BY v <-> '[1,1,1,1,1,1,1,1,1,1,1,1]' LIMIT 5000) AS s;
REINDEX INDEX ivf_scan_v;
SELECT pg_temp.full_scan('ivf_scan_t', 'v', '<->', $$'[1,1,1,1,1,1,1,1,1,1,1,1]'$$);

RESET enable_seqscan;
RESET enable_sort;
DROP TABLE ivf_scan_t, ivf_scan_classes;
