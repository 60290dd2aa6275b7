// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <sys/stat.h>

#include "setting.h"
#include "sysfs.h"

static void free_setting(void *data)
{
	struct setting *setting = data;

	g_free(setting->name);
	g_free(setting->value);
	g_strfreev(setting->choices);
	g_free(setting);
}

/* removes the brackets of the active word, and returns true for it */
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
			const struct setting_desc *known)
{
	struct setting *setting = g_new0(struct setting, 1);

	setting->name = g_strdup(name);
	setting->value = sysfs_read(dir, name);
	setting->range = known ? known->range : NULL;
	setting->is_text = known && known->is_text;
	setting->meaning = known ? known->help : NULL;
	split_choices(setting);
	g_ptr_array_add(settings, setting);
}

static bool has_file(const char *dir, const char *name)
{
	char *path = g_build_filename(dir, name, NULL);
	struct stat status;
	bool result = !stat(path, &status) && !S_ISDIR(status.st_mode);

	g_free(path);
	return result;
}

static GPtrArray *read_known(const char *dir, const struct setting_desc *known)
{
	GPtrArray *settings = g_ptr_array_new_with_free_func(free_setting);

	for (; known->name; known++)
		if (has_file(dir, known->name))
			add_setting(settings, dir, known->name, known);
	return settings;
}

/* adds settings of newer kernels that this program does not know */
static void add_others(GPtrArray *settings, const char *dir)
{
	GPtrArray *names = sysfs_names(dir);

	for (unsigned int nr = 0; nr < names->len; nr++)
		if (has_file(dir, names->pdata[nr]) && !setting_find(settings, names->pdata[nr]))
			add_setting(settings, dir, names->pdata[nr], NULL);
	g_ptr_array_free(names, TRUE);
}

GPtrArray *settings_of_gpu(const char *dir)
{
	GPtrArray *settings = read_known(dir, settings_of_gpus);

	add_others(settings, dir);
	return settings;
}

GPtrArray *settings_of_vgpu(const char *dir)
{
	return read_known(dir, settings_of_vgpus);
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
	/* without choices from the kernel, any word may be valid */
	if (!setting->range || setting->is_text)
		return *value;
	return g_ascii_string_to_signed(value, 10, G_MININT64, G_MAXINT64, &number, NULL);
}

char *setting_allowed(const struct setting *setting)
{
	if (setting->choices)
		return g_strjoinv(", ", setting->choices);
	return g_strdup(setting->range ? setting->range : "unknown");
}

const struct setting_desc *setting_desc_find(const struct setting_desc *settings, const char *name)
{
	while (settings->name && strcmp(settings->name, name))
		settings++;
	return settings->name ? settings : NULL;
}

static bool is_word_of(const char *range, const char *value)
{
	char **words = g_strsplit(range, ", ", 0);
	bool is_one = g_strv_contains((const char *const *)words, value);

	g_strfreev(words);
	return is_one;
}

/* a range is "LEAST..MOST", or a list of words or numbers */
bool setting_desc_allows(const struct setting_desc *desc, const char *value)
{
	const char *most = strstr(desc->range, "..");
	gint64 number;

	if (!most)
		return is_word_of(desc->range, value);
	return g_ascii_string_to_signed(value, 10, g_ascii_strtoll(desc->range, NULL, 10),
					g_ascii_strtoll(most + 2, NULL, 10), &number, NULL);
}
