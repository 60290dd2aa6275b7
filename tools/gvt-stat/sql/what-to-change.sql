-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- 6. What to change? Remedies of 'gvt-stat check', by the number of hosts that they would help
SELECT rule, remedy, count(DISTINCT host) AS hosts, count(*) AS findings, max(value) AS worst, min(unit) AS of_unit
FROM gvt
WHERE kind = 'finding' AND remedy IS NOT NULL
GROUP BY rule, remedy
ORDER BY hosts DESC, findings DESC, rule, remedy;
