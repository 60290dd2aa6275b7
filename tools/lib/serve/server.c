// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include <microhttpd.h>

#include "trace/util.h"
#include "server.h"

/*
 * Whoever connects while so many are connected makes the oldest one leave: clients that are slow,
 * or do not say anything, cannot keep others out. The library closes a connection a little later.
 */
#define MOST_CONNECTIONS	32
#define MOST_OF_LIBRARY		(2 * MOST_CONNECTIONS)
/* of a connection, for request and header of the response */
#define MEMORY			(8 << 10)
#define IDLE_SECONDS		10

/* descriptors of connections that may stay, oldest first */
static GQueue connections = G_QUEUE_INIT;

static void on_connection(void *ctx, struct MHD_Connection *connection, void **socket_ctx,
			  enum MHD_ConnectionNotificationCode code)
{
	void *fd = GINT_TO_POINTER(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);

	(void)ctx, (void)socket_ctx;
	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		g_queue_remove(&connections, fd);
		return;
	}
	g_queue_push_tail(&connections, fd);
	if (g_queue_get_length(&connections) > MOST_CONNECTIONS)
		shutdown(GPOINTER_TO_INT(g_queue_pop_head(&connections)), SHUT_RDWR);
}

/* Owns @response. A client that asks again connects again: it costs little, and bounds how long any stays. */
static enum MHD_Result answer(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response)
{
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result answer_text(struct MHD_Connection *connection, const char *type, GString *text)
{
	size_t len = text->len;
	struct MHD_Response *response =
		MHD_create_response_from_buffer_with_free_callback(len, g_string_free(text, FALSE), g_free);

	if (response)
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	return answer(connection, MHD_HTTP_OK, response);
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned int status, const struct server *server)
{
	GString *text = g_string_new("only ");
	struct MHD_Response *response;
	size_t len;

	g_string_append(text, server->method);
	for (const struct server_page *page = server->pages; page->path; page++)
		g_string_append_printf(text, "%s %s", page == server->pages ? " of" : " and", page->path);
	g_string_append(text, "\n");
	len = text->len;
	response = MHD_create_response_from_buffer_with_free_callback(len, g_string_free(text, FALSE), g_free);
	if (response) {
		MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/plain");
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, server->method);
	}
	return answer(connection, status, response);
}

static const struct server_page *find_page(const struct server *server, const char *path)
{
	const struct server_page *page = server->pages;

	while (page->path && strcmp(page->path, path))
		page++;
	return page->path ? page : NULL;
}

static bool is_too_long(struct MHD_Connection *connection, const struct server *server)
{
	const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);

	return length && g_ascii_strtoull(length, NULL, 10) > server->most_body;
}

/*
 * Called with the header of a request, then with each part of its body, then without one. What is
 * refused is refused at once, so that no body is read; @seen counts what is read of others.
 */
static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *path, const char *method,
				  const char *version, const char *data, size_t *data_len, void **seen)
{
	const struct server *server = ctx;
	const struct server_page *page = find_page(server, path);
	const char *accept, *type;
	GString *text;

	(void)version, (void)data;
	if (strcmp(method, server->method))
		return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, server);
	if (!page)
		return refuse(connection, MHD_HTTP_NOT_FOUND, server);
	if (server->most_body && !*seen) {
		*seen = GSIZE_TO_POINTER(1);
		return is_too_long(connection, server) ? refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, server) : MHD_YES;
	}
	if (server->most_body && *data_len) {
		*seen = GSIZE_TO_POINTER(GPOINTER_TO_SIZE(*seen) + *data_len);
		*data_len = 0;
		return GPOINTER_TO_SIZE(*seen) - 1 > server->most_body ? MHD_NO : MHD_YES;
	}
	accept = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
	text = page->answer(server->ctx, accept, &type);
	return answer_text(connection, type, text);
}

struct MHD_Daemon *server_start(const struct server *server, int fd)
{
	struct MHD_Daemon *daemon =
		MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, on_request, (void *)server,
				 MHD_OPTION_LISTEN_SOCKET, fd,
				 MHD_OPTION_CONNECTION_LIMIT, (unsigned int)MOST_OF_LIBRARY,
				 MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY,
				 MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)IDLE_SECONDS,
				 MHD_OPTION_NOTIFY_CONNECTION, on_connection, NULL, MHD_OPTION_END);

	if (!daemon)
		fatal("libmicrohttpd cannot use the socket");
	return daemon;
}

void server_stop(struct MHD_Daemon *daemon)
{
	MHD_stop_daemon(daemon);
}

int server_fd(struct MHD_Daemon *daemon)
{
	return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

void server_step(struct MHD_Daemon *daemon)
{
	MHD_run(daemon);
}

void server_run(const struct server *server, int fd)
{
	struct MHD_Daemon *daemon = server_start(server, fd);

	while (MHD_run_wait(daemon, -1) == MHD_YES)
		;
	fatal("libmicrohttpd cannot wait for connections");
}
