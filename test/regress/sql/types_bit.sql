-- Distances on bit strings.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

SELECT B'111' <~> B'001', hamming_distance(B'101', B'010'), hamming_distance(B'1', B'1');
SELECT B'1101' <%> B'0111', jaccard_distance(B'111', B'110') AS third, jaccard_distance(B'000', B'000'), jaccard_distance(B'1', B'0'), jaccard_distance(B'1', B'1');
SELECT hamming_distance(''::varbit, ''::varbit), jaccard_distance(''::varbit, ''::varbit);
SELECT n FROM generate_series(1, 200) n, repeat('1', n) ones, repeat('0', n - 1) zeros
WHERE ones::varbit <~> ('1' || zeros)::varbit <> n - 1 OR round((ones::varbit <%> ('1' || zeros)::varbit)::numeric, 9) <> round(1 - 1.0 / n, 9);
SELECT a <~> b AS hamming, a <%> b AS jaccard FROM CAST(repeat('10', 32000) AS bit(64000)) a, CAST(repeat('1100', 16000) AS bit(64000)) b;
SELECT binary_quantize('[1,-1,2]'::vector) <~> binary_quantize('[1,1,-2]'::halfvec);
\set VERBOSITY terse
SELECT B'10' <~> B'100';
SELECT B'10' <%> B'1';
