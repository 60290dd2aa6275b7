// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "trace/util.h"
#include "exposition.h"

#define LONGEST_VALUE	256

/* enough for any double to be read back as written by the kernel, and 0.53 not as 0.530000...03 */
#define REAL		"%.15g"

/* how many of the kernel's are one of the metric's; 0: integers, or nanoseconds, are printed to the last digit */
static const double per_unit[] = { [SCALE_PERCENT] = 100, [SCALE_MHZ] = 1e-6, [SCALE_UJ] = 1e6 };

static const char *const suffix[] = { [METRIC_GAUGE] = "", [METRIC_COUNTER] = "_total", [METRIC_INFO] = "_info" };
static const char *const type_name[] = { "gauge", "counter", "info" };

const char *exposition_type(bool openmetrics)
{
	return openmetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8" :
			     "text/plain; version=0.0.4; charset=utf-8";
}

/* The old format knows no infos, and names counters by their samples. */
static void write_head(struct exposition *x, const struct metric *metric)
{
	bool is_info = metric->type == METRIC_INFO;
	const char *type = type_name[is_info && !x->openmetrics ? METRIC_GAUGE : metric->type];
	const char *end = x->openmetrics ? "" : suffix[metric->type];

	g_string_append_printf(x->text, "# HELP %s%s %s\n# TYPE %s%s %s\n", metric->name, end, metric->help,
			       metric->name, end, type);
	if (metric->unit && x->openmetrics)
		g_string_append_printf(x->text, "# UNIT %s %s\n", metric->name, metric->unit);
}

static void begin_sample(struct exposition *x, const struct metric *metric, const char *labels)
{
	if (x->metric != metric)
		write_head(x, metric);
	x->metric = metric;
	g_string_append(x->text, metric->name);
	g_string_append(x->text, suffix[metric->type]);
	if (*labels) {
		g_string_append_c(x->text, '{');
		g_string_append(x->text, labels);
		g_string_append_c(x->text, '}');
	}
	g_string_append_c(x->text, ' ');
}

void exposition_sample(struct exposition *x, const struct metric *metric, const char *labels, int64_t value)
{
	if (!known(value) || (metric->type == METRIC_COUNTER && value < 0))
		return;
	if (per_unit[metric->scale]) {
		exposition_real(x, metric, labels, value / per_unit[metric->scale]);
		return;
	}
	begin_sample(x, metric, labels);
	if (metric->scale == SCALE_NS)
		g_string_append_printf(x->text, SECONDS_NS "\n", SECONDS_NS_OF(value));
	else
		g_string_append_printf(x->text, "%" PRId64 "\n", value);
}

void exposition_real(struct exposition *x, const struct metric *metric, const char *labels, double value)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	if (isnan(value))
		return;
	begin_sample(x, metric, labels);
	g_string_append(x->text, g_ascii_formatd(number, sizeof(number), REAL, value));
	g_string_append_c(x->text, '\n');
}

void exposition_end(struct exposition *x)
{
	if (x->openmetrics)
		g_string_append(x->text, "# EOF\n");
}

static bool is_label_name(const char *name)
{
	static const char letters[] = G_CSET_A_2_Z G_CSET_a_2_z "_", others[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_";

	return *name && strchr(letters, *name) && strspn(name, others) == strlen(name);
}

static bool has_label(const GString *labels, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = strstr(labels->str, name); at; at = strstr(at + len, name))
		if ((at == labels->str || at[-1] == ',') && g_str_has_prefix(at + len, "=\""))
			return true;
	return false;
}

void label_add(GString *labels, const char *name, const char *value)
{
	char *text;

	if (!value || !*value || !is_label_name(name) || has_label(labels, name))
		return;
	text = g_utf8_make_valid(value, strnlen(value, LONGEST_VALUE));
	g_string_append(labels, labels->len ? "," : "");
	g_string_append(labels, name);
	g_string_append(labels, "=\"");
	for (const char *c = text; *c; c++) {
		if (*c == '\\' || *c == '"')
			g_string_append_c(labels, '\\');
		if (*c == '\n')
			g_string_append(labels, "\\n");
		else
			g_string_append_c(labels, *c);
	}
	g_string_append_c(labels, '"');
	g_free(text);
}

void label_add_number(GString *labels, const char *name, int64_t value)
{
	char number[32];

	if (!known(value))
		return;
	g_snprintf(number, sizeof(number), "%" PRId64, value);
	label_add(labels, name, number);
}
