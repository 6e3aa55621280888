-- btree operator classes: indexes, sorting, grouping, uniqueness, plans.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE types_btree (v vector(3), h halfvec(3));
INSERT INTO types_btree SELECT t, t::vector::halfvec
FROM (VALUES ('[3,2,1]'::vector), ('[1,2,3]'), ('[0,0,0]'), ('[1,2,3]'), ('[1,2,2.5]'), (NULL)) t(t);
CREATE INDEX types_btree_v ON types_btree (v);
CREATE INDEX types_btree_h ON types_btree (h);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT v FROM types_btree WHERE v > '[0,0,0]' ORDER BY v;
SELECT v FROM types_btree WHERE v > '[0,0,0]' ORDER BY v;
SELECT v FROM types_btree WHERE v = '[1,2,3]';
SELECT v FROM types_btree WHERE v = '[-0,0,-0]';
SELECT v FROM types_btree WHERE v IN ('[1,2,3]', '[3,2,1]') ORDER BY v DESC;
SELECT v FROM types_btree WHERE v >= '[1,2]' AND v < '[2]' ORDER BY v;
SELECT h FROM types_btree WHERE h <= '[1,2,2.5]' ORDER BY h DESC;
SELECT h FROM types_btree WHERE h = '[1,2,3]';
EXPLAIN (COSTS OFF) SELECT v FROM types_btree ORDER BY v DESC LIMIT 1;
SELECT * FROM types_btree ORDER BY v DESC NULLS LAST, h;
RESET enable_seqscan;
RESET enable_bitmapscan;

SELECT DISTINCT h FROM types_btree ORDER BY h;
SELECT v, count(*) FROM types_btree GROUP BY v ORDER BY v;
SELECT v FROM types_btree WHERE v <> '[1,2,3]' ORDER BY v;
SELECT v FROM types_btree UNION SELECT h::vector FROM types_btree ORDER BY v;
SELECT v FROM types_btree ORDER BY v USING >;

\set VERBOSITY sqlstate
CREATE UNIQUE INDEX ON types_btree (v);
DELETE FROM types_btree a USING types_btree b WHERE a.v = b.v AND a.ctid > b.ctid;
CREATE UNIQUE INDEX types_btree_unique ON types_btree (v);
INSERT INTO types_btree (v) VALUES ('[3,2,1]');
INSERT INTO types_btree (v) VALUES ('[0,0,-0]');
INSERT INTO types_btree (v) VALUES ('[3,2,1]') ON CONFLICT (v) DO UPDATE SET h = '[9,9,9]';
SELECT * FROM types_btree WHERE v = '[3,2,1]';
SELECT min(v) FROM types_btree;
CREATE INDEX ON types_btree USING hash (v);
CREATE INDEX ON types_btree USING gist (v);
CREATE INDEX ON types_btree USING brin (h);
DROP TABLE types_btree;

-- A sort that spills and compares detoasted values
CREATE TABLE types_sort AS
    SELECT i, (ARRAY[i * 7919 % 1009] || array_fill(1, ARRAY[599]))::vector(600) AS v FROM generate_series(1, 2000) i;
SET work_mem = '64kB';
SELECT count(*) FROM (SELECT v, lag(v) OVER (ORDER BY v) AS before FROM types_sort) t WHERE before > v;
CREATE INDEX ON types_sort (subvector(v, 1, 2));
SELECT i FROM types_sort WHERE subvector(v, 1, 2) = '[17,1]' ORDER BY i;
RESET work_mem;
DROP TABLE types_sort;
