-- The texts of errors, which clients compare.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

\set VERBOSITY terse
SELECT '[1,2]'::vector <-> '[1,2,3]';
SELECT '[1,2]'::halfvec <=> '[1]';
SELECT '[1,2]'::vector(3);
SELECT '[1,2]'::halfvec(3);
SELECT '[]'::vector;
SELECT '[]'::halfvec;
SELECT '[nan]'::vector;
SELECT '[nan]'::halfvec;
SELECT '[inf]'::vector;
SELECT '[inf]'::halfvec;
SELECT '[ 4e38 ]'::vector;
SELECT '[65520]'::halfvec;
SELECT '[1e400'::halfvec;
SELECT '[65520]'::vector::halfvec;
SELECT '{1e10}'::real[]::halfvec;
SELECT '{-123456.789}'::double precision[]::halfvec;
SELECT '[3e38]'::vector + '[3e38]';
SELECT '[1e-38]'::vector * '[1e-38]';
SELECT '[1]'::vector(0);
SELECT '[1]'::vector(16001);
SELECT '[1]'::vector(1, 2);
SELECT '[1]'::halfvec(0);
SELECT '[1]'::halfvec(16001);
SELECT '[1]'::halfvec(1, 2);
SELECT array_fill(0, ARRAY[16001])::vector;
SELECT array_fill(0, ARRAY[16001])::halfvec;
SELECT '{{1}}'::int[]::vector;
SELECT '{1,NULL}'::int[]::vector;
SELECT hamming_distance(B'10', B'010');
SELECT vector_accum('{}', '[1]');
SELECT halfvec_accum('{{0}}', '[1]');
SELECT vector_avg('{}');
SELECT halfvec_avg('{{1,2}}');
SELECT vector_combine('{}', '{0}');

-- With details
\set VERBOSITY default
SELECT ''::vector;
SELECT ' 1,2'::halfvec;
SELECT '[1,2]x'::vector;
SELECT '[1,2] ]'::halfvec;
SELECT '[1,2'::vector;
SELECT '[1,two]'::halfvec;
SELECT l2_normalize('[1,2'::vector);
CREATE TABLE types_messages (h halfvec(2));
COPY types_messages FROM STDIN;
[1,2]
[3,4
\.
COPY types_messages FROM STDIN WITH (FORMAT csv);
"[1,2]"
"[3,4,5]"
\.
SELECT count(*) FROM types_messages;
DROP TABLE types_messages;
