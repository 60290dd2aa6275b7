// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "setting.h"
#include "sysfs.h"

/* Documentation/ABI/testing/sysfs-driver-i915-gvt has the long texts */
struct known_setting {
	const char *name;
	const char *range;
	const char *meaning;
};

static const struct known_setting gpu_settings[] = {
	{ "policy", "a word", "who runs next" },
	{ "dispatch", "a word", "what may run on the engines at a time" },
	{ "carry_over", "0, 1", "debt and leftover go on from period to period" },
	{ "leftover_max_ms", "0..1000", "bound of the leftover that is carried over" },
	{ "period_ms", "10..1000", "time in which the slices are shared out" },
	{ "boost_ms", "0..10000", "how long a vGPU that starts goes first" },
	{ "max_wait_ms", "100..1900", "fair: a vGPU that waited so long goes next" },
	{ "anticipation_ms", "0..100", "fair: how long the GPU may idle for a vGPU that is owed time" },
	{ NULL, NULL, NULL }
};

static const struct known_setting vgpu_settings[] = {
	{ "nice", "-20..19", "each step up is a weight lower by 1.25" },
	{ "cap", "0..100", "per cent of the GPU at most, 0: no cap" },
	{ NULL, NULL, NULL }
};

static void free_setting(void *data)
{
	struct setting *setting = data;

	g_free(setting->name);
	g_free(setting->value);
	g_strfreev(setting->choices);
	g_free(setting);
}

/* without the brackets, if it is the active word; returns true then */
static bool strip_brackets(char *word)
{
	size_t len = strlen(word);

	if (len < 3 || word[0] != '[' || word[len - 1] != ']')
		return false;
	memmove(word, word + 1, len - 2);
	word[len - 2] = '\0';
	return true;
}

/* "[strict] work-conserving fair": brackets mark the active one */
static void split_choices(struct setting *setting)
{
	char **words = setting->value ? g_strsplit_set(setting->value, " \t", -1) : NULL;
	const char *active = NULL;

	for (char **word = words; word && *word; word++)
		if (strip_brackets(*word))
			active = *word;
	if (!active) {
		g_strfreev(words);
		return;
	}
	g_free(setting->value);
	setting->value = g_strdup(active);
	setting->choices = words;
}

static void add_setting(GPtrArray *settings, const char *dir, const char *name,
			const struct known_setting *known)
{
	struct setting *setting = g_new0(struct setting, 1);

	setting->name = g_strdup(name);
	setting->value = sysfs_read(dir, name);
	setting->range = known ? known->range : NULL;
	setting->meaning = known ? known->meaning : NULL;
	split_choices(setting);
	g_ptr_array_add(settings, setting);
}

static bool has_file(const char *dir, const char *name)
{
	char *path = g_build_filename(dir, name, NULL);
	bool result = g_file_test(path, G_FILE_TEST_EXISTS) &&
		      !g_file_test(path, G_FILE_TEST_IS_DIR);

	g_free(path);
	return result;
}

static GPtrArray *read_known(const char *dir, const struct known_setting *known)
{
	GPtrArray *settings = g_ptr_array_new_with_free_func(free_setting);

	for (; known->name; known++)
		if (has_file(dir, known->name))
			add_setting(settings, dir, known->name, known);
	return settings;
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A newer kernel may have settings that this program has not heard of. */
static void add_others(GPtrArray *settings, const char *dir)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *stream = g_dir_open(dir, 0, NULL);
	const char *name;

	while (stream && (name = g_dir_read_name(stream)))
		if (has_file(dir, name) && !setting_find(settings, name))
			g_ptr_array_add(names, g_strdup(name));
	if (stream)
		g_dir_close(stream);
	g_ptr_array_sort(names, compare_names);
	for (unsigned int nr = 0; nr < names->len; nr++)
		add_setting(settings, dir, names->pdata[nr], NULL);
	g_ptr_array_free(names, TRUE);
}

GPtrArray *settings_of_gpu(const char *dir)
{
	GPtrArray *settings = read_known(dir, gpu_settings);

	add_others(settings, dir);
	return settings;
}

GPtrArray *settings_of_vgpu(const char *dir)
{
	return read_known(dir, vgpu_settings);
}

const struct setting *setting_find(const GPtrArray *settings, const char *name)
{
	for (unsigned int nr = 0; nr < settings->len; nr++) {
		const struct setting *setting = settings->pdata[nr];

		if (!strcmp(setting->name, name))
			return setting;
	}
	return NULL;
}

bool setting_allows(const struct setting *setting, const char *value)
{
	gint64 number;

	if (setting->choices)
		return g_strv_contains((const char *const *)setting->choices, value);
	/* a word where the kernel shows no choices: it knows better */
	if (!setting->range || !strcmp(setting->range, "a word"))
		return *value;
	return g_ascii_string_to_signed(value, 10, G_MININT64, G_MAXINT64, &number, NULL);
}

char *setting_allowed(const struct setting *setting)
{
	if (setting->choices)
		return g_strjoinv(", ", setting->choices);
	return g_strdup(setting->range ? setting->range : "unknown");
}
