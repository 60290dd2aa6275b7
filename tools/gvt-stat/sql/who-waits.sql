-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- 2. Who waits? By VM and engine: wait of a workload before and between its stretches on the engine,
-- and latency, from queueing to the last stop; of those that ended well
SELECT host, dev, who, engine, count(latency_ns) AS workloads, avg(wait_ns) AS wait_mean_ns,
	p99(wait_ns) AS wait_p99_ns, max(wait_ns) AS wait_max_ns, avg(latency_ns) AS latency_mean_ns,
	p99(latency_ns) AS latency_p99_ns, max(latency_ns) AS latency_max_ns
FROM gvt
WHERE kind = 'workload' AND status = 0
GROUP BY host, dev, who, engine
ORDER BY wait_p99_ns DESC NULLS LAST, host, dev, who, engine;
