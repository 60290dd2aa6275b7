// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Load traces with the plugin through KernelShark's library, without a display, and print what
 * there is then.
 *
 *   load PLUGIN COMMAND TRACE...
 *
 *   rows       of each trace: pid, GPU, vGPU, engine, slot, number of events, listed, name
 *   intervals  pid of the row, layer, state, start, end, limits, failed, workload, vGPU, culprit
 *   boxes N    of each row, over the whole trace in N bins: name, number of boxes
 *   times      of the first trace: those of its events of starts and stops
 *   cost       ms until the trace was loaded, what of these the CPU worked for that, and ms
 *              until its rows were there
 *   tasks      of rows: pid, number of events, name
 *   early FILE pids of rows that are listed once the trace is loaded; then FILE is made
 *   close      nothing, and nobody asks for rows
 *
 * All traces are open at once. Exit status 2: a trace cannot be opened.
 */
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include <dlfcn.h>

#include <KsPlugins.hpp>

#include "plugin.hpp"

/* a trace that is open */
struct Opened {
	kshark_data_stream *stream;
	kshark_entry **entries;
	ssize_t count;
	const gvt::Rows *rows;		/* once they were asked for */
	double load_ms, cpu_ms;
	std::chrono::steady_clock::time_point start;
};

static decltype(&gvt_kshark_rows) rows_of;

static double ms_since(std::chrono::steady_clock::time_point start)
{
	return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/* of this thread: the plugin has others */
static double cpu_ms()
{
	timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static Opened open_trace(kshark_context *context, kshark_plugin_list *plugin, const char *path)
{
	int sd = kshark_open(context, path);
	Opened opened = {};

	if (sd < 0)
		exit(2);
	opened.stream = kshark_get_data_stream(context, sd);
	opened.start = std::chrono::steady_clock::now();
	opened.cpu_ms = -cpu_ms();
	if (plugin) {
		kshark_register_plugin_to_stream(opened.stream, plugin->process_interface, true);
		kshark_handle_all_dpis(opened.stream, KSHARK_PLUGIN_INIT);
	}
	opened.count = kshark_load_entries(context, sd, &opened.entries);
	opened.load_ms = ms_since(opened.start);
	opened.cpu_ms += cpu_ms();
	return opened;
}

static void print_number(int64_t value)
{
	if (value == gvt::UNKNOWN)
		printf("\t-");
	else
		printf("\t%" PRId64, value);
}

static std::vector<int> listed(const Opened &opened)
{
	size_t count = opened.stream->tasks->count;
	int *ids = kshark_hash_ids(opened.stream->tasks);
	std::vector<int> pids(ids, ids + (ids ? count : 0));

	free(ids);
	pids.erase(pids.begin(), std::lower_bound(pids.begin(), pids.end(), gvt::FIRST_PID));
	return pids;
}

static long count_events(const Opened &opened, int pid)
{
	long events = 0;

	for (ssize_t nr = 0; nr < opened.count; nr++)
		events += opened.entries[nr]->pid == pid;
	return events;
}

static void print_rows(const Opened &opened)
{
	for (auto &row : opened.rows->all()) {
		char *name = kshark_comm_from_pid(opened.stream->stream_id, row->pid);

		printf("%d", row->pid);
		print_number(row->dev);
		print_number(row->vgpu);
		printf("\t%s\t%d\t%ld\t%d\t%s\n", row->engine.c_str(), row->slot,
		       count_events(opened, row->pid), kshark_hash_id_find(opened.stream->tasks, row->pid), name);
		free(name);
	}
}

static void print_intervals(const Opened &opened)
{
	for (auto &row : opened.rows->all())
		for (int layer = 0; layer < gvt::LAYERS; layer++)
			for (auto &one : row->layers[layer]) {
				printf("%d\t%d\t%d\t%" PRId64 "\t%" PRId64 "\t%d%d\t%d", row->pid, layer,
				       (int)one.state, one.start, one.end, (int)one.begins,
				       (int)one.ends, one.failed);
				print_number(one.workload);
				print_number(one.vgpu);
				print_number(one.culprit);
				printf("\n");
			}
}

static void draw_row(const Opened &opened, kshark_trace_histo *histo, const gvt::Row &row)
{
	KsPlot::ColorTable tasks = KsPlot::taskColorTable(), cpus = KsPlot::CPUColorTable();
	KsPlot::Graph graph(histo, &tasks, &cpus);
	KsPlot::PlotObjList shapes;
	KsCppArgV args = { histo, &graph, &shapes };
	int boxes = 0;

	graph.setBase(100);
	graph.fillTaskGraph(opened.stream->stream_id, row.pid);
	for (auto *handler = opened.stream->draw_handlers; handler; handler = handler->next)
		handler->draw_func(args.toC(), opened.stream->stream_id, row.pid, KSHARK_TASK_DRAW);
	for (auto *shape : shapes) {
		boxes++;
		delete shape;
	}
	printf("%s\t%d\n", row.name.c_str(), boxes);
}

static void draw(const Opened &opened, int bins)
{
	kshark_trace_histo histo;

	ksmodel_init(&histo);
	ksmodel_set_bining(&histo, bins, opened.entries[0]->ts, opened.entries[opened.count - 1]->ts);
	ksmodel_fill(&histo, opened.entries, opened.count);
	for (auto &row : opened.rows->all())
		draw_row(opened, &histo, *row);
	ksmodel_clear(&histo);
}

static void print_tasks(const Opened &opened)
{
	for (int pid : listed(opened)) {
		char *name = kshark_comm_from_pid(opened.stream->stream_id, pid);

		printf("%d\t%ld\t%s\n", pid, count_events(opened, pid), name);
		free(name);
	}
}

static void print_early(const Opened &opened, const char *path)
{
	for (int pid : listed(opened))
		printf("%d\n", pid);
	fflush(stdout);
	fclose(fopen(path, "w"));
}

static void print_times(const Opened &opened)
{
	int start = kshark_find_event_id(opened.stream, "gvt/gvt_workload_start");
	int stop = kshark_find_event_id(opened.stream, "gvt/gvt_workload_stop");

	for (ssize_t nr = 0; nr < opened.count; nr++)
		if (opened.entries[nr]->event_id == start || opened.entries[nr]->event_id == stop)
			printf("%" PRId64 "\n", opened.entries[nr]->ts);
}

static void run(Opened &opened, const char *command, const char *argument)
{
	if (!strcmp(command, "early"))
		print_early(opened, argument);
	if (!strcmp(command, "close"))
		return;
	opened.rows = rows_of ? rows_of(opened.stream->stream_id) : nullptr;
	if (!strcmp(command, "cost"))
		printf("%.1f\t%.1f\t%.1f\n", opened.load_ms, opened.cpu_ms, ms_since(opened.start));
	else if (!strcmp(command, "tasks"))
		print_tasks(opened);
	else if (!opened.rows)
		printf("no rows\n");
	else if (!strcmp(command, "rows"))
		print_rows(opened);
	else if (!strcmp(command, "intervals"))
		print_intervals(opened);
	else if (!strcmp(command, "boxes"))
		draw(opened, atoi(argument));
	else if (!strcmp(command, "times"))
		print_times(opened);
}

static void close_trace(kshark_context *context, const Opened &opened)
{
	for (ssize_t nr = 0; nr < opened.count; nr++)
		free(opened.entries[nr]);
	free(opened.entries);
	kshark_close(context, opened.stream->stream_id);
}

int main(int argc, char **argv)
{
	kshark_context *context = nullptr;
	kshark_plugin_list *plugin = nullptr;
	std::vector<Opened> all;
	int first = argc > 2 && (!strcmp(argv[2], "boxes") || !strcmp(argv[2], "early")) ? 4 : 3;

	if (argc <= first || !kshark_instance(&context))
		return 1;
	if (*argv[1]) {
		plugin = kshark_register_plugin(context, "gvt", argv[1]);
		if (!plugin || !plugin->process_interface)
			return 1;
		rows_of = (decltype(rows_of))dlsym(plugin->handle, "gvt_kshark_rows");
	}
	for (int nr = first; nr < argc; nr++)
		all.push_back(open_trace(context, plugin, argv[nr]));
	for (auto &opened : all)
		run(opened, argv[2], argv[3]);
	for (auto &opened : all)
		close_trace(context, opened);
	kshark_free(context);
	return 0;
}
