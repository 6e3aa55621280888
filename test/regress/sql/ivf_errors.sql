-- Everything that is refused, with its SQLSTATE and message; and that nothing is lost by it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pagoda;
RESET client_min_messages;
\getenv srcdir PG_ABS_SRCDIR
\set support :srcdir '/sql/support/ivf.sql'
\set ECHO none
\i :support
\set ECHO all

CREATE TABLE ivf_errors_t (id int, v vector(3), w vector(3), h halfvec(3), free vector,
                           free_half halfvec, number int, name text, bits bit(3));
INSERT INTO ivf_errors_t
SELECT i, pg_temp.sample_vector(i, 3), pg_temp.sample_vector(i, 3),
       pg_temp.sample_vector(i, 3)::halfvec, pg_temp.sample_vector(i, 3)
FROM generate_series(1, 100) AS i;

-- Index definitions.
SELECT definition, pg_temp.error_of(format('CREATE %s', definition))
FROM unnest(ARRAY[
    'INDEX ON ivf_errors_t USING ivf_rabitq (v, w)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (v) INCLUDE (id)',
    'UNIQUE INDEX ON ivf_errors_t USING ivf_rabitq (v)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (v DESC)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (v NULLS FIRST)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (free)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (free_half)',
    'INDEX ON ivf_errors_t USING ivf_rabitq ((v + w))',
    'INDEX ON ivf_errors_t USING ivf_rabitq (number)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (name)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (bits)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (v vector_l1_ops)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (v bit_hamming_ops)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (v halfvec_l2_ops)',
    'INDEX ON ivf_errors_t USING ivf_rabitq (h vector_l2_ops)',
    'INDEX ON ivf_errors_t USING ivf_rabitq ((free::vector(4)))']) AS definition;
SELECT pg_temp.error_of('ALTER TABLE ivf_errors_t ADD EXCLUDE USING ivf_rabitq (v WITH =)');
SELECT pg_temp.error_of('CLUSTER ivf_errors_t USING ivf_errors_v');
SELECT pg_temp.error_of('CREATE TABLE ivf_errors_wide (v vector(16001))');

-- Values: what the types refuse never reaches the index.
CREATE INDEX ivf_errors_v ON ivf_errors_t USING ivf_rabitq (v);
CREATE INDEX ivf_errors_h ON ivf_errors_t USING ivf_rabitq (h);
CREATE INDEX ivf_errors_e ON ivf_errors_t USING ivf_rabitq ((free::vector(3)));
SELECT value, pg_temp.error_of(format('INSERT INTO ivf_errors_t (id, v) VALUES (0, %L)', value)),
       pg_temp.error_of(format('INSERT INTO ivf_errors_t (id, h) VALUES (0, %L)', value))
FROM unnest(ARRAY['[1,2]', '[1,2,3,4]', '[]', '[NaN,0,0]', '[Infinity,0,0]', '[1e40,0,0]',
                  '[1,2,3', '1,2,3', '', '[a,b,c]']) AS value;
SELECT pg_temp.error_of($$INSERT INTO ivf_errors_t (id, free) VALUES (0, '[1,2]')$$);
SELECT pg_temp.error_of($$UPDATE ivf_errors_t SET free = '[1,2,3,4]' WHERE id = 1$$);
SELECT pg_temp.full_scan('ivf_errors_t', 'v', '<->', $$'[0,0,0]'$$),
       pg_temp.full_scan('ivf_errors_t', 'h', '<->', $$'[0,0,0]'$$),
       pg_temp.full_scan('ivf_errors_t', 'free::vector(3)', '<->', $$'[0,0,0]'$$);

-- Queries of other dimensions: the same error as the operator's own.
SELECT setting, query, pg_temp.error_of(format(
    'SET LOCAL enable_seqscan = %s; SELECT id FROM ivf_errors_t ORDER BY %s LIMIT 1', setting,
    query))
FROM unnest(ARRAY['on', 'off']) AS setting,
     unnest(ARRAY[$$v <-> '[1,2]'$$, $$v <-> '[1,2,3,4]'$$, $$h <-> '[1,2]'$$,
                  $$(free::vector(3)) <-> '[1]'$$, $$v <-> '[1,NaN,2]'$$, $$v <-> 'none'$$])
     AS query;

-- A column whose type has lost its dimensions keeps its index, and the index its dimensions.
ALTER TABLE ivf_errors_t ALTER v TYPE vector;
SELECT dimensions, rows FROM pagoda_index_info('ivf_errors_v');
SELECT pg_temp.error_of($$INSERT INTO ivf_errors_t (id, v) VALUES (0, '[1,2]')$$);
INSERT INTO ivf_errors_t (id, v) VALUES (101, '[1,2,3]');
SELECT pg_temp.full_scan('ivf_errors_t', 'v', '<->', $$'[0,0,0]'$$);
SELECT pg_temp.error_of('REINDEX INDEX ivf_errors_v');
SELECT pg_temp.full_scan('ivf_errors_t', 'v', '<->', $$'[0,0,0]'$$);

-- pagoda_index_info: what is not an index of ours.
CREATE INDEX ivf_errors_number ON ivf_errors_t (number);
CREATE VIEW ivf_errors_view AS SELECT 1 AS one;
CREATE TABLE ivf_errors_parts (id int, v vector(3)) PARTITION BY RANGE (id);
CREATE INDEX ivf_errors_parts_i ON ivf_errors_parts USING ivf_rabitq (v);
SELECT name, pg_temp.error_of(format('SELECT pagoda_index_info(%L)', name))
FROM unnest(ARRAY['ivf_errors_t', 'ivf_errors_number', 'ivf_errors_view', 'ivf_errors_parts',
                  'ivf_errors_parts_i', 'ivf_errors_missing', 'pg_class', '0']) AS name;
SELECT pagoda_index_info(NULL) IS NULL AS null_gives_null;

-- pagoda_index_info: SELECT on the table is needed.
CREATE ROLE ivf_errors_reader;
SET ROLE ivf_errors_reader;
SELECT pg_temp.error_of($$SELECT pagoda_index_info('ivf_errors_v')$$);
SELECT pg_temp.error_of($$SELECT pagoda_index_info('ivf_errors_number')$$);
RESET ROLE;
GRANT SELECT ON ivf_errors_t TO ivf_errors_reader;
SET ROLE ivf_errors_reader;
SELECT rows FROM pagoda_index_info('ivf_errors_v');
RESET ROLE;

-- Operator classes that ivf_rabitq cannot use are found by amvalidate.
CREATE FUNCTION pg_temp.validate_class(name text) RETURNS boolean LANGUAGE sql AS $$
    SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = name $$;
CREATE OPERATOR CLASS ivf_errors_no_function FOR TYPE vector USING ivf_rabitq AS
    OPERATOR 1 <-> (vector, vector) FOR ORDER BY float_ops;
SELECT pg_temp.validate_class('ivf_errors_no_function');
CREATE OPERATOR CLASS ivf_errors_no_operator FOR TYPE vector USING ivf_rabitq AS
    FUNCTION 1 pagoda_ivf_vector_l2(internal);
SELECT pg_temp.validate_class('ivf_errors_no_operator');
CREATE OPERATOR CLASS ivf_errors_search FOR TYPE vector USING ivf_rabitq AS
    OPERATOR 1 = (vector, vector), FUNCTION 1 pagoda_ivf_vector_l2(internal);
SELECT pg_temp.validate_class('ivf_errors_search');
CREATE OPERATOR CLASS ivf_errors_signature FOR TYPE vector USING ivf_rabitq AS
    OPERATOR 1 <-> (vector, vector) FOR ORDER BY float_ops, FUNCTION 1 vector_dims(vector);
SELECT pg_temp.validate_class('ivf_errors_signature');
SELECT pg_temp.error_of($$CREATE OPERATOR CLASS ivf_errors_strategy FOR TYPE vector USING ivf_rabitq
    AS OPERATOR 2 <-> (vector, vector) FOR ORDER BY float_ops$$);
SELECT pg_temp.error_of($$CREATE OPERATOR CLASS ivf_errors_support FOR TYPE vector USING ivf_rabitq
    AS FUNCTION 2 pagoda_ivf_vector_l2(internal)$$);
DROP OPERATOR FAMILY ivf_errors_no_function USING ivf_rabitq;
DROP OPERATOR FAMILY ivf_errors_no_operator USING ivf_rabitq;
DROP OPERATOR FAMILY ivf_errors_search USING ivf_rabitq;
DROP OPERATOR FAMILY ivf_errors_signature USING ivf_rabitq;

DROP VIEW ivf_errors_view;
DROP TABLE ivf_errors_t, ivf_errors_parts;
DROP ROLE ivf_errors_reader;
