-- Binary form: what is sent, what is received, and what is refused.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

SELECT vector_send('[1,-2.5]'), vector_send('[0,-0,1e-45,3.4028235e38]');
SELECT halfvec_send('[1,-2.5]'), halfvec_send('[0,-0,5.9604645e-08,65504,6.1035156e-05]');
SELECT length(vector_send(array_fill(1, ARRAY[16000])::vector)), length(halfvec_send(array_fill(1, ARRAY[16000])::halfvec));

-- There and back by COPY; the file is in the server's data folder
CREATE TABLE types_binary (v vector, h halfvec, a vector[]);
INSERT INTO types_binary VALUES ('[1,2.5,-3e-40]', '[1,-2.5,6e-8]', '{"[1]","[2,3]"}'), (NULL, '[65504]', '{}'),
    (array_fill(0.5, ARRAY[16000]), array_fill(0.25, ARRAY[16000]), NULL);
COPY types_binary TO PROGRAM 'cat >types_binary.copy' (FORMAT binary);
CREATE TABLE types_binary_copy (LIKE types_binary);
COPY types_binary_copy FROM PROGRAM 'cat types_binary.copy; rm types_binary.copy' (FORMAT binary);
SELECT count(*) FROM types_binary;
SELECT * FROM types_binary EXCEPT SELECT * FROM types_binary_copy;
SELECT * FROM types_binary_copy WHERE vector_dims(h) < 100;
DROP TABLE types_binary, types_binary_copy;

-- Receives one field of binary COPY as a value of a type: its text, or the error.
CREATE FUNCTION pg_temp.receive(type text, field bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    message bytea := '\x5047434f50590aff0d0a000000000000000000'::bytea || int2send(1::int2)
        || int4send(length(field)) || field || int2send((-1)::int2);
    escapes text;
    result text;
BEGIN
    SELECT string_agg(format('\%s%s%s', b >> 6, b >> 3 & 7, b & 7), '' ORDER BY i) INTO escapes
    FROM generate_series(0, length(message) - 1) i, get_byte(message, i) b;
    EXECUTE format('CREATE TEMPORARY TABLE received (value %s)', type);
    EXECUTE format('COPY received FROM PROGRAM %L (FORMAT binary)', format('printf ''%s''', escapes));
    EXECUTE 'SELECT value FROM received' INTO result;
    DROP TABLE received;
    RETURN result;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

SELECT field, pg_temp.receive('vector', field) FROM (VALUES
    (1, '\x000200003f80000040200000'::bytea), (2, '\x0001000080000001'), (3, '\x000100007f7fffff'),
    (4, ''), (5, '\x00'), (6, '\x000200'), (7, '\x00020000'), (8, '\x000200003f800000'), (9, '\x000200003f80000040'),
    (10, '\x000100003f80000000'), (11, '\x00000000'), (12, '\xffff0000'), (13, '\x80000000'), (14, '\x3e810000'),
    (15, '\x3e800000'), (16, '\x7fff0001'), (17, '\x00000001'), (18, '\x000100013f800000'), (19, '\x0001ffff3f800000'),
    (20, '\x000200007fc00000'), (21, '\x000200007f800000'), (22, '\x00020000ff8000003f800000'), (23, '\x000200003f800000ffc00001')
) t(i, field) ORDER BY i;

SELECT field, pg_temp.receive('halfvec', field) FROM (VALUES
    (1, '\x000200003c00c100'::bytea), (2, '\x00040000800083ff040003ff'), (3, '\x000200007bfffbff'),
    (4, '\x000200003c00'), (5, '\x000200003c003c003c00'), (6, '\x3e810000'), (7, '\x3e800000'), (8, '\x00000000'),
    (9, '\x00010001'), (10, '\x000200007c003c00'), (11, '\x000200003c00fc00'), (12, '\x000200003c007e00'), (13, '\x000200003c00fe01')
) t(i, field) ORDER BY i;

-- The type modifier comes before the second word
SELECT pg_temp.receive('vector(2)', '\x000200003f80000040200000'), pg_temp.receive('vector(3)', '\x000200013f80000040200000');
SELECT pg_temp.receive('halfvec(1)', '\x000100003c00'), pg_temp.receive('halfvec(1)', '\x000200003c003c00');
SELECT pg_temp.receive('vector(3)', '\x3e810001');
