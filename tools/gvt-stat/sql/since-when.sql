-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- 4. Since when? The hours, worst first, in which work of a VM was queued, by its latency
SELECT hour, host, who, count(latency_ns) AS workloads, avg(latency_ns) AS latency_mean_ns,
	p99(latency_ns) AS latency_p99_ns
FROM gvt
WHERE kind = 'workload' AND status = 0
GROUP BY hour, host, who
ORDER BY latency_p99_ns DESC NULLS LAST, hour, host, who;
