// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tests of plugin_gvt.so through libtraceevent: event formats as the kernel
 * shows them, records made by hand, the text that comes out.
 *
 * The records are C structures, so that the formats' offsets are checked
 * against the compiler's layout and not against libtraceevent's idea of them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <event-parse.h>
#include <trace-seq.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define US		1000ULL
#define MS		1000000ULL

/* ------------------------------------------------------------------------
 * Records
 */

struct common {
	uint16_t	type;
	uint8_t		flags;
	uint8_t		preempt_count;
	int32_t		pid;
};

#define WORKLOAD_FIELDS		\
	struct common	common;	\
	uint32_t	dev;	\
	uint32_t	vgpu_id;	\
	uint64_t	workload_id;	\
	uint16_t	class;	\
	uint16_t	instance

struct queue {
	WORKLOAD_FIELDS;
	uint32_t	guest_lrca;
};

/* Also submit and start, which are shorter. */
struct stop {
	WORKLOAD_FIELDS;
	uint64_t	ctx;
	uint32_t	seqno;
	uint32_t	lrca;
	uint32_t	completed;
};

struct complete {
	WORKLOAD_FIELDS;
	int32_t		status;
};

struct cancel {
	WORKLOAD_FIELDS;
	uint32_t	reason;
};

struct sched_switch {
	struct common	common;
	uint32_t	dev;
	uint32_t	prev_vgpu_id;
	uint32_t	next_vgpu_id;
	int64_t		prev_left_ns;
	int64_t		prev_slice_ns;
	int64_t		next_left_ns;
	int64_t		next_slice_ns;
	uint64_t	drain_ns;
	uint32_t	reason;
	int16_t		class;
	int16_t		instance;
};

struct balance {
	struct common	common;
	uint32_t	dev;
	uint32_t	vgpu_id;
	uint32_t	stage;
	uint32_t	weight;
	int64_t		slice_ns;
	int64_t		left_ns;
	int16_t		class;
	int16_t		instance;
};

struct vgpu_info {
	struct common	common;
	uint32_t	dev;
	uint32_t	vgpu_id;
	uint32_t	weight;
	uint32_t	fences;
	uint64_t	aperture_bytes;
	uint64_t	hidden_bytes;
	int32_t		owner_pid;
	uint16_t	type_offset;
	uint16_t	type_len;
	uint16_t	uuid_offset;
	uint16_t	uuid_len;
	int32_t		nice;
	uint32_t	cap;
	char		type[16];
	char		uuid[37];
};

struct sched_info {
	struct common	common;
	uint32_t	dev;
	uint32_t	vgpus;
	uint64_t	tick_ns;
	uint64_t	period_ns;
	uint32_t	stages;
	uint64_t	boost_ns;
	uint16_t	policy_offset;
	uint16_t	policy_len;
	uint32_t	carry_over;
	uint64_t	leftover_max_ns;
	uint64_t	max_wait_ns;
	uint64_t	anticipation_ns;
	uint16_t	dispatch_offset;
	uint16_t	dispatch_len;
	uint32_t	host_first;
	char		policy[8];
	char		dispatch[16];
};

struct setting {
	struct common	common;
	uint32_t	dev;
	uint32_t	vgpu_id;
	uint16_t	setting_offset;
	uint16_t	setting_len;
	uint16_t	old_offset;
	uint16_t	old_len;
	uint16_t	new_offset;
	uint16_t	new_len;
	char		setting[16];
	char		old_value[16];
	char		new_value[16];
};

struct sched_state {
	struct common	common;
	uint32_t	dev;
	uint32_t	vgpu_id;
	int16_t		class;
	int16_t		instance;
	uint32_t	order;
	uint32_t	current_vgpu_id;
	uint32_t	stage;
	int64_t		left_ns;
	int64_t		slice_ns;
	int64_t		cap_left_ns;
	uint64_t	period_left_ns;
	uint64_t	boost_left_ns;
	uint64_t	vruntime;
	uint64_t	min_vruntime;
	int64_t		lag_ns;
	uint64_t	service_ns;
	uint64_t	think_ns;
	uint64_t	way_ns;
	uint32_t	busy;
	uint32_t	preempt;
	uint32_t	arbitration;
};

struct workload_state {
	struct common	common;
	uint32_t	dev;
	uint32_t	vgpu_id;
	uint64_t	workload_id;
	uint16_t	class;
	uint16_t	instance;
	uint32_t	guest_lrca;
	uint64_t	ctx;
	uint32_t	seqno;
	uint32_t	state;
	uint64_t	age_ns;
	uint64_t	exec_ns;
};

struct hold {
	struct common	common;
	uint32_t	dev;
	uint32_t	vgpu_id;
	uint32_t	held_vgpu_id;
	uint64_t	held_ns;
	uint64_t	window_ns;
	uint32_t	result;
	int16_t		class;
	int16_t		instance;
};

static const struct queue queue_rec = {
	.vgpu_id = 1, .workload_id = 42, .guest_lrca = 0xfe7000,
};

static const struct stop stop_rec = {
	.vgpu_id = 1, .workload_id = 42, .ctx = 17, .seqno = 5, .lrca = 0x12345000, .completed = 1,
};

static const struct complete complete_rec = {
	.vgpu_id = 1, .workload_id = 42,
};

static const struct cancel cancel_rec = {
	.vgpu_id = 2, .workload_id = 43, .class = 2, .instance = 1, .reason = 2,
};

static const struct sched_switch switch_rec = {
	.prev_vgpu_id = 1, .next_vgpu_id = 2,
	.prev_left_ns = -12345678, .prev_slice_ns = 50 * MS,
	.next_left_ns = 33333333, .next_slice_ns = 100 * MS,
	.drain_ns = 1234567, .reason = 2, .class = -1, .instance = -1,
};

static const struct balance balance_rec = {
	.vgpu_id = 1, .stage = 3, .weight = 8, .slice_ns = 25 * MS, .left_ns = -5 * (int64_t)MS,
	.class = 2, .instance = 1,
};

static const struct vgpu_info vgpu_info_rec = {
	.vgpu_id = 1, .weight = 2, .fences = 4, .aperture_bytes = 64 << 20, .hidden_bytes = 384 << 20,
	.owner_pid = 1234,
	.type_offset = offsetof(struct vgpu_info, type), .type_len = sizeof("GVTg_V5_8"),
	.uuid_offset = offsetof(struct vgpu_info, uuid), .uuid_len = 37,
	.nice = -5, .cap = 40,
	.type = "GVTg_V5_8", .uuid = "00000000-0000-4000-8000-000000000001",
};

static const struct sched_info sched_info_rec = {
	.vgpus = 2, .tick_ns = 1 * MS, .period_ns = 100 * MS, .stages = 10, .boost_ns = 2000 * MS,
	.policy_offset = offsetof(struct sched_info, policy), .policy_len = sizeof("strict"),
	.carry_over = 1, .leftover_max_ns = 1000 * MS, .max_wait_ns = 900 * MS,
	.anticipation_ns = 20 * MS,
	.dispatch_offset = offsetof(struct sched_info, dispatch),
	.dispatch_len = sizeof("exclusive"),
	.host_first = 1,
	.policy = "strict", .dispatch = "exclusive",
};

static const struct sched_state sched_state_rec = {
	.vgpu_id = 1, .class = -1, .instance = -1, .order = 2, .stage = 3, .left_ns = -5 * MS,
	.slice_ns = 50 * MS, .cap_left_ns = 7 * MS, .period_left_ns = 80 * MS, .vruntime = 900,
	.min_vruntime = 800, .lag_ns = -2 * MS, .service_ns = 1234567, .think_ns = 2500, .way_ns = 500,
	.busy = 1, .arbitration = 1,
};

static const struct workload_state workload_state_rec = {
	.vgpu_id = 1, .workload_id = 42, .guest_lrca = 0xfe7000, .ctx = 17, .seqno = 5, .state = 2,
	.age_ns = 12 * MS, .exec_ns = 2500,
};

static const struct setting setting_rec = {
	.setting_offset = offsetof(struct setting, setting), .setting_len = sizeof("policy"),
	.old_offset = offsetof(struct setting, old_value), .old_len = sizeof("strict"),
	.new_offset = offsetof(struct setting, new_value), .new_len = sizeof("fair"),
	.setting = "policy", .old_value = "strict", .new_value = "fair",
};

struct health {
	struct common common;
	uint32_t dev, vgpu_id, counts[8], failsafe;
} __attribute__((packed));

static const struct health health_rec = {
	.vgpu_id = 2, .counts = { 12, 3, 1, 4, 5, 6, 7, 1 }, .failsafe = 3,
};

static const struct hold hold_rec = {
	.vgpu_id = 1, .held_vgpu_id = 2, .held_ns = 4700 * US, .window_ns = 20 * MS, .result = 1,
	.class = -1, .instance = -1,
};

struct host_start {
	struct common	common;
	uint32_t	dev, holder;
	int16_t		class, instance;
	uint64_t	ctx, waited_ns;
	uint32_t	seqno;
};

struct host_stop {
	struct common	common;
	uint32_t	dev;
	int16_t		class, instance;
	uint64_t	exec_ns;
};

struct host_state {
	struct common	common;
	uint32_t	dev;
	int16_t		class, instance;
	uint32_t	running;
	uint64_t	exec_ns, wait_ns;
};

static const struct host_start host_start_rec = {
	.holder = 2, .class = 2, .instance = 1, .ctx = 17, .waited_ns = 4700 * US, .seqno = 5,
};

static const struct host_stop host_stop_rec = { .exec_ns = 8 * MS };

static const struct host_state host_state_rec = {
	.running = 1, .exec_ns = 12 * MS, .wait_ns = 2500,
};

/* Every event, its record and the text that the plugin makes of it. */
static const struct sample {
	const char	*event;
	const void	*data;
	size_t		size;
	const char	*text;
} samples[] = {
	{ "gvt_workload_queue", &queue_rec, sizeof(queue_rec),
	  "dev=0, vgpu=1, workload=42, engine=rcs0, guest_lrca=0x00fe7000" },
	{ "gvt_workload_submit", &stop_rec, offsetof(struct stop, lrca),
	  "dev=0, vgpu=1, workload=42, engine=rcs0, ctx=17, seqno=5" },
	{ "gvt_workload_start", &stop_rec, offsetof(struct stop, completed),
	  "dev=0, vgpu=1, workload=42, engine=rcs0, ctx=17, seqno=5, lrca=0x12345000" },
	{ "gvt_workload_stop", &stop_rec, sizeof(stop_rec),
	  "dev=0, vgpu=1, workload=42, engine=rcs0, ctx=17, seqno=5, lrca=0x12345000, completed?=1" },
	{ "gvt_workload_complete", &complete_rec, sizeof(complete_rec),
	  "dev=0, vgpu=1, workload=42, engine=rcs0, status=ok" },
	{ "gvt_workload_cancel", &cancel_rec, sizeof(cancel_rec),
	  "dev=0, vgpu=2, workload=43, engine=vcs1, reason=remove" },
	{ "gvt_sched_switch", &switch_rec, sizeof(switch_rec),
	  "dev=0, prev=1, next=2, prev_left=-12.346ms (-24.7%), prev_slice=50.000ms, "
	  "next_left=33.333ms (33.3%), next_slice=100.000ms, drain=1234.567us, reason=slice, "
	  "engine=all" },
	{ "gvt_sched_balance", &balance_rec, sizeof(balance_rec),
	  "dev=0, vgpu=1, stage=3, weight=8, slice=25.000ms, left=-5.000ms (-20.0%), engine=vcs1" },
	{ "gvt_vgpu_info", &vgpu_info_rec, sizeof(vgpu_info_rec),
	  "dev=0, vgpu=1, weight=2, fences=4, aperture=64MiB, hidden=384MiB, owner_pid=1234, "
	  "type=GVTg_V5_8, uuid=00000000-0000-4000-8000-000000000001, nice=-5, cap=40%" },
	{ "gvt_sched_info", &sched_info_rec, sizeof(sched_info_rec),
	  "dev=0, vgpus=2, tick=1.000ms, period=100.000ms, stages=10, boost=2000.000ms, "
	  "policy=strict, carry_over=1, leftover_max=1000.000ms, max_wait=900.000ms, "
	  "anticipation=20.000ms, dispatch=exclusive, host_first=1" },
	{ "gvt_sched_state", &sched_state_rec, sizeof(sched_state_rec),
	  "dev=0, vgpu=1, engine=all, order=2, current=idle, stage=3, left=-5.000ms (-10.0%), "
	  "slice=50.000ms, cap_left=7.000ms, period_left=80.000ms, boost_left=0.000ms, vruntime=900, "
	  "min_vruntime=800, lag=-2.000ms, service=1234.567us, think=2.500us, way=0.500us, busy=1, "
	  "preempt=0, arbitration=1" },
	{ "gvt_workload_state", &workload_state_rec, sizeof(workload_state_rec),
	  "dev=0, vgpu=1, workload=42, engine=rcs0, guest_lrca=0x00fe7000, ctx=17, seqno=5, "
	  "state=running, age=12000.000us, exec=2.500us" },
	{ "gvt_sched_setting", &setting_rec, sizeof(setting_rec),
	  "dev=0, vgpu=all, setting=policy, old=strict, new=fair" },
	{ "gvt_sched_hold", &hold_rec, sizeof(hold_rec),
	  "dev=0, vgpu=1, held=2, idle=4700.000us, window=20000.000us, result=expired, engine=all" },
	{ "gvt_vgpu_health", &health_rec, sizeof(health_rec),
	  "dev=0, vgpu=2, bad_entries=12, reused_roots=3, refused_submits=1, refused_workloads=4, "
	  "hangs=5, engine_resets=6, device_resets=7, failsafe_entries=1, failsafe=guest_error" },
	{ "gvt_host_start", &host_start_rec, sizeof(host_start_rec),
	  "dev=0, engine=vcs1, ctx=17, seqno=5, waited=4700.000us, holder=2" },
	{ "gvt_host_stop", &host_stop_rec, sizeof(host_stop_rec),
	  "dev=0, engine=rcs0, exec=8000.000us" },
	{ "gvt_host_state", &host_state_rec, sizeof(host_state_rec),
	  "dev=0, engine=rcs0, running=1, exec=12000.000us, wait=2.500us" },
};

/* ------------------------------------------------------------------------
 * A tep handle with the plugin, and printing through it
 */

struct trace {
	struct tep_handle	*tep;
	struct tep_plugin_list	*plugins;
};

/* The text of formats/gvt/@event.format; to be freed. */
static char *read_format(const char *event)
{
	char path[4096], *text;
	size_t len;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s.format", FORMATS, event);
	file = fopen(path, "r");
	if (!file)
		fail_msg("%s: %s", path, strerror(errno));
	text = calloc(1, 65536);
	assert_non_null(text);
	len = fread(text, 1, 65535, file);
	assert_true(len > 0);
	fclose(file);
	return text;
}

static void add_format(struct trace *trace, const char *format)
{
	assert_int_equal(tep_parse_event(trace->tep, format, strlen(format), "gvt"), 0);
}

static void open_bare(struct trace *trace, bool plugin)
{
	trace->tep = tep_alloc();
	assert_non_null(trace->tep);
	trace->plugins = NULL;
	if (!plugin)
		return;
	tep_set_flag(trace->tep, TEP_DISABLE_SYS_PLUGINS);
	tep_add_plugin_path(trace->tep, (char *)PLUGIN_DIR, TEP_PLUGIN_FIRST);
	trace->plugins = tep_load_plugins(trace->tep);
	assert_non_null(trace->plugins);
}

static void open_trace(struct trace *trace, bool plugin)
{
	open_bare(trace, plugin);
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		char *format = read_format(samples[i].event);

		add_format(trace, format);
		free(format);
	}
}

static void close_trace(struct trace *trace)
{
	if (trace->plugins)
		tep_unload_plugins(trace->plugins, trace->tep);
	tep_free(trace->tep);
}

/*
 * Prints a record as @event at time @ts. The data are copied into a block of
 * just their size, for AddressSanitizer to see any access beyond.
 */
static const char *print_lost(struct trace *trace, const char *name, const void *data, size_t size,
			      uint64_t ts, long long lost)
{
	static char text[4096];
	struct tep_event *event = tep_find_event_by_name(trace->tep, "gvt", name);
	struct tep_record record = { .ts = ts, .size = size, .missed_events = lost };
	struct trace_seq s;

	assert_non_null(event);
	record.data = malloc(size ? size : 1);
	assert_non_null(record.data);
	memcpy(record.data, data, size);
	if (size >= sizeof(uint16_t))
		*(uint16_t *)record.data = event->id;
	trace_seq_init(&s);
	tep_print_event(trace->tep, &s, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&s);
	snprintf(text, sizeof(text), "%s", s.buffer);
	trace_seq_destroy(&s);
	free(record.data);
	return text;
}

static const char *print(struct trace *trace, const char *name, const void *data, size_t size,
			 uint64_t ts)
{
	return print_lost(trace, name, data, size, ts, 0);
}

static const struct sample *find_sample(const char *event)
{
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		if (!strcmp(samples[i].event, event))
			return &samples[i];
	}
	fail_msg("no sample of %s", event);
	return NULL;
}

static const char *print_sample(struct trace *trace, const char *event, uint64_t ts)
{
	const struct sample *sample = find_sample(event);

	return print(trace, event, sample->data, sample->size, ts);
}

/* Prints the sample as another workload. */
static const char *print_workload(struct trace *trace, const char *event, uint32_t dev, uint64_t id,
				  uint64_t ts)
{
	const struct sample *sample = find_sample(event);
	struct stop data;

	assert_true(sample->size <= sizeof(data));
	memcpy(&data, sample->data, sample->size);
	data.dev = dev;
	data.workload_id = id;
	return print(trace, event, &data, sample->size, ts);
}

static void assert_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' does not contain '%s'", text, part);
}

static void assert_lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' contains '%s'", text, part);
}

/* The end of the text, after the fields. */
static void assert_ends(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	if (len < end_len || strcmp(text + len - end_len, end))
		fail_msg("'%s' does not end in '%s'", text, end);
}

static void set_option(const char *name, const char *value)
{
	assert_int_equal(tep_plugin_add_option(name, value), 0);
}

/* Options stay in libtraceevent, also for handles that are opened later. */
static int defaults(void **state)
{
	(void)state;
	set_option("gvt:raw", "0");
	set_option("gvt:engine", "names");
	set_option("gvt:durations", "on");
	set_option("gvt:unit", "us");
	set_option("gvt:tsc-khz", "0");
	return 0;
}

/* ------------------------------------------------------------------------
 * Text
 */

static void every_event(void **state)
{
	struct trace trace;

	(void)state;
	set_option("gvt:durations", "off");
	open_trace(&trace, true);
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++)
		assert_string_equal(print_sample(&trace, samples[i].event, 1000), samples[i].text);
	close_trace(&trace);
}

static void engines(void **state)
{
	static const struct {
		uint16_t	class, instance;
		const char	*text;
	} cases[] = {
		{ 0, 0, "engine=rcs0," }, { 1, 0, "engine=bcs0," }, { 2, 0, "engine=vcs0," },
		{ 2, 1, "engine=vcs1," }, { 3, 0, "engine=vecs0," }, { 4, 2, "engine=ccs2," },
		{ 5, 0, "engine=5:0," }, { 65535, 65535, "engine=-1:-1," },
	};
	struct queue rec = queue_rec;
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		rec.class = cases[i].class;
		rec.instance = cases[i].instance;
		assert_contains(print(&trace, "gvt_workload_queue", &rec, sizeof(rec), 1),
				cases[i].text);
	}
	close_trace(&trace);
}

static void statuses(void **state)
{
	static const struct {
		int32_t		status;
		const char	*text;
	} cases[] = {
		{ 0, "status=ok" }, { -EIO, "status=-EIO (hang)" },
		{ -ECANCELED, "status=-ECANCELED (cancelled)" },
		{ -EBADRQC, "status=-EBADRQC (unknown command)" },
		{ -EFAULT, "status=-EFAULT (invalid address)" },
		{ -ENOMEM, "status=-ENOMEM (out of memory)" },
		{ -512, "status=-512" }, { 7, "status=7" }, { INT32_MIN, "status=-2147483648" },
	};
	struct complete rec = complete_rec;
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		rec.status = cases[i].status;
		assert_ends(print(&trace, "gvt_workload_complete", &rec, sizeof(rec), 1),
			    cases[i].text);
	}
	close_trace(&trace);
}

static void reasons(void **state)
{
	static const char * const names[] = {
		"idle", "turn", "slice", "boost", "stop", "owed", "borrow", "overdue", "8"
	};
	struct sched_switch rec = switch_rec;
	struct trace trace;
	char text[32];

	(void)state;
	open_trace(&trace, true);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		rec.reason = i;
		snprintf(text, sizeof(text), ", reason=%s, engine=all", names[i]);
		assert_ends(print(&trace, "gvt_sched_switch", &rec, sizeof(rec), 1), text);
	}
	close_trace(&trace);
}

/* Nobody but the host was on the engine. */
static void host_alone(void **state)
{
	struct host_start rec = host_start_rec;
	struct trace trace;

	(void)state;
	rec.holder = 0;
	open_trace(&trace, true);
	assert_ends(print(&trace, "gvt_host_start", &rec, sizeof(rec), 1), ", holder=none");
	close_trace(&trace);
}

static void holds(void **state)
{
	static const char * const names[] = { "came", "expired", "stopped", "3" };
	struct hold rec = hold_rec;
	struct trace trace;
	char text[32];

	(void)state;
	open_trace(&trace, true);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		rec.result = i;
		snprintf(text, sizeof(text), ", result=%s, engine=all", names[i]);
		assert_ends(print(&trace, "gvt_sched_hold", &rec, sizeof(rec), 1), text);
	}
	close_trace(&trace);
}

static void setting_of_a_vgpu(void **state)
{
	struct setting rec = setting_rec;
	struct trace trace;

	(void)state;
	rec.vgpu_id = 3;
	open_trace(&trace, true);
	assert_contains(print(&trace, "gvt_sched_setting", &rec, sizeof(rec), 1), ", vgpu=3,");
	close_trace(&trace);
}

static void idle_vgpu_and_no_slice(void **state)
{
	struct sched_switch rec = { .next_vgpu_id = 1, .next_left_ns = 7 * MS };
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	assert_string_equal(print(&trace, "gvt_sched_switch", &rec, sizeof(rec), 1),
			    "dev=0, prev=idle, next=1, prev_left=0.000ms, prev_slice=0.000ms, "
			    "next_left=7.000ms, next_slice=0.000ms, drain=0.000us, reason=idle, "
			    "engine=rcs0");
	close_trace(&trace);
}

static void vgpu_without_owner(void **state)
{
	struct vgpu_info rec = vgpu_info_rec;
	struct trace trace;
	const char *text;

	(void)state;
	rec.owner_pid = 0;
	rec.aperture_bytes = 4097;
	open_trace(&trace, true);
	text = print(&trace, "gvt_vgpu_info", &rec, sizeof(rec), 1);
	assert_contains(text, "owner_pid=none,");
	assert_contains(text, "aperture=4097B,");
	close_trace(&trace);
}

/* ------------------------------------------------------------------------
 * Durations
 */

static void durations(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	assert_lacks(print_sample(&trace, "gvt_workload_queue", 1000 * US), "since");
	assert_ends(print_sample(&trace, "gvt_workload_submit", 1500 * US + 1),
		    "seqno=5, since_queue=500.001us");
	assert_ends(print_sample(&trace, "gvt_workload_start", 1600 * US),
		    "lrca=0x12345000, since_queue=600.000us, since_submit=99.999us");
	assert_ends(print_sample(&trace, "gvt_workload_stop", 19600 * US),
		    "completed?=1, since_queue=18600.000us, since_submit=18099.999us, "
		    "since_start=18000.000us");
	assert_ends(print_sample(&trace, "gvt_workload_complete", 19700 * US),
		    "status=ok, since_queue=18700.000us, since_submit=18199.999us, "
		    "since_start=18100.000us");
	close_trace(&trace);
}

static void cancelled_in_the_queue(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	print_workload(&trace, "gvt_workload_queue", 0, 43, 10 * US);
	assert_ends(print_sample(&trace, "gvt_workload_cancel", 12 * US),
		    "reason=remove, since_queue=2.000us");
	close_trace(&trace);
}

static void trace_starts_mid_workload(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	assert_ends(print_sample(&trace, "gvt_workload_stop", 5 * MS), "completed?=1");
	assert_ends(print_sample(&trace, "gvt_workload_complete", 6 * MS), "status=ok");
	close_trace(&trace);
}

/* A workload's pieces: each stop counts from its own start. */
static void preempted_workload(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	print_sample(&trace, "gvt_workload_start", 10 * MS);
	assert_ends(print_sample(&trace, "gvt_workload_stop", 12 * MS), "since_start=2000.000us");
	/* a stop whose start is missing */
	assert_lacks(print_sample(&trace, "gvt_workload_stop", 13 * MS), "since_start");
	print_sample(&trace, "gvt_workload_start", 20 * MS);
	assert_ends(print_sample(&trace, "gvt_workload_stop", 25 * MS), "since_start=5000.000us");
	close_trace(&trace);
}

/* KernelShark prints what the user looks at: nothing may be said that is not known. */
static void records_out_of_order(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	print_sample(&trace, "gvt_workload_complete", 40 * MS);
	assert_ends(print_sample(&trace, "gvt_workload_start", 20 * MS), "lrca=0x12345000");
	print_sample(&trace, "gvt_workload_queue", 10 * MS);
	print_sample(&trace, "gvt_workload_submit", 15 * MS);
	/* from the future: never a negative duration */
	assert_lacks(print_sample(&trace, "gvt_workload_start", 14 * MS), "since_submit");
	assert_ends(print_sample(&trace, "gvt_workload_start", 20 * MS),
		    "since_queue=10000.000us, since_submit=5000.000us");
	assert_ends(print_sample(&trace, "gvt_workload_complete", 40 * MS),
		    "since_queue=30000.000us, since_submit=25000.000us, since_start=20000.000us");
	/* a second time, the same */
	assert_ends(print_sample(&trace, "gvt_workload_complete", 40 * MS),
		    "since_queue=30000.000us, since_submit=25000.000us, since_start=20000.000us");
	close_trace(&trace);
}

/* kvmgt unloaded and loaded again: ids start anew. */
static void ids_start_anew(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	print_sample(&trace, "gvt_workload_queue", 1 * MS);
	print_sample(&trace, "gvt_workload_start", 2 * MS);
	print_sample(&trace, "gvt_workload_complete", 3 * MS);
	/* its queue event is not in the trace */
	assert_ends(print_sample(&trace, "gvt_workload_submit", 50 * MS), "seqno=5");
	print_sample(&trace, "gvt_workload_queue", 60 * MS);
	assert_ends(print_sample(&trace, "gvt_workload_complete", 61 * MS),
		    "status=ok, since_queue=1000.000us");
	close_trace(&trace);
}

static void two_gpus(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	print_workload(&trace, "gvt_workload_queue", 0, 7, 1 * MS);
	print_workload(&trace, "gvt_workload_queue", 1, 7, 2 * MS);
	assert_ends(print_workload(&trace, "gvt_workload_submit", 0, 7, 5 * MS),
		    "since_queue=4000.000us");
	assert_ends(print_workload(&trace, "gvt_workload_submit", 1, 7, 5 * MS),
		    "since_queue=3000.000us");
	close_trace(&trace);
}

/* Memory is bounded: old workloads are forgotten, never mixed up. */
static void many_workloads(void **state)
{
	struct trace trace;
	uint64_t id, ts;

	(void)state;
	open_trace(&trace, true);
	for (id = 1, ts = 1; id <= 20000; id++, ts++)
		print_workload(&trace, "gvt_workload_queue", 0, id, ts);
	assert_ends(print_workload(&trace, "gvt_workload_submit", 0, 20000, ts), "since_queue=0.001us");
	assert_ends(print_workload(&trace, "gvt_workload_submit", 0, 10000, ts), "since_queue=10.001us");
	assert_ends(print_workload(&trace, "gvt_workload_submit", 0, 1, ts), "seqno=5");
	/* the old one has not driven out the newer one, except by being the latest */
	assert_lacks(print_workload(&trace, "gvt_workload_start", 0, 2, 2), "since");
	assert_ends(print_workload(&trace, "gvt_workload_submit", 0, 16386, ts), "since_queue=3.615us");
	close_trace(&trace);
}

static void lost_events(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	print_sample(&trace, "gvt_workload_queue", 1 * MS);
	print_sample(&trace, "gvt_workload_start", 2 * MS);
	print_lost(&trace, "gvt_workload_queue", &cancel_rec, sizeof(queue_rec), 3 * MS, 12);
	/* it may have stopped and started again meanwhile */
	assert_ends(print_sample(&trace, "gvt_workload_stop", 4 * MS),
		    "completed?=1, since_queue=3000.000us");
	print_sample(&trace, "gvt_workload_start", 5 * MS);
	assert_ends(print_sample(&trace, "gvt_workload_stop", 6 * MS), "since_start=1000.000us");
	close_trace(&trace);
}

/* perf script prints without telling the plugin the time. */
static void no_timestamps(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++)
		assert_string_equal(print_sample(&trace, samples[i].event, 0), samples[i].text);
	close_trace(&trace);
}

/* ------------------------------------------------------------------------
 * Handles and options
 */

static void two_handles(void **state)
{
	struct trace a, b;

	(void)state;
	open_trace(&a, true);
	open_trace(&b, true);
	print_sample(&a, "gvt_workload_queue", 1 * MS);
	print_sample(&b, "gvt_workload_queue", 2 * MS);
	assert_ends(print_sample(&a, "gvt_workload_submit", 5 * MS), "since_queue=4000.000us");
	assert_ends(print_sample(&b, "gvt_workload_submit", 5 * MS), "since_queue=3000.000us");
	close_trace(&a);
	assert_ends(print_sample(&b, "gvt_workload_start", 6 * MS),
		    "since_queue=4000.000us, since_submit=1000.000us");
	open_trace(&a, true);
	assert_ends(print_sample(&a, "gvt_workload_submit", 5 * MS), "seqno=5");
	close_trace(&b);
	close_trace(&a);
}

/* The plugin finds events that were parsed before it was loaded, too. */
static void loaded_after_the_events(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, false);
	tep_set_flag(trace.tep, TEP_DISABLE_SYS_PLUGINS);
	tep_add_plugin_path(trace.tep, (char *)PLUGIN_DIR, TEP_PLUGIN_FIRST);
	trace.plugins = tep_load_plugins(trace.tep);
	assert_string_equal(print_sample(&trace, "gvt_sched_info", 1), samples[9].text);
	tep_unload_plugins(trace.plugins, trace.tep);
	trace.plugins = NULL;
	assert_contains(print_sample(&trace, "gvt_sched_info", 1), "tick_ns=1000000");
	close_trace(&trace);
}

static void assert_as_kernel(struct trace *trace)
{
	struct trace kernel;

	open_trace(&kernel, false);
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		char *expected = strdup(print_sample(&kernel, samples[i].event, 1));

		assert_string_equal(print_sample(trace, samples[i].event, 1), expected);
		free(expected);
	}
	close_trace(&kernel);
}

static void option_raw(void **state)
{
	struct trace a, b;

	(void)state;
	set_option("gvt:raw", "1");
	open_trace(&a, true);
	open_trace(&b, true);
	assert_as_kernel(&a);
	assert_as_kernel(&b);
	set_option("gvt:raw", "0");
	assert_string_equal(print_sample(&b, "gvt_sched_info", 1), samples[9].text);
	close_trace(&a);
	close_trace(&b);
}

/* "-O gvt:raw" toggles, and must do so once however many traces are open. */
static void option_raw_as_switch(void **state)
{
	struct trace a, b;

	(void)state;
	set_option("gvt:raw", NULL);
	open_trace(&a, true);
	open_trace(&b, true);
	assert_as_kernel(&a);
	assert_as_kernel(&b);
	close_trace(&a);
	close_trace(&b);
	open_trace(&a, true);
	assert_as_kernel(&a);
	close_trace(&a);
}

static void option_engine(void **state)
{
	struct trace trace;

	(void)state;
	set_option("gvt:engine", "numbers");
	open_trace(&trace, true);
	assert_contains(print_sample(&trace, "gvt_workload_cancel", 1), "engine=2:1,");
	close_trace(&trace);
}

static void option_durations(void **state)
{
	struct trace trace;

	(void)state;
	set_option("gvt:durations", "off");
	open_trace(&trace, true);
	print_sample(&trace, "gvt_workload_queue", 1 * MS);
	assert_ends(print_sample(&trace, "gvt_workload_submit", 2 * MS), "seqno=5");
	/* events seen meanwhile count */
	set_option("gvt:durations", "on");
	assert_ends(print_sample(&trace, "gvt_workload_start", 3 * MS),
		    "since_queue=2000.000us, since_submit=1000.000us");
	close_trace(&trace);
}

static void option_unit(void **state)
{
	struct trace trace;

	(void)state;
	set_option("gvt:unit", "ms");
	open_trace(&trace, true);
	print_sample(&trace, "gvt_workload_queue", 1 * MS);
	assert_ends(print_sample(&trace, "gvt_workload_submit", 2 * MS + 1), "since_queue=1.000001ms");
	assert_contains(print_sample(&trace, "gvt_sched_switch", 1), "drain=1.234567ms,");
	close_trace(&trace);
}

static void option_tsc_khz(void **state)
{
	struct trace trace;

	(void)state;
	set_option("gvt:tsc-khz", "2400000");
	open_trace(&trace, true);
	print_sample(&trace, "gvt_workload_queue", 1);
	assert_ends(print_sample(&trace, "gvt_workload_submit", 1 + 3600000000000000000ULL),
		    "since_queue=1500000000000000.000us");
	assert_ends(print_sample(&trace, "gvt_workload_submit", 1 + 12), "since_queue=0.005us");
	/* the kernel gives this one in ns */
	assert_contains(print_sample(&trace, "gvt_sched_switch", 1), "drain=1234.567us,");
	close_trace(&trace);
}

/* Runs @print_it with stderr in a file, returns what was written there. */
static const char *captured_stderr(struct trace *trace, const char *event)
{
	static char text[1024];
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t len;

	assert_non_null(file);
	dup2(fileno(file), STDERR_FILENO);
	print_sample(trace, event, 1);
	print_sample(trace, event, 2);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	return text;
}

/* One line about each, and the default. */
static void bad_option_values(void **state)
{
	static const struct {
		const char	*name, *value, *message;
	} cases[] = {
		{ "gvt:engine", "letters",
		  "plugin_gvt: option gvt:engine=letters: use names or numbers; taking names\n" },
		{ "gvt:durations", "",
		  "plugin_gvt: option gvt:durations=: use on or off; taking on\n" },
		{ "gvt:unit", "parsec",
		  "plugin_gvt: option gvt:unit=parsec: use us or ms; taking us\n" },
		{ "gvt:tsc-khz", "3GHz",
		  "plugin_gvt: option gvt:tsc-khz=3GHz: use a whole number; taking 0\n" },
		{ "gvt:tsc-khz", "-1",
		  "plugin_gvt: option gvt:tsc-khz=-1: use a whole number; taking 0\n" },
	};
	struct trace trace;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		defaults(state);
		set_option(cases[i].name, cases[i].value);
		open_trace(&trace, true);
		assert_string_equal(captured_stderr(&trace, "gvt_workload_queue"), cases[i].message);
		assert_string_equal(print_sample(&trace, "gvt_workload_queue", 3), samples[0].text);
		close_trace(&trace);
	}
}

/* ------------------------------------------------------------------------
 * Formats other than the documented ones
 */

/* @text with the first @from replaced by @to; frees @text. */
static char *edit(char *text, const char *from, const char *to)
{
	char *place = strstr(text, from), *result;

	if (!place)
		fail_msg("no '%s' in the format", from);
	assert_true(asprintf(&result, "%.*s%s%s", (int)(place - text), text, to,
			     place + strlen(from)) > 0);
	free(text);
	return result;
}

static const char *print_edited(const char *event, const char *from, const char *to)
{
	char *format = edit(read_format(event), from, to);
	struct trace trace;
	const char *text;

	open_bare(&trace, true);
	add_format(&trace, format);
	text = print_sample(&trace, event, 1);
	close_trace(&trace);
	free(format);
	return text;
}

static void missing_field(void **state)
{
	(void)state;
	assert_string_equal(print_edited("gvt_workload_queue",
					 "\tfield:u32 vgpu_id;\toffset:12;\tsize:4;\tsigned:0;\n", ""),
			    "dev=0, vgpu=!, workload=42, engine=rcs0, guest_lrca=0x00fe7000");
	assert_string_equal(print_edited("gvt_workload_queue",
					 "\tfield:s16 instance;\toffset:26;\tsize:2;\tsigned:1;\n", ""),
			    "dev=0, vgpu=1, workload=42, engine=!, guest_lrca=0x00fe7000");
	assert_contains(print_edited("gvt_sched_switch",
				     "\tfield:s64 prev_slice_ns;\toffset:32;\tsize:8;\tsigned:1;\n", ""),
			"prev_left=-12.346ms, prev_slice=!, next_left=33.333ms (33.3%),");
	assert_contains(print_edited("gvt_sched_info",
				     "\tfield:__data_loc char[] policy;\toffset:48;\tsize:4;\tsigned:0;\n",
				     ""),
			"boost=2000.000ms, policy=!,");
}

static void every_field_missing(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		char *format = read_format(samples[i].event);
		char *line = strstr(format, "print fmt:");
		struct trace trace;

		/* libtraceevent 1.7.1 itself does not survive a missing __print_symbolic() field */
		strcpy(line, "print fmt: \"\"\n");
		while ((line = strstr(strstr(format, "\n\n"), "\tfield:"))) {
			char *end = strchr(line, '\n') + 1;

			memmove(line, end, strlen(end) + 1);
			/* printing must survive every step, down to no field at all */
			open_bare(&trace, true);
			add_format(&trace, format);
			print_sample(&trace, samples[i].event, 1);
			close_trace(&trace);
		}
		free(format);
	}
}

static void renamed_field(void **state)
{
	(void)state;
	assert_string_equal(print_edited("gvt_workload_queue", "u32 vgpu_id;", "u32 vm_id;"),
			    "dev=0, vgpu=!, workload=42, engine=rcs0, guest_lrca=0x00fe7000, vm_id=1");
}

/* Kernels before per-engine dispatch tell no engine, and some may tell no nice value. */
static void optional_fields(void **state)
{
	(void)state;
	assert_ends(print_edited("gvt_sched_switch", "\tfield:s16 class;", "\tfield:s16 klass;"),
		    "reason=slice, klass=-1");
	assert_ends(print_edited("gvt_vgpu_info", "\tfield:s32 nice;", "\tfield:s32 kind;"),
		    "uuid=00000000-0000-4000-8000-000000000001, cap=40%, kind=-5");
}

static void added_fields(void **state)
{
	(void)state;
	assert_ends(print_edited("gvt_sched_balance", "signed:1;\n\nprint",
				 "signed:1;\n\tfield:s32 debt;\toffset:32;\tsize:4;\tsigned:1;\n"
				 "\tfield:u32 blob[2];\toffset:32;\tsize:8;\tsigned:0;\n\nprint"),
		    "left=-5.000ms (-20.0%), engine=vcs1, debt=-5000000, blob=!");
	assert_ends(print_edited("gvt_vgpu_info", "\n\nprint",
				 "\n\tfield:__data_loc char[] name;\toffset:44;\tsize:4;\tsigned:0;\n\nprint"),
		    "cap=40%, name=GVTg_V5_8");
}

/* Other sizes and signs are read as the format says. */
static void resized_field(void **state)
{
	(void)state;
	assert_contains(print_edited("gvt_workload_queue", "u32 vgpu_id;\toffset:12;\tsize:4;",
				     "u8 vgpu_id;\toffset:12;\tsize:1;"), "vgpu=1,");
	assert_ends(print_edited("gvt_sched_balance", "left_ns;\toffset:32;\tsize:8;",
				 "left_ns;\toffset:32;\tsize:4;"), "left=-5.000ms (-20.0%), engine=vcs1");
	assert_contains(print_edited("gvt_workload_queue", "dev;\toffset:8;\tsize:4;",
				     "dev;\toffset:8;\tsize:3;"), "dev=!, vgpu=1,");
}

static void field_of_another_kind(void **state)
{
	(void)state;
	assert_contains(print_edited("gvt_vgpu_info", "field:u32 weight;", "field:char weight[4];"),
			"weight=!, fences=4,");
	assert_contains(print_edited("gvt_vgpu_info", "field:__data_loc char[] type;", "field:u32 type;"),
			"type=!, uuid=0000");
}

static void field_outside_the_record(void **state)
{
	(void)state;
	assert_contains(print_edited("gvt_workload_queue", "dev;\toffset:8;", "dev;\toffset:100000;"),
			"dev=!, vgpu=1,");
	assert_contains(print_edited("gvt_vgpu_info", "type;\toffset:44;", "type;\toffset:4444;"),
			"type=!, uuid=0000");
}

/* A string whose place lies outside the record, as in a corrupted file. */
static void string_outside_the_record(void **state)
{
	struct vgpu_info rec = vgpu_info_rec;
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	rec.uuid_offset = 60000;
	assert_ends(print(&trace, "gvt_vgpu_info", &rec, sizeof(rec), 1), "uuid=!, nice=-5, cap=40%");
	rec.uuid_offset = vgpu_info_rec.uuid_offset;
	rec.uuid_len = 65535;
	assert_ends(print(&trace, "gvt_vgpu_info", &rec, sizeof(rec), 1), "uuid=!, nice=-5, cap=40%");
	rec.uuid_len = 0;
	assert_ends(print(&trace, "gvt_vgpu_info", &rec, sizeof(rec), 1),
		    "uuid=, nice=-5, cap=40%");
	close_trace(&trace);
}

static void truncated_records(void **state)
{
	struct trace trace;

	(void)state;
	open_trace(&trace, true);
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		for (size_t size = 8; size < samples[i].size; size++)
			print(&trace, samples[i].event, samples[i].data, size, 1);
	}
	assert_string_equal(print(&trace, "gvt_workload_complete", &complete_rec, 16, 1),
			    "dev=0, vgpu=1, workload=!, engine=!, status=!");
	close_trace(&trace);
}

/* Replaces the number behind a random "offset:" or "size:" in @format, which it frees. */
static char *mutate(char *format)
{
	static const char * const keys[] = { "\toffset:", "\tsize:" };
	static const char * const values[] = {
		"0", "1", "3", "4", "7", "8", "12", "40", "52", "60", "255", "65535", "2147483647",
	};
	const char *key = keys[rand() % ARRAY_SIZE(keys)];
	char *place = strstr(format, "\n\n"), *end, *result;

	for (int skip = rand() % 8; skip >= 0; skip--) {
		char *next = strstr(place + 1, key);

		if (!next)
			break;
		place = next;
	}
	if (strncmp(place, key, strlen(key)))
		return format;
	place += strlen(key);
	end = strchr(place, ';');
	assert_true(asprintf(&result, "%.*s%s%s", (int)(place - format), format,
			     values[rand() % ARRAY_SIZE(values)], end) > 0);
	free(format);
	return result;
}

/* Formats that nobody would write: whatever is printed, nothing outside the record is read. */
static void mutated_formats(void **state)
{
	(void)state;
	srand(1);
	for (int i = 0; i < 500; i++) {
		const struct sample *sample = &samples[i % ARRAY_SIZE(samples)];
		char *format = read_format(sample->event);
		struct trace trace;

		for (int changes = rand() % 4; changes >= 0; changes--)
			format = mutate(format);
		open_bare(&trace, true);
		/* libtraceevent refuses some of them */
		if (!tep_parse_event(trace.tep, format, strlen(format), "gvt"))
			print(&trace, sample->event, sample->data, sample->size, 1 + i);
		close_trace(&trace);
		free(format);
	}
}

/* Without names in the event's format a reason is a number. */
static void other_reason_names(void **state)
{
	(void)state;
	assert_ends(print_edited("gvt_workload_cancel", "\"remove\"", "\"unplug\""), "reason=unplug");
	assert_ends(print_edited("gvt_workload_cancel", ", { 2, \"remove\" }", ""), "reason=2");
	assert_ends(print_edited("gvt_sched_switch", "REC->reason, {", "(u32)REC->reason, {"),
		    "reason=slice, engine=all");
}

/* libtraceevent cannot read the text part; the fields are there all the same. */
static void unreadable_print_format(void **state)
{
	(void)state;
	assert_string_equal(print_edited("gvt_workload_queue", "REC->dev, REC->vgpu_id",
					 "((REC->dev, REC->no_such_field[3]"), samples[0].text);
}

/* libtraceevent 1.7.1 leaks where it cannot parse a format. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:tep_parse_event\n";
}

#define TEST(f)	cmocka_unit_test_setup(f, defaults)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_event),
		TEST(engines),
		TEST(statuses),
		TEST(reasons),
		TEST(holds),
		TEST(host_alone),
		TEST(setting_of_a_vgpu),
		TEST(idle_vgpu_and_no_slice),
		TEST(vgpu_without_owner),
		TEST(durations),
		TEST(cancelled_in_the_queue),
		TEST(trace_starts_mid_workload),
		TEST(preempted_workload),
		TEST(records_out_of_order),
		TEST(ids_start_anew),
		TEST(two_gpus),
		TEST(many_workloads),
		TEST(lost_events),
		TEST(no_timestamps),
		TEST(two_handles),
		TEST(loaded_after_the_events),
		TEST(option_raw),
		TEST(option_raw_as_switch),
		TEST(option_engine),
		TEST(option_durations),
		TEST(option_unit),
		TEST(option_tsc_khz),
		TEST(bad_option_values),
		TEST(missing_field),
		TEST(every_field_missing),
		TEST(renamed_field),
		TEST(optional_fields),
		TEST(added_fields),
		TEST(resized_field),
		TEST(field_of_another_kind),
		TEST(field_outside_the_record),
		TEST(string_outside_the_record),
		TEST(truncated_records),
		TEST(mutated_formats),
		TEST(other_reason_names),
		TEST(unreadable_print_format),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	/* no plugins but the one from the build */
	setenv("TRACEEVENT_PLUGIN_DIR", "/nonexistent", 1);
	setenv("HOME", "/nonexistent", 1);
	tep_set_loglevel(TEP_LOG_NONE);
	return cmocka_run_group_tests(tests, NULL, NULL) ? EXIT_FAILURE : EXIT_SUCCESS;
}
