-- Type vector: text form, type modifier, operators and functions. Sums are exact in f32 here, so
-- that the order of summation does not show.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

-- Text input and output
SELECT '[1,2,3]'::vector;
SELECT '[-1,+2,-0,0.5,.5,5.]'::vector;
SELECT E' \t\n\r\f[ 1 ,\t2\n, 3 ] \t\n'::vector;
SELECT U&'\000B\000C[\000B1\000C]\000B'::vector;
SELECT '[1e3,1E+3,1e-3,1.25e2]'::vector;
SELECT '[0x10,0X.8p1,0x1.8p-2]'::vector;
SELECT '[100000,999999,1e6,1234567,16777216,33554432,1e15,1e16]'::vector;
SELECT '[0.001,1e-4,1e-5,1.5e-5]'::vector;
SELECT '[0.1,0.2,0.30000001,3.1415927410125732]'::vector;
SELECT '[3.4028235e38,-3.4028235e38,1.17549435e-38]'::vector;
SELECT '[1e-45,7.1e-46,7e-46,1e-46,-1e-46,1e-99999999999999999999]'::vector;
SELECT '[1.00000005960464477539,1.0000000596046447754,1.00000017881393432617]'::vector;
SELECT '[0e99999999999999999999,-0e99999999999999999999]'::vector;
SELECT '[000000000000000000000000000000000000000000000000000000000000001]'::vector;
SELECT vector_dims(('[' || repeat('1,', 15999) || '1]')::vector);
SELECT length((('[' || repeat('-1.17549435e-38,', 15999) || '-1.17549435e-38]')::vector)::text);

-- Type modifier
SELECT '[1,2,3]'::vector(3);
SELECT '{"[1,2]","[3,4]"}'::vector(2)[];
SELECT format_type('vector'::regtype, 3), format_type('vector'::regtype, 16000), format_type('vector'::regtype, -1);
SELECT vector_typmod_in('{1}'), vector_typmod_in('{16000}');

-- Distances
SELECT '[0,0]'::vector <-> '[3,4]', l2_distance('[0,0]'::vector, '[3,4]'), vector_l2_squared_distance('[0,0]', '[3,4]');
SELECT '[1,2]'::vector <#> '[3,4]', inner_product('[1,2]'::vector, '[3,4]'), vector_negative_inner_product('[1,2]', '[3,4]');
SELECT '[1,0]'::vector <=> '[0,2]', '[1,1]'::vector <=> '[2,2]', '[1,1]'::vector <=> '[-3,-3]', cosine_distance('[1,1]'::vector, '[1,0]') AS one_less_root_half;
SELECT '[0,0]'::vector <+> '[3,-4]', l1_distance('[1,2]'::vector, '[3,4]');
SELECT vector_spherical_distance('[1,0]', '[0,1]'), vector_spherical_distance('[1,0]', '[1,0]'), vector_spherical_distance('[1,0]', '[-1,0]');
SELECT vector_spherical_distance('[2,0]', '[1,0]'), vector_spherical_distance('[2,0]', '[-1,0]');
SELECT '[0]'::vector <#> '[1]', '[0]'::vector <-> '[-0]', '[0]'::vector <+> '[0]';
SELECT '[3e38]'::vector <-> '[-3e38]', '[3e38]'::vector <#> '[3e38]', '[3e38]'::vector <+> '[-3e38]';
SELECT '[0,0]'::vector <=> '[0,1]', '[0,0]'::vector <=> '[0,0]', '[3e38]'::vector <=> '[3e38]', '[1e-30]'::vector <=> '[1e-30]';

-- Distances of every length up to two steps of the widest kernel: n * (2 - 1)^2, and so on
SELECT n FROM generate_series(1, 70) n, array_fill(1, ARRAY[n]) a, array_fill(3, ARRAY[n]) b
WHERE a::vector <-> b::vector <> sqrt(4.0::float8 * n) OR a::vector <#> b::vector <> -3 * n
   OR a::vector <+> b::vector <> 2 * n OR round((a::vector <=> b::vector)::numeric, 6) <> 0;
SELECT a::vector <-> b::vector AS l2, a::vector <#> b::vector AS ip, a::vector <+> b::vector AS l1
FROM array_fill(1, ARRAY[16000]) a, array_fill(2, ARRAY[16000]) b;

-- Norms
SELECT vector_norm('[3,4]'), vector_norm('[0,0]'), vector_norm('[0,1]'), vector_norm('[3e38,3e38]'), vector_norm('[1e-45]');
SELECT l2_normalize('[3,4]'::vector), l2_normalize('[0,0.1]'::vector), l2_normalize('[3e38,-3e38]'::vector), l2_normalize('[1e-45]'::vector);
SELECT l2_normalize('[0,-0]'::vector);

-- Arithmetic
SELECT '[1,2,3]'::vector + '[4,5,6]', '[1,2,3]'::vector - '[4,5,6]', '[1,2,3]'::vector * '[4,5,6]';
SELECT '[1,2]'::vector || '[3]';
SELECT '[3.4028235e38]'::vector + '[1e30]', '[1e-40]'::vector * '[1]', '[1e-38]'::vector * '[0]', '[1e-45]'::vector - '[1e-45]';

-- Order: by element, then by number of dimensions; both zeros are equal
SELECT a, b, a < b AS lt, a <= b AS le, a = b AS eq, a <> b AS ne, a >= b AS ge, a > b AS gt, vector_cmp(a, b) AS cmp
FROM (VALUES ('[1,2]'::vector, '[1,2]'::vector), ('[1,2]', '[1,3]'), ('[2]', '[1,9]'), ('[1]', '[1,0]'),
             ('[1,0]', '[1]'), ('[0]', '[-0]'), ('[-1]', '[1]')) t(a, b);

-- Parts and signs
SELECT vector_dims('[1,2,3]'::vector);
SELECT subvector('[1,2,3,4,5]'::vector, 1, 3), subvector('[1,2,3,4,5]'::vector, 3, 2), subvector('[1,2,3,4,5]'::vector, 5, 1);
SELECT subvector('[1,2,3,4,5]'::vector, -1, 3), subvector('[1,2,3,4,5]'::vector, 3, 9), subvector('[1,2,3,4,5]'::vector, 0, 2147483647);
SELECT subvector('[1,2,3,4,5]'::vector, 3, 2147483647), subvector('[1,2,3,4,5]'::vector, -2147483644, 2147483647);
SELECT binary_quantize('[1,0,-1,0.5,-0,1e-45,-1e-45]'::vector);
SELECT binary_quantize('[-1,1,1,1,1,1,1,1,1]'::vector), length(binary_quantize(array_fill(1, ARRAY[1000])::vector));

-- Strict in every argument
SELECT '[1]'::vector <-> NULL, NULL + '[1]'::vector, l2_normalize(NULL::vector), subvector('[1]'::vector, NULL, 1), NULL::vector(3);
