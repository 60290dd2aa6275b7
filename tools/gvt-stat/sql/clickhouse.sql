-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- What the questions in this directory ask, over ./fleet, where 'gvt-stat export --format parquet
-- -o fleet' put the traces of all hosts:
--
--   cat clickhouse.sql who-waits.sql | clickhouse local
--
-- On a server, file() reads below its user_files_path; s3() or a table takes its place for a cluster:
-- see Documentation/gvt-stat-fleet.md. The names of hosts in paths are encoded as in URLs, which
-- ClickHouse leaves to us.
--
-- unix_s: when a workload was queued, a wait or a finding's moment began, a trace began. A double,
-- as the times of a damaged trace may be any.
-- who: the VM; where its name is not known, the UUID or the number of its vGPU
CREATE OR REPLACE VIEW gvt AS
SELECT * REPLACE (decodeURLComponent(assumeNotNull(host)) AS host),
	zero_unix_ns / 1e9 + coalesce(queue_ns, from_ns) / 1e9 AS unix_s,
	toDateTime64(floor(unix_s / 3600) * 3600, 0, 'UTC') AS hour,
	coalesce(vm, uuid, concat('vGPU ', toString(vgpu_id))) AS who,
	if(culprit_vgpu_id IS NOT NULL,
		coalesce(culprit_vm, culprit_uuid, concat('vGPU ', toString(culprit_vgpu_id))), NULL) AS culprit
FROM file('fleet/day=*/host=*/*.parquet', Parquet);

-- by interpolation, as in 'gvt-stat report'
CREATE OR REPLACE FUNCTION p99 AS (x) -> quantileExactInclusive(0.99)(x);
