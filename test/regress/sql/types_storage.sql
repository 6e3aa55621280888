-- Values in tables: TOAST, short headers, ALTER TYPE, defaults, generated columns, domains, COPY.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE types_storage (v vector(3000), h halfvec(3000));
INSERT INTO types_storage SELECT a::vector, a::halfvec
FROM (SELECT array_agg(x % 50 + y) AS a FROM generate_series(1, 3000) x, generate_series(1, 3) y GROUP BY y ORDER BY y) s;
SELECT pg_column_size(v), pg_column_size(h), pg_column_compression(v) FROM types_storage;
SELECT v <-> v AS zero, v <-> h AS mixed, l2_norm(h) = vector_norm(v) AS same FROM types_storage;
SELECT avg(v) = avg(h)::vector AS same, vector_dims(sum(v)), subvector(avg(h), 1, 3) FROM types_storage;
ALTER TABLE types_storage ALTER v TYPE vector(2) USING subvector(v, 1, 2), ALTER h TYPE halfvec(2) USING subvector(h, 2999, 2);
SELECT *, pg_column_size(v), pg_column_size(h) FROM types_storage ORDER BY v;
ALTER TABLE types_storage ALTER v TYPE halfvec(2), ALTER h TYPE vector;
\d types_storage
SELECT * FROM types_storage ORDER BY v;
ALTER TABLE types_storage ALTER h TYPE real[];
SELECT h FROM types_storage ORDER BY h;
\set VERBOSITY sqlstate
ALTER TABLE types_storage ALTER v TYPE halfvec(3);
\set VERBOSITY default
DROP TABLE types_storage;

SELECT typname, typlen, typalign, typstorage, typcategory FROM pg_type WHERE typname IN ('vector', 'halfvec') ORDER BY 1;
SELECT pg_column_size('[1,2,3]'::vector), pg_column_size('[1,2,3]'::halfvec);

CREATE TABLE types_storage (v vector(2) DEFAULT '[1,2]', n halfvec GENERATED ALWAYS AS (l2_normalize('[3,4]'::halfvec)) STORED);
INSERT INTO types_storage DEFAULT VALUES;
INSERT INTO types_storage (v) VALUES (ARRAY[7,8]);
UPDATE types_storage SET v = v + '[1,1]';
SELECT * FROM types_storage;
COPY types_storage (v) TO STDOUT;
COPY types_storage (v) TO STDOUT (FORMAT csv);
COPY types_storage (v) FROM STDIN;
[5,6]
[ 7 , 8 ]
\N
\.
SELECT v, n FROM types_storage ORDER BY v;
DROP TABLE types_storage;

CREATE DOMAIN unit_vector AS vector(2) CHECK (vector_norm(VALUE) = 1);
SELECT '[1,0]'::unit_vector;
\set VERBOSITY sqlstate
SELECT '[1,1]'::unit_vector;
SELECT '[1]'::unit_vector;
DROP DOMAIN unit_vector;

-- A statement that is run often with values of the client
PREPARE types_nearest (vector) AS SELECT v FROM (VALUES ('[1,2]'::vector), ('[3,4]')) t(v) ORDER BY v <-> $1 LIMIT 1;
EXECUTE types_nearest ('[3,3]');
EXECUTE types_nearest ('[0,0]');
EXECUTE types_nearest ('[0]');
DEALLOCATE types_nearest;
