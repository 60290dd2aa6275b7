-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- 8. Did it help, and what does a setting cost? Latency of a VM's work under each policy, dispatch and
-- nice that it had
SELECT host, who, policy, dispatch, nice, count(latency_ns) AS workloads, avg(latency_ns) AS latency_mean_ns,
	p99(latency_ns) AS latency_p99_ns, sum(exec_ns) AS exec_sum_ns
FROM gvt
WHERE kind = 'workload' AND status = 0
GROUP BY host, who, policy, dispatch, nice
ORDER BY host, who, policy NULLS LAST, dispatch NULLS LAST, nice NULLS LAST;
