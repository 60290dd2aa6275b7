// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page of two traces: embeds the document of compare and the complete pages of both traces,
 * packed, in page/pair.html.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "compare/compare.h"
#include "trace/util.h"
#include "packed.h"
#include "export.h"

#define DATA_MARK	"<!-- data -->\n"

/* defined in page.S */
extern const char pair_text[], pair_text_end[];

static void print_page(const struct options *options, const char *path, const char *id, FILE *out)
{
	struct options one = *options;
	struct packer *packer;
	char *page = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&page, &size);

	if (!memory)
		fatal("no memory for a page");
	one.selection.input = path;
	one.selection.quantities = EXPORT_QUANTITIES;
	export_page(&one, memory, &(struct export_how) { .exact = EXPORT_EXACT, .exact_bytes = EXPORT_BYTES });
	if (fclose(memory))
		fatal("no memory for a page");
	fprintf(out, "<script type=\"application/octet-stream\" id=\"%s\">", id);
	packer = packer_new(out);
	packer_add(packer, page, size);
	packer_free(packer);
	fputs("</script>\n", out);
	free(page);
}

/* adds names of metrics for people, and factors from JSON's units to theirs */
static json_t *compared(const struct options *options, const char *const paths[2])
{
	struct compare comparison = {
		.form = &options->form, .margin_percent = COMPARE_MARGIN_PERCENT,
	};
	json_t *titles = json_object();
	json_t *document;

	compare_read(&comparison, &options->selection, paths, 0);
	document = compare_document(&comparison, compare_columns);
	for (const struct compare_metric *metric = compare_metrics; metric->name; metric++)
		json_object_set_new(titles, metric->name,
				    json_pack("{s:s, s:f}", "title", metric->title,
					      "scale", metric->shown));
	json_object_set_new(document, "titles", titles);
	compare_free(&comparison);
	return document;
}

void export_pair(const struct options *options, const char *const paths[2], FILE *out)
{
	const char *mark = g_strstr_len(pair_text, pair_text_end - pair_text, DATA_MARK);
	json_t *document = compared(options, paths);

	g_assert(mark);
	fwrite(pair_text, 1, mark - pair_text, out);
	export_document(document, "document", out);
	print_page(options, paths[0], "page-a", out);
	print_page(options, paths[1], "page-b", out);
	mark += strlen(DATA_MARK);
	fwrite(mark, 1, pair_text_end - mark, out);
	json_decref(document);
}
