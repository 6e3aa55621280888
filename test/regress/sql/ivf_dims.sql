-- Dimensions from 1 to 16,000, built and inserted, at each number of refinement bits.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pagoda;
RESET client_min_messages;
\getenv srcdir PG_ABS_SRCDIR
\set support :srcdir '/sql/support/ivf.sql'
\set ECHO none
\i :support
\set ECHO all

CREATE FUNCTION pg_temp.check_dimension(dim int, bits int, OUT built text, OUT inserted text,
                                        OUT finds_itself text)
    LANGUAGE plpgsql AS $$
DECLARE
    query text := quote_literal(pg_temp.sample_vector(0, dim));
BEGIN
    EXECUTE format('CREATE TABLE ivf_dims_t (id int, v vector(%s))', dim);
    INSERT INTO ivf_dims_t SELECT i, pg_temp.sample_vector(i, dim) FROM generate_series(1, 70) AS i;
    EXECUTE format('CREATE INDEX ivf_dims_i ON ivf_dims_t USING ivf_rabitq (v) '
                   'WITH (lists = 3, refine_bits = %s)', bits);
    built := pg_temp.full_scan('ivf_dims_t', 'v', '<->', query);
    INSERT INTO ivf_dims_t SELECT i, pg_temp.sample_vector(i, dim) FROM generate_series(71, 140) AS i;
    inserted := pg_temp.full_scan('ivf_dims_t', 'v', '<->', query);
    -- One dimension has neighbours closer than a code can tell apart.
    IF dim > 1 THEN
        SET LOCAL enable_seqscan = off;
        SELECT string_agg(nearest.id::text, ' ' ORDER BY nearest.id) INTO finds_itself
        FROM unnest(ARRAY[1, 70, 71, 140]) AS probe, LATERAL (
            SELECT id FROM ivf_dims_t ORDER BY v <-> pg_temp.sample_vector(probe, dim) LIMIT 1)
            AS nearest;
    END IF;
    DROP TABLE ivf_dims_t;
END
$$;
SELECT dim, checks.*
FROM unnest(ARRAY[1, 2, 63, 64, 65, 1029, 2065, 4101, 8145, 16000]) AS dim,
     LATERAL pg_temp.check_dimension(dim, 8) AS checks;
SELECT dim, built, inserted
FROM unnest(ARRAY[1, 65, 1029, 16000]) AS dim, LATERAL pg_temp.check_dimension(dim, 4);
SELECT dim, built, inserted
FROM unnest(ARRAY[1, 65, 1029, 16000]) AS dim, LATERAL pg_temp.check_dimension(dim, 0);

-- halfvec at its limit, under the other metrics.
CREATE TABLE ivf_dims_h (id int, h halfvec(16000));
INSERT INTO ivf_dims_h
SELECT i, pg_temp.sample_vector(i, 16000)::halfvec FROM generate_series(1, 30) AS i;
CREATE INDEX ivf_dims_ip ON ivf_dims_h USING ivf_rabitq (h halfvec_ip_ops);
CREATE INDEX ivf_dims_cosine ON ivf_dims_h USING ivf_rabitq (h halfvec_cosine_ops);
SELECT pg_temp.full_scan('ivf_dims_h', 'h', '<#>', quote_literal(pg_temp.sample_vector(1, 16000))),
       pg_temp.full_scan('ivf_dims_h', 'h', '<=>', quote_literal(pg_temp.sample_vector(1, 16000)));
DROP TABLE ivf_dims_h;
