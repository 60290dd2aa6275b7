// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <glib.h>

#include "trace/util.h"
#include "listener.h"

/* SD_LISTEN_FDS_START */
#define FIRST_FD	3
#define BACKLOG		64

static bool is_listening(int fd)
{
	int value = 0;
	socklen_t len = sizeof(value);

	return !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &value, &len) && value;
}

int listener_inherited(void)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");

	if (!pid || !fds || atoll(pid) != getpid())
		return -1;
	if (strcmp(fds, "1"))
		fatal("LISTEN_FDS=%s: one socket is needed: give the socket unit one ListenStream=", fds);
	if (!is_listening(FIRST_FD))
		fatal("descriptor %d is no listening stream socket: the socket unit needs ListenStream= and Accept=no",
		      FIRST_FD);
	fcntl(FIRST_FD, F_SETFD, FD_CLOEXEC);
	fcntl(FIRST_FD, F_SETFL, fcntl(FIRST_FD, F_GETFL) | O_NONBLOCK);
	return FIRST_FD;
}

/* Returns where the port is. Cuts @host to the address. */
static char *split(char *host, const char *where)
{
	char *colon = strrchr(host, ':');

	if (!colon || !colon[1] || (*host != '[' && strchr(host, ':') != colon))
		usage_error("--listen %s: give ADDRESS:PORT, such as 127.0.0.1:9853 or [::1]:9853", where);
	*colon = '\0';
	if (*host == '[' && colon[-1] == ']') {
		colon[-1] = '\0';
		memmove(host, host + 1, strlen(host));
	}
	return colon + 1;
}

/* getaddrinfo() takes any number, of which bind() would take the last 16 bits */
static void check_port(const char *port, const char *where)
{
	if (!g_ascii_string_to_unsigned(port, 10, 0, UINT16_MAX, NULL, NULL))
		usage_error("--listen %s: give a port up to 65535; 0 is any", where);
}

static struct addrinfo *resolve(const char *where)
{
	const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM,
	};
	char *host = g_strdup(where), *port = split(host, where);
	struct addrinfo *addresses;
	int error;

	check_port(port, where);
	error = getaddrinfo(*host ? host : NULL, port, &hints, &addresses);
	if (error)
		usage_error("--listen %s: %s: give a numeric address", where, gai_strerror(error));
	g_free(host);
	return addresses;
}

int listener_open(const char *where)
{
	struct addrinfo *address = resolve(where);
	int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;

	/* after a restart at once */
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
	    bind(fd, address->ai_addr, address->ai_addrlen) || listen(fd, BACKLOG))
		fatal("--listen %s: %s", where, strerror(errno));
	freeaddrinfo(address);
	return fd;
}
