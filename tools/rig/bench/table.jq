# SPDX-License-Identifier: GPL-2.0-or-later
# The table of a benchmark as data, independent of its rows.

# The limit is a number, or "stock" for the figure of that column
def goal(whom; $op; $limit): whom + {op: $op, limit: $limit};
def no_goal: null;

def figure($name; $unit; $digits; value; $goal):
	{figure: $name, unit: $unit, digits: $digits, goal: $goal, value: (try value catch null)};

def ms: if . == null then null else . / 1e6 end;
def us: if . == null then null else . / 1e3 end;
def magnitude: if . < 0 then -. else . end;

# --- from the runs to the table ---------------------------------------------

def rounded($digits): if . == null then null else
	([range($digits)] | reduce .[] as $i (1; . * 10)) as $scale | (. * $scale | round) / $scale end;

# A column "fair+anticipation_ms=50" has the goals of "fair".
def policy: split("+")[0];

# Judges the printed value, so that rounding errors do not matter
def meets($goal; $limit): if . == null or $limit == null then null
	elif $goal.op == ">=" then . >= $limit else . <= $limit end;

def judge: . as $line | .goal as $goal
	| (if $goal == null then null elif $goal.limit == "stock" then .values.stock else $goal.limit end) as $limit
	| .met = (if $goal == null then {} else
		[$line.values | to_entries[] | select(.key | policy | IN($goal.columns[]))
			| .value |= meets($goal; $limit)] | from_entries end);

def relative_to_stock: if .relative then .values.stock as $stock
	| .values |= map_values(if . == null or $stock == null then null else . / $stock end) else . end;

# Input: {columns: [{name, ...}], rows: [NAME], runs: {COLUMN: {RUN: figures}}}
# Output: one line for each figure, with the values of all columns
def lines(rows): . as $in
	| ($in.columns | map(.name)) as $columns
	| ($columns | map({key: ., value: ($in.runs[.] // {} | rows)}) | from_entries) as $figures
	| [$in.rows[] as $row | ($figures[$columns[0]][$row] | to_entries[]) as $first
		| $first.value | del(.value) | .row = $row
		| .values = ($columns | map({key: ., value: $figures[.][$row][$first.key].value}) | from_entries)
		| relative_to_stock | .digits as $digits | .values |= map_values(rounded($digits)) | judge];

# --- the table as text ------------------------------------------------------

def fixed($digits): if $digits == 0 then tostring else
	(if . < 0 then "-" else "" end) as $sign | magnitude
	| ([range($digits)] | reduce .[] as $i (1; . * 10)) as $scale | (. * $scale | round) as $n
	| ($n % $scale | tostring) as $fraction
	| "\($sign)\($n / $scale | floor).\("0" * ($digits - ($fraction | length)) // "")\($fraction)" end;

def unit: if .unit == "" then "" else ", \(.unit)" end;

def goal_text: if .goal == null then "-" else "\(.goal.name) \(.goal.op) \(.goal.limit)" end;

# Input: a line; "-": the column is not run for this row
def cell($name; $rows; $available): if (.row | IN($rows[]) | not) then "-" elif ($available | not) then "n/a"
	elif .values[$name] == null then "unknown"
	else (.digits as $digits | .values[$name] | fixed($digits))
		+ (if .met[$name] == true then " ok" elif .met[$name] == false then " MISS" else "" end) end;

def table: .columns as $columns
	| ["row", "figure", "goal"] + ($columns | map(.name)),
	  (.lines[] | . as $line | [.row, "\(.figure)\(unit)", goal_text]
		+ [$columns[] | . as $column | $line | cell($column.name; $column.rows; $column.available)]);

def text: table | @tsv;

def markdown: [table] | (.[0], (.[0] | map("---")), .[1:][]) | "| " + join(" | ") + " |";

# For the plot: shares and ratios in per cent, one line each, "-" if unknown
def in_percent: if . == null then "-" else . * 100 end;

# @is_plotted: of a line
def plotted(is_plotted): (.columns | map(select(.available) | .name)) as $columns
	| ["figure"] + $columns,
	  (.lines[] | select(is_plotted and (.unit == "%" or .unit == "")) | . as $line
		| ["\(.row): \(.figure)"]
		+ [$line.values[$columns[]] | if $line.unit == "" then in_percent else . // "-" end])
	| @tsv;
