-- Casts between the types, from and to arrays; which of them happen by themselves.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

SELECT '[1,2.5]'::vector::halfvec, '[1,2.5]'::halfvec::vector, '[1,2]'::vector::halfvec(2), '[1,2]'::halfvec::vector(2);
SELECT '[65519.99,1e-8,-1e-8,2049]'::vector::halfvec, '[65504,6e-8,-0]'::halfvec::vector;
SELECT '[1,2.5]'::vector::real[], '[1,2.5]'::halfvec::real[], '[0.1]'::halfvec::real[];
SELECT array_dims('[1,2,3]'::vector::real[]), array_lower('[1,2]'::halfvec::real[], 1), cardinality('[1,2,3]'::vector::real[]);

SELECT ARRAY[1,2]::vector, ARRAY[1.5,2]::vector, ARRAY[1.5,2]::real[]::vector, ARRAY[1.5,2]::double precision[]::vector;
SELECT ARRAY[1,2]::halfvec, ARRAY[1.5,2]::halfvec, ARRAY[1.5,2]::real[]::halfvec, ARRAY[1.5,2]::double precision[]::halfvec;
SELECT ARRAY[1,2]::vector(2), ARRAY[1.5]::halfvec(1);
SELECT '{16777217,2147483647,-2147483648}'::int[]::vector, '{65519,-65519,2049}'::int[]::halfvec;
SELECT '{1e-50,-1e-50,0.1,1e38}'::double precision[]::vector, '{1e-50,-1e-50,0.1,65519.99}'::double precision[]::halfvec;
SELECT '{0.1,123456789,1e-30}'::numeric[]::vector, '{0.1,65519.99}'::numeric[]::halfvec;
SELECT '[0:2]={1,2,3}'::real[]::vector, '[5:6]={1,2}'::int[]::halfvec;
SELECT vector_dims(array_fill(0, ARRAY[16000])::vector), vector_dims(array_fill(0, ARRAY[16000])::halfvec);
SELECT '{"[1,2]","[3]"}'::vector[]::halfvec[], ARRAY['[1]'::halfvec]::vector[];
SELECT '[1]'::vector::vector(1)::text, '[1]'::halfvec::text, '[1,2]'::text::vector;
SELECT array_to_vector('{1,2}'::int[], -1, false), array_to_halfvec('{1,2}'::int[], 2, true), vector('[1]'::vector, 1, false), halfvec('[1]'::halfvec, -1, false);

-- Assignment
CREATE TABLE types_casts (f real[], v vector, h halfvec, v2 vector(2), h2 halfvec(2));
INSERT INTO types_casts (v, h) VALUES (ARRAY[1,2], ARRAY[1.5,2]);
INSERT INTO types_casts (f, v2, h2) VALUES ('[1,2]'::vector, '[3,4]'::halfvec, '[5,6]'::vector);
INSERT INTO types_casts (f, v, h) VALUES ('[1]'::halfvec, '{1}'::numeric[], '{1}'::double precision[]);
SELECT * FROM types_casts;

-- The implicit casts: vector to halfvec, vector to real[]
SELECT '[1,2]'::vector <-> '[1,3]'::halfvec AS mixed, pg_typeof('[1]'::halfvec || '[2]'::vector), '[1,2]'::vector = '[1,2]'::halfvec AS equal;
\set VERBOSITY sqlstate
SELECT unnest('[1,2]'::vector);
SELECT '[1,2]'::vector <-> ARRAY[1,2];
SELECT '[1,2]'::vector::int[];
SELECT ARRAY[1::bigint]::vector;
SELECT ARRAY['1']::halfvec;
INSERT INTO types_casts (v2) VALUES ('{1,2,3}'::int[]);
INSERT INTO types_casts (h2) VALUES (ARRAY[1.0]);
INSERT INTO types_casts (v2) VALUES ('[1]'::halfvec);
DROP TABLE types_casts;
