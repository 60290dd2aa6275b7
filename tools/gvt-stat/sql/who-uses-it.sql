-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- 1. Who uses the GPUs? Time on engines of work that ended, and its part of the traced time: more
-- than 100 % where several engines ran at once
SELECT gvt.host AS host, dev, who, sum(exec_ns) AS exec_sum_ns, count(*) AS workloads,
	100.0 * sum(exec_ns) / max(traced_ns) AS percent
FROM gvt
JOIN (SELECT host, sum(length_ns) AS traced_ns FROM gvt WHERE kind = 'trace' GROUP BY host) AS traced
	ON gvt.host = traced.host
WHERE kind = 'workload'
GROUP BY gvt.host, dev, who
ORDER BY exec_sum_ns DESC NULLS LAST, host, dev, who;
