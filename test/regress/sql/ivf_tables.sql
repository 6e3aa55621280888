-- Kinds of tables and indexes, and ways to build.
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

-- Unlogged; TRUNCATE; changing the persistence.
CREATE UNLOGGED TABLE ivf_tables_u (id int, v vector(6));
CREATE INDEX ivf_tables_ui ON ivf_tables_u USING ivf_rabitq (v);
INSERT INTO ivf_tables_u SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(1, 300) AS i;
SELECT pg_temp.full_scan('ivf_tables_u', 'v', '<->', :'q');
TRUNCATE ivf_tables_u;
SELECT pg_temp.full_scan('ivf_tables_u', 'v', '<->', :'q');
INSERT INTO ivf_tables_u SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(1, 300) AS i;
ALTER TABLE ivf_tables_u SET LOGGED;
SELECT pg_temp.full_scan('ivf_tables_u', 'v', '<->', :'q');
ALTER TABLE ivf_tables_u SET UNLOGGED;
SELECT pg_temp.full_scan('ivf_tables_u', 'v', '<->', :'q');
SELECT pg_relation_size('ivf_tables_ui', 'init') > 0 AS has_init_fork;

-- Temporary, with ON COMMIT DELETE ROWS.
CREATE TEMP TABLE ivf_tables_temp (id int, v vector(6)) ON COMMIT DELETE ROWS;
CREATE INDEX ON ivf_tables_temp USING ivf_rabitq (v);
BEGIN;
INSERT INTO ivf_tables_temp SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(1, 200) AS i;
SELECT pg_temp.full_scan('ivf_tables_temp', 'v', '<->', :'q');
COMMIT;
SELECT pg_temp.full_scan('ivf_tables_temp', 'v', '<->', :'q');

-- Created and filled in the same transaction.
BEGIN;
CREATE TABLE ivf_tables_same (id int, v vector(6));
INSERT INTO ivf_tables_same SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(1, 200) AS i;
CREATE INDEX ivf_tables_same_i ON ivf_tables_same USING ivf_rabitq (v);
INSERT INTO ivf_tables_same SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(201, 250) AS i;
SELECT pg_temp.full_scan('ivf_tables_same', 'v', '<->', :'q');
COMMIT;
SELECT pg_temp.full_scan('ivf_tables_same', 'v', '<->', :'q');

-- Partitioned: ordered scans of the partitions are merged; rows may change their partition.
CREATE TABLE ivf_tables_p (id int, v vector(6)) PARTITION BY RANGE (id);
CREATE TABLE ivf_tables_p1 PARTITION OF ivf_tables_p FOR VALUES FROM (0) TO (100);
CREATE TABLE ivf_tables_p2 PARTITION OF ivf_tables_p FOR VALUES FROM (100) TO (200);
CREATE INDEX ivf_tables_pi ON ivf_tables_p USING ivf_rabitq (v);
CREATE TABLE ivf_tables_p3 PARTITION OF ivf_tables_p FOR VALUES FROM (200) TO (400);
INSERT INTO ivf_tables_p SELECT i, pg_temp.sample_vector(i, 6) FROM generate_series(0, 299) AS i;
UPDATE ivf_tables_p SET id = id + 100 WHERE id % 10 = 0;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM ivf_tables_p ORDER BY v <-> :q LIMIT 5;
RESET enable_seqscan;
SELECT pg_temp.full_scan('ivf_tables_p', 'v', '<->', :'q');
ALTER TABLE ivf_tables_p DETACH PARTITION ivf_tables_p1;
SELECT pg_temp.full_scan('ivf_tables_p', 'v', '<->', :'q');

-- Expression and partial indexes; a domain.
CREATE DOMAIN ivf_tables_d AS vector(6);
CREATE TABLE ivf_tables_e (id int, a real[], d ivf_tables_d);
INSERT INTO ivf_tables_e
SELECT i, pg_temp.sample_vector(i, 6)::real[], pg_temp.sample_vector(i, 6)
FROM generate_series(1, 300) AS i;
INSERT INTO ivf_tables_e VALUES (301, NULL, NULL);
CREATE INDEX ivf_tables_ee ON ivf_tables_e USING ivf_rabitq ((a::vector(6)) vector_cosine_ops);
CREATE INDEX ivf_tables_ed ON ivf_tables_e USING ivf_rabitq (d);
SELECT pg_temp.full_scan('ivf_tables_e', 'a::vector(6)', '<=>', :'q'),
       pg_temp.full_scan('ivf_tables_e', 'd', '<->', :'q' || '::vector');
DROP INDEX ivf_tables_ee, ivf_tables_ed;
CREATE INDEX ivf_tables_ep ON ivf_tables_e USING ivf_rabitq (d) WHERE id % 3 = 0;
SELECT rows FROM pagoda_index_info('ivf_tables_ep');
SELECT pg_temp.full_scan('(SELECT id, d FROM ivf_tables_e WHERE id % 3 = 0)', 'd', '<->',
                         :'q' || '::vector');
UPDATE ivf_tables_e SET id = id + 1000 WHERE id <= 150;
SELECT pg_temp.full_scan('(SELECT id, d FROM ivf_tables_e WHERE id % 3 = 0)', 'd', '<->',
                         :'q' || '::vector');
SELECT pg_temp.full_scan('ivf_tables_e', 'd', '<->', :'q' || '::vector') ~ '^no index scan'
    AS partial_index_is_not_for_all_rows;

-- HOT updates: the index finds the newest version through the old row address.
CREATE TABLE ivf_tables_hot (id int, v vector(6), note text) WITH (fillfactor = 50);
INSERT INTO ivf_tables_hot
SELECT i, pg_temp.sample_vector(i, 6), 'old' FROM generate_series(1, 200) AS i;
CREATE INDEX ivf_tables_hot_i ON ivf_tables_hot USING ivf_rabitq (v);
UPDATE ivf_tables_hot SET note = 'new' WHERE id <= 100;
SELECT pg_temp.full_scan('ivf_tables_hot', 'v', '<->', :'q');
SELECT rows FROM pagoda_index_info('ivf_tables_hot_i');
REINDEX INDEX ivf_tables_hot_i;
SELECT rows FROM pagoda_index_info('ivf_tables_hot_i');
VACUUM ivf_tables_hot;
SELECT pg_temp.full_scan('ivf_tables_hot', 'v', '<->', :'q');

-- A build over HOT chains that began before it.
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT count(*) FROM ivf_tables_hot;
UPDATE ivf_tables_hot SET v = pg_temp.sample_vector(id + 5000, 6) WHERE id <= 10;
CREATE INDEX ivf_tables_hot_2 ON ivf_tables_hot USING ivf_rabitq (v);
COMMIT;
DROP INDEX ivf_tables_hot_i;
SELECT pg_temp.full_scan('ivf_tables_hot', 'v', '<->', :'q');

-- CONCURRENTLY.
CREATE INDEX CONCURRENTLY ivf_tables_c ON ivf_tables_same USING ivf_rabitq (v);
DROP INDEX ivf_tables_same_i;
SELECT pg_temp.full_scan('ivf_tables_same', 'v', '<->', :'q');
REINDEX INDEX CONCURRENTLY ivf_tables_c;
SELECT pg_temp.full_scan('ivf_tables_same', 'v', '<->', :'q');
REINDEX TABLE CONCURRENTLY ivf_tables_same;
SELECT pg_temp.full_scan('ivf_tables_same', 'v', '<->', :'q');
DROP INDEX CONCURRENTLY ivf_tables_c;

-- A concurrent build that failed leaves an index that is said not to be ready.
SET pagoda.debug_cancel_at_check = 1;
CREATE INDEX CONCURRENTLY ivf_tables_failed ON ivf_tables_same USING ivf_rabitq (v);
RESET pagoda.debug_cancel_at_check;
SELECT indisvalid, indisready FROM pg_index WHERE indexrelid = 'ivf_tables_failed'::regclass;
SELECT pg_temp.error_of($$SELECT pagoda_index_info('ivf_tables_failed')$$);
REINDEX INDEX ivf_tables_failed;
SELECT pg_temp.full_scan('ivf_tables_same', 'v', '<->', :'q');

-- COPY, VACUUM FULL and CLUSTER by another index.
COPY ivf_tables_same FROM stdin;
501	[1,2,3,4,5,6]
502	[6,5,4,3,2,1]
503	\N
\.
SELECT pg_temp.full_scan('ivf_tables_same', 'v', '<->', :'q');
VACUUM FULL ivf_tables_same;
SELECT pg_temp.full_scan('ivf_tables_same', 'v', '<->', :'q');
CREATE INDEX ivf_tables_id ON ivf_tables_same (id DESC);
CLUSTER ivf_tables_same USING ivf_tables_id;
SELECT pg_temp.full_scan('ivf_tables_same', 'v', '<->', :'q');

-- VACUUM with parallel workers over several indexes of ours.
CREATE INDEX ivf_tables_same_2 ON ivf_tables_same USING ivf_rabitq (v vector_cosine_ops);
DELETE FROM ivf_tables_same WHERE id % 4 = 0;
SET min_parallel_index_scan_size = 0;
VACUUM (PARALLEL 2, INDEX_CLEANUP on) ivf_tables_same;
RESET min_parallel_index_scan_size;
SELECT operator, pg_temp.full_scan('ivf_tables_same', 'v', operator, :'q')
FROM unnest(ARRAY['<->', '<=>']) AS operator;
SELECT rows = (SELECT count(*) FROM ivf_tables_same WHERE v IS NOT NULL) AS rows_are_counted
FROM pagoda_index_info('ivf_tables_same_2');

-- Values stored out of line and compressed.
CREATE TABLE ivf_tables_toast (id int, v vector(700));
ALTER TABLE ivf_tables_toast ALTER v SET STORAGE EXTENDED;
INSERT INTO ivf_tables_toast
SELECT i, array_fill(i % 7 + 1, ARRAY[700])::vector FROM generate_series(1, 50) AS i;
ALTER TABLE ivf_tables_toast ALTER v SET STORAGE EXTERNAL;
INSERT INTO ivf_tables_toast
SELECT i, pg_temp.sample_vector(i, 700) FROM generate_series(51, 100) AS i;
CREATE INDEX ON ivf_tables_toast USING ivf_rabitq (v);
INSERT INTO ivf_tables_toast SELECT id + 100, v FROM ivf_tables_toast;
SELECT pg_temp.full_scan('ivf_tables_toast', 'v', '<->',
                         quote_literal(pg_temp.sample_vector(0, 700)));

DROP TABLE ivf_tables_u, ivf_tables_temp, ivf_tables_same, ivf_tables_p, ivf_tables_p1,
    ivf_tables_e, ivf_tables_hot, ivf_tables_toast;
DROP DOMAIN ivf_tables_d;
