-- What the bundled types do otherwise than pgvector 0.8.6; types_differences_1.out is pgvector's.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
\set VERBOSITY sqlstate

-- Parallel workers that see no rows leave states without values; pgvector accepts them from 0.8.7 on
SELECT vector_combine('{0}', '{0}'), halfvec_combine('{0}', '{0}');
CREATE TABLE types_differences (v vector(2)) WITH (parallel_workers = 2);
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT avg(v) FROM types_differences;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
DROP TABLE types_differences;

-- A damaged value, whose length contradicts its dimensions, is refused and not read
CREATE CAST (bytea AS vector) WITHOUT FUNCTION;
CREATE CAST (bytea AS halfvec) WITHOUT FUNCTION;
SELECT '\x010000000000803f'::bytea::vector;
SELECT '\x010000000000803f00000000'::bytea::vector;
SELECT '\x00000000'::bytea::vector;
SELECT '\x01000000003c'::bytea::halfvec;
SELECT '\x01000000003c003c'::bytea::halfvec <-> '[1]';
DROP CAST (bytea AS vector);
DROP CAST (bytea AS halfvec);
