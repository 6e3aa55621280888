-- Rows that come, change and go: empty tables, deletion, VACUUM, rollback, zero vectors.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pagoda;
RESET client_min_messages;
\getenv srcdir PG_ABS_SRCDIR
\set support :srcdir '/sql/support/ivf.sql'
\set ECHO none
\i :support
\set ECHO all

SELECT quote_literal(pg_temp.sample_vector(0, 6)) AS q \gset

-- An index on an empty table works from the first row.
CREATE TABLE ivf_changes_t (id int, v vector(6));
CREATE INDEX ivf_changes_i ON ivf_changes_t USING ivf_rabitq (v);
SELECT rows, learnt_probes FROM pagoda_index_info('ivf_changes_i');
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
INSERT INTO ivf_changes_t VALUES (1, pg_temp.sample_vector(1, 6));
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
INSERT INTO ivf_changes_t SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(2, 2000) AS i;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
SELECT rows, empty_lanes FROM pagoda_index_info('ivf_changes_i');
SELECT pg_temp.recall('ivf_changes_t', 'v', '<->', :'q', 10) >= 0.9 AS finds_nearest;

-- A table of NULLs only.
CREATE TABLE ivf_changes_null (id int, v vector(6));
INSERT INTO ivf_changes_null SELECT i FROM generate_series(1, 100) AS i;
CREATE INDEX ivf_changes_null_i ON ivf_changes_null USING ivf_rabitq (v);
SELECT rows FROM pagoda_index_info('ivf_changes_null_i');
SELECT pg_temp.full_scan('ivf_changes_null', 'v', '<->', :'q');
UPDATE ivf_changes_null SET v = pg_temp.sample_vector(id, 6) WHERE id % 2 = 0;
SELECT pg_temp.full_scan('ivf_changes_null', 'v', '<->', :'q');
UPDATE ivf_changes_null SET v = NULL WHERE id % 4 = 0;
SELECT pg_temp.full_scan('ivf_changes_null', 'v', '<->', :'q');

-- Delete, VACUUM, insert into the lanes that became free.
DELETE FROM ivf_changes_t WHERE id % 3 = 0;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
VACUUM ivf_changes_t;
SELECT rows, empty_lanes FROM pagoda_index_info('ivf_changes_i');
SELECT reltuples FROM pg_class WHERE relname = 'ivf_changes_i';
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
INSERT INTO ivf_changes_t SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(3001, 3666) AS i;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
SELECT pages AS pages_before FROM pagoda_index_info('ivf_changes_i') \gset
DO $$
BEGIN
    FOR round IN 1..4 LOOP
        DELETE FROM ivf_changes_t WHERE id % 4 = round - 1;
        INSERT INTO ivf_changes_t
        SELECT id + 1000, pg_temp.sample_vector(id + 1000, 6) FROM generate_series(1, 100) AS id;
    END LOOP;
END
$$;
VACUUM (INDEX_CLEANUP on) ivf_changes_t;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');

-- All rows deleted, then new ones: the space is used again.
DELETE FROM ivf_changes_t;
VACUUM (INDEX_CLEANUP on) ivf_changes_t;
SELECT rows FROM pagoda_index_info('ivf_changes_i');
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
INSERT INTO ivf_changes_t SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(1, 1500) AS i;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
SELECT pages <= :pages_before * 1.5 AS space_was_reused FROM pagoda_index_info('ivf_changes_i');

-- Statistics after VACUUM without dead rows, and after ANALYZE.
VACUUM ivf_changes_t;
SELECT reltuples, relpages > 0 AS has_pages FROM pg_class WHERE relname = 'ivf_changes_i';
ANALYZE ivf_changes_t;
SELECT reltuples FROM pg_class WHERE relname = 'ivf_changes_i';

-- Insertions that are rolled back, whole and in part.
BEGIN;
INSERT INTO ivf_changes_t SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(5001, 5100) AS i;
ROLLBACK;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
BEGIN;
INSERT INTO ivf_changes_t SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(5001, 5050) AS i;
SAVEPOINT half;
INSERT INTO ivf_changes_t SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(5051, 5100) AS i;
ROLLBACK TO half;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
COMMIT;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
VACUUM (INDEX_CLEANUP on) ivf_changes_t;
SELECT rows FROM pagoda_index_info('ivf_changes_i');
BEGIN;
DELETE FROM ivf_changes_t WHERE id <= 700;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
ROLLBACK;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');

-- A statement that fails half way.
SELECT pg_temp.error_of($$
    INSERT INTO ivf_changes_t
    SELECT i, CASE WHEN i < 9050 THEN pg_temp.sample_vector(i, 6) ELSE '[1]' END
    FROM generate_series(9001, 9100) AS i$$);
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');

-- Updates of the vector, and of the row only.
UPDATE ivf_changes_t SET v = pg_temp.sample_vector(id + 7000, 6) WHERE id <= 500;
UPDATE ivf_changes_t SET id = id + 20000 WHERE id % 5 = 0;
SELECT pg_temp.full_scan('ivf_changes_t', 'v', '<->', :'q');
SET enable_seqscan = off;
SELECT id FROM ivf_changes_t ORDER BY v <-> pg_temp.sample_vector(7001, 6) LIMIT 1;
RESET enable_seqscan;

-- Zero vectors under cosine come last, those of the build and those inserted.
CREATE TABLE ivf_changes_zero (id int, v vector(4));
INSERT INTO ivf_changes_zero
SELECT i, CASE WHEN i % 10 = 0 THEN '[0,0,0,0]' ELSE pg_temp.sample_vector(i, 4) END
FROM generate_series(1, 200) AS i;
CREATE INDEX ivf_changes_zero_i ON ivf_changes_zero USING ivf_rabitq (v vector_cosine_ops);
INSERT INTO ivf_changes_zero
SELECT i, CASE WHEN i % 10 = 0 THEN '[0,0,0,0]' ELSE pg_temp.sample_vector(i, 4) END
FROM generate_series(201, 300) AS i;
SELECT pg_temp.full_scan('ivf_changes_zero', 'v', '<=>', $$'[1,2,3,4]'$$);
SELECT pg_temp.full_scan('ivf_changes_zero', 'v', '<=>', $$'[0,0,0,0]'$$);
SELECT outlier_rows, rows FROM pagoda_index_info('ivf_changes_zero_i');
SET enable_seqscan = off;
SELECT bool_and(vector_norm(v) = 0) AS zero_vectors_last, count(*)
FROM (SELECT v FROM ivf_changes_zero ORDER BY v <=> '[1,2,3,4]' OFFSET 270) AS tail;
RESET enable_seqscan;
DELETE FROM ivf_changes_zero WHERE id % 20 = 0;
VACUUM (INDEX_CLEANUP on) ivf_changes_zero;
SELECT outlier_rows, rows FROM pagoda_index_info('ivf_changes_zero_i');
SELECT pg_temp.full_scan('ivf_changes_zero', 'v', '<=>', $$'[1,2,3,4]'$$);

-- Nothing but zero vectors; nothing but one value; the largest and smallest numbers.
CREATE TABLE ivf_changes_same (id int, v vector(3));
INSERT INTO ivf_changes_same SELECT i, '[0,0,0]' FROM generate_series(1, 500) AS i;
CREATE INDEX ivf_changes_same_c ON ivf_changes_same USING ivf_rabitq (v vector_cosine_ops);
CREATE INDEX ivf_changes_same_l ON ivf_changes_same USING ivf_rabitq (v vector_l2_ops);
CREATE INDEX ivf_changes_same_p ON ivf_changes_same USING ivf_rabitq (v vector_ip_ops);
SELECT operator, pg_temp.full_scan('ivf_changes_same', 'v', operator, $$'[1,2,3]'$$)
FROM unnest(ARRAY['<=>', '<->', '<#>']) AS operator;
UPDATE ivf_changes_same SET v = '[1,2,3]';
REINDEX TABLE ivf_changes_same;
SELECT operator, pg_temp.full_scan('ivf_changes_same', 'v', operator, $$'[1,2,3]'$$)
FROM unnest(ARRAY['<=>', '<->', '<#>']) AS operator;
INSERT INTO ivf_changes_same VALUES
    (1001, '[3e38,0,0]'), (1002, '[-3e38,3e38,3e38]'), (1003, '[1e-38,0,0]'),
    (1004, '[1e-45,1e-45,1e-45]'), (1005, '[1e20,1e-20,0]'), (1006, '[0,0,-0]');
SELECT operator, pg_temp.full_scan('ivf_changes_same', 'v', operator, $$'[1,2,3]'$$)
FROM unnest(ARRAY['<=>', '<->', '<#>']) AS operator;
SELECT operator, pg_temp.full_scan('ivf_changes_same', 'v', operator, $$'[3e38,-3e38,1]'$$)
FROM unnest(ARRAY['<=>', '<->', '<#>']) AS operator;
REINDEX TABLE ivf_changes_same;
SELECT operator, pg_temp.full_scan('ivf_changes_same', 'v', operator, $$'[1,2,3]'$$)
FROM unnest(ARRAY['<=>', '<->', '<#>']) AS operator;

-- Many small insertions grow lists over many extents.
CREATE TABLE ivf_changes_grow (id int, v vector(2));
INSERT INTO ivf_changes_grow SELECT i, pg_temp.sample_vector(i, 2) FROM generate_series(1, 10) AS i;
CREATE INDEX ivf_changes_grow_i ON ivf_changes_grow USING ivf_rabitq (v) WITH (lists = 2);
INSERT INTO ivf_changes_grow
SELECT i, pg_temp.sample_vector(i, 2) FROM generate_series(11, 20000) AS i;
SELECT pg_temp.full_scan('ivf_changes_grow', 'v', '<->', $$'[0,0]'$$);
DELETE FROM ivf_changes_grow WHERE id % 2 = 0;
VACUUM ivf_changes_grow;
SELECT rows, empty_lanes FROM pagoda_index_info('ivf_changes_grow_i');
SELECT pg_temp.full_scan('ivf_changes_grow', 'v', '<->', $$'[0,0]'$$);

DROP TABLE ivf_changes_t, ivf_changes_null, ivf_changes_zero, ivf_changes_same, ivf_changes_grow;
