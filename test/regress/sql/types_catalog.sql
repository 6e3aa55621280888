-- What the catalog says of the two types and of their functions, operators, casts, aggregates and
-- btree operator classes: clients, planners and dumps read it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS vector;

\pset format unaligned
\pset tuples_only on
SELECT typname, typtype, typcategory, typispreferred, typdelim, typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze, typalign, typstorage, typcollation
FROM pg_type WHERE typname IN ('vector', 'halfvec', '_vector', '_halfvec') ORDER BY 1 COLLATE "C";

CREATE TEMPORARY VIEW member AS SELECT classid, objid FROM pg_depend JOIN pg_extension e ON e.oid = refobjid
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND extname = 'vector';

SELECT p.oid::regprocedure, prorettype::regtype, prosrc, provolatile, proisstrict, proparallel, procost, prokind
FROM pg_proc p JOIN member m ON m.objid = p.oid AND m.classid = 'pg_proc'::regclass
WHERE concat(p.oid::regprocedure, prorettype::regtype) !~ 'sparsevec|hnsw|ivfflat'
ORDER BY p.oid::regprocedure::text COLLATE "C";

SELECT aggfnoid::regprocedure, aggtransfn, aggfinalfn, aggcombinefn, aggfinalextra, aggtranstype::regtype, aggtransspace, agginitval
FROM pg_aggregate JOIN member m ON m.objid = aggfnoid AND m.classid = 'pg_proc'::regclass
WHERE aggfnoid::regprocedure::text !~ 'sparsevec' ORDER BY aggfnoid::regprocedure::text COLLATE "C";

SELECT o.oid::regoperator, oprcanmerge, oprcanhash, oprresult::regtype, oprcom::regoperator, oprnegate::regoperator, oprcode, oprrest, oprjoin
FROM pg_operator o JOIN member m ON m.objid = o.oid AND m.classid = 'pg_operator'::regclass
WHERE o.oid::regoperator::text !~ 'sparsevec' ORDER BY o.oid::regoperator::text COLLATE "C";

SELECT castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext, castmethod
FROM pg_cast c JOIN member m ON m.objid = c.oid AND m.classid = 'pg_cast'::regclass
WHERE castfunc::regprocedure::text !~ 'sparsevec' ORDER BY castsource::regtype::text COLLATE "C", casttarget::regtype::text COLLATE "C";

SELECT opcname, opcdefault, amopstrategy, amopopr::regoperator, amproc
FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod AND amname = 'btree'
JOIN member m ON m.objid = c.oid AND m.classid = 'pg_opclass'::regclass
JOIN pg_amop o ON amopfamily = opcfamily JOIN pg_amproc p ON amprocfamily = opcfamily
WHERE opcname !~ 'sparsevec' ORDER BY opcname, amopstrategy;
\pset format aligned
\pset tuples_only off
SELECT extversion, extrelocatable FROM pg_extension WHERE extname = 'vector';
