// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracecsv.h"

#include <string.h>

#include "fault.h"

/* A table in memory: a line is a NULL-terminated array of fields. */
struct table {
	const char *path;
	GPtrArray *lines;
};

static void free_line(gpointer line)
{
	g_strfreev(line);
}

static void table_free(struct table *t)
{
	if (t->lines)
		g_ptr_array_free(t->lines, TRUE);
}

static bool table_read(struct table *t, const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	*t = (struct table){ .path = path };
	if (!g_file_get_contents(path, &text, NULL, error))
		return false;
	t->lines = g_ptr_array_new_with_free_func(free_line);
	lines = g_strsplit(text, "\n", -1);
	for (int i = 0; lines[i]; i++) {
		if (*lines[i])
			g_ptr_array_add(t->lines, g_strsplit(g_strchomp(lines[i]), ",", -1));
	}
	if (t->lines->len)
		return true;
	fault(error, "%s: empty; give the output of gvt-stat list workloads --csv", path);
	return false;
}

/* Find the columns named in @names; all must exist. */
static bool table_columns(const struct table *t, const char *const *names, int *columns,
			  size_t count, GError **error)
{
	char **header = g_ptr_array_index(t->lines, 0);

	for (size_t i = 0; i < count; i++) {
		for (columns[i] = 0; header[columns[i]]; columns[i]++) {
			if (!strcmp(header[columns[i]], names[i]))
				break;
		}
		if (!header[columns[i]]) {
			fault(error, "%s: no column \"%s\"", t->path, names[i]);
			return false;
		}
	}
	return true;
}

static bool check_width(const struct table *t, guint line, GError **error)
{
	guint header = g_strv_length(g_ptr_array_index(t->lines, 0));

	if (g_strv_length(g_ptr_array_index(t->lines, line)) == header)
		return true;
	fault(error, "%s:%u: not as many fields as the header has", t->path, line + 1);
	return false;
}

/* An empty field is unknown. */
static bool parse_number(const char *field, int64_t *value)
{
	char *end;

	if (!*field) {
		*value = UNKNOWN_NS;
		return true;
	}
	*value = g_ascii_strtoll(field, &end, 0);
	return !*end && *value >= 0;
}

static bool number_at(const struct table *t, guint line, int column, int64_t *value,
		      GError **error)
{
	char **fields = g_ptr_array_index(t->lines, line);

	if (parse_number(fields[column], value))
		return true;
	fault(error, "%s:%u: \"%s\" is not a number", t->path, line + 1, fields[column]);
	return false;
}

enum { WORKLOAD, VGPU, LRCA, START, STOP, COMPLETED, NUMBERS, ENGINE = NUMBERS, PIECE_COLUMNS };

static const char *const piece_columns[PIECE_COLUMNS] = {
	[WORKLOAD] = "workload_id", [VGPU] = "vgpu_id", [LRCA] = "lrca",
	[START] = "start_ns", [STOP] = "stop_ns", [COMPLETED] = "completed",
	[ENGINE] = "engine",
};

static bool parse_piece(const struct table *t, guint line, const int *columns,
			struct traced_piece *p, GError **error)
{
	char **fields = g_ptr_array_index(t->lines, line);
	int64_t value[NUMBERS];

	if (!check_width(t, line, error))
		return false;
	for (int i = 0; i < NUMBERS; i++) {
		if (!number_at(t, line, columns[i], &value[i], error))
			return false;
	}
	*p = (struct traced_piece){
		.workload_id = value[WORKLOAD], .vgpu_id = value[VGPU],
		.lrca = (uint32_t)value[LRCA] & LRCA_MASK,
		.start_ns = value[START], .stop_ns = value[STOP],
		.complete = value[COMPLETED] == 1, .match = -1,
	};
	g_strlcpy(p->engine, fields[columns[ENGINE]], sizeof(p->engine));
	return true;
}

static GArray *parse_pieces(const struct table *t, GError **error)
{
	GArray *pieces;
	int columns[PIECE_COLUMNS];

	if (!table_columns(t, piece_columns, columns, PIECE_COLUMNS, error))
		return NULL;
	pieces = g_array_new(FALSE, FALSE, sizeof(struct traced_piece));
	for (guint i = 1; i < t->lines->len; i++) {
		struct traced_piece p;

		if (!parse_piece(t, i, columns, &p, error)) {
			g_array_free(pieces, TRUE);
			return NULL;
		}
		g_array_append_val(pieces, p);
	}
	return pieces;
}

GArray *tracecsv_pieces(const char *path, GError **error)
{
	struct table t;
	GArray *pieces = NULL;

	if (table_read(&t, path, error))
		pieces = parse_pieces(&t, error);
	table_free(&t);
	return pieces;
}

static const char *const workload_columns[] = { "queue_ns", "start_ns" };

static bool parse_workload(const struct table *t, guint line, const int *columns,
			   struct traced_workload *w, GError **error)
{
	return check_width(t, line, error) &&
	       number_at(t, line, columns[0], &w->queue_ns, error) &&
	       number_at(t, line, columns[1], &w->start_ns, error);
}

static GArray *parse_workloads(const struct table *t, GError **error)
{
	int columns[G_N_ELEMENTS(workload_columns)];
	GArray *workloads;

	if (!table_columns(t, workload_columns, columns, G_N_ELEMENTS(workload_columns), error))
		return NULL;
	workloads = g_array_new(FALSE, FALSE, sizeof(struct traced_workload));
	for (guint i = 1; i < t->lines->len; i++) {
		struct traced_workload w;

		if (!parse_workload(t, i, columns, &w, error)) {
			g_array_free(workloads, TRUE);
			return NULL;
		}
		g_array_append_val(workloads, w);
	}
	return workloads;
}

GArray *tracecsv_workloads(const char *path, GError **error)
{
	struct table t;
	GArray *workloads = NULL;

	if (table_read(&t, path, error))
		workloads = parse_workloads(&t, error);
	table_free(&t);
	return workloads;
}

/* Not queue_ns: the trace may contain workloads that were queued before it began. */
static const char *const time_columns[] = {
	"submit_ns", "start_ns", "stop_ns", "complete_ns",
};

static void widen(struct covered *w, int64_t time_ns)
{
	if (time_ns == UNKNOWN_NS)
		return;
	w->begin_ns = MIN(w->begin_ns, time_ns);
	w->end_ns = MAX(w->end_ns, time_ns);
}

static bool widen_by_line(const struct table *t, guint line, const int *columns,
			  struct covered *w, GError **error)
{
	if (!check_width(t, line, error))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(time_columns); i++) {
		int64_t time_ns;

		if (!number_at(t, line, columns[i], &time_ns, error))
			return false;
		widen(w, time_ns);
	}
	return true;
}

static bool find_window(const struct table *t, struct covered *w, GError **error)
{
	int columns[G_N_ELEMENTS(time_columns)];

	*w = (struct covered){ INT64_MAX, INT64_MIN };
	if (!table_columns(t, time_columns, columns, G_N_ELEMENTS(time_columns), error))
		return false;
	for (guint i = 1; i < t->lines->len; i++) {
		if (!widen_by_line(t, i, columns, w, error))
			return false;
	}
	if (w->begin_ns < w->end_ns)
		return true;
	fault(error, "%s: the trace holds no workload; nothing to compare", t->path);
	return false;
}

bool tracecsv_window(const char *path, struct covered *window, GError **error)
{
	struct table t;
	bool ok = table_read(&t, path, error) && find_window(&t, window, error);

	table_free(&t);
	return ok;
}
