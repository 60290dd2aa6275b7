// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The layout of LTTng's kernel traces on x86: no alignment, and an event begins with 16 bits of
 * class and 32 bits of time, or with a mark that both follow in full.
 *
 * A number takes half of its field's bits while all numbers of the field fit. The first larger
 * number starts a new class with the same name and the full size for that field.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <glib.h>

#include "ctf-writer.h"

/* approximate; Trace Compass and babeltrace2 seek by packets */
#define PACKET_BYTES	(1 << 16)
#define PACKET_MAGIC	0xc1fc1fc1
#define UUID_BYTES	16
#define HEADER_BYTES	(4 + UUID_BYTES + 4)

/* in place of the class: class and time follow in full */
#define EXTENDED	0xffff

#define NUMBER_BYTES	8		/* of the longest number */

struct member {
	const char *name;
	enum ctf_type type;
	unsigned int bytes;		/* written per number */
	unsigned int all_bytes;
	uint64_t below;			/* number of negative values that fit into @bytes */
	uint64_t above;			/* mask of bits that must be 0 in value + @below */
};

struct ctf_class {
	char *name;
	uint32_t id;
	bool declared;			/* in the metadata, in its present form */
	unsigned int count;
	struct member members[];
};

/* the stream of a CPU */
struct channel {
	uint8_t *data;			/* of the open packet */
	size_t len, size;		/* 0: no packet is open */
	bool begun;			/* at least one packet was begun */
	uint64_t begin_ns, last_ns;	/* of the packet */
	uint64_t discarded;		/* events since the start of the trace */
};

struct ctf {
	const char *path;
	GArray *channels;		/* struct channel, by CPU */
	GPtrArray *classes;		/* struct ctf_class */
	uint32_t ids;			/* number of class ids in use */
	uint8_t uuid[UUID_BYTES];
	GString *metadata;
	int error;			/* errno; nothing is written after an error */
};

/* --- metadata -------------------------------------------------------------------------- */

static const char head[] =
	"/* CTF 1.8 */\n\n"
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 8; align = 8; signed = true; } := int8_t;\n"
	"typealias integer { size = 16; align = 8; signed = true; } := int16_t;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n\n";

static const char trace_text[] =
	"trace {\n"
	"\tmajor = 1;\n"
	"\tminor = 8;\n"
	"\tuuid = \"%s\";\n"
	"\tbyte_order = le;\n"
	"\tpacket.header := struct {\n"
	"\t\tuint32_t magic;\n"
	"\t\tuint8_t uuid[16];\n"
	"\t\tuint32_t stream_id;\n"
	"\t};\n"
	"};\n\n";

/* packet context, and the context of each event */
static const char stream_text[] =
	"clock {\n"
	"\tname = \"monotonic\";\n"
	"\tfreq = 1000000000;\n"
	"\toffset = 0;\n"
	"};\n\n"
	"typealias integer { size = 32; align = 8; signed = false; map = clock.monotonic.value; } := low_ns_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := ns_t;\n\n"
	"struct packet_context {\n"
	"\tuint32_t cpu_id;\n"
	"\tns_t timestamp_begin;\n"
	"\tns_t timestamp_end;\n"
	"\tuint64_t content_size;\n"
	"\tuint64_t packet_size;\n"
	"\tuint64_t events_discarded;\n"
	"};\n\n"
	"struct event_header_large {\n"
	"\tenum : uint16_t { compact = 0 ... 65534, extended = 65535 } id;\n"
	"\tvariant <id> {\n"
	"\t\tstruct {\n"
	"\t\t\tlow_ns_t timestamp;\n"
	"\t\t} compact;\n"
	"\t\tstruct {\n"
	"\t\t\tuint32_t id;\n"
	"\t\t\tns_t timestamp;\n"
	"\t\t} extended;\n"
	"\t} v;\n"
	"} align(8);\n\n"
	"stream {\n"
	"\tid = 0;\n"
	"\tevent.header := struct event_header_large;\n"
	"\tpacket.context := struct packet_context;\n"
	"\tevent.context := struct {\n"
	"\t\tint32_t _tid;\n"
	"\t};\n"
	"};\n\n";

static void tell_facts(GString *to, const struct ctf_fact *fact)
{
	g_string_append(to, "env {\n");
	for (; fact->name; fact++) {
		char *text = fact->text ? g_strescape(fact->text, NULL) : NULL;

		if (text)
			g_string_append_printf(to, "\t%s = \"%s\";\n", fact->name, text);
		else
			g_string_append_printf(to, "\t%s = %" PRId64 ";\n", fact->name, fact->number);
		g_free(text);
	}
	g_string_append(to, "};\n\n");
}

static char *uuid_text(const uint8_t uuid[UUID_BYTES])
{
	GString *text = g_string_new(NULL);

	for (int nr = 0; nr < UUID_BYTES; nr++)
		g_string_append_printf(text, nr == 4 || nr == 6 || nr == 8 || nr == 10 ? "-%02x" : "%02x",
				       uuid[nr]);
	return g_string_free(text, FALSE);
}

static void tell_member(GString *to, const struct member *member)
{
	if (member->type == CTF_TEXT)
		g_string_append_printf(to, "\t\tstring { encoding = UTF8; } _%s;\n", member->name);
	else
		g_string_append_printf(to, "\t\t%s%u_t _%s;\n",
				       member->type == CTF_SIGNED ? "int" : "uint",
				       8 * member->bytes, member->name);
}

static void declare(struct ctf *ctf, struct ctf_class *class)
{
	GString *to = ctf->metadata;

	g_string_append_printf(to, "event {\n\tname = \"%s\";\n\tid = %" PRIu32 ";\n\tstream_id = 0;\n"
			       "\tfields := struct {\n", class->name, class->id);
	for (unsigned int nr = 0; nr < class->count; nr++)
		tell_member(to, &class->members[nr]);
	g_string_append(to, "\t};\n};\n\n");
	class->declared = true;
}

/* --- files ------------------------------------------------------------------------------ */

static int write_all(int fd, const uint8_t *data, size_t len)
{
	while (len) {
		ssize_t written = write(fd, data, len);

		if (written < 0 && errno != EINTR)
			return errno;
		data += MAX(written, 0);
		len -= MAX(written, 0);
	}
	return 0;
}

/* Opens files only briefly: a host can have more CPUs than a process may have open files. */
static void append(struct ctf *ctf, const char *name, const void *data, size_t len)
{
	char *path = g_build_filename(ctf->path, name, NULL);
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	int error = fd < 0 ? errno : write_all(fd, data, len);

	if (fd >= 0 && close(fd) && !error)
		error = errno;
	if (!ctf->error)
		ctf->error = error;
	g_free(path);
}

/* --- streams and packets ---------------------------------------------------------------- */

static struct channel *get_channel(struct ctf *ctf, unsigned int cpu)
{
	if (cpu >= ctf->channels->len)
		g_array_set_size(ctf->channels, cpu + 1);
	return &g_array_index(ctf->channels, struct channel, cpu);
}

static uint8_t *room(struct channel *channel, size_t len)
{
	if (channel->size - channel->len < len) {
		channel->size = MAX(2 * channel->size, channel->len + len);
		channel->data = g_realloc(channel->data, channel->size);
	}
	return channel->data + channel->len;
}

/* Overwrites NUMBER_BYTES regardless of @bytes; returns the position of the next number. */
static inline uint8_t *put(uint8_t *to, uint64_t value, unsigned int bytes)
{
	uint64_t little = GUINT64_TO_LE(value);

	memcpy(to, &little, NUMBER_BYTES);
	return to + bytes;
}

static inline void put_number(struct channel *channel, uint64_t value, unsigned int bytes)
{
	channel->len = put(room(channel, NUMBER_BYTES), value, bytes) - channel->data;
}

static void put_bytes(struct channel *channel, const void *data, size_t len)
{
	memcpy(room(channel, len), data, len);
	channel->len += len;
}

/* The last number has NUMBER_BYTES: put() would overwrite the events behind a shorter one. */
static void put_context(struct channel *channel, unsigned int cpu, size_t bytes)
{
	put_number(channel, cpu, 4);
	put_number(channel, channel->begin_ns, 8);
	put_number(channel, channel->last_ns, 8);
	put_number(channel, 8 * bytes, 8);
	put_number(channel, 8 * bytes, 8);
	put_number(channel, channel->discarded, 8);
}

static void begin_packet(const struct ctf *ctf, struct channel *channel, unsigned int cpu,
			 uint64_t ts_ns)
{
	channel->begun = true;
	channel->begin_ns = channel->last_ns = ts_ns;
	put_number(channel, PACKET_MAGIC, 4);
	put_bytes(channel, ctf->uuid, UUID_BYTES);
	put_number(channel, 0, 4);
	put_context(channel, cpu, 0);
}

static void end_packet(struct ctf *ctf, struct channel *channel, unsigned int cpu)
{
	size_t bytes = channel->len;
	char name[32];

	if (!bytes)
		return;
	channel->len = HEADER_BYTES;
	put_context(channel, cpu, bytes);
	g_snprintf(name, sizeof(name), "channel0_%u", cpu);
	append(ctf, name, channel->data, bytes);
	channel->len = 0;
}

static void empty_packet(struct ctf *ctf, struct channel *channel, unsigned int cpu, int64_t ts_ns)
{
	begin_packet(ctf, channel, cpu, ts_ns);
	end_packet(ctf, channel, cpu);
}

/*
 * The count in a packet applies to its end, and the gap extends from the end of the previous packet
 * to there. An empty packet at each side keeps events out of the gap.
 */
int ctf_discarded(struct ctf *ctf, unsigned int cpu, int64_t from_ns, int64_t to_ns, int64_t count)
{
	struct channel *channel = get_channel(ctf, cpu);

	if (!channel->begun)
		empty_packet(ctf, channel, cpu, from_ns);
	end_packet(ctf, channel, cpu);
	channel->discarded += MAX(count, 1);
	empty_packet(ctf, channel, cpu, to_ns);
	return ctf->error;
}

/* --- events ----------------------------------------------------------------------------- */

static void set_bytes(struct member *member, unsigned int bytes)
{
	unsigned int bits = 8 * bytes;

	member->bytes = bytes;
	member->below = member->type == CTF_SIGNED ? (uint64_t)1 << (bits - 1) : 0;
	member->above = bytes < member->all_bytes ? UINT64_MAX << bits : 0;
}

static struct member new_member(const struct ctf_field *field)
{
	struct member member = { .name = field->name, .type = field->type, .all_bytes = 1 };

	while (8 * member.all_bytes < field->bits && member.all_bytes < NUMBER_BYTES)
		member.all_bytes *= 2;
	set_bytes(&member, MAX(member.all_bytes / 2, 1));
	return member;
}

struct ctf_class *ctf_class_new(struct ctf *ctf, const char *name, const struct ctf_field *fields,
				unsigned int count)
{
	struct ctf_class *class = g_malloc(sizeof(*class) + count * sizeof(class->members[0]));

	*class = (struct ctf_class) { .name = g_strdup(name), .id = ctf->ids++, .count = count };
	for (unsigned int nr = 0; nr < count; nr++)
		class->members[nr] = new_member(&fields[nr]);
	g_ptr_array_add(ctf->classes, class);
	return class;
}

/* The metadata keeps the previous form, under its old id. */
static void widen(struct ctf *ctf, struct ctf_class *class, struct member *member)
{
	set_bytes(member, member->all_bytes);
	if (class->declared)
		class->id = ctf->ids++;
	class->declared = false;
}

static inline bool fits(const struct member *member, int64_t value)
{
	return !(((uint64_t)value + member->below) & member->above);
}

/* length of a text that is pure ASCII; -1: other characters */
static ssize_t plain_length(const char *text)
{
	const char *at = text;

	for (; *at; at++)
		if (*at & 0x80)
			return -1;
	return at - text;
}

/* fast path for short ASCII texts, which are most; returns NULL for any other text */
static uint8_t *put_short_text(uint8_t *to, const char *text)
{
	if (!text)
		text = "";
#pragma GCC unroll 8
	for (unsigned int nr = 0; nr < NUMBER_BYTES; nr++) {
		to[nr] = text[nr];
		if ((int8_t)text[nr] <= 0)
			return text[nr] ? NULL : to + nr + 1;
	}
	return NULL;
}

static void put_text(struct channel *channel, const char *text)
{
	ssize_t length = text ? plain_length(text) : 0;
	char *valid;

	if (length >= 0) {
		put_bytes(channel, text ? text : "", length + 1);
		return;
	}
	valid = g_utf8_make_valid(text, -1);
	put_bytes(channel, valid, strlen(valid) + 1);
	g_free(valid);
}

static uint8_t *put_header(uint8_t *to, uint32_t id, uint64_t ts_ns, uint64_t last_ns)
{
	if (id < EXTENDED && ts_ns - last_ns <= UINT32_MAX)
		return put(put(to, id, 2), ts_ns, 4);
	return put(put(put(to, EXTENDED, 2), id, 4), ts_ns, 8);
}

/* returns false if a number was too large, so that the class changed */
static bool put_event(struct ctf *ctf, struct channel *channel, struct ctf_class *class,
		      const struct ctf_place *place, const union ctf_value *values)
{
	size_t most = (class->count + 4) * NUMBER_BYTES;
	uint8_t *to = room(channel, most);

	to = put_header(to, class->id, place->ts_ns, channel->last_ns);
	to = put(to, place->tid, 4);
	for (unsigned int nr = 0; nr < class->count; nr++) {
		struct member *member = &class->members[nr];

		if (member->type == CTF_TEXT) {
			uint8_t *end = put_short_text(to, values[nr].text);

			if (end) {
				to = end;
				continue;
			}
			channel->len = to - channel->data;
			put_text(channel, values[nr].text);
			to = room(channel, most);
		} else if (fits(member, values[nr].number)) {
			to = put(to, values[nr].number, member->bytes);
		} else {
			widen(ctf, class, member);
			return false;
		}
	}
	channel->len = to - channel->data;
	return true;
}

int ctf_event(struct ctf *ctf, struct ctf_class *class, const struct ctf_place *place,
	      const union ctf_value *values)
{
	struct channel *channel = get_channel(ctf, place->cpu);
	size_t begin;

	if (channel->len > PACKET_BYTES)
		end_packet(ctf, channel, place->cpu);
	if (!channel->len)
		begin_packet(ctf, channel, place->cpu, place->ts_ns);
	begin = channel->len;
	while (!put_event(ctf, channel, class, place, values))
		channel->len = begin;
	if (!class->declared)
		declare(ctf, class);
	channel->last_ns = place->ts_ns;
	return ctf->error;
}

/* --- the whole trace --------------------------------------------------------------------- */

struct ctf *ctf_open(const char *path, const struct ctf_fact *facts)
{
	struct ctf *ctf = g_new0(struct ctf, 1);
	char *uuid;

	ctf->path = path;
	ctf->channels = g_array_new(FALSE, TRUE, sizeof(struct channel));
	ctf->classes = g_ptr_array_new();
	if (getrandom(ctf->uuid, UUID_BYTES, 0) != UUID_BYTES)
		ctf->error = errno;
	uuid = uuid_text(ctf->uuid);
	ctf->metadata = g_string_new(head);
	g_string_append_printf(ctf->metadata, trace_text, uuid);
	tell_facts(ctf->metadata, facts);
	g_string_append(ctf->metadata, stream_text);
	g_free(uuid);
	return ctf;
}

static void free_classes(GPtrArray *classes)
{
	for (unsigned int nr = 0; nr < classes->len; nr++) {
		struct ctf_class *class = classes->pdata[nr];

		g_free(class->name);
		g_free(class);
	}
	g_ptr_array_free(classes, TRUE);
}

int ctf_close(struct ctf *ctf)
{
	int error;

	for (unsigned int cpu = 0; cpu < ctf->channels->len; cpu++) {
		struct channel *channel = &g_array_index(ctf->channels, struct channel, cpu);

		end_packet(ctf, channel, cpu);
		g_free(channel->data);
	}
	append(ctf, CTF_METADATA, ctf->metadata->str, ctf->metadata->len);
	error = ctf->error;
	g_array_free(ctf->channels, TRUE);
	free_classes(ctf->classes);
	g_string_free(ctf->metadata, TRUE);
	g_free(ctf);
	return error;
}
