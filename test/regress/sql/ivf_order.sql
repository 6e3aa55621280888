-- The order of an index scan is of estimates: queries that need exactly sorted distances, or more than
-- one distance, do without the index and are right.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pagoda;
RESET client_min_messages;

CREATE TABLE bits (id int, v vector(32));
INSERT INTO bits
SELECT i, (SELECT array_agg((i * 7919 + d * 104729) / (d + 1) % 2 ORDER BY d)
           FROM generate_series(1, 32) d)::vector
FROM generate_series(1, 3000) i;
CREATE INDEX bits_v ON bits USING ivf_rabitq (v);
ANALYZE bits;
SET enable_seqscan = off;
SET max_parallel_workers_per_gather = 0;
SELECT array_fill(1, ARRAY[32])::vector AS q \gset

-- One distance: the index.
EXPLAIN (COSTS OFF) SELECT id FROM bits ORDER BY v <-> :'q' LIMIT 10;
-- Two distances: a sort.
EXPLAIN (COSTS OFF) SELECT id FROM bits ORDER BY v <-> :'q', v <-> '[0]' LIMIT 10;
SELECT count(*) FROM (SELECT id FROM bits ORDER BY v <-> :'q', v <#> :'q', id LIMIT 10) s;

-- Grouping, distinct distances and window functions.
SELECT count(*) = count(DISTINCT d) AS grouped_once
FROM (SELECT v <-> :'q' AS d, count(*) FROM bits GROUP BY 1 ORDER BY 1 LIMIT 400) s;
SELECT count(*) = count(DISTINCT d) AS distinct_once
FROM (SELECT DISTINCT v <-> :'q' AS d FROM bits ORDER BY 1 LIMIT 400) s;
SELECT bool_and(r = 1 + (SELECT count(*) FROM bits b WHERE b.v <-> :'q' < s.d)) AS ranks_right
FROM (SELECT v <-> :'q' AS d, rank() OVER (ORDER BY v <-> :'q') AS r FROM bits LIMIT 200) s;
EXPLAIN (COSTS OFF) SELECT v <-> :'q', count(*) FROM bits GROUP BY 1 ORDER BY 1 LIMIT 10;

-- A search in a subquery may be grouped outside.
EXPLAIN (COSTS OFF)
SELECT id % 2, count(*) FROM (SELECT id FROM bits ORDER BY v <-> :'q' LIMIT 10) s GROUP BY 1;

DROP TABLE bits;
