/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small HTTP server that clients cannot make large: it answers one method for a few paths, one
 * request for each connection, and keeps at most 64 connections.
 */
#ifndef GVTTRACE_SERVER_H
#define GVTTRACE_SERVER_H

#include <stddef.h>

#include <glib.h>

/* one path */
struct server_page {
	const char *path;
	/*
	 * Makes the text, which the server frees, and sets its MIME type.
	 * @accept: types that the client accepts, as it has written them; NULL: it has not
	 */
	GString *(*answer)(void *ctx, const char *accept, const char **type);
};

/* what is answered */
struct server {
	const char *method;		/* "GET" */
	const struct server_page *pages;	/* ends with an empty one */
	/* A request may bring as many bytes, which are read and forgotten; 0: answered before they are read. */
	size_t most_body;
	void *ctx;
};

/* libmicrohttpd's */
struct MHD_Daemon;

/**
 * server_start - listen on a socket
 * @server: outlives the result
 *
 * There may be one in a program. Ends the program on errors. server_stop() frees.
 */
struct MHD_Daemon *server_start(const struct server *server, int fd);
void server_stop(struct MHD_Daemon *daemon);

/**
 * server_fd - a descriptor that can be read when server_step() has something to do
 */
int server_fd(struct MHD_Daemon *daemon);

/**
 * server_step - answer what is there to be answered, without waiting
 *
 * Call it every second or so at least, for clients that are too slow.
 */
void server_step(struct MHD_Daemon *daemon);

/**
 * server_run - answer requests for ever
 *
 * Ends the program on errors.
 */
_Noreturn void server_run(const struct server *server, int fd);

#endif
