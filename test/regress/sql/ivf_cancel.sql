-- Cancellation at the n-th interrupt check, for many n: nothing is lost, nothing is left.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS pagoda;
RESET client_min_messages;
\getenv srcdir PG_ABS_SRCDIR
\set support :srcdir '/sql/support/ivf.sql'
\set ECHO none
\i :support
\set ECHO all

SELECT quote_literal(pg_temp.sample_vector(0, 16)) AS q \gset
CREATE TABLE ivf_cancel_t (id int, v vector(16));
INSERT INTO ivf_cancel_t SELECT i, pg_temp.sample_vector(i, 16) FROM generate_series(1, 4000) AS i;

-- Runs `command` with a cancel at check 1, 2, 3, ..., with growing steps, until it comes through.
CREATE FUNCTION pg_temp.cancel_everywhere(command text, OUT cancelled boolean, OUT finished boolean,
                                          OUT other_errors text)
    LANGUAGE plpgsql AS $$
DECLARE
    n int := 1;
    cancels int := 0;
BEGIN
    finished := false;
    WHILE NOT finished AND n < 1000000 LOOP
        BEGIN
            PERFORM set_config('pagoda.debug_cancel_at_check', n::text, false);
            EXECUTE command;
            finished := true;
        EXCEPTION
            WHEN query_canceled THEN
                cancels := cancels + 1;
            WHEN OTHERS THEN
                other_errors := SQLSTATE || ': ' || SQLERRM;
                EXIT;
        END;
        n := n + 1 + n / 8;
    END LOOP;
    PERFORM set_config('pagoda.debug_cancel_at_check', '0', false);
    cancelled := cancels > 3;
END
$$;

-- Builds.
SELECT * FROM pg_temp.cancel_everywhere(
    'CREATE INDEX ivf_cancel_i ON ivf_cancel_t USING ivf_rabitq (v)');
SELECT pg_temp.full_scan('ivf_cancel_t', 'v', '<->', :'q');
SELECT * FROM pg_temp.cancel_everywhere('REINDEX INDEX ivf_cancel_i');
SELECT pg_temp.full_scan('ivf_cancel_t', 'v', '<->', :'q');

-- Scans, with the answer of the one that comes through.
SET enable_seqscan = off;
SELECT * FROM pg_temp.cancel_everywhere(
    'SELECT count(*) FROM (SELECT id FROM ivf_cancel_t ORDER BY v <-> ' || :'q' || ') AS s');
SELECT count(*) FROM (SELECT id FROM ivf_cancel_t ORDER BY v <-> :q) AS s;
RESET enable_seqscan;

-- The message, and that the setting counts from the moment it is set.
SET pagoda.debug_cancel_at_check = 2;
SET enable_seqscan = off;
SELECT count(*) FROM (SELECT id FROM ivf_cancel_t ORDER BY v <-> :q) AS s;
RESET pagoda.debug_cancel_at_check;
SELECT count(*) FROM (SELECT id FROM ivf_cancel_t ORDER BY v <-> :q) AS s;
RESET enable_seqscan;

-- VACUUM: the rows that it did not reach wait for the next one.
DELETE FROM ivf_cancel_t WHERE id % 2 = 0;
SET pagoda.debug_cancel_at_check = 1;
VACUUM (INDEX_CLEANUP on) ivf_cancel_t;
SET pagoda.debug_cancel_at_check = 2;
VACUUM (INDEX_CLEANUP on) ivf_cancel_t;
SET pagoda.debug_cancel_at_check = 5;
VACUUM (INDEX_CLEANUP on) ivf_cancel_t;
RESET pagoda.debug_cancel_at_check;
SELECT pg_temp.full_scan('ivf_cancel_t', 'v', '<->', :'q');
VACUUM (INDEX_CLEANUP on) ivf_cancel_t;
SELECT rows FROM pagoda_index_info('ivf_cancel_i');
SELECT pg_temp.full_scan('ivf_cancel_t', 'v', '<->', :'q');

-- A real cancel, by statement_timeout, leaves a session that can go on.
INSERT INTO ivf_cancel_t SELECT i, pg_temp.sample_vector(i, 16) FROM generate_series(1, 30000) AS i;
SET statement_timeout = '20ms';
REINDEX INDEX ivf_cancel_i;
RESET statement_timeout;
SELECT pg_temp.full_scan('ivf_cancel_t', 'v', '<->', :'q');

DROP TABLE ivf_cancel_t;
