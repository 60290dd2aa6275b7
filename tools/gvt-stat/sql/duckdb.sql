-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- What the questions in this directory ask, over ./fleet, where 'gvt-stat export --format parquet
-- -o fleet' put the traces of all hosts:
--
--   cat duckdb.sql who-waits.sql | duckdb
--
-- unix_s: when a workload was queued, a wait or a finding's moment began, a trace began. A double,
-- as the times of a damaged trace may be any.
-- who: the VM; where its name is not known, the UUID or the number of its vGPU
CREATE OR REPLACE VIEW gvt AS
SELECT *, zero_unix_ns / 1e9 + coalesce(queue_ns, from_ns) / 1e9 AS unix_s,
	make_timestamp(CAST(floor(unix_s / 3600) AS BIGINT) * 3600000000) AS hour,
	coalesce(vm, uuid, concat('vGPU ', vgpu_id)) AS who,
	CASE WHEN culprit_vgpu_id IS NOT NULL
		THEN coalesce(culprit_vm, culprit_uuid, concat('vGPU ', culprit_vgpu_id)) END AS culprit
FROM read_parquet('fleet/day=*/host=*/*.parquet', hive_partitioning = true,
	hive_types = {'day': DATE, 'host': VARCHAR});

-- by interpolation, as in 'gvt-stat report'
CREATE OR REPLACE MACRO p99(x) AS quantile_cont(x, 0.99);
