-- SQLSTATEs of everything that the types refuse. types_messages has the texts.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

\set VERBOSITY sqlstate

-- 22P02: text that is not a vector
SELECT ''::vector;
SELECT ' '::halfvec;
SELECT '1,2'::vector;
SELECT '{1,2}'::vector;
SELECT '['::vector;
SELECT '[1'::vector;
SELECT '[1,'::vector;
SELECT '[1,]'::vector;
SELECT '[,1]'::vector;
SELECT '[1,,2]'::vector;
SELECT '[1 2]'::vector;
SELECT '[1;2]'::halfvec;
SELECT '[1,2]]'::vector;
SELECT '[1,2],'::halfvec;
SELECT '[[1,2]]'::vector;
SELECT '[a]'::vector;
SELECT '[1a]'::vector;
SELECT '[1e]'::vector;
SELECT '[1e+]'::vector;
SELECT '[-]'::vector;
SELECT '[+-1]'::vector;
SELECT '[- 1]'::vector;
SELECT '[.]'::vector;
SELECT '[.e1]'::vector;
SELECT '[0x]'::vector;
SELECT '[0x1p]'::vector;
SELECT '[na]'::vector;
SELECT '[in]'::halfvec;
SELECT '[1,2'::vector(3);

-- 22003: numbers out of range
SELECT '[4e38]'::vector;
SELECT '[-4e38'::vector;
SELECT '[1e400,a]'::vector;
SELECT '[1e99999999999999999999]'::vector;
SELECT '[0x1p128]'::vector;
SELECT '[3.4028236e38]'::vector;
SELECT '[65520]'::halfvec;
SELECT '[-65520x]'::halfvec;
SELECT '[4e38]'::halfvec;
SELECT '[65520]'::vector::halfvec;
SELECT '{65520}'::int[]::halfvec;
SELECT '{70000}'::numeric[]::halfvec;
SELECT '{70000,NaN}'::real[]::halfvec;
SELECT '{NaN,70000}'::real[]::halfvec;
SELECT '{1e300}'::numeric[]::vector;
SELECT '{1e-50}'::numeric[]::vector;
SELECT '[3e38]'::vector + '[3e38]';
SELECT '[3e38]'::vector - '[-3e38]';
SELECT '[3e38]'::vector * '[-3e38]';
SELECT '[1e-38]'::vector * '[1e-38]';
SELECT '[65504]'::halfvec + '[16]';
SELECT '[65504]'::halfvec - '[-65504]';
SELECT '[65504]'::halfvec * '[2]';
SELECT '[1e-5]'::halfvec * '[1e-5]';

-- 22000: values and dimensions
SELECT '[]'::vector;
SELECT '[ ] x'::halfvec;
SELECT '[nan]'::vector;
SELECT '[-NaN'::halfvec;
SELECT '[inf]'::vector;
SELECT '[-Infinity x'::halfvec;
SELECT '[1,2]'::vector(3);
SELECT '[1,2]'::halfvec(3);
SELECT '[1,2]'::vector::vector(3);
SELECT '[1,2]'::vector::halfvec(1);
SELECT '[1,2]'::halfvec::vector(1);
SELECT '{1,2}'::real[]::vector(3);
SELECT '{}'::real[]::vector;
SELECT '{}'::int[]::halfvec;
SELECT '{{1}}'::real[]::vector;
SELECT '{{1}}'::numeric[]::halfvec;
SELECT '{NaN}'::real[]::vector;
SELECT '{Infinity}'::real[]::halfvec;
SELECT '{1e300}'::double precision[]::vector;
SELECT '{-1e300}'::double precision[]::halfvec;
SELECT '{NaN}'::numeric[]::vector;
SELECT '[1,2]'::vector <-> '[1]';
SELECT '[1,2]'::vector <#> '[1]';
SELECT '[1,2]'::vector <=> '[1]';
SELECT '[1,2]'::vector <+> '[1]';
SELECT '[1,2]'::vector + '[1]';
SELECT '[1,2]'::vector - '[1]';
SELECT '[1,2]'::vector * '[1]';
SELECT '[1,2]'::halfvec <-> '[1]';
SELECT '[1,2]'::halfvec <=> '[1]';
SELECT '[1,2]'::halfvec + '[1]';
SELECT vector_l2_squared_distance('[1,2]', '[1]');
SELECT halfvec_spherical_distance('[1,2]', '[1]');
SELECT subvector('[1,2,3]'::vector, 4, 1);
SELECT subvector('[1,2,3]'::vector, 1, 0);
SELECT subvector('[1,2,3]'::halfvec, 1, -1);
SELECT subvector('[1,2,3]'::vector, -1, 2);
SELECT subvector('[1,2,3]'::vector, 2147483647, 2147483647);
SELECT subvector('[1,2,3]'::halfvec, -2147483648, -2147483648);
SELECT hamming_distance(B'10', B'010');
SELECT jaccard_distance(B'10', B'010');

CREATE FUNCTION pg_temp.from_text_array(text[], integer, boolean) RETURNS vector
    AS '$libdir/vector', 'array_to_vector' LANGUAGE C;
SELECT pg_temp.from_text_array('{1}', -1, true);

-- 22004: nulls in arrays
SELECT '{1,NULL}'::real[]::vector;
SELECT '{NULL}'::numeric[]::halfvec;

-- 54000: too many dimensions, told before what follows is read
SELECT ('[' || repeat('1,', 16000) || '1]')::vector;
SELECT ('[' || repeat('1,', 16000) || 'x')::halfvec;
SELECT ('[' || repeat('1,', 16000) || '1]')::vector(3);
SELECT array_fill(0, ARRAY[16001])::vector;
SELECT array_fill(0, ARRAY[16001])::halfvec;
SELECT array_fill(0, ARRAY[16000])::vector || '[1]';
SELECT array_fill(0, ARRAY[8001])::halfvec || array_fill(0, ARRAY[8000])::halfvec;

-- 22023: type modifiers
SELECT '[1]'::vector(0);
SELECT '[1]'::vector(-1);
SELECT '[1]'::vector(16001);
SELECT '[1]'::vector(1, 2);
SELECT '[1]'::halfvec(0);
SELECT '[1]'::halfvec(16001);
CREATE TABLE types_errors (v vector(16001));
CREATE TABLE types_errors (h halfvec(1)[0], v vector(0));

-- 22P02, 22003, 2202E: type modifiers that the server refuses
SELECT '[1]'::vector('a');
SELECT '[1]'::vector('99999999999');
SELECT halfvec_typmod_in('{}');
