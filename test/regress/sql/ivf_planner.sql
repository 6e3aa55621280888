-- The planner's choice between index and sequential scan.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pagoda;
RESET client_min_messages;
\getenv srcdir PG_ABS_SRCDIR
\set support :srcdir '/sql/support/ivf.sql'
\set ECHO none
\i :support
\set ECHO all

-- Vectors inline in the table: 32 dimensions.
CREATE FUNCTION pg_temp.fill(name text, row_count int, dim int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I (id int, v vector(%s))', name, dim);
    EXECUTE format('INSERT INTO %I SELECT i, pg_temp.sample_vector(i, %s) '
                   'FROM generate_series(1, %s) AS i', name, dim, row_count);
    EXECUTE format('CREATE INDEX %I ON %I USING ivf_rabitq (v)', name || '_i', name);
    EXECUTE format('ANALYZE %I', name);
END
$$;
SELECT pg_temp.fill('ivf_planner_10', 10, 32);
SELECT pg_temp.fill('ivf_planner_1000', 1000, 32);
SELECT pg_temp.fill('ivf_planner_100000', 100000, 8);
SELECT array_fill(0, ARRAY[32])::vector AS q \gset
SET max_parallel_workers_per_gather = 0;
EXPLAIN (COSTS OFF) SELECT id FROM ivf_planner_10 ORDER BY v <-> :'q' LIMIT 10;
EXPLAIN (COSTS OFF) SELECT id FROM ivf_planner_1000 ORDER BY v <-> :'q' LIMIT 10;
EXPLAIN (COSTS OFF)
SELECT id FROM ivf_planner_100000 ORDER BY v <-> '[0,0,0,0,0,0,0,0]' LIMIT 10;
EXPLAIN (COSTS OFF)
SELECT id FROM ivf_planner_100000 ORDER BY v <-> '[0,0,0,0,0,0,0,0]' LIMIT 1000;

-- Vectors out of line, which core does not cost.
SELECT pg_temp.fill('ivf_planner_wide_10', 10, 768);
SELECT pg_temp.fill('ivf_planner_wide_1000', 1000, 768);
SELECT array_fill(0, ARRAY[768])::vector AS wide \gset
SELECT bool_or(line ~ 'Index Scan') AS uses_index
FROM pg_temp.plan_of('SELECT id FROM ivf_planner_wide_10 ORDER BY v <-> '
                     || quote_literal(:'wide') || ' LIMIT 10') AS line;
SELECT bool_or(line ~ 'Index Scan') AS uses_index
FROM pg_temp.plan_of('SELECT id FROM ivf_planner_wide_1000 ORDER BY v <-> '
                     || quote_literal(:'wide') || ' LIMIT 10') AS line;

-- With parallel workers at hand as well.
RESET max_parallel_workers_per_gather;
EXPLAIN (COSTS OFF)
SELECT id FROM ivf_planner_100000 ORDER BY v <-> '[0,0,0,0,0,0,0,0]' LIMIT 10;
SET max_parallel_workers_per_gather = 0;

-- All rows in order: sorting is exact and cheaper.
EXPLAIN (COSTS OFF) SELECT id FROM ivf_planner_100000 ORDER BY v <-> '[0,0,0,0,0,0,0,0]';

-- Without ORDER BY the index is no use, whatever is switched off.
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM ivf_planner_1000 WHERE v = :'q';
EXPLAIN (COSTS OFF) SELECT count(*) FROM ivf_planner_1000;
RESET enable_seqscan;

-- A selective other index wins over a filtered ordered scan.
CREATE INDEX ivf_planner_id ON ivf_planner_100000 (id);
EXPLAIN (COSTS OFF) SELECT id FROM ivf_planner_100000 WHERE id < 20
ORDER BY v <-> '[0,0,0,0,0,0,0,0]' LIMIT 10;
EXPLAIN (COSTS OFF) SELECT id FROM ivf_planner_100000 WHERE id < 90000
ORDER BY v <-> '[0,0,0,0,0,0,0,0]' LIMIT 10;

-- Once a row of an outer table: rescans share the cached pages.
EXPLAIN (COSTS OFF)
SELECT o.id, n.id FROM ivf_planner_10 AS o,
    LATERAL (SELECT i.id FROM ivf_planner_1000 AS i ORDER BY i.v <-> o.v LIMIT 3) AS n;

-- A partial index counts its own rows only.
CREATE INDEX ivf_planner_part ON ivf_planner_100000 USING ivf_rabitq (v) WHERE id <= 500;
ANALYZE ivf_planner_100000;
DROP INDEX ivf_planner_id;
EXPLAIN (COSTS OFF) SELECT id FROM ivf_planner_100000 WHERE id <= 500
ORDER BY v <-> '[0,0,0,0,0,0,0,0]' LIMIT 10;

DROP TABLE ivf_planner_10, ivf_planner_1000, ivf_planner_100000, ivf_planner_wide_10,
    ivf_planner_wide_1000;
