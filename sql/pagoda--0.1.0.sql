-- Access method ivf_rabitq, its operator classes for the types of extension vector, and functions to
-- look into an index. While this script runs, the search path holds the schema of extension vector.

\echo Use "CREATE EXTENSION pagoda" to load this file. \quit

-- Access method

CREATE FUNCTION pagoda_ivf_handler(internal) RETURNS index_am_handler
    AS 'MODULE_PATHNAME' LANGUAGE C;

CREATE ACCESS METHOD ivf_rabitq TYPE INDEX HANDLER pagoda_ivf_handler;

COMMENT ON ACCESS METHOD ivf_rabitq IS 'nearest neighbours by inverted lists of RaBitQ codes';

-- Operator classes. Support function 1 describes the class to the access method: metric and element
-- type. It cannot be called from SQL.

CREATE FUNCTION pagoda_ivf_vector_l2(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION pagoda_ivf_vector_ip(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION pagoda_ivf_vector_cosine(internal) RETURNS internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE OPERATOR CLASS vector_l2_ops
    DEFAULT FOR TYPE vector USING ivf_rabitq AS
    OPERATOR 1 <-> (vector, vector) FOR ORDER BY float_ops,
    FUNCTION 1 pagoda_ivf_vector_l2(internal);

CREATE OPERATOR CLASS vector_ip_ops
    FOR TYPE vector USING ivf_rabitq AS
    OPERATOR 1 <#> (vector, vector) FOR ORDER BY float_ops,
    FUNCTION 1 pagoda_ivf_vector_ip(internal);

CREATE OPERATOR CLASS vector_cosine_ops
    FOR TYPE vector USING ivf_rabitq AS
    OPERATOR 1 <=> (vector, vector) FOR ORDER BY float_ops,
    FUNCTION 1 pagoda_ivf_vector_cosine(internal);

-- Type halfvec came with pgvector 0.7. The server shows no notices of an extension's script.
DO $$
BEGIN
    IF to_regtype('halfvec') IS NULL THEN
        RAISE WARNING 'extension vector has no type halfvec: operator classes halfvec_l2_ops, '
                      'halfvec_ip_ops and halfvec_cosine_ops are not created'
              USING HINT = 'Update extension vector to 0.7.0 or newer, then create extension '
                           'pagoda again.';
        RETURN;
    END IF;

    CREATE FUNCTION pagoda_ivf_halfvec_l2(internal) RETURNS internal
        AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

    CREATE FUNCTION pagoda_ivf_halfvec_ip(internal) RETURNS internal
        AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

    CREATE FUNCTION pagoda_ivf_halfvec_cosine(internal) RETURNS internal
        AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

    CREATE OPERATOR CLASS halfvec_l2_ops
        DEFAULT FOR TYPE halfvec USING ivf_rabitq AS
        OPERATOR 1 <-> (halfvec, halfvec) FOR ORDER BY float_ops,
        FUNCTION 1 pagoda_ivf_halfvec_l2(internal);

    CREATE OPERATOR CLASS halfvec_ip_ops
        FOR TYPE halfvec USING ivf_rabitq AS
        OPERATOR 1 <#> (halfvec, halfvec) FOR ORDER BY float_ops,
        FUNCTION 1 pagoda_ivf_halfvec_ip(internal);

    CREATE OPERATOR CLASS halfvec_cosine_ops
        FOR TYPE halfvec USING ivf_rabitq AS
        OPERATOR 1 <=> (halfvec, halfvec) FOR ORDER BY float_ops,
        FUNCTION 1 pagoda_ivf_halfvec_cosine(internal);
END
$$;

-- Figures about an index; needs SELECT on the index's table.

CREATE FUNCTION pagoda_index_info(
    index regclass,
    OUT metric text,                 -- l2, ip or cosine
    OUT dimensions integer,
    OUT refine_bits integer,         -- of the refinement codes; 0 = none
    OUT lists integer,
    OUT rows bigint,                 -- that the index holds, dead ones not counted
    OUT outlier_rows bigint,         -- of them without a code: zero vectors under cosine
    OUT empty_lanes bigint,          -- left by VACUUM, to be used again
    OUT rows_largest_list bigint,
    OUT imbalance double precision,  -- lists * sum(n^2) / sum(n)^2; 1 = all lists alike
    OUT pages bigint,
    OUT bytes bigint,
    OUT centroid_bytes bigint,       -- centroids, groups, list entries, mean
    OUT level0_bytes bigint,         -- one-bit codes with their factors and row addresses
    OUT level1_bytes bigint,         -- refinement codes
    OUT learnt_probes integer,       -- lists to visit for the default recall; NULL = not learnt
    OUT learnt_epsilon double precision
)
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
