-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- 3. For whom? Who delayed whom, or for what other reason work waited, as 'gvt-stat why waits'; time in
-- which several workloads of a queue waited counts once
SELECT host, dev, who, engine, reason, culprit, sum(length_ns) AS wait_sum_ns, count(*) AS waits,
	max(length_ns) AS longest_ns
FROM gvt
WHERE kind = 'wait'
GROUP BY host, dev, who, engine, reason, culprit
ORDER BY wait_sum_ns DESC, host, dev, who, engine, reason, culprit NULLS LAST;
