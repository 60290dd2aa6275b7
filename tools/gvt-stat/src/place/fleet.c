// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "host/setting.h"
#include "host/textfile.h"
#include "trace/settings.h"
#include "trace/util.h"
#include "fleet.h"

/*
 * Resources that the host's own driver keeps, and the maximum number of vGPUs: HOST_LOW_GM_SIZE,
 * HOST_HIGH_GM_SIZE, HOST_FENCE and GVT_MAX_VGPU, which includes the host, of the driver's gvt.h.
 */
#define KEPT_LOW_MB	128
#define KEPT_HIGH_MB	384
#define KEPT_FENCES	4
#define MOST_VGPUS	7

#define MOST_HOSTS	10000
#define MOST_VMS	100000

/* intel_vgpu_configs of the driver's vgpu.c, which is the same for all generations */
static const struct {
	const char *name;
	unsigned int needs[RESOURCES];
	unsigned int weight;
} driver_types[] = {
	{ "8", { 64, 384, 4, 1 }, 2 },
	{ "4", { 128, 512, 4, 1 }, 4 },
	{ "2", { 256, 1024, 4, 1 }, 8 },
	{ "1", { 512, 2048, 4, 1 }, 16 },
};

static const char *const generations[] = { "GVTg_V5_", "GVTg_V4_" };

/* the words NAME=VALUE of the current line */
struct parser {
	struct fleet *fleet;
	struct textfile text;
	GHashTable *by_name;		/* "host NAME" and so on => number of hosts before it */
	char **words;
};

static _Noreturn void refuse(const struct parser *parser, const char *field, const char *problem)
{
	textfile_wrong(&parser->text, field, problem);
}

/* --- words --------------------------------------------------------------------------------- */

/* the value of a word NAME=VALUE; empties used words, so that the rest can be refused */
static char *take(const struct parser *parser, const char *name)
{
	size_t length = strlen(name);
	char *value = NULL;

	for (char **word = parser->words + 2; *word; word++) {
		if (strncmp(*word, name, length) || (*word)[length] != '=')
			continue;
		if (value)
			refuse(parser, name, "it is given twice; leave one");
		value = *word + length + 1;
		(*word)[0] = '\0';
		if (!*value)
			refuse(parser, name, "it has no value; give NAME=VALUE");
	}
	return value;
}

struct limits {
	unsigned int least, most;
};

/* @without: the default; G_MAXUINT: the word is required */
static unsigned int take_number(const struct parser *parser, const char *name,
				struct limits limits, unsigned int without)
{
	const char *value = take(parser, name);
	char *problem;
	guint64 number;

	if (!value && without == G_MAXUINT)
		refuse(parser, name, "it is missing; give it as NAME=NUMBER");
	if (!value)
		return without;
	if (g_ascii_string_to_unsigned(value, 10, limits.least, limits.most, &number, NULL))
		return number;
	problem = g_strdup_printf("give a whole number from %u to %u", limits.least, limits.most);
	refuse(parser, name, problem);
}

static void refuse_rest(const struct parser *parser)
{
	for (char **word = parser->words + 2; *word; word++)
		if (**word)
			refuse(parser, *word, "there is no such word here; gvt-stat-place(1) has those that there are");
}

/* the name that a line defines, which must be new */
static char *new_name(const struct parser *parser)
{
	char *key;

	if (!parser->words[1] || strchr(parser->words[1], '='))
		refuse(parser, parser->words[0], "give its name behind it");
	key = g_strdup_printf("%s %s", parser->words[0], parser->words[1]);
	if (!g_hash_table_insert(parser->by_name, key, GUINT_TO_POINTER(parser->fleet->hosts->len)))
		refuse(parser, parser->words[1], "an earlier line has this name already");
	return g_strdup(parser->words[1]);
}

/* --- settings of a host ------------------------------------------------------------------------- */

static void take_setting(const struct parser *parser, const struct setting_desc *desc,
			 GPtrArray *settings)
{
	const char *value = take(parser, desc->name);
	char *problem;

	if (!value)
		return;
	if (!setting_desc_allows(desc, value)) {
		problem = g_strdup_printf("give one of %s", desc->range);
		refuse(parser, desc->name, problem);
	}
	g_ptr_array_add(settings, g_strdup(desc->name));
	g_ptr_array_add(settings, g_strdup(value));
}

/* --- lines --------------------------------------------------------------------------------------- */

/* computes as the driver's intel_gvt_init_vgpu_types() and intel_vgpu_get_available() */
static void parse_host(struct parser *parser)
{
	struct fleet_host *host = g_new0(struct fleet_host, 1);
	unsigned int aperture_mb, gtt_mb, fences;

	host->name = new_name(parser);
	host->settings = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(parser->fleet->hosts, host);
	if (parser->fleet->hosts->len > MOST_HOSTS)
		refuse(parser, "host", "there are more than 10000; divide the file");
	aperture_mb = take_number(parser, "aperture_mb", (struct limits) { KEPT_LOW_MB, 65536 }, G_MAXUINT);
	gtt_mb = take_number(parser, "gtt_mb", (struct limits) { 512, 1048576 }, 4096);
	fences = take_number(parser, "fences", (struct limits) { KEPT_FENCES, 1024 }, 32);
	if (gtt_mb < aperture_mb + KEPT_HIGH_MB)
		refuse(parser, "gtt_mb", "it must be at least 384 more than aperture_mb, which is a part of it");
	host->has[RESOURCE_LOW_MB] = aperture_mb - KEPT_LOW_MB;
	host->has[RESOURCE_HIGH_MB] = gtt_mb - aperture_mb - KEPT_HIGH_MB;
	host->has[RESOURCE_FENCES] = fences - KEPT_FENCES;
	host->has[RESOURCE_VGPUS] = take_number(parser, "vgpus", (struct limits) { 0, MOST_VGPUS },
						MOST_VGPUS);
	for (const struct setting_desc *desc = settings_of_gpus; desc->name; desc++)
		take_setting(parser, desc, host->settings);
	refuse_rest(parser);
}

static void parse_type(struct parser *parser)
{
	struct fleet_type *type = g_new0(struct fleet_type, 1);
	const struct limits mb = { 1, 1048576 };

	type->name = new_name(parser);
	if (fleet_find_type(parser->fleet, type->name))
		refuse(parser, type->name, "the driver has a type of this name; give it another");
	type->needs[RESOURCE_LOW_MB] = take_number(parser, "low_mb", mb, G_MAXUINT);
	type->needs[RESOURCE_HIGH_MB] = take_number(parser, "high_mb", mb, G_MAXUINT);
	type->needs[RESOURCE_FENCES] = take_number(parser, "fences", (struct limits) { 1, 1024 }, 4);
	type->needs[RESOURCE_VGPUS] = 1;
	type->weight = take_number(parser, "weight", (struct limits) { 1, 16 }, G_MAXUINT);
	g_ptr_array_add(parser->fleet->types, type);
	refuse_rest(parser);
}

static const struct fleet_type *take_type(const struct parser *parser)
{
	const char *name = take(parser, "type");
	const struct fleet_type *type = parser->fleet->types->pdata[0];

	if (name)
		type = fleet_find_type(parser->fleet, name);
	if (!type)
		refuse(parser, "type", "there is no such type; give one of the driver's, such as GVTg_V5_8, or of an earlier line");
	return type;
}

static unsigned int take_host(const struct parser *parser)
{
	const char *name = take(parser, "host");
	gpointer nr;
	bool known;
	char *key;

	if (!name)
		return PLACE_NOWHERE;
	key = g_strconcat("host ", name, NULL);
	known = g_hash_table_lookup_extended(parser->by_name, key, NULL, &nr);
	g_free(key);
	if (!known)
		refuse(parser, "host", "no earlier line has a host of this name");
	return GPOINTER_TO_UINT(nr);
}

/* the words that VMs and flavors have in common */
static struct fleet_vm *parse_one(struct parser *parser)
{
	struct fleet_vm *vm = g_new0(struct fleet_vm, 1);
	const char *profile;

	vm->name = new_name(parser);
	vm->line = parser->text.line;
	profile = take(parser, "profile");
	vm->profile = g_strdup(profile ? profile : vm->name);
	if (strchr(vm->profile, '/'))
		refuse(parser, "profile", "give the name of one in the directory of --profiles, without a path");
	vm->type = take_type(parser);
	vm->qos = g_strdup(take(parser, "qos"));
	vm->host = PLACE_NOWHERE;
	return vm;
}

static void add_one(struct parser *parser, GPtrArray *all, struct fleet_vm *vm)
{
	g_ptr_array_add(all, vm);
	if (all->len > MOST_VMS)
		refuse(parser, parser->words[0], "there are more than 100000; divide the file");
	refuse_rest(parser);
}

static void parse_vm(struct parser *parser)
{
	struct fleet_vm *vm = parse_one(parser);

	vm->host = take_host(parser);
	add_one(parser, parser->fleet->vms, vm);
}

static void parse_flavor(struct parser *parser)
{
	add_one(parser, parser->fleet->flavors, parse_one(parser));
}

/* --- a file ---------------------------------------------------------------------------------------- */

static const struct {
	const char *word;
	void (*parse)(struct parser *parser);
} line_kinds[] = {
	{ "host", parse_host },
	{ "type", parse_type },
	{ "vm", parse_vm },
	{ "flavor", parse_flavor },
};

/* splits at any number of blanks */
static char **split(char *text)
{
	GPtrArray *words = g_ptr_array_new();
	char *rest = text;

	for (char *word = strtok_r(rest, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
		g_ptr_array_add(words, word);
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static void parse_line(struct parser *parser)
{
	size_t kind = 0;

	parser->words = split(parser->text.text);
	while (kind < G_N_ELEMENTS(line_kinds) &&
	       strcmp(line_kinds[kind].word, parser->words[0]))
		kind++;
	if (kind == G_N_ELEMENTS(line_kinds))
		refuse(parser, parser->words[0], "a line begins with host, type, vm or flavor");
	line_kinds[kind].parse(parser);
	g_free(parser->words);
}

static void add_driver_types(struct fleet *fleet)
{
	for (size_t generation = 0; generation < G_N_ELEMENTS(generations); generation++)
		for (size_t nr = 0; nr < G_N_ELEMENTS(driver_types); nr++) {
			struct fleet_type *type = g_new(struct fleet_type, 1);

			type->name = g_strconcat(generations[generation], driver_types[nr].name, NULL);
			memcpy(type->needs, driver_types[nr].needs, sizeof(type->needs));
			type->weight = driver_types[nr].weight;
			g_ptr_array_add(fleet->types, type);
		}
}

static void free_type(void *data)
{
	struct fleet_type *type = data;

	g_free(type->name);
	g_free(type);
}

static void free_host(void *data)
{
	struct fleet_host *host = data;

	g_ptr_array_free(host->settings, TRUE);
	g_free(host->name);
	g_free(host);
}

static void free_vm(void *data)
{
	struct fleet_vm *vm = data;

	g_free(vm->name);
	g_free(vm->profile);
	g_free(vm->qos);
	g_free(vm);
}

struct fleet *fleet_read(const char *path)
{
	struct parser parser = { .fleet = g_new(struct fleet, 1) };

	*parser.fleet = (struct fleet) {
		path, g_ptr_array_new_with_free_func(free_type),
		g_ptr_array_new_with_free_func(free_host), g_ptr_array_new_with_free_func(free_vm),
		g_ptr_array_new_with_free_func(free_vm),
	};
	parser.by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	add_driver_types(parser.fleet);
	textfile_open(&parser.text, path);
	while (textfile_next(&parser.text))
		parse_line(&parser);
	textfile_close(&parser.text);
	if (!parser.fleet->hosts->len)
		fatal("%s: there is no host; give a line such as: host alpha aperture_mb=512", path);
	g_hash_table_destroy(parser.by_name);
	return parser.fleet;
}

void fleet_free(struct fleet *fleet)
{
	g_ptr_array_free(fleet->flavors, TRUE);
	g_ptr_array_free(fleet->vms, TRUE);
	g_ptr_array_free(fleet->hosts, TRUE);
	g_ptr_array_free(fleet->types, TRUE);
	g_free(fleet);
}

const struct fleet_vm *fleet_vm_at(const struct fleet *fleet, unsigned int nr)
{
	return nr < fleet->vms->len ? fleet->vms->pdata[nr] :
	       fleet->flavors->pdata[nr - fleet->vms->len];
}

void fleet_add_vm(struct fleet *fleet, const char *name, const char *profile)
{
	struct fleet_vm *vm = g_new0(struct fleet_vm, 1);

	vm->name = g_strdup(name);
	vm->profile = g_strdup(profile);
	vm->type = fleet->types->pdata[0];
	vm->host = PLACE_NOWHERE;
	g_ptr_array_add(fleet->vms, vm);
}

/* libvirt and mdevctl prefix the type with the driver's name */
const struct fleet_type *fleet_find_type(const struct fleet *fleet, const char *name)
{
	if (g_str_has_prefix(name, "i915-"))
		name += strlen("i915-");
	for (unsigned int nr = 0; nr < fleet->types->len; nr++) {
		const struct fleet_type *type = fleet->types->pdata[nr];

		if (!strcmp(type->name, name))
			return type;
	}
	return NULL;
}

const char *resource_text(enum place_resource resource)
{
	static const char *const texts[] = {
		"memory in the aperture", "memory behind the aperture", "fences", "vGPUs",
	};

	return texts[resource];
}
