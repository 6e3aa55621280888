-- Storage parameters and settings, their limits and their errors.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pagoda;
RESET client_min_messages;
\getenv srcdir PG_ABS_SRCDIR
\set support :srcdir '/sql/support/ivf.sql'
\set ECHO none
\i :support
\set ECHO all

CREATE TABLE ivf_options_t (id int, v vector(8));
INSERT INTO ivf_options_t SELECT i, pg_temp.sample_vector(i, 8) FROM generate_series(1, 2000) AS i;

-- Parameters: accepted values.
CREATE INDEX ivf_options_i ON ivf_options_t USING ivf_rabitq (v);
SELECT refine_bits, lists > 1 AS several_lists, rows FROM pagoda_index_info('ivf_options_i');
CREATE INDEX ivf_options_7 ON ivf_options_t USING ivf_rabitq (v) WITH (lists = 7);
SELECT lists, refine_bits, rows FROM pagoda_index_info('ivf_options_7');
CREATE INDEX ivf_options_1 ON ivf_options_t USING ivf_rabitq (v) WITH (lists = 1, refine_bits = 4);
SELECT lists, refine_bits, rows FROM pagoda_index_info('ivf_options_1');
CREATE INDEX ivf_options_0 ON ivf_options_t USING ivf_rabitq (v) WITH (refine_bits = 0);
SELECT refine_bits, level1_bytes, rows FROM pagoda_index_info('ivf_options_0');
CREATE INDEX ivf_options_auto ON ivf_options_t USING ivf_rabitq (v)
    WITH (lists = -1, refine_bits = 8);
SELECT indexrelid::regclass, reloptions
FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
WHERE indrelid = 'ivf_options_t'::regclass ORDER BY 1;

-- More lists than rows: as many as there are rows at most.
CREATE TABLE ivf_options_few (id int, v vector(8));
INSERT INTO ivf_options_few SELECT i, pg_temp.sample_vector(i, 8) FROM generate_series(1, 5) AS i;
CREATE INDEX ivf_options_few_i ON ivf_options_few USING ivf_rabitq (v) WITH (lists = 1000000);
SELECT lists <= 5 AS few_lists, rows FROM pagoda_index_info('ivf_options_few_i');
SELECT pg_temp.full_scan('ivf_options_few', 'v', '<->', quote_literal(pg_temp.sample_vector(0, 8)));

-- Parameters: refused values.
SELECT options, pg_temp.error_of(
    format('CREATE INDEX ON ivf_options_few USING ivf_rabitq (v) WITH (%s)', options))
FROM unnest(ARRAY['lists = 0', 'lists = -2', 'lists = 1000001', 'lists = many',
                  'refine_bits = 5', 'refine_bits = 16', 'refine_bits = -1', 'refine_bits = on',
                  'fillfactor = 90', 'probes = 3']) AS options;

-- A changed parameter counts from the next REINDEX on.
ALTER INDEX ivf_options_7 SET (lists = 9, refine_bits = 4);
SELECT lists, refine_bits FROM pagoda_index_info('ivf_options_7');
REINDEX INDEX ivf_options_7;
SELECT lists, refine_bits, rows FROM pagoda_index_info('ivf_options_7');
ALTER INDEX ivf_options_7 RESET (lists, refine_bits);
REINDEX INDEX ivf_options_7;
SELECT lists <> 9 AS lists_changed, refine_bits FROM pagoda_index_info('ivf_options_7');
SELECT pg_temp.error_of('ALTER INDEX ivf_options_7 SET (refine_bits = 3)');
SELECT pg_temp.error_of('ALTER INDEX ivf_options_7 SET (lists = 0)');

-- Every parameter gives all rows.
DROP INDEX ivf_options_i, ivf_options_7, ivf_options_auto, ivf_options_0;
SELECT pg_temp.full_scan('ivf_options_t', 'v', '<->', quote_literal(pg_temp.sample_vector(0, 8)));
DROP INDEX ivf_options_1;
CREATE INDEX ivf_options_0 ON ivf_options_t USING ivf_rabitq (v) WITH (refine_bits = 0);
SELECT pg_temp.full_scan('ivf_options_t', 'v', '<->', quote_literal(pg_temp.sample_vector(0, 8)));

-- Settings: defaults and limits.
SHOW pagoda.probes;
SHOW pagoda.epsilon;
SHOW pagoda.simd_level;
SELECT setting, pg_temp.error_of(setting)
FROM unnest(ARRAY['SET pagoda.probes = 0', 'SET pagoda.probes = -2', 'SET pagoda.probes = 1000001',
                  'SET pagoda.probes = all', 'SET pagoda.epsilon = -0.5',
                  'SET pagoda.epsilon = 10.5', 'SET pagoda.epsilon = NaN',
                  'SET pagoda.epsilon = -2', 'SET pagoda.simd_level = mmx',
                  'SET pagoda.unknown = 1', 'SET pagoda.probes = 1',
                  'SET pagoda.probes = 1000000', 'SET pagoda.epsilon = 0',
                  'SET pagoda.epsilon = 10', 'SET pagoda.simd_level = scalar']) AS setting;

-- Every setting gives all rows, whatever the index is.
SET pagoda.probes = 1;
SET pagoda.epsilon = 0;
SELECT pg_temp.full_scan('ivf_options_t', 'v', '<->', quote_literal(pg_temp.sample_vector(0, 8)));
SELECT pg_temp.full_scan('ivf_options_few', 'v', '<->', quote_literal(pg_temp.sample_vector(0, 8)));
SET pagoda.probes = 1000000;
SET pagoda.epsilon = 10;
SELECT pg_temp.full_scan('ivf_options_t', 'v', '<->', quote_literal(pg_temp.sample_vector(0, 8)));
SELECT pg_temp.full_scan('ivf_options_few', 'v', '<->', quote_literal(pg_temp.sample_vector(0, 8)));
SET pagoda.simd_level = scalar;
SELECT pg_temp.full_scan('ivf_options_t', 'v', '<->', quote_literal(pg_temp.sample_vector(0, 8)));
RESET pagoda.simd_level;
RESET pagoda.probes;
RESET pagoda.epsilon;

-- Settings that were made before the module is loaded are checked when it is.
\c -
SET pagoda.probes = 3;
SET pagoda.epsilon = -7;
SET pagoda.no_such_setting = 1;
SELECT lists FROM pagoda_index_info('ivf_options_few_i');
SHOW pagoda.probes;
SHOW pagoda.epsilon;
SHOW pagoda.no_such_setting;

DROP TABLE ivf_options_t, ivf_options_few;
