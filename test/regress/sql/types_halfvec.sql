-- Type halfvec: text form, rounding, type modifier, operators and functions.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

-- Text input and output; elements print as the float of the same value
SELECT '[1,2,3]'::halfvec;
SELECT E' [ 1 ,\t-2.5\n, +3 ] '::halfvec;
SELECT '[0.1,0.2,0.3]'::halfvec;
SELECT '[65504,-65504,6.1035156e-05,6.0975552e-05,5.9604645e-08]'::halfvec;
SELECT '[0x1p-24,0x1.ffcp15]'::halfvec;

-- Rounding: to nearest, ties to even, after the text was read as a float
SELECT '[2049,2050,2051,2052,2053]'::halfvec;
SELECT '[1.00048828125,1.000488281251,1.0004884,1.00146484375,1.0014648]'::halfvec;
SELECT '[65519,65519.99,-65519.99]'::halfvec;
SELECT '[2.98023223876953125e-08,2.9802326e-08,8.9406967e-08,8.94e-08]'::halfvec;
SELECT '[6.1005353927612305e-05,6.1006e-05]'::halfvec;
SELECT '[1e-8,-1e-8,1e-99]'::halfvec;

-- Type modifier
SELECT '[1,2,3]'::halfvec(3);
SELECT '{"[1,2]","[3,4]"}'::halfvec(2)[];
SELECT format_type('halfvec'::regtype, 3), halfvec_typmod_in('{16000}');

-- Distances
SELECT '[0,0]'::halfvec <-> '[3,4]', l2_distance('[0,0]'::halfvec, '[3,4]'), halfvec_l2_squared_distance('[0,0]', '[3,4]');
SELECT '[1,2]'::halfvec <#> '[3,4]', inner_product('[1,2]'::halfvec, '[3,4]'), halfvec_negative_inner_product('[1,2]', '[3,4]');
SELECT '[1,0]'::halfvec <=> '[0,2]', '[1,1]'::halfvec <=> '[2,2]', '[1,1]'::halfvec <=> '[-3,-3]', cosine_distance('[1,1]'::halfvec, '[1,0]');
SELECT '[0,0]'::halfvec <+> '[3,-4]', l1_distance('[1,2]'::halfvec, '[3,4]');
SELECT halfvec_spherical_distance('[1,0]', '[0,1]'), halfvec_spherical_distance('[2,0]', '[1,0]'), halfvec_spherical_distance('[1,0]', '[-2,0]');
SELECT '[65504,65504]'::halfvec <#> '[-65504,-65504]', '[65504]'::halfvec <-> '[-65504]', '[65504]'::halfvec <+> '[-65504]', '[65504]'::halfvec <=> '[-65504]';
SELECT '[0,0]'::halfvec <=> '[0,1]', '[0]'::halfvec <#> '[1]';
SELECT n FROM generate_series(1, 70) n, array_fill(1, ARRAY[n]) a, array_fill(3, ARRAY[n]) b
WHERE a::halfvec <-> b::halfvec <> sqrt(4.0::float8 * n) OR a::halfvec <#> b::halfvec <> -3 * n
   OR a::halfvec <+> b::halfvec <> 2 * n OR round((a::halfvec <=> b::halfvec)::numeric, 6) <> 0;
SELECT a::halfvec <-> b::halfvec AS l2, a::halfvec <#> b::halfvec AS ip, a::halfvec <+> b::halfvec AS l1
FROM array_fill(1, ARRAY[16000]) a, array_fill(2, ARRAY[16000]) b;

-- Norms
SELECT l2_norm('[3,4]'::halfvec), l2_norm('[0,0]'::halfvec), l2_norm('[5.9604645e-08]'::halfvec);
SELECT l2_normalize('[3,4]'::halfvec), l2_normalize('[65504,65504]'::halfvec), l2_normalize('[6e-8]'::halfvec), l2_normalize('[-0,0]'::halfvec);

-- Arithmetic: exact, then rounded once
SELECT '[1,2,3]'::halfvec + '[4,5,6]', '[1,2,3]'::halfvec - '[4,5,6]', '[1,2,3]'::halfvec * '[4,5,6]';
SELECT '[65504]'::halfvec + '[15]', '[2048,2048]'::halfvec + '[1,3]', '[0.1]'::halfvec * '[0.1]', '[1e-7]'::halfvec * '[0]';
SELECT '[1,2]'::halfvec || '[3]';

-- Order
SELECT a, b, a < b AS lt, a <= b AS le, a = b AS eq, a <> b AS ne, a >= b AS ge, a > b AS gt, halfvec_cmp(a, b) AS cmp
FROM (VALUES ('[1,2]'::halfvec, '[1,2]'::halfvec), ('[1,2]', '[1,3]'), ('[2]', '[1,9]'), ('[1]', '[1,0]'),
             ('[1,0]', '[1]'), ('[0]', '[-0]'), ('[-1]', '[1]'), ('[6e-8]', '[65504]')) t(a, b);

-- Parts and signs
SELECT vector_dims('[1,2,3]'::halfvec);
SELECT subvector('[1,2,3,4,5]'::halfvec, 2, 3), subvector('[1,2,3,4,5]'::halfvec, -1, 3), subvector('[1,2,3,4,5]'::halfvec, 4, 2147483647);
SELECT binary_quantize('[1,0,-1,0.5,-0,6e-8,-6e-8,1,1]'::halfvec);

-- Strict in every argument
SELECT '[1]'::halfvec <-> NULL, NULL + '[1]'::halfvec, l2_norm(NULL::halfvec), NULL::halfvec(3);
