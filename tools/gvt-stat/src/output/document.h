/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the JSON documents of all commands have in common.
 */
#ifndef GVT_STAT_DOCUMENT_H
#define GVT_STAT_DOCUMENT_H

#include <stdio.h>

#include <jansson.h>

#include "follow/follow.h"

#define DOCUMENT_SCHEMA	"gvt-stat/1"
/* reals: as many digits as a double can keep, so that nanoseconds stay exact */
#define DOCUMENT_REALS	JSON_REAL_PRECISION(15)

/**
 * document_new - an object with schema, command, trace, what was recorded with it,
 * losses and what is missing
 * @follow: run to its end
 * @command: name of the command
 */
json_t *document_new(const struct follow *follow, const char *command);

/**
 * document_of_host - an object with schema, tool and command, of what reads no trace
 */
json_t *document_of_host(const char *command);

/**
 * document_add_window - say which window was observed
 */
void document_add_window(json_t *document, struct window window);

/**
 * document_print - print and free
 */
void document_print(json_t *document, FILE *out);

/* an array at a document's end, which may be too long for memory */
struct document_list;

/**
 * document_begin - print the document, free it, and begin its last array
 *
 * document_end() frees.
 */
struct document_list *document_begin(json_t *document, const char *name, FILE *out);

/**
 * document_line - print and free one element of the array
 */
void document_line(struct document_list *list, json_t *line);

/**
 * document_end - print what comes behind the array, and free
 */
void document_end(struct document_list *list);

#endif
