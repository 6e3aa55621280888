-- avg and sum, their states, windows and parallel plans.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

SELECT avg(v), sum(v) FROM (VALUES ('[1,2]'::vector), ('[3,5]'), (NULL)) t(v);
SELECT avg(v), sum(v) FROM (VALUES ('[1,2]'::halfvec), ('[3,5]'), (NULL)) t(v);
SELECT avg(v), sum(v) FROM (VALUES ('[1,2]'::vector)) t(v);

-- No values
SELECT avg(v), sum(v) FROM (VALUES (NULL::vector)) t(v);
SELECT avg(v), sum(v) FROM (SELECT '[1]'::halfvec AS v WHERE false) t;
SELECT avg(v) FILTER (WHERE false), sum(v) FILTER (WHERE false) FROM (VALUES ('[1]'::vector)) t(v);

-- avg sums in float8: the sum may exceed the type, the average not
SELECT avg(v) FROM (VALUES ('[3e38,1e-45]'::vector), ('[3e38,1e-45]')) t(v);
SELECT avg(v) FROM (VALUES ('[65504,-65504]'::halfvec), ('[65504,-65504]')) t(v);
SELECT avg(ARRAY[i, 2 * i]::halfvec), avg(ARRAY[i, 2 * i]::vector), sum(ARRAY[i, 2 * i]::vector) FROM generate_series(1, 1001) i;
SELECT avg(v) = '[16777217]'::vector FROM (SELECT ARRAY[16777216 + i % 3]::vector AS v FROM generate_series(0, 2999) i) t;

-- DISTINCT, GROUP BY, windows
SELECT avg(DISTINCT v), sum(DISTINCT v) FROM (VALUES ('[1]'::vector), ('[1]'), ('[3]')) t(v);
SELECT i % 2 AS odd, avg(ARRAY[i]::vector), sum(ARRAY[i]::halfvec) FROM generate_series(1, 10) i GROUP BY 1 ORDER BY 1;
SELECT i, avg(v) OVER w, sum(v) OVER w FROM (VALUES (1, '[1]'::vector), (2, '[2]'), (3, '[4]')) t(i, v) WINDOW w AS (ORDER BY i);
SELECT i, avg(v) OVER (ORDER BY i ROWS 1 PRECEDING) FROM (VALUES (1, '[1]'::halfvec), (2, '[2]'), (3, '[4]')) t(i, v);

-- The functions behind them
SELECT vector_accum('{0}', '[1,2]'), vector_accum('{2,1,1}', '[1,2]'), halfvec_accum('{0}', '[1,2]'), halfvec_accum('{2,1,1}', '[1,2]');
SELECT vector_combine('{0}', '{1,2}'), vector_combine('{1,2}', '{0}'), vector_combine('{1,2,3}', '{2,4,5}'), halfvec_combine('{1,2,3}', '{2,4,5}');
SELECT vector_combine('{0,1}', '{1,2}'), vector_combine('{1,2}', '{0,1}'), vector_combine('{0}', '{0,1}');
SELECT vector_avg('{0}'), vector_avg('{0,1}'), vector_avg('{2,1,1}'), halfvec_avg('{0}'), halfvec_avg('{2,1,1}'), halfvec_avg('{1,65519}');

-- A state is not changed outside of an aggregate
CREATE TABLE types_states (state double precision[]);
INSERT INTO types_states VALUES ('{1,2}');
SELECT vector_accum(state, '[1]'), halfvec_accum(state, '[1]'), vector_combine(state, state), state FROM types_states;
SELECT state FROM types_states;
DROP TABLE types_states;

-- Parallel plans
CREATE TABLE types_aggregates (v vector(2), h halfvec(2));
INSERT INTO types_aggregates SELECT ARRAY[i % 8, i % 16], ARRAY[i % 8, i % 16] FROM generate_series(1, 16000) i;
ANALYZE types_aggregates;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT avg(v), avg(h), sum(v) FROM types_aggregates;
SELECT avg(v), avg(h), sum(v) FROM types_aggregates;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;
DROP TABLE types_aggregates;

-- Errors
\set VERBOSITY sqlstate
SELECT avg(v) FROM (VALUES ('[1,2]'::vector), ('[3]')) t(v);
SELECT avg(v) FROM (VALUES ('[1,2]'::halfvec), ('[3]')) t(v);
SELECT sum(v) FROM (VALUES ('[1,2]'::vector), ('[3]')) t(v);
SELECT sum(v) FROM (VALUES ('[3e38]'::vector), ('[3e38]')) t(v);
SELECT sum(v) FROM (VALUES ('[65504]'::halfvec), ('[65504]')) t(v);
SELECT vector_accum('{0,1}', '[1,2]');
SELECT vector_accum('{}', '[1]');
SELECT vector_accum('{NULL}', '[1]');
SELECT vector_accum('{{0}}', '[1]');
SELECT vector_accum('{1,Infinity}', '[1]');
SELECT halfvec_accum('{1,1}', '[1,2]');
SELECT vector_combine('{1,2}', '{1,2,3}');
SELECT vector_combine('{1,1e308}', '{1,1e308}');
SELECT vector_combine('{}', '{0}');
SELECT vector_combine('{1}', '{0}');
SELECT vector_combine('{1}', '{1}');
SELECT vector_avg('{2}');
SELECT vector_avg('{1,NaN}');
SELECT vector_avg('{NaN,1}');
SELECT vector_avg('{2,1e300}');
SELECT vector_avg('{1,NULL}');
SELECT vector_avg(array_fill(1::float8, ARRAY[16002]));
SELECT halfvec_avg('{2}');
SELECT halfvec_avg('{1,65520}');
SELECT halfvec_avg('{2,1e300}');
