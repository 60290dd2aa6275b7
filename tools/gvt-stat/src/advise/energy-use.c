// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "energy/share.h"
#include "joules/meter.h"
#include "trace/util.h"
#include "energy-use.h"

static void *begin(struct model *model)
{
	return meter_new(model);
}

static void end(void *seen)
{
	meter_free(seen);
}

const struct whatif_observer energy_use_observer = { begin, end };

/* terms: idle and awake, each stream and the host, and each two of these */
#define TERM_IDLE	0
#define TERM_AWAKE	1
#define TERM_ALONE(one)		(2 + (one))
#define TERM_PAIR(use, one, other) (2 + ((use)->streams + 1) * (1 + MIN(one, other)) + MAX(one, other))

static struct energy_use new_use(const struct mix *mix, unsigned int windows)
{
	struct energy_use use = {
		.windows = windows, .whose = ENERGY_TOTAL(mix) + 1, .streams = mix->streams->len,
	};

	use.nj = g_new0(double, windows * use.whose);
	use.bound_nj = g_new0(double, windows * use.whose);
	use.done = g_new0(double, windows * use.whose);
	use.stream_nj = g_new0(double, use.streams + 1);
	use.stream_done = g_new0(double, windows * use.streams);
	use.terms = 2 + (use.streams + 1) * (use.streams + 2);
	use.off_nj = g_new0(double, use.terms);
	return use;
}

void energy_use_clear(struct energy_use *use)
{
	g_free(use->nj);
	g_free(use->bound_nj);
	g_free(use->done);
	g_free(use->stream_nj);
	g_free(use->stream_done);
	g_free(use->off_nj);
}

unsigned int energy_use_cell(const struct energy_use *use, unsigned int window, unsigned int whose)
{
	return window * use->whose + whose;
}

/* who a consumer is, and its power */
struct owner {
	unsigned int whose;
	unsigned int stream;		/* the host's: the number of streams */
	int power;
};

/* @recorded: the vGPU is that of the trace; else it has the guest's id only */
static bool is_guest(const struct whatif_guest *guest, const struct vgpu *vgpu, bool recorded)
{
	return recorded ? guest->vgpu == vgpu : guest->id == vgpu->id;
}

/* returns the guests' number: none */
static unsigned int guest_of(const struct mix *mix, const struct vgpu *vgpu, bool recorded)
{
	unsigned int nr = 0;

	while (nr < mix->guests->len && !is_guest(&g_array_index(mix->guests, struct whatif_guest, nr), vgpu, recorded))
		nr++;
	return nr;
}

/* returns the streams' number: none */
static unsigned int stream_of(const struct mix *mix, const struct consumer *consumer, bool recorded)
{
	unsigned int nr;

	for (nr = 0; consumer->vgpu && nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (is_guest(mix_guest(mix, stream), consumer->vgpu, recorded) &&
		    stream->engine->class == consumer->engine->class && stream->engine->instance == consumer->engine->instance)
			return nr;
	}
	return mix->streams->len;
}

static struct owner *owners_of(const struct mix *mix, const struct coef *coef, const struct timeline *meter,
			       bool recorded)
{
	struct owner *owners = g_new(struct owner, meter->consumers->len);

	for (guint nr = 0; nr < meter->consumers->len; nr++) {
		const struct consumer *consumer = &g_array_index(meter->consumers, struct consumer, nr);
		unsigned int guest = consumer->vgpu ? guest_of(mix, consumer->vgpu, recorded) : ENERGY_HOST(mix);
		const struct vgpu *vgpu = guest < mix->guests->len ?
			g_array_index(mix->guests, struct whatif_guest, guest).vgpu : NULL;

		owners[nr] = (struct owner) {
			guest, stream_of(mix, consumer, recorded), coef_find(coef, vgpu, consumer->engine->name),
		};
	}
	return owners;
}

/* --- energy ------------------------------------------------------------------------------------ */

struct measuring {
	const struct mix *mix;
	const struct coef *coef;
	const struct portions *portions;
	const struct owner *owners;	/* by consumer */
	const int *powers;		/* by consumer */
	struct energy_use *use;
};

static void add_share(const struct measuring *of, unsigned int window, unsigned int whose, double nj, double bound_nj)
{
	of->use->nj[energy_use_cell(of->use, window, whose)] += nj;
	of->use->bound_nj[energy_use_cell(of->use, window, whose)] += bound_nj;
}

static void add_off(const struct measuring *of, const double *off_nj)
{
	const struct energy_use *use = of->use;

	use->off_nj[TERM_IDLE] += off_nj[PORTION_IDLE];
	use->off_nj[TERM_AWAKE] += off_nj[PORTION_AWAKE];
	for (unsigned int b = 0; b < of->portions->consumers; b++) {
		unsigned int one = of->owners[b].stream;

		use->off_nj[TERM_ALONE(one)] += off_nj[portion_busy(of->portions, b)];
		for (unsigned int a = 0; a < b; a++) {
			unsigned int other = of->owners[a].stream;

			use->off_nj[TERM_PAIR(use, one, other)] += off_nj[portion_together(of->portions, a, b)];
		}
	}
}

static void add_window(const struct measuring *of, unsigned int nr)
{
	struct coef_energy energy = coef_energy(of->coef, of->portions, portions_stint(of->portions, nr), of->powers);

	for (unsigned int who = 0; who < SHARES(of->portions); who++) {
		bool consumes = who < of->portions->consumers;

		if (who != SHARE_UNKNOWN(of->portions))
			add_share(of, nr, consumes ? of->owners[who].whose : ENERGY_IDLE(of->mix),
				  energy.nj[who], energy.bound_nj[who]);
		add_share(of, nr, ENERGY_TOTAL(of->mix), energy.nj[who], energy.bound_nj[who]);
		if (consumes)
			of->use->stream_nj[of->owners[who].stream] += energy.nj[who];
	}
	add_off(of, energy.off_nj);
	coef_energy_clear(&energy);
}

/* frees @portions */
static void measure(const struct mix *mix, const struct coef *coef, const struct timeline *meter,
		    struct portions *portions, bool recorded, struct energy_use *use)
{
	struct owner *owners = owners_of(mix, coef, meter, recorded);
	int *powers = g_new(int, portions->consumers);
	const struct measuring of = { mix, coef, portions, owners, powers, use };

	for (unsigned int who = 0; who < portions->consumers; who++)
		powers[who] = owners[who].power;
	for (unsigned int nr = 0; nr < use->windows; nr++)
		add_window(&of, nr);
	portions_free(portions);
	g_free(powers);
	g_free(owners);
}

/* --- work -------------------------------------------------------------------------------------- */

static void add_done(const struct mix *mix, struct energy_use *use, unsigned int window, unsigned int stream,
		     int64_t completed)
{
	const struct vgpu *vgpu = ((const struct stream *)mix->streams->pdata[stream])->vgpu;

	use->stream_done[window * use->streams + stream] += completed;
	use->done[energy_use_cell(use, window, guest_of(mix, vgpu, true))] += completed;
	use->done[energy_use_cell(use, window, ENERGY_TOTAL(mix))] += completed;
}

struct energy_use energy_use_recorded(const struct mix *mix, const struct coef *coef)
{
	const struct mix_source *source = mix->sources->pdata[0];
	struct energy_use use = new_use(mix, 1);

	measure(mix, coef, source->seen, meter_portions(source->seen, source->follow.window.from_ns, mix->window_ns, 0, 1,
							source->dev), true, &use);
	for (unsigned int nr = 0; nr < mix->streams->len; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];

		if (!mix_guest(mix, stream)->added)
			add_done(mix, &use, 0, nr, mix_recorded(mix, stream)->completed);
	}
	return use;
}

struct energy_use energy_use_simulated(const struct mix *mix, const struct coef *coef,
				       const struct whatif_result *result)
{
	struct energy_use use = new_use(mix, result->windows);

	measure(mix, coef, result->seen, meter_portions(result->seen, 0, result->window_ns, result->gap_ns, result->windows, UNKNOWN),
		false, &use);
	for (unsigned int nr = 0; nr < use.streams; nr++) {
		const struct stream *stream = mix->streams->pdata[nr];
		const struct vgpu_engine *queue = whatif_queue(result, mix_guest(mix, stream)->id, stream->engine);

		for (unsigned int window = 0; queue && window < use.windows; window++)
			add_done(mix, &use, window, nr, tally_of(result->tally, queue->index, window)->completed);
	}
	return use;
}
