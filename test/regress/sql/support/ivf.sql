-- Functions that the ivf_* tests share. They live in the session's temporary schema.

-- A vector of `dim` elements in (-1, 1) that depends on `seed` only.
CREATE OR REPLACE FUNCTION pg_temp.sample_vector(seed int, dim int) RETURNS vector
    LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg((hashint4(seed * 16001 + i) % 1000)::real / 1000)::vector
    FROM generate_series(1, dim) AS i
$$;

-- Runs a command and says with which SQLSTATE and message it failed, or that it did not.
CREATE OR REPLACE FUNCTION pg_temp.error_of(command text) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    EXECUTE command;
    RETURN 'no error';
EXCEPTION WHEN OTHERS OR query_canceled THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN SQLSTATE || ': ' || SQLERRM || COALESCE(' | ' || NULLIF(detail, ''), '');
END
$$;

-- The plan of a query, one node a line, without costs.
CREATE OR REPLACE FUNCTION pg_temp.plan_of(query text) RETURNS SETOF text
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) ' || query;
END
$$;

-- Whether an ordered index scan of "source" (a table with a column id), read to its end, returns
-- exactly the rows that a sequential scan finds with a non-NULL value, each once.
CREATE OR REPLACE FUNCTION pg_temp.full_scan(source text, value text, operator text, query text)
    RETURNS text LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_sort = off SET enable_bitmapscan = off AS $$
DECLARE
    ordered text := format('SELECT id FROM %s AS source ORDER BY %s %s %s', source, value, operator, query);
    found int[];
    expected int[];
    plan text;
BEGIN
    SELECT string_agg(line, E'\n') INTO plan FROM pg_temp.plan_of(ordered) AS line;
    IF plan !~ 'Index Scan using' THEN
        RETURN 'no index scan: ' || plan;
    END IF;
    EXECUTE format('SELECT array_agg(id) FROM (%s) AS scan', ordered) INTO found;
    PERFORM set_config('enable_seqscan', 'on', true);
    PERFORM set_config('enable_indexscan', 'off', true);
    EXECUTE format('SELECT array_agg(id ORDER BY id) FROM %s AS source WHERE %s IS NOT NULL', source,
                   value) INTO expected;
    PERFORM set_config('enable_indexscan', 'on', true);
    IF found IS NULL AND expected IS NULL THEN
        RETURN 'no rows';
    END IF;
    IF ARRAY(SELECT unnest(found) ORDER BY 1) = expected THEN
        RETURN 'all rows once';
    END IF;
    RETURN format('%s rows, %s different, expected %s', cardinality(found),
                  (SELECT count(DISTINCT id) FROM unnest(found) AS id), cardinality(expected));
END
$$;

-- The share of the k exactly nearest rows that the index scan returns among its first k.
CREATE OR REPLACE FUNCTION pg_temp.recall(source text, value text, operator text, query text, k int)
    RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    nearest text := format('SELECT id FROM %s ORDER BY %s %s %s LIMIT %s', source, value, operator,
                           query, k);
    found int[];
    exact int[];
BEGIN
    PERFORM set_config('enable_seqscan', 'off', true);
    EXECUTE format('SELECT array_agg(id) FROM (%s) AS scan', nearest) INTO found;
    PERFORM set_config('enable_seqscan', 'on', true);
    PERFORM set_config('enable_indexscan', 'off', true);
    EXECUTE format('SELECT array_agg(id) FROM (%s) AS scan', nearest) INTO exact;
    PERFORM set_config('enable_indexscan', 'on', true);
    RETURN round((SELECT count(*) FROM unnest(found) AS id WHERE id = ANY (exact))::numeric /
                 cardinality(exact), 2);
END
$$;
