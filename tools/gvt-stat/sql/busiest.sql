-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- The busiest engines: how much of the traced time work of VMs that ended was on them
SELECT gvt.host AS host, dev, engine, count(DISTINCT who) AS vms, sum(exec_ns) AS exec_sum_ns,
	100.0 * sum(exec_ns) / max(traced_ns) AS busy_percent
FROM gvt
JOIN (SELECT host, sum(length_ns) AS traced_ns FROM gvt WHERE kind = 'trace' GROUP BY host) AS traced
	ON gvt.host = traced.host
WHERE kind = 'workload'
GROUP BY gvt.host, dev, engine
ORDER BY busy_percent DESC NULLS LAST, host, dev, engine;
