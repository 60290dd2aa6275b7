// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';
/*
 * Draws what gvt-stat has put into this page; page.c says what that is. All times in here are
 * ns since the beginning of the window. Texts of the trace reach the page by textContent only.
 */
(async () => {
const $ = id => document.getElementById(id);
const doc = JSON.parse($('document').textContent);
/* After 104 days, times in ns are no numbers of JavaScript: this one is needed exactly. */
const START = BigInt(/"window_start_ns":(-?[0-9]+)/.exec($('document').textContent)[1]);
const LENGTH = Math.max(doc.window_ns, 1);
const FRAME = window.frameElement;
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b5a800', '#8a6fd1'];
const HOST_COLOUR = '#57606a';
const REASONS = {		// of waits: as a row says it, as a sentence does
	unknown: ['unknown', 'for a reason that is not in the trace'],
	throttled: ['no slice left', 'because its slice was used up'],
	capped: ['cap reached', 'because its cap was reached'],
	switching: ['switch', 'while the scheduler switched'],
	held: ['held', 'while the GPU was kept idle'],
	host: ['the host', "while the host's own work executed"],
	preempted: ['preempted', 'preempted by work of others'],
	own: ['own turn', 'in its own turn: behind its earlier work, or yet to be submitted'],
	other: ['other', 'for another vGPU'],
};

// --- the packed lanes ---------------------------------------------------------------
function bytesOf(text) {
	const binary = atob(text), bytes = new Uint8Array(binary.length);

	for (let k = 0; k < bytes.length; k++)
		bytes[k] = binary.charCodeAt(k);
	return bytes;
}

async function inflate(text) {
	const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));

	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* numbers in as few bits as they need: bits.h */
function bitReader(bytes) {
	let at = 0, used = 0;

	// at least 24 bits from here on; 0 behind the end
	const ahead = () => (bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | bytes[at + 3] << 24) >>> used;
	const skip = count => {
		used += count;
		at += used >> 3;
		used &= 7;
	};
	const take = count => {
		let value = 0;

		for (let scale = 1; count;) {
			const part = Math.min(count, 24);

			value += (ahead() & (1 << part) - 1) * scale;
			scale *= 1 << part;
			count -= part;
			skip(part);
		}
		return value;
	};
	const zerosAhead = () => {
		let zeros = 0;

		for (;;) {
			const bits = ahead() & 0xffffff;

			if (bits) {
				const more = 31 - Math.clz32(bits & -bits);

				skip(more + 1);
				return zeros + more;
			}
			zeros += 24;
			skip(24);
		}
	};
	const number = usual => {
		const zeros = zerosAhead();
		const more = zeros % 2 ? -(zeros + 1) / 2 : zeros / 2, count = (usual.eighths + 4 >> 3) + more;

		usual.eighths += more;
		return count < 2 ? count : take(count - 1) + 2 ** (count - 1);
	};
	const signed = usual => {
		const value = number(usual);

		return value % 2 ? -(value + 1) / 2 : value / 2;
	};

	return { bit: () => take(1) === 1, number, signed };
}

/*
 * Of each lane begin s[], end e[], meaning what[], limits[], and for workloads id[]; of each counter at[] and
 * value[]. As page-intervals.h has them, and page.c what they mean.
 */
function readIntervals(input, lanes, counters) {
	const sorts = [], usual = () => ({ eighths: 0 });
	const usualLane = usual(), usualSort = usual(), usualCode = usual(), usualId = usual();
	let last = {}, clock = 0, recent = 0, earlier = 0, id = 0, left = 0;

	// where it ends: where the last one did, later, earlier
	const newSort = code => ({ what: Math.floor(code / 512), sign: [0, 1, -1][code >> 7 & 3], begin: code >> 4 & 7,
				   limits: code & 15, end: usual(), length: usual() });
	const states = [], add = (lane, more) => {
		states[lane.nr] = { lane: Object.assign(lane, more), n: 0, until: 0, id: 0, value: 0, last: {} };
		left += lane.count;
	};

	for (const lane of lanes) {
		const n = lane.count;

		add(lane, { s: new Float64Array(n), e: new Float64Array(n), what: new Uint32Array(n),
			    limits: new Uint8Array(n), id: lane.kind === 'workloads' ? new Float64Array(n) : null });
	}
	for (const counter of counters)
		add(counter, { at: new Float64Array(counter.count), value: new Float64Array(counter.count) });

	for (; left; left--) {
		const both = input.bit(), sameLane = both || input.bit(), sameSort = both || !sameLane && input.bit();
		const state = sameLane ? last.then : states[input.number(usualLane)], { lane } = state, k = state.n++;
		let sort = state.last.next;

		if (!sameSort) {
			const nr = input.number(usualSort);

			if (nr === sorts.length)
				sorts.push(newSort(input.number(usualCode)));
			sort = sorts[nr];
		}
		last.then = state;
		state.last.next = sort;
		last = state.last = sort;

		const before = clock;

		if (sort.sign)
			clock += sort.sign * input.number(sort.end);
		if (lane.value) {
			lane.value[k] = state.value += input.signed(sort.length) - (sort.what ? clock - state.until : 0);
			lane.at[k] = state.until = clock;
			continue;
		}
		// here, as what a function shares with others is slow
		switch (sort.begin) {
		case 0: lane.s[k] = state.until; break;
		case 1: lane.s[k] = before; break;
		case 2: lane.s[k] = recent; break;
		case 3: lane.s[k] = earlier; break;
		default:
			earlier = recent;
			lane.s[k] = recent = clock - input.number(sort.length);
		}
		lane.e[k] = state.until = clock;
		lane.what[k] = sort.what;
		lane.limits[k] = sort.limits;
		if (!lane.id)
			continue;
		if (sort.what & 8)
			state.id = id += input.signed(usualId);
		lane.id[k] = state.id;
	}
}

function reader(bytes, at) {
	const number = () => {
		let value = 0, scale = 1, byte;

		do {
			byte = bytes[at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte & 128);
		return value;
	};
	const signed = () => {
		const value = number();

		return value % 2 ? -(value + 1) / 2 : value / 2;
	};

	return { number, signed };
}

/* Moments at which a thread queued a workload, or was woken up as one was complete */
function readMarks(input, n) {
	const marks = [];

	for (let k = 0, at = 0, id = 0; k < n; k++) {
		at += input.signed();
		const woken = input.number() === 1;

		id += input.signed();
		marks.push({ at, woken, id });
	}
	return marks;
}

/* what else is on a lane; page.c has the form */
function readRest(lane, bytes, at) {
	const input = reader(bytes, at);

	lane.marks = readMarks(input, lane.marks ?? 0);
	lane.bins = readBins(input, lane.bins);
	lane.latencies = readLatencies(input, lane.latency_bins);
}

/* By meaning, what is not there as single intervals: page-bins.h */
function readBins(input, n) {
	const all = new Map();

	for (let k = 0; k < n; k++) {
		const what = input.number();

		if (!all.has(what))
			all.set(what, { s: [], e: [], cum: [0], t: 0 });
		const bins = all.get(what), begin = bins.t + input.number(), length = input.number();

		bins.t = begin + length;
		bins.s.push(begin);
		bins.e.push(bins.t);
		bins.cum.push(bins.cum.at(-1) + length - input.number());
	}
	return all;
}

function readLatencies(input, n) {
	const all = [];

	for (let k = 0, e = 0; k < n; k++)
		all.push({ e: e += input.number(), count: input.number(), sum: input.number(), most: input.number() });
	return all;
}

const NO_BINS = { s: [], e: [], cum: [0] };
const newPart = (lane, count) => ({ s: new Float64Array(count), e: new Float64Array(count), k: new Uint32Array(count),
				    cum: new Float64Array(count + 1), lane, bins: NO_BINS, n: 0 });

function addToPart(part, lane, k) {
	const j = part.n++;

	part.s[j] = lane.s[k];
	part.e[j] = lane.e[k];
	part.k[j] = k;
	part.cum[j + 1] = part.cum[j] + lane.e[k] - lane.s[k];
}

/*
 * By what they mean, the parts of a lane; each answers: for how long was it busy before x? Its bins are of one meaning.
 * What nothing means has no part.
 */
function makeParts(lane, meaning = what => what) {
	const counts = [], n = lane.s.length;

	for (let k = 0; k < n; k++) {
		const key = meaning(lane.what[k]);

		counts[key] = (counts[key] ?? 0) + 1;
	}
	for (const what of lane.bins.keys())
		counts[meaning(what)] ??= 0;
	const parts = counts.map(count => newPart(lane, count));
	for (let k = 0; k < n; k++)
		addToPart(parts[meaning(lane.what[k])], lane, k);
	for (const [what, bins] of lane.bins)
		parts[meaning(what)].bins = bins;
	return parts;
}

/* with those that nothing means */
function partsOf(lane, count, meaning) {
	const parts = makeParts(lane, meaning);

	return Array.from({ length: count }, (_, state) => ({ state, part: parts[state] ?? newPart(lane, 0) }));
}

/* the first interval that ends behind x */
function after(ends, x, low = 0) {
	let high = ends.length, step = 1;

	// mostly it is near to the one before
	while (low + step < high && ends[low + step - 1] <= x) {
		low += step;
		step *= 2;
	}
	high = Math.min(low + step, high);

	while (low < high) {
		const middle = low + high >> 1;

		if (ends[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const busyBefore = (part, x, k) => part.cum[k] + (k < part.s.length && part.s[k] < x ? x - part.s[k] : 0);

/* the same of bins: exact at their edges, in between as if all of a bin were alike */
function binsBefore({ s, e, cum }, x, k) {
	return cum[k] + (k < s.length && s[k] < x ? (cum[k + 1] - cum[k]) * (x - s[k]) / (e[k] - s[k]) : 0);
}
const busyInBins = (bins, x) => binsBefore(bins, x, after(bins.e, x));

/* F(x): busy time in [0, x), exact but within a bin */
const busy = (part, x) => busyBefore(part, x, after(part.e, x)) + busyInBins(part.bins, x);

/* for each of n parts of a time, the share in which it was busy; @inBins: only what is in bins */
function shares(part, from, to, n, inBins) {
	const all = new Float64Array(n), length = (to - from) / n, { bins } = part;
	let k = after(part.e, from), nr = after(bins.e, from);
	const before = x => (inBins ? 0 : busyBefore(part, x, k)) + binsBefore(bins, x, nr);
	let last = before(from);

	for (let column = 0; column < n; column++) {
		const end = from + (column + 1) * length;

		k = after(part.e, end, k);
		nr = after(bins.e, end, nr);
		const now = before(end);
		all[column] = (now - last) / length;
		last = now;
	}
	return all;
}

/* A number that goes up at some times and down at others, or is a sum in bins, as its integral over time */
function makeLevel(ups, downs, bins) {
	const make = list => {
		const at = Float64Array.from(list).sort(), sum = new Float64Array(at.length + 1);

		for (let k = 0; k < at.length; k++)
			sum[k + 1] = sum[k] + at[k];
		return { at, sum };
	};

	return { up: make(ups), down: make(downs), bins };
}

function area(side, x) {
	const k = after(side.at, x);

	return k * x - side.sum[k];
}

const areaOfBins = (level, x) => level.bins.reduce((sum, bins) => sum + busyInBins(bins, x), 0);
const levelArea = (level, x) => area(level.up, x) - area(level.down, x) + areaOfBins(level, x);
const levelAt = (level, x) => after(level.up.at, x) - after(level.down.at, x);

// --- what there is ----------------------------------------------------------------------
const { lanes, counters } = doc;
readIntervals(bitReader(bytesOf($('intervals').textContent)), lanes, counters);
$('intervals').remove();
const bytes = await inflate($('lanes').textContent);
$('lanes').remove();
let place = 0;
for (const lane of lanes) {
	readRest(lane, bytes, place);
	place += lane.bytes;
}

/* A name may turn the direction of writing: what comes behind it must not be turned, too. */
const isolated = text => /[^ -~]/.test(text) ? '\u2068' + text + '\u2069' : text;

const vgpus = doc.numbered_vgpus;
const several = new Set(vgpus.map(v => v.dev)).size > 1;
const gpuOf = dev => several ? ' of GPU ' + dev : '';
/* colours by id, so that a vGPU has the same in all traces of a host; the host itself comes last */
[...vgpus].sort((a, b) => !a.id - !b.id || a.dev - b.dev || a.id - b.id).forEach((v, nr) => {
	v.nr = nr;
	v.name = v.id ? 'vGPU ' + v.id : 'host';
	v.colour = v.id ? COLOURS[nr % COLOURS.length] : HOST_COLOUR;
	v.named = isolated(v.label ?? v.name);
	v.label = v.named + gpuOf(v.dev);
	v.title = v.name + gpuOf(v.dev);
});
const vgpuOf = (dev, id) => vgpus.find(v => v.dev === dev && v.id === id);

/* what a number on the lane of waits means: whom or what for */
function waitOf(what) {
	const culprit = what >> 4 ? vgpus[(what >> 4) - 1] : null, reason = doc.names.reasons[what & 15];

	return { culprit, reason,
		 short: culprit ? (reason === 'held' ? 'held for ' : '') + culprit.name : (REASONS[reason] ?? [reason])[0],
		 text: !culprit ? (REASONS[reason] ?? [0, reason])[1] :
		       reason === 'preempted' ? 'preempted by ' + culprit.label :
		       reason === 'held' ? 'while the GPU was kept idle for ' + culprit.label : 'for ' + culprit.label };
}

const byKey = (list, key) => {
	const map = new Map();

	for (const one of list) {
		const k = key(one);

		if (!map.has(k))
			map.set(k, []);
		map.get(k).push(one);
	}
	return map;
};
const kinds = kind => lanes.filter(l => l.kind === kind);

/* threads, those of a vGPU together, as far as it is known whose they are */
const vcpus = kinds('vcpu').sort((a, b) => (vgpus[a.vgpu]?.nr ?? Infinity) - (vgpus[b.vgpu]?.nr ?? Infinity) || a.vcpu - b.vcpu || a.tid - b.tid);

/* engines: who had them */
const engines = [...byKey(kinds('engine'), l => l.dev + '/' + l.engine).values()].map(([lane]) => ({
	dev: lane.dev, name: lane.engine, title: (several ? 'GPU ' + lane.dev + ' ' : '') + lane.engine, lane,
	parts: makeParts(lane).flatMap((part, nr) => [{ vgpu: vgpus[nr], part }])
		.sort((a, b) => a.vgpu.nr - b.vgpu.nr),
})).sort((a, b) => a.dev - b.dev || a.name.localeCompare(b.name));

/* how long before the first moment those were queued that are older, if that was told */
const ages = new Map(doc.older.map(([dev, id, ns]) => [dev + '/' + id, ns]));
const ageOf = (lane, k) => lane.limits[k] >> 2 ? ages.get(lane.dev + '/' + lane.id[k]) ?? NaN : 0;

/* one workload: where its intervals are */
function workloadsOf(laneList) {
	const all = [];

	for (const lane of laneList)
		for (let k = 0; k < lane.s.length; k++) {
			if (lane.what[k] & 8 || !all.length || all[all.length - 1].lane !== lane)
				all.push({ id: lane.id[k], lane, first: k, last: k, from: lane.s[k], to: lane.e[k],
					   age: ageOf(lane, k), latency: NaN, failed: false });
			const w = all[all.length - 1];

			w.last = k;
			w.to = lane.e[k];
			w.failed = w.failed || (lane.what[k] & 16) > 0;
			// what is complete only after the part that is drawn has no latency in it
			if ((lane.what[k] & 7) === COMPLETES && (lane.limits[k] & 3) !== CUT)
				w.latency = lane.s[k] - w.from + w.age;
		}
	return all.sort((a, b) => a.from - b.from || a.id - b.id);
}
const [WAITS, EXECUTES, PREEMPTED, COMPLETES] = [0, 1, 2, 3], CUT = 1;

/* queues: a vGPU's work for an engine */
const queues = [...byKey(lanes.filter(l => l.kind === 'workloads' || l.kind === 'waits'),
			 l => l.vgpu + '/' + l.engine).values()].map(list => {
	const slots = list.filter(l => l.kind === 'workloads'), waits = list.filter(l => l.kind === 'waits');
	const ups = [], downs = [];

	for (const lane of slots)
		for (let k = 0; k < lane.s.length; k++)
			if ((lane.what[k] & 7) === WAITS || (lane.what[k] & 7) === PREEMPTED) {
				ups.push(lane.s[k]);
				downs.push(lane.e[k]);
			}
	const vgpu = vgpus[list[0].vgpu];

	return { vgpu, dev: vgpu.dev, engine: list[0].engine, slots, waits,
		 title: vgpu.label + ' · ' + list[0].engine,
		 parts: waits.flatMap(lane => makeParts(lane).flatMap((part, what) => [{ ...waitOf(what), what, part }])),
		 level: makeLevel(ups, downs, slots.flatMap(lane => [WAITS, PREEMPTED].map(state => lane.bins.get(state)).filter(Boolean))),
		 workloads: workloadsOf(slots),
		 runs: engines.filter(e => e.dev === vgpu.dev && e.name === list[0].engine)
			.flatMap(e => e.parts).find(p => p.vgpu === vgpu)?.part,
		 open: false };
}).sort((a, b) => a.dev - b.dev || a.vgpu.id - b.vgpu.id || a.engine.localeCompare(b.engine));
const queueOf = (vgpu, engine) => queues.find(q => q.vgpu === vgpu && q.engine === engine);

// --- words and numbers ------------------------------------------------------------------
function span(ns) {
	const units = [['s', 1e9], ['ms', 1e6], ['µs', 1e3]];

	if (!isFinite(ns) || ns === null)
		return 'unknown';
	for (const [unit, scale] of units)
		// 999.9 µs are 1 ms
		if (Math.abs(ns) >= 0.9995 * scale)
			return (ns / scale).toPrecision(Math.abs(ns) >= 999 * scale ? 6 : 3).replace(/\.0+$|(\.\d*?)0+$/, '$1') + ' ' + unit;
	return Math.round(ns) + ' ns';
}
const percent = x => !isFinite(x) || x === null ? 'unknown' : x > 0 && x < 0.05 ? '< 0.1 %' : (x >= 10 || x === 0 ? x.toFixed(0) : x.toFixed(1)) + ' %';
/* as trace-cmd report prints it; whole ns, which a double cannot hold for a clock since 1970 */
function clock(ns, digits = 6) {
	const all = START + BigInt(Math.round(ns));
	const text = (all < 0n ? -all : all).toString().padStart(10, '0');

	return (all < 0n ? '-' : '') + text.slice(0, -9) + (digits ? '.' + text.slice(-9).slice(0, digits) : '');
}

const counted = (n, what) => n + ' ' + what + (n === 1 ? '' : 's');

function element(tag, properties = {}, ...children) {
	const node = Object.assign(document.createElement(tag), properties);

	node.append(...children.filter(c => c !== null && c !== undefined));
	return node;
}

// --- colours and patterns -----------------------------------------------------------------
let colours = {};
function readColours() {
	const style = getComputedStyle(document.documentElement);

	for (const name of ['bg', 'fg', 'dim', 'line', 'soft', 'grid', 'accent', 'lost'])
		colours[name] = style.getPropertyValue('--' + name).trim();
	patterns.clear();
}

/* Without colours, vGPUs are told apart by their patterns: eight of them. */
const STROKES = [[], [[0, 8, 8, 0]], [[0, 0, 8, 8]], [[0, 4, 8, 4]], [[4, 0, 4, 8]],
		 [[0, 8, 8, 0], [0, 0, 8, 8]], [[0, 4, 8, 4], [4, 0, 4, 8]], [[0, 2, 8, 2], [0, 6, 8, 6]]];
const patterns = new Map();
function paint(colour, strokes, faint) {
	const key = [colour, strokes, faint].join();

	if (!patterns.has(key)) {
		const tile = element('canvas', { width: 8, height: 8 }), c = tile.getContext('2d');

		c.fillStyle = colours.bg;
		c.fillRect(0, 0, 8, 8);
		c.globalAlpha = faint ? 0.42 : 1;
		c.fillStyle = colour;
		c.fillRect(0, 0, 8, 8);
		c.globalAlpha = 0.55;
		c.strokeStyle = faint ? colour : colours.bg;
		c.lineWidth = faint ? 1.5 : 1.2;
		for (const [x0, y0, x1, y1] of STROKES[strokes]) {
			c.beginPath();
			c.moveTo(x0, y0);
			c.lineTo(x1, y1);
			c.stroke();
		}
		patterns.set(key, c.createPattern(tile, 'repeat'));
	}
	return patterns.get(key);
}
const paintVgpu = (vgpu, faint) => paint(vgpu.colour, vgpu.nr % STROKES.length, faint);
const REASON_STROKES = { host: 7, throttled: 1, capped: 6, switching: 4, held: 3, preempted: 5, own: 0, unknown: 2 };
const paintWait = wait => wait.culprit ? paintVgpu(wait.culprit, true) :
	paint(wait.reason === 'own' ? '#b8bec5' : '#7d8590', REASON_STROKES[wait.reason] ?? 0, wait.reason !== 'own');

// --- the timeline ---------------------------------------------------------------------------
const canvas = $('canvas'), ctx = canvas.getContext('2d', { alpha: false });
/* for names of rows, which are longer where there are several GPUs */
const GUTTER = several && innerWidth > 700 ? 215 : 168, TOP = 22;
let width = 1000, rows = [];
let view = { from: 0, to: LENGTH };
/* from here on, there are sums over bins: page-bins.h */
const BINS_FROM = doc.bins_from_ns === null ? Infinity : doc.bins_from_ns - doc.window_start_ns;
let chosen = null;		// { queue, w }
let dirty = true;

const plotWidth = () => Math.max(width - GUTTER, 50);
const toX = ns => GUTTER + (ns - view.from) / (view.to - view.from) * plotWidth();
const toTime = x => view.from + (x - GUTTER) / plotWidth() * (view.to - view.from);

function drawLabel(text, x0, x1, y, h, colour) {
	if (x1 - x0 < 26)
		return;
	ctx.save();
	ctx.beginPath();
	ctx.rect(x0, y, x1 - x0, h);
	ctx.clip();
	ctx.font = '11px system-ui, sans-serif';
	ctx.textBaseline = 'middle';
	const w = ctx.measureText(text).width;
	const left = Math.max(x0, GUTTER), right = Math.min(x1, width);
	if (w + 6 <= right - left) {
		ctx.fillStyle = colours.bg;
		ctx.globalAlpha = 0.82;
		ctx.fillRect(left + 2, y + h / 2 - 6.5, w + 4, 13);
		ctx.globalAlpha = 1;
		ctx.fillStyle = colour ?? colours.fg;
		ctx.fillText(text, left + 4, y + h / 2 + 0.5);
	}
	ctx.restore();
}

/* Where an interval is cut or events were lost, its end is torn. */
function drawLimits(limits, x0, x1, y, h) {
	ctx.fillStyle = colours.lost;
	if (limits >> 2 === 2 && x0 >= GUTTER)
		for (let i = 0; i < h; i += 4)
			ctx.fillRect(x0, y + i, 2, 2);
	if ((limits & 3) === 2 && x1 <= width)
		for (let i = 0; i < h; i += 4)
			ctx.fillRect(x1 - 2, y + i, 2, 2);
}

/*
 * Parts of one row, stacked: boxes where they are wide, else each column of pixels shows the
 * share of its time that each part has, exactly.
 */
function drawParts(parts, y, h) {
	let visible = 0;

	for (const { part } of parts)
		visible += after(part.e, view.to) - after(part.e, view.from);
	const boxes = visible < plotWidth() / 5;

	if (!boxes || view.to > BINS_FROM)
		drawStack(parts.map(p => ({ fill: p.fill, shares: shares(p.part, view.from, view.to, Math.floor(plotWidth()), boxes) })), y, h);
	if (boxes)
		drawBoxes(parts, y, h);
}

function drawBoxes(parts, y, h) {
	for (const { part, fill, label } of parts) {
		const n = part.s.length;

		for (let k = after(part.e, view.from); k < n && part.s[k] < view.to; k++) {
			const x0 = Math.max(toX(part.s[k]), GUTTER), x1 = Math.min(toX(part.e[k]), width);

			ctx.fillStyle = fill;
			ctx.fillRect(x0, y, Math.max(x1 - x0, 0.7), h);
			if (x1 - x0 > 3) {
				ctx.strokeStyle = colours.bg;
				ctx.lineWidth = 0.8;
				ctx.strokeRect(x0 + 0.4, y + 0.4, x1 - x0 - 0.8, h - 0.8);
			}
			drawLabel(label, x0, x1, y, h);
			drawLimits(part.lane.limits[part.k[k]], x0, x1, y, h);
		}
	}
}

/* a line along the edges of columns, to the right or to the left; where it goes straight on is no point */
function outline(first, last, X, Y) {
	const step = first <= last ? 1 : -1, side = step > 0 ? 0 : 1;
	let y = Y(first);

	ctx.lineTo(X(first + side), y);
	for (let x = first; x !== last; x += step) {
		const next = Y(x + step);

		if (next === y)
			continue;
		ctx.lineTo(X(x + 1 - side), y);
		ctx.lineTo(X(x + 1 - side), next);
		y = next;
	}
	ctx.lineTo(X(last + 1 - side), y);
}

/*
 * Shares of columns, one on top of the other; one path for each fill, as that is much quicker, and to half a pixel, as
 * there are fewer edges then.
 */
function drawStack(list, y, h) {
	const n = list[0]?.shares.length ?? 0, step = plotWidth() / Math.max(n, 1);
	const X = x => GUTTER + x * step, level = share => Math.round((y + h - h * share) * 2) / 2;
	let bottom = new Float64Array(n);

	for (const { fill, shares: own } of list) {
		const top = bottom.map((sum, x) => sum + own[x]);

		ctx.fillStyle = fill;
		ctx.beginPath();
		for (let x = 0; x < n; x++) {
			if (!own[x])
				continue;
			// columns that touch are one outline
			let end = x + 1;

			while (end < n && own[end])
				end++;
			ctx.moveTo(X(x), level(bottom[x]));
			outline(x, end - 1, X, k => level(top[k]));
			outline(end - 1, x, X, k => level(bottom[k]));
			x = end;
		}
		ctx.fill();
		bottom = top;
	}
}

/* a curve over time, of mean values in each column */
function drawArea(level, y, h, fill, unit) {
	const pixel = (view.to - view.from) / plotWidth(), means = [];
	let before = levelArea(level, view.from), most = 0, at = [0, 0];

	for (let x = 0; x < plotWidth(); x++) {
		const end = view.from + (x + 1) * pixel;
		at = [after(level.up.at, end, at[0]), after(level.down.at, end, at[1])];
		const now = at[0] * end - level.up.sum[at[0]] - at[1] * end + level.down.sum[at[1]] + (end > BINS_FROM ? areaOfBins(level, end) : 0);

		means.push(Math.max((now - before) / pixel, 0));
		before = now;
		most = Math.max(most, means[x]);
	}
	const top = Math.max(Math.ceil(most - 1e-6), 1);

	ctx.fillStyle = fill;
	ctx.beginPath();
	ctx.moveTo(GUTTER, y + h);
	means.forEach((mean, x) => {
		ctx.lineTo(GUTTER + x, y + h - h * mean / top);
		ctx.lineTo(GUTTER + x + 1, y + h - h * mean / top);
	});
	ctx.lineTo(GUTTER + plotWidth(), y + h);
	ctx.fill();
	drawScale(top + ' ' + unit, y);
}

function drawScale(text, y) {
	ctx.font = '10px system-ui, sans-serif';
	ctx.textBaseline = 'top';
	ctx.fillStyle = colours.dim;
	ctx.textAlign = 'right';
	ctx.fillText(text, GUTTER - 4, y);
	ctx.textAlign = 'left';
}

function drawLatency(row, y, h) {
	const first = row.ends;
	let most = 0;
	const from = after(first, view.from), to = after(first, view.to);
	const bins = row.bins.filter(bin => bin.e > view.from && bin.s < view.to);

	for (let k = from; k < to; k++)
		most = Math.max(most, row.latencies[k]);
	for (const bin of bins)
		most = Math.max(most, bin.most);
	if (!most)
		return;
	ctx.fillStyle = row.queue.vgpu.colour;
	// of many in one place, the longest and the shortest are seen
	const dot = (x, latency) => ctx.rect(x - 1, y + h - 2 - (h - 4) * latency / most, 2.5, 2.5);
	let column = NaN, longest, shortest;

	ctx.beginPath();

	for (let k = from; k < to; k++) {
		const x = Math.round(toX(first[k])), latency = row.latencies[k];

		if (x !== column) {
			if (k > from)
				[longest, shortest].forEach(l => dot(column, l));
			column = x;
			longest = shortest = latency;
		}
		longest = Math.max(longest, latency);
		shortest = Math.min(shortest, latency);
	}
	if (to > from)
		[longest, shortest].forEach(l => dot(column, l));
	// of a bin the mean as a line, and the longest
	for (const bin of bins) {
		const x0 = Math.max(toX(bin.s), GUTTER), x1 = Math.min(toX(bin.e), width);

		ctx.rect(x0, y + h - 2 - (h - 4) * bin.sum / bin.count / most, Math.max(x1 - x0, 1), 1);
		dot((x0 + x1) / 2, bin.most);
	}
	ctx.fill();
	drawScale(span(most), y);
}

/* the steps of a counter; of many in one column of pixels, the highest and the lowest are seen */
function stepTo(c, Y) {
	const end = after(c.at, view.to);
	let k = Math.max(after(c.at, view.from) - 1, 0), value = c.value[k];

	if (k < end)
		ctx.moveTo(Math.max(toX(c.at[k]), GUTTER), Y(value));
	for (k++; k < end;) {
		const x = toX(c.at[k]), column = Math.round(x);
		let low = value, high = value;

		ctx.lineTo(x, Y(value));
		for (; k < end && Math.round(toX(c.at[k])) === column; k++) {
			value = c.value[k];
			low = Math.min(low, value);
			high = Math.max(high, value);
		}
		for (const v of [low, high, value])
			ctx.lineTo(x, Y(v));
	}
}

function drawLeft(row, y, h) {
	const Y = v => y + h - h * (v - row.low) / (row.high - row.low);

	ctx.strokeStyle = colours.line;
	ctx.beginPath();
	ctx.moveTo(GUTTER, Y(0));
	ctx.lineTo(width, Y(0));
	ctx.stroke();
	ctx.strokeStyle = row.vgpu.colour;
	ctx.beginPath();
	for (const c of row.counters)
		stepTo(c, Y);
	ctx.stroke();
	drawScale(span(row.high), y);
}

// --- rows: { label, h, draw(y, h), tip(ns, dy), click(ns), toggle } ---------------------------
const lostAll = kinds('lost').filter(l => l.engine === null);
const lostOf = (engine, vgpuNr) => kinds('lost').filter(l => l.engine === null ||
	(l.engine === engine && (l.vgpu === null || vgpus[l.vgpu]?.nr === vgpuNr)));

function hatchLost(list, y, h) {
	ctx.strokeStyle = colours.lost;
	ctx.lineWidth = 1.6;
	for (const lane of list)
		for (let k = after(lane.e, view.from); k < lane.s.length && lane.s[k] < view.to; k++) {
			const x0 = Math.max(toX(lane.s[k]), GUTTER), x1 = Math.min(Math.max(toX(lane.e[k]), x0 + 2), width);

			ctx.save();
			ctx.beginPath();
			ctx.rect(x0, y, x1 - x0, h);
			ctx.clip();
			ctx.beginPath();
			for (let x = x0 - h; x < x1 + h; x += 6) {
				ctx.moveTo(x, y + h);
				ctx.lineTo(x + h, y);
			}
			ctx.stroke();
			ctx.restore();
		}
}

/* single workloads are not in the page from here on, as there are too many */
const leftOut = { e: [LENGTH], s: [BINS_FROM] };
function hatchLeftOut(y, h) {
	if (view.to > BINS_FROM)
		hatchLost([leftOut], y, h);
}

function partTip(parts, ns, words) {
	for (const one of parts) {
		const k = after(one.part.e, ns);

		if (k < one.part.s.length && one.part.s[k] <= ns)
			return words(one, one.part.s[k], one.part.e[k], one.part.lane.limits[one.part.k[k]]);
	}
	return binTip(parts, ns, words);
}

/* of the bins around a time, the share of each part */
function binTip(parts, ns, words) {
	const lines = parts.flatMap(one => {
		const { s, e, cum } = one.part.bins, k = after(e, ns);

		return k < s.length && s[k] <= ns ? [words(one, s[k], e[k], 0).replace(/, [^,]*$/, '') + ': ' +
			percent(100 * (cum[k + 1] - cum[k]) / (e[k] - s[k])) + ' of ' + span(e[k] - s[k])] : [];
	});

	return lines.length ? lines.join('\n') : null;
}
const limitWords = limits => (limits >> 2 === 1 ? '\n(began before)' : limits >> 2 === 2 ? '\n(its beginning was lost)' : '') +
	((limits & 3) === 1 ? '\n(goes on after the end)' : (limits & 3) === 2 ? '\n(events were lost: its end is not certain)' : '');

function turnRows() {
	return [...byKey(kinds('turns'), l => l.dev + '/' + l.engine).values()].map(([lane]) => {
		const parts = makeParts(lane).flatMap((part, nr) => [{ vgpu: vgpus[nr], part, fill: null, label: vgpus[nr].name }]);

		return { label: (several ? 'GPU ' + lane.dev + ' ' : '') + (lane.engine ?? 'scheduler') + ': turn', h: 18,
			brief: several && !lane.engine ? 'GPU ' + lane.dev + ': turn' : null,
			draw(y, h) {
				parts.forEach(p => { p.fill = paintVgpu(p.vgpu, true); });
				drawParts(parts, y, h);
				hatchLost(lostAll, y, h);
			},
			tip: ns => partTip(parts, ns, (p, s, e, l) => 'turn of ' + p.vgpu.label + ', ' + span(e - s) + limitWords(l)) };
	});
}

function engineRow(engine) {
	return { label: engine.title + ': executes', strong: true, h: 34, engine,
		draw(y, h) {
			drawParts(engine.parts.map(p => ({ ...p, fill: paintVgpu(p.vgpu), label: p.vgpu.name })), y, h);
			hatchLost(lostOf(engine.name, null), y, h);
		},
		tip: ns => partTip(engine.parts, ns, (p, s, e, l) => engine.title + ' executes work of ' + p.vgpu.label + ', ' + span(e - s) + limitWords(l)) ??
			engine.title + ' is idle',
		click: ns => {
			const at = engine.parts.find(p => busyAt(p.part, ns));

			if (at)
				choose(queueOf(at.vgpu, engine.name), ns);
		} };
}
const busyAt = (part, ns) => {
	const k = after(part.e, ns);

	return k < part.s.length && part.s[k] <= ns;
};

function utilisationRow(engine) {
	return { label: 'utilisation', h: 30,
		draw(y, h) {
			ctx.strokeStyle = colours.grid;
			ctx.strokeRect(GUTTER, y + 0.5, plotWidth(), h - 1);
			drawStack(engine.parts.map(p => ({ fill: p.vgpu.colour, shares: shares(p.part, view.from, view.to, Math.floor(plotWidth() / 8)) })), y, h);
			drawScale('100 %', y);
		},
		tip: ns => {
			const pixel = (view.to - view.from) / plotWidth() * 8;
			const a = Math.max(ns - pixel / 2, 0), b = Math.min(ns + pixel / 2, LENGTH);

			return engine.title + ' in ' + span(b - a) + ':\n' + engine.parts.map(p =>
				p.vgpu.label + ' ' + percent(100 * (busy(p.part, b) - busy(p.part, a)) / (b - a))).join('\n');
		} };
}

function queueRow(queue) {
	return { label: queue.vgpu.named, end: gpuOf(queue.dev) + ' · ' + queue.engine, strong: true, h: 36, queue, gap: 8, toggle: () => { queue.open = !queue.open; layout(); },
		draw(y, h) {
			const half = h / 2 - 1;

			if (queue.runs)
				drawParts([{ part: queue.runs, fill: paintVgpu(queue.vgpu), label: 'executes' }], y, half);
			drawParts(queue.parts.map(p => ({ ...p, fill: paintWait(p), label: (p.culprit && p.reason !== 'held' ? 'waits for ' : '') + p.short })),
				  y + half + 2, half);
			hatchLost(lostOf(queue.engine, queue.vgpu.nr), y, h);
		},
		tip: (ns, dy, h) => {
			if (dy < h / 2)
				return queue.runs && partTip([{ part: queue.runs }], ns, (p, s, e, l) => queue.vgpu.label + ' executes on ' + queue.engine + ', ' + span(e - s) + limitWords(l));
			return partTip(queue.parts, ns, (p, s, e, l) => queue.vgpu.label + ' waits ' + p.text + ', ' + span(e - s) + limitWords(l));
		},
		click: ns => choose(queue, ns) };
}

function meanLevel(level, ns) {
	const from = Math.floor(ns / doc.bin_ns) * doc.bin_ns, to = Math.min(from + doc.bin_ns, LENGTH);

	return (levelArea(level, to) - levelArea(level, from)) / (to - from);
}

function levelRow(queue) {
	return { label: 'queue length', h: 24,
		draw: (y, h) => drawArea(queue.level, y, h, queue.vgpu.colour, ''),
		tip: ns => ns > BINS_FROM ? meanLevel(queue.level, ns).toFixed(2) + ' workloads of ' + queue.vgpu.label + ' wait for ' + queue.engine + ' in the mean of ' + span(doc.bin_ns) :
			levelAt(queue.level, ns) + ' workloads of ' + queue.vgpu.label + ' wait for ' + queue.engine };
}

/* those of all its lanes together, each with the time that it is about */
function latencyBins(queue) {
	const ends = byKey(queue.slots.flatMap(lane => lane.latencies), bin => bin.e);
	let last = BINS_FROM;

	return [...ends.entries()].sort((a, b) => a[0] - b[0]).map(([e, list]) => {
		const s = Math.max(Math.floor((e - 1) / doc.first_bin_ns) * doc.first_bin_ns, last);

		last = e;
		return { s, e: Math.min(e, LENGTH), count: list.reduce((sum, one) => sum + one.count, 0),
			 sum: list.reduce((sum, one) => sum + one.sum, 0), most: Math.max(...list.map(one => one.most)) };
	});
}

function latencyRow(queue) {
	const sorted = queue.workloads.filter(w => isFinite(w.latency)).sort((a, b) => a.to - b.to), n = sorted.length;
	const ends = new Float64Array(n), latencies = new Float64Array(n), sizes = new Uint8Array(n);

	sorted.forEach(({ to, latency }, k) => {
		ends[k] = to;
		latencies[k] = latency;
		sizes[k] = Math.min(Math.floor(2 * Math.log2(Math.max(latency, 1))), 127);
	});
	const row = { label: 'latency', h: 38, queue, sorted, ends, latencies, sizes,
		bins: latencyBins(queue),
		draw: (y, h) => drawLatency(row, y, h),
		nearest: ns => {
			const k = after(row.ends, ns), a = sorted[k - 1], b = sorted[k];

			return !a ? b : !b ? a : ns - a.to < b.to - ns ? a : b;
		},
		tip: ns => {
			const bin = row.bins.find(one => ns >= one.s && ns < one.e), w = row.nearest(ns);

			if (bin)
				return bin.count + ' workloads within ' + span(bin.e - bin.s) + ': latency ' + span(bin.sum / bin.count) + ' in the mean, at most ' + span(bin.most);
			return w ? 'workload ' + w.id + ': latency ' + span(w.latency) : null;
		},
		click: ns => { const w = row.nearest(ns); if (w) chooseWorkload(queue, w); } };

	return row;
}

const SHOWN_SLOTS = 12;
function slotRow(queue, lane) {
	const parts = partsOf(lane, 5, what => what & 7);
	const name = state => state === 4 ? 'unseen' : ['waits', 'executes', 'preempted', 'completes'][state];

	return { label: 'workloads', h: 14,
		draw(y, h) {
			drawParts(parts.map(p => ({ ...p, label: name(p.state), fill: p.state === EXECUTES ? paintVgpu(queue.vgpu) :
				p.state === WAITS ? paint(queue.vgpu.colour, 0, true) : p.state === COMPLETES ? paint('#b8bec5', 0) :
				paint('#7d8590', p.state === PREEMPTED ? 5 : 2, true) })), y, h);
			hatchLeftOut(y, h);
		},
		tip: ns => partTip(parts, ns, (p, s, e, l) => 'workload ' + lane.id[p.part.k[after(p.part.e, ns)]] + ' ' + name(p.state) + ', ' + span(e - s) + limitWords(l)),
		click: ns => choose(queue, ns, lane) };
}

function leftRow(vgpu, list) {
	const most = (start, choose) => list.reduce((so_far, c) => c.value.reduce((a, b) => choose(a, b), so_far), start);
	const row = { label: 'slice left', h: 26, vgpu, counters: list, low: most(0, Math.min), high: most(1, Math.max),
		draw: (y, h) => drawLeft(row, y, h),
		tip: ns => list.map(c => {
			const k = after(c.at, ns) - 1;

			return k < 0 ? null : (c.engine ? c.engine + ': ' : '') + span(c.value[k]) + ' of its slice left';
		}).filter(Boolean).join('\n') };

	return row;
}

/* no vGPU's: red where a vCPU would run if it could */
const vcpuFills = () => [paint('#6b7280', 0), paint('#6b7280', 3, true), paint('#b3261e', 5), paint('#b3261e', 1, true),
	paint('#b8bec5', 0, true), paint('#7d8590', 2, true)];
const VCPU_STATES = ['in the guest', 'in the VMM', 'preempted', 'runnable, waits for a CPU', 'blocked', 'unknown'];
function vcpuRow(lane) {
	const vgpu = lane.vgpu === null ? null : vgpus[lane.vgpu];
	const parts = partsOf(lane, VCPU_STATES.length);

	return { label: 'vCPU ' + (lane.vcpu ?? '?') + ' ' + (vgpu ? 'of ' + vgpu.title : isolated(lane.comm || 'thread ' + lane.tid)), h: 14, thread: lane,
		draw(y, h) { drawParts(parts.map(p => ({ ...p, fill: vcpuFills()[p.state], label: VCPU_STATES[p.state] })), y, h); },
		tip: ns => partTip(parts, ns, (p, s, e) => 'vCPU thread ' + lane.tid + ' ' + isolated(lane.comm ?? '') + ': ' + VCPU_STATES[p.state] + ', ' + span(e - s)) };
}

/* Of many queues, each has one row until it is opened, and what leads to one puts it first. */
const MOST_CARDS = 8, MANY = queues.length > MOST_CARDS;
let pinned = null;
const inOrder = () => pinned ? [pinned, ...queues.filter(queue => queue !== pinned)] : queues;

const cached = new Map();
const once = (key, make) => {
	if (!cached.has(key))
		cached.set(key, make());
	return cached.get(key);
};

function layout() {
	rows = [...once('turns', turnRows)];
	for (const engine of engines)
		rows.push(once(engine, () => engineRow(engine)), once(engine.lane, () => utilisationRow(engine)));
	for (const queue of inOrder()) {
		const main = once(queue, () => queueRow(queue));

		main.least = (queue.open ? '▾ ' : '▸ ') + queue.vgpu.name;
		main.label = (queue.open ? '▾ ' : '▸ ') + queue.vgpu.named;
		if (queue.vgpu.named === queue.vgpu.name)
			main.brief = (queue.open ? '▾ ' : '▸ ') + queue.vgpu.id + main.end;
		rows.push(main);
		if (MANY && !queue.open)
			continue;
		rows.push(once(queue.level, () => levelRow(queue)), once(queue.workloads, () => latencyRow(queue)));
		const left = counters.filter(c => c.kind === 'slice left' && vgpus[c.vgpu] === queue.vgpu && c.value.some(v => v !== c.value[0]));
		if (left.length && queues.find(q => q.vgpu === queue.vgpu) === queue)
			rows.push(once(left[0], () => leftRow(queue.vgpu, left)));
		if (queue.open)
			rows.push(...queue.slots.slice(0, SHOWN_SLOTS).map(lane => once(lane, () => slotRow(queue, lane))));
	}
	rows.push(...vcpus.map(lane => once(lane, () => vcpuRow(lane))));
	let y = TOP;
	for (const row of rows) {
		y += (row.gap ?? 0) + 3;
		row.y = y;
		y += row.h;
	}
	resize(y + 6);
}

function resize(height) {
	const scale = devicePixelRatio || 1;

	width = $('chart').clientWidth || 1000;
	canvas.style.width = width + 'px';
	canvas.style.height = height + 'px';
	canvas.width = Math.round(width * scale);
	canvas.height = Math.round(height * scale);
	ctx.setTransform(scale, 0, 0, scale, 0, 0);
	dirty = true;
	draw();
}

function drawRuler() {
	ctx.font = '11px system-ui, sans-serif';
	ctx.textBaseline = 'top';
	const apart = Math.max(ctx.measureText(clock(view.to, 9) + ' s').width + 8, 130);
	const raw = Math.max((view.to - view.from) * apart / plotWidth(), 1);
	const power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map(m => m * power).find(s => s >= raw);
	const digits = Math.min(Math.max(9 - Math.floor(Math.log10(step)), 0), 9);
	const base = Number(START % BigInt(step));

	for (let t = Math.ceil((view.from + base) / step) * step - base; t <= view.to; t += step) {
		const x = toX(t);

		ctx.fillStyle = colours.grid;
		ctx.fillRect(x, TOP - 4, 1, canvas.height);
		ctx.fillStyle = colours.dim;
		ctx.fillText(clock(t, digits) + ' s', x + 3, 4);
	}
	if (BINS_FROM >= view.from && BINS_FROM < view.to)
		drawBinsFrom(toX(BINS_FROM));
}

/* where single intervals end */
function drawBinsFrom(x) {
	ctx.strokeStyle = ctx.fillStyle = colours.lost;
	ctx.setLineDash([4, 3]);
	ctx.beginPath();
	ctx.moveTo(x, 0);
	ctx.lineTo(x, canvas.height);
	ctx.stroke();
	ctx.setLineDash([]);
	ctx.fillText('sums over bins →', x + 3, 14);
}

/* its waits, and the way to the engine and back */
function drawChosen() {
	if (!chosen)
		return;
	const { queue, w } = chosen, own = rows.find(r => r.queue === queue && r.click && r.strong);
	const engine = rows.find(r => r.engine && r.engine.name === queue.engine && r.engine.dev === queue.dev);

	if (!own || !engine)
		return;
	ctx.save();
	ctx.beginPath();
	ctx.rect(GUTTER, 0, plotWidth(), canvas.height);
	ctx.clip();
	ctx.strokeStyle = ctx.fillStyle = colours.fg;
	ctx.lineWidth = 2;
	for (let k = w.first; k <= w.last; k++) {
		const x0 = toX(w.lane.s[k]), x1 = toX(w.lane.e[k]), state = w.lane.what[k] & 7;

		if (state === EXECUTES) {
			ctx.strokeRect(x0, engine.y - 1, Math.max(x1 - x0, 1), engine.h + 2);
			arrow(x0, own.y + own.h * 0.75, x0, engine.y + engine.h + 2);
			arrow(x1, engine.y + engine.h + 2, x1, own.y);
		} else {
			ctx.setLineDash(state === COMPLETES ? [2, 3] : []);
			ctx.strokeRect(x0, own.y + own.h / 2, Math.max(x1 - x0, 1), own.h / 2);
			ctx.setLineDash([]);
		}
	}
	for (const { lane, at, woken } of marksOf(chosen)) {
		const thread = rows.find(r => r.thread === lane);

		arrow(toX(at), woken ? own.y + own.h : thread.y, toX(at), woken ? thread.y : own.y + own.h);
	}
	ctx.restore();
}

/* when vCPUs queued a workload, and were woken up as it was complete */
const marksOf = ({ queue, w }) => vcpus.filter(lane => vgpus[lane.vgpu] === queue.vgpu)
	.flatMap(lane => lane.marks.filter(mark => mark.id === w.id).map(mark => ({ lane, ...mark })));

function arrow(x0, y0, x1, y1) {
	const up = y1 < y0 ? 6 : -6;

	ctx.beginPath();
	ctx.moveTo(x0, y0);
	ctx.lineTo(x1, y1);
	ctx.moveTo(x1 - 3.5, y1 + up);
	ctx.lineTo(x1, y1);
	ctx.lineTo(x1 + 3.5, y1 + up);
	ctx.stroke();
}

function drawNow() {
	dirty = false;
	ctx.fillStyle = colours.bg;
	ctx.fillRect(0, 0, canvas.width, canvas.height);
	drawRuler();
	for (const row of rows) {
		if (row.gap) {
			ctx.fillStyle = colours.line;
			ctx.fillRect(0, row.y - 6, width, 1);
		}
		ctx.save();
		ctx.beginPath();
		ctx.rect(GUTTER, row.y, plotWidth(), row.h);
		ctx.clip();
		ctx.restore();
		row.draw(row.y, row.h);
		ctx.textBaseline = 'middle';
		ctx.textAlign = 'left';
		ctx.fillStyle = row.strong ? colours.fg : colours.dim;
		ctx.fillText(labelOf(row), row.strong ? 6 : 20, row.y + Math.min(row.h / 2, 20));
	}
	drawChosen();
	const digits = view.to - view.from < 1e5 ? 9 : 6;
	$('range').textContent = clock(view.from, digits) + ' s to ' + clock(view.to, digits) + ' s (' + span(view.to - view.from) + ')';
}

/*
 * In the row's font, which it sets: as much of its beginning as there is room for, and all of its
 * end; or what is brief.
 */
function labelOf(row) {
	const end = row.end ?? '';

	ctx.font = (row.strong ? '600 12px' : '11px') + ' system-ui, sans-serif';
	const wide = text => ctx.measureText(text).width, room = GUTTER - (row.strong ? 10 : 62);

	// what cannot be left out of its beginning has no room beside its end
	if (wide((row.least ?? '') + '…' + end) > room || (row.brief && wide(row.label + end) > room))
		return fit(row.brief ?? row.label + end, room);
	return fit(row.label, room - wide(end)) + end;
}

const LONGEST_LABEL = 80;	// characters; more have no room in any font
function fit(text, room) {
	if (ctx.measureText(text).width <= room)
		return text;
	const letters = [...text].slice(0, LONGEST_LABEL), cut = () => isolated(letters.join('') + '…');

	while (letters.length > 1 && ctx.measureText(cut()).width > room)
		letters.pop();
	return cut();
}

let asked = false;
function draw() {
	dirty = true;
	if (asked)
		return;
	asked = true;
	requestAnimationFrame(() => {
		asked = false;
		if (dirty)
			drawNow();
		drawDistribution();
		writeState();
	});
}

// --- moving --------------------------------------------------------------------------------
function show(from, to) {
	const length = Math.min(Math.max(to - from, 50), LENGTH);

	from = Math.min(Math.max(from + (to - from - length) / 2, 0), LENGTH - length);
	view = { from, to: from + length };
	draw();
}

const zoom = (factor, about) => show(about - (about - view.from) * factor, about + (view.to - about) * factor);
const pan = part => { const d = (view.to - view.from) * part; show(view.from + d, view.to + d); };
const middle = () => (view.from + view.to) / 2;
function showMoment(at, length) {
	const room = Math.max(length * 0.6, 2000);

	show(at - room, at + length + room);
	$('timeline').scrollIntoView({ block: 'start' });
}

/* the same of what waited in a queue, which is chosen, and, of many, the first one below the engines */
function showWait(queue, at, length) {
	pin(queue);
	showMoment(at, length);
	choose(queue, at + length / 2);
}

function pin(queue) {
	if (!MANY || !queue || pinned === queue)
		return;
	pinned = queue;
	layout();
}

function writeState() {
	const state = 't=' + Math.round(view.from) + ',' + Math.round(view.to) +
		(chosen ? '&w=' + chosen.queue.dev + ':' + chosen.w.id : '') +
		(queues.some(q => q.open) ? '&e=' + queues.flatMap((q, nr) => q.open ? [nr] : []).join() : '');

	// compare --html shows two pages, in frames, which have no address
	if (FRAME)
		FRAME.told?.(state, { ...view });
	else if (location.hash !== '#' + state)
		history.replaceState(null, '', '#' + state);
}

function readState() {
	const state = new URLSearchParams(FRAME ? FRAME.state : location.hash.slice(1));
	const [from, to] = (state.get('t') ?? '').split(',').map(Number);
	const [dev, id] = (state.get('w') ?? '').split(':').map(Number);

	(state.get('e') ?? '').split(',').forEach(nr => { if (nr !== '' && queues[nr]) queues[nr].open = true; });
	if (Number.isFinite(from) && Number.isFinite(to) && to > from)
		view = { from: Math.max(from, 0), to: Math.min(to, LENGTH) };
	if (!(view.to > view.from))
		view = { from: 0, to: LENGTH };
	if (state.has('w') && findWorkload(id, dev))
		pin(chosen.queue);
}

// --- choosing --------------------------------------------------------------------------------
function choose(queue, ns, lane) {
	if (!queue)
		return;
	const at = queue.workloads.filter(w => w.from <= ns && ns <= w.to && (!lane || w.lane === lane));
	const runs = at.find(w => stateAt(w, ns) === EXECUTES);

	chooseWorkload(queue, runs ?? at[0] ?? null);
}

function stateAt(w, ns) {
	for (let k = w.first; k <= w.last; k++)
		if (w.lane.s[k] <= ns && ns < w.lane.e[k])
			return w.lane.what[k] & 7;
	return -1;
}

function chooseWorkload(queue, w) {
	chosen = w ? { queue, w } : null;
	tellChosen();
	writeState();
	draw();
}

function findWorkload(id, dev) {
	for (const queue of queues) {
		const w = (dev === undefined || queue.dev === dev) && queue.workloads.find(one => one.id === id);

		if (w) {
			chooseWorkload(queue, w);
			return w;
		}
	}
	return null;
}

/* The way of a workload: its time in pieces that follow one another, each with its cause. */
function wayOf({ queue, w }) {
	const way = [];

	for (let k = w.first; k <= w.last; k++) {
		const state = w.lane.what[k] & 7, s = w.lane.s[k], e = w.lane.e[k];

		if (state === WAITS || state === PREEMPTED)
			way.push(...causes(queue, s, e, state));
		else if (e > s)
			way.push({ s, e, text: state === EXECUTES ? 'executes on ' + queue.engine : state === COMPLETES ?
				'has executed; the host notices and notifies the guest' : 'events were lost' });
	}
	return way;
}

function causes(queue, from, to, state) {
	const list = [];

	for (const p of queue.parts)
		for (let k = after(p.part.e, from); k < p.part.s.length && p.part.s[k] < to; k++)
			list.push({ s: Math.max(p.part.s[k], from), e: Math.min(p.part.e[k], to), text: 'waits ' + p.text, culprit: p.culprit });
	list.sort((a, b) => a.s - b.s);
	const all = [], rest = state === PREEMPTED ? 'is off the engine' : 'is submitted, and waits for the engine behind other work';
	let t = from;

	for (const one of [...list, { s: to, e: to }]) {
		if (one.s > t)
			all.push({ s: t, e: one.s, text: rest });
		if (one.e > Math.max(one.s, t))
			all.push({ ...one, s: Math.max(one.s, t) });
		t = Math.max(t, one.e);
	}
	return all.reduce((merged, one) => {
		const last = merged.at(-1);

		if (last?.text === one.text)
			last.e = one.e;
		else
			merged.push(one);
		return merged;
	}, []);
}

function tellChosen() {
	const box = $('detail');

	box.replaceChildren();
	if (!chosen) {
		box.append(element('span', { className: 'dim', textContent: 'Click on work in the timeline to see what it waited for.' }));
		return;
	}
	const { queue, w } = chosen, way = wayOf(chosen);

	const [by, woken] = [false, true].map(kind => marksOf(chosen).find(mark => mark.woken === kind));

	box.append(element('b', { textContent: 'Workload ' + w.id + ' of ' + queue.vgpu.label + ' on ' + queue.engine }),
		   ', queued ' + (by ? 'by vCPU ' + (by.lane.vcpu ?? by.lane.tid) + ' ' : '') + 'at ' + clock(w.from, 9) + ' s, ' + span(w.to - w.from) + ' in all' +
		   (woken ? '; its completion woke up vCPU ' + (woken.lane.vcpu ?? woken.lane.tid) + ' after ' + span(woken.at - w.from) : '') + (w.failed ? ', failed' : '') + ': ');
	if (way.length > SHOWN_STEPS)
		box.append(sumUp(way) + '. The longest steps, in their order:');
	const longest = new Set([...way].sort((a, b) => b.e - b.s - a.e + a.s).slice(0, SHOWN_STEPS));
	box.append(element('ol', {}, ...way.filter(p => longest.has(p)).map(p => element('li', {}, element('button', { className: 'link', textContent: p.text,
		onclick: () => show(p.s - (p.e - p.s) * 0.3, p.e + (p.e - p.s) * 0.3) }), ' ' + span(p.e - p.s)))));
}

const SHOWN_STEPS = 12;
/* "executes on rcs0 300 ms (80 times), waits for vGPU 2 100 ms (3 times)" */
const sumUp = way => [...byKey(way, p => p.text)].map(([text, list]) => [text, list.reduce((sum, p) => sum + p.e - p.s, 0), list.length])
	.sort((a, b) => b[1] - a[1]).map(([text, sum, times]) => text + ' ' + span(sum) + (times > 1 ? ' (' + times + ' times)' : '')).join(', ');

/* the longest waits, for keys n and p */
const worst = (doc.worst ?? []).map(m => ({ ...m, at: m.at_ns - doc.window_start_ns }));
let worstNr = -1;
function showWorst(nr) {
	if (!worst.length)
		return;
	worstNr = (nr + worst.length) % worst.length;
	const m = worst[worstNr];

	showWait(queueOf(vgpuOf(m.dev, m.vgpu_id), m.engine), m.at, m.wait_ns);
}

// --- pointer and keys ----------------------------------------------------------------------------
const rowAt = y => rows.find(r => y >= r.y && y < r.y + r.h);
canvas.addEventListener('wheel', event => {
	event.preventDefault();
	if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
		pan((event.deltaX || event.deltaY) / plotWidth());
	else
		zoom(Math.exp(Math.max(Math.min(event.deltaY, 300), -300) * 0.0018), toTime(Math.max(event.offsetX, GUTTER)));
}, { passive: false });

let drag = null;
canvas.addEventListener('pointerdown', event => {
	drag = { x: event.offsetX, y: event.offsetY, view: { ...view }, moved: false };
	canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener('pointermove', event => {
	if (drag && Math.abs(event.offsetX - drag.x) > 3)
		drag.moved = true;
	if (drag?.moved) {
		const d = (drag.x - event.offsetX) / plotWidth() * (drag.view.to - drag.view.from);

		show(drag.view.from + d, drag.view.to + d);
	}
	showTip(event);
});
canvas.addEventListener('pointerup', event => {
	const was = drag;

	drag = null;
	if (was && !was.moved)
		click(event);
});
canvas.addEventListener('pointerleave', () => { $('tip').hidden = true; });
canvas.addEventListener('dblclick', () => show(0, LENGTH));

function click(event) {
	const row = rowAt(event.offsetY);

	if (row && event.offsetX < GUTTER)
		row.toggle?.();
	else
		row?.click?.(toTime(event.offsetX));
	writeState();
}

function showTip(event) {
	const row = rowAt(event.offsetY), tip = $('tip');
	const text = row && event.offsetX >= GUTTER && !drag?.moved && row.tip ?
		row.tip(toTime(event.offsetX), event.offsetY - row.y, row.h) : null;

	tip.hidden = !text;
	if (!text)
		return;
	tip.textContent = text + '\n' + clock(toTime(event.offsetX), 9) + ' s';
	tip.style.left = Math.min(event.offsetX + 14, width - 300) + 'px';
	tip.style.top = event.offsetY + 16 + 'px';
}

function neighbour(step) {
	if (!chosen) {
		const queue = queues.find(q => q.workloads.length);

		if (queue)
			chooseWorkload(queue, queue.workloads.find(w => w.to > view.from) ?? queue.workloads[0]);
		return;
	}
	const list = chosen.queue.workloads, w = list[list.indexOf(chosen.w) + step];

	if (!w)
		return;
	if (w.to < view.from || w.from > view.to)
		show(w.from - (view.to - view.from) / 2, w.from + (view.to - view.from) / 2);
	chooseWorkload(chosen.queue, w);
}

function toggleTheme() {
	const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)').matches;
	const now = root.dataset.theme ?? (dark ? 'dark' : 'light');

	root.dataset.theme = now === 'dark' ? 'light' : 'dark';
	restyle();
}

function restyle() {
	readColours();
	drawCards();
	drawLegend();
	draw();
}

/* Paper is light, and has what is drawn when this ends; a canvas that is made anew is empty until the next frame. */
let screenTheme;
function toPaper() {
	screenTheme = document.documentElement.dataset.theme;
	document.documentElement.dataset.theme = 'light';
	restyle();
	drawNow();
	drawDistribution();
}

function toScreen() {
	delete document.documentElement.dataset.theme;
	if (screenTheme)
		document.documentElement.dataset.theme = screenTheme;
	restyle();
}

const keys = {
	w: () => zoom(0.7, middle()), s: () => zoom(1 / 0.7, middle()), a: () => pan(-0.2), d: () => pan(0.2),
	ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), '0': () => show(0, LENGTH),
	n: () => showWorst(worstNr + 1), p: () => showWorst(worstNr - 1),
	'.': () => neighbour(1), ',': () => neighbour(-1),
	f: () => { if (chosen) showMoment(chosen.w.from, chosen.w.to - chosen.w.from); },
	e: () => { const open = !queues.some(q => q.open); queues.forEach(q => { q.open = open; }); layout(); writeState(); },
	t: toggleTheme, '/': () => { $('find').focus(); $('find').select(); },
	'?': () => $('help').showModal(), Escape: () => chooseWorkload(null, null),
};
document.addEventListener('keydown', event => {
	if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'INPUT' || $('help').open)
		return;
	const key = keys[event.key] ?? keys[event.key.toLowerCase()];

	if (!key || (event.key.startsWith('Arrow') && event.target !== canvas))
		return;
	event.preventDefault();
	key();
});
$('find').addEventListener('keydown', event => {
	if (event.key === 'Escape')
		canvas.focus();
	if (event.key !== 'Enter')
		return;
	const text = event.target.value.trim();

	if (/^\d+$/.test(text)) {
		const w = findWorkload(Number(text));

		if (w)
			showMoment(w.from, w.to - w.from);
		event.target.setCustomValidity(w ? '' : 'there is no workload ' + text);
	} else if (Number.isFinite(parseFloat(text))) {
		const at = parseFloat(text) * 1e9 - doc.window_start_ns, half = Math.min((view.to - view.from) / 2, 5e6);

		show(at - half, at + half);
	}
	event.target.reportValidity();
	canvas.focus();
});
for (const [id, key] of Object.entries({ whole: '0', in: 'w', out: 's', left: 'a', right: 'd', 'help-button': '?', theme: 't' }))
	$(id).onclick = () => keys[key]();
addEventListener('resize', layout);
addEventListener('beforeprint', toPaper);
addEventListener('afterprint', toScreen);
addEventListener('hashchange', () => { readState(); layout(); });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', restyle);

// --- the rest of the page ----------------------------------------------------------------------
function warning(text) {
	$('warnings').append(element('p', { className: 'warning', textContent: text }));
}

const settingsOf = gpu => [several && 'GPU ' + gpu.dev, gpu.policy && 'policy ' + gpu.policy, gpu.dispatch && 'dispatch ' + gpu.dispatch]
	.filter(Boolean).join(several ? ' ' : ' · ');

function tellAbout() {
	const trace = doc.trace;

	document.title = 'GVT-g: ' + (trace.file ?? 'trace');
	$('about').textContent = [isolated(trace.file ?? ''), span(LENGTH) + ' from ' + clock(0) + ' s on', counted(trace.events, 'event'),
		'clock ' + trace.clock, doc.recorded?.kernel, ...[...doc.gpus].sort((a, b) => a.dev - b.dev).map(settingsOf)]
		.filter(Boolean).join(' · ');
	if (doc.lost.gaps)
		warning('Events were lost: at least ' + doc.lost.events_min + ' in ' + doc.lost.gaps + ' gaps. Where that makes a row uncertain, it is hatched ' +
			'in orange; what is not known there is not drawn, and sums over it are lower bounds.');
	if (BINS_FROM < Infinity)
		warning('The trace is long: there are single intervals and workloads up to ' + clock(BINS_FROM) + ' s. From there on, there are sums over bins of ' + span(doc.bin_ns) +
			', which are exact for each bin. --time shows a part with all of its intervals.');
	if (doc.dropped)
		warning(doc.dropped + ' intervals are not shown: more workloads were alive at once than there are lanes.');
	for (const one of doc.contradictions)
		warning(one.text ?? 'The trace contradicts itself: ' + one.sum);
	if (!vgpus.length)
		warning('There are no events of GVT-g in this trace: nothing can be shown. Record with gvt-stat record, or with trace-cmd record -e gvt.');
}

/* of a vGPU's waits, over all of its queues; the JSON of why waits has them */
const waitsOf = vgpu => doc.blame.filter(b => b.dev === vgpu.dev && b.vgpu_id === vgpu.id);
function blameWords(row) {
	const culprit = row.culprit_vgpu_id === null ? null : vgpuOf(row.dev, row.culprit_vgpu_id);
	const reason = doc.names.reasons.indexOf(row.reason);

	return waitOf(reason + 16 * (culprit ? vgpus.indexOf(culprit) + 1 : 0));
}

/* waits by who or what is to blame, the longest first: that one was preempted is its culprit's, too */
function sumCauses(rowsOf) {
	const causes = [...byKey(rowsOf, r => r.culprit_vgpu_id ?? r.reason).values()].map(list => ({
		words: blameWords(list.find(r => r.reason === 'other') ?? list[0]),
		wait_ns: list.reduce((sum, r) => sum + r.wait_ns, 0) }));

	for (const cause of causes)
		if (cause.words.culprit)
			Object.assign(cause.words, { text: 'for ' + cause.words.culprit.label, short: cause.words.culprit.name });
	return causes.sort((a, b) => b.wait_ns - a.wait_ns);
}

/* of a workload, for all reasons together */
function longestWait(queue) {
	const engine = doc.vgpus.find(v => v.dev === queue.vgpu.dev && v.vgpu_id === queue.vgpu.id)?.engines.find(e => e.engine === queue.engine);

	return engine?.wait_max_ns != null ? 'Longest wait of a workload: ' + span(engine.wait_max_ns) + '. ' : '';
}

function cardText(queue, rowsOf) {
	const total = rowsOf.reduce((sum, r) => sum + r.wait_ns, 0), [top] = sumCauses(rowsOf);
	const box = element('p');

	if (rowsOf.some(r => r.wait_ns === null)) {
		box.append('For how long it waited is not known: the trace contradicts itself.');
		return box;
	}
	if (!total) {
		box.append('Its work on ' + queue.engine + ' never had to wait.');
		return box;
	}
	const longest = [...rowsOf].filter(r => r.reason !== 'own').sort((a, b) => b.worst_ns - a.worst_ns)[0];

	box.append('Work for ' + queue.engine + ' waited ', element('b', { textContent: percent(100 * total / LENGTH) + ' of the time' }),
		   ', mostly ', element('b', { textContent: top.words.text }), ' (' + percent(100 * top.wait_ns / LENGTH) + '). ');
	if (longest)
		box.append(longestWait(queue) + 'Longest at a stretch: ' + span(longest.worst_ns) + ' ' + blameWords(longest).text + ' ',
			   element('button', { className: 'link', textContent: 'show it', onclick: () => {
				showWait(queue, longest.worst_at_ns - doc.window_start_ns, longest.worst_ns);
			   } }));
	return box;
}

/* what part of a time it is for which a workload waits for others */
const FOR_OTHERS = { other: 'for other vGPUs', throttled: 'without a slice', capped: 'at its cap', held: 'for an engine that is kept idle for another one',
	host: "for the host's own work", switching: 'for the scheduler', preempted: 'for what preempted it' };

/* the one thing to know: the slowest, as in report and check, and what check finds first */
function tellLead() {
	const slowest = doc.slowest && vgpuOf(doc.slowest.dev, doc.slowest.vgpu_id);

	if (slowest)
		$('lead').append(element('b', { textContent: slowest.label + ' is the slowest: ' + (doc.slowest.slowdown === null ? 'it completed nothing' :
			'its work takes ' + doc.slowest.slowdown.toFixed(2) + ' times as long as alone') }),
			', and waits mostly ' + (FOR_OTHERS[doc.slowest.mostly] ?? doc.slowest.mostly) + '.');
	if (slowest && doc.findings.length)
		$('lead').append(' First finding: ' + doc.findings[0].problem + '.');
	if (slowest)
		return;
	const all = queues.flatMap(queue => sumCauses(waitsOf(queue.vgpu).filter(r => r.engine === queue.engine && r.reason !== 'own' && r.wait_ns))
		.map(cause => ({ queue, ...cause }))).sort((a, b) => b.wait_ns - a.wait_ns);
	const top = all.find(a => a.words.reason !== 'unknown');

	if (!(top?.wait_ns >= LENGTH / 1000)) {
		$('lead').append(doc.blame.some(r => r.reason === 'unknown') || !doc.blame.length ? '' : 'Nobody had to wait for another one for as much as 0.1 % of the time.');
		return;
	}
	$('lead').append(element('b', { textContent: top.queue.vgpu.label + ' waits most ' + top.words.text }), ': ' + span(top.wait_ns) + ', ' +
		percent(100 * top.wait_ns / LENGTH) + ' of the time, on ' + top.queue.engine + '.');
}

/* of many, those that waited most are shown at first */
const cards = [];

function hideCards() {
	const rest = [...cards].sort((a, b) => b.waited - a.waited).slice(MOST_CARDS);

	if (!rest.length)
		return;
	for (const { box } of rest)
		box.hidden = true;
	$('summary').append(element('button', { id: 'more', textContent: 'show ' + rest.length + ' more, which waited less', onclick: () => {
		for (const { box } of rest)
			box.hidden = false;
		$('more').remove();
		drawCards();
	} }));
}

function makeCards() {
	for (const queue of queues) {
		const { vgpu } = queue, report = doc.vgpus.find(v => v.dev === vgpu.dev && v.vgpu_id === vgpu.id);
		const engine = report?.engines.find(e => e.engine === queue.engine);
		const rowsOf = waitsOf(vgpu).filter(r => r.engine === queue.engine);
		const has = element('canvas', { className: 'track' }), waits = element('canvas', { className: 'track' });
		const share = engine?.utilization_percent ?? null, used = queue.runs ? busy(queue.runs, LENGTH) : 0;

		has.setAttribute('aria-label', 'share of the engine');
		waits.setAttribute('aria-label', 'share of the time in which its work waited, by cause');
		const box = element('div', { className: 'card' }, element('h3', { textContent: queue.title }),
			element('p', {}, 'Had the engine ', element('b', { textContent: (share === null && doc.lost.gaps ? 'at least ' : '') + percent(100 * used / LENGTH) + ' of the time' }),
				report?.weight_share_percent != null ? '; its weight entitles it to ' + percent(report.weight_share_percent) : '',
				engine?.latency_p95_ns != null ? '. Latency: 95 % within ' + span(engine.latency_p95_ns) : '', '.'), has,
			cardText(queue, rowsOf), waits);

		$('summary').append(box);
		cards.push({ queue, rowsOf, has, waits, used, box, waited: rowsOf.reduce((sum, row) => sum + row.wait_ns, 0) });
	}
	hideCards();
}

function drawCards() {
	for (const card of cards) {
		drawTrack(card.has, [{ part: card.used / LENGTH, fill: () => paintVgpu(card.queue.vgpu), text: 'executes' }]);
		drawTrack(card.waits, sumCauses(card.rowsOf).map(({ words, wait_ns }) => (
			{ part: wait_ns / LENGTH, fill: () => paintWait(words), text: words.short })));
	}
}

function drawTrack(track, list) {
	const scale = devicePixelRatio || 1, w = track.clientWidth || 400, h = 22, c = track.getContext('2d');
	let x = 0;

	track.width = w * scale;
	track.height = h * scale;
	c.setTransform(scale, 0, 0, scale, 0, 0);
	c.strokeStyle = colours.line;
	c.strokeRect(0.5, 0.5, w - 1, h - 1);
	c.font = '11px system-ui, sans-serif';
	c.textBaseline = 'middle';
	for (const { part, fill, text } of list) {
		const length = part * w, room = c.measureText(text).width;

		c.fillStyle = fill();
		c.fillRect(x, 0, length, h);
		if (room + 10 < length) {
			c.globalAlpha = 0.82;
			c.fillStyle = colours.bg;
			c.fillRect(x + 3, 4, room + 5, 14);
			c.globalAlpha = 1;
			c.fillStyle = colours.fg;
			c.fillText(text, x + 5, h / 2 + 0.5);
		}
		x += length;
	}
}

function swatch(fill) {
	const tile = element('canvas', { width: 22, height: 14 }), c = tile.getContext('2d');

	c.fillStyle = fill;
	c.fillRect(0, 0, 22, 14);
	return tile;
}

function drawLegend() {
	const used = new Map();

	for (const queue of queues)
		for (const p of queue.parts)
			if (!p.culprit)
				used.set(p.reason, p);
	$('legend').replaceChildren(...[...vgpus].sort((a, b) => a.nr - b.nr).map(v =>
		element('span', {}, swatch(paintVgpu(v)), swatch(paintVgpu(v, true)), v.label)),
		...vgpus.length ? [element('span', { textContent: 'full: it executes; pale: ' + (kinds('turns').length ? 'it has its turn, or ' : '') + 'others wait for it' })] : [],
		...[...used.values()].map(p => element('span', {}, swatch(paintWait(p)), 'waits ' + p.text)),
		...VCPU_STATES.slice(0, vcpus.length ? undefined : 0).map((state, nr) => element('span', {}, swatch(vcpuFills()[nr]), 'vCPU ' + state)));
}

function tellFindings() {
	const list = $('findings');

	for (const finding of doc.findings) {
		const item = element('li', {}, element('b', { textContent: finding.problem + '. ' }));

		if (finding.for_ns !== undefined)
			item.append(element('button', { className: 'link', textContent: 'Show the moment', onclick: () => {
				const vgpu = vgpuOf(finding.dev, finding.vgpu_id), queue = vgpu && (queueOf(vgpu, finding.engine) ?? queues.find(q => q.vgpu === vgpu));

				showWait(queue, finding.at_ns - doc.window_start_ns, finding.for_ns);
			} }));
		else
			item.append('This is about the whole trace.');
		item.append(element('div', { className: 'dim', textContent: 'Evidence: ' + finding.evidence }),
			    element('div', { textContent: 'Remedy: ' + finding.remedy }));
		list.append(item);
	}
	if (!doc.findings.length)
		list.replaceWith(element('p', { textContent: 'The rules of gvt-stat check found nothing.' }));
}

/* rows: queues; columns: whom or what they waited for */
function tellBlame() {
	const told = doc.blame, heads = new Map();

	if (!told.length) {
		$('blame').append(element('p', { className: 'dim', textContent: 'Nothing waited, or the trace does not show for whom.' }));
		return;
	}
	const order = r => (r.reason === 'other' ? 0 : doc.names.reasons.indexOf(r.reason) + 1) * 1e6 + (r.culprit_vgpu_id ?? 0);
	for (const row of [...told].sort((a, b) => order(a) - order(b)))
		heads.set(blameWords(row).text, blameWords(row));
	const table = element('table', {}, element('tr', {}, element('th', { textContent: 'vGPU, engine' }), element('th', { textContent: 'waited' }),
		...[...heads.values()].map(h => element('th', { textContent: !h.culprit ? h.short : (h.reason === 'other' ? '' : h.reason === 'held' ? 'held ' : 'preempted ') + (h.reason === 'preempted' ? 'by ' : 'for ') + h.culprit.title }))));

	for (const queue of queues) {
		const mine = waitsOf(queue.vgpu).filter(r => r.engine === queue.engine), total = mine.reduce((s, r) => s + r.wait_ns, 0);
		const line = element('tr', {}, element('th', { textContent: queue.title }), element('td', { textContent: span(total) + ' (' + percent(100 * total / LENGTH) + ')' }));

		for (const text of heads.keys()) {
			const row = mine.find(r => blameWords(r).text === text);

			line.append(row ? blameCell(queue, row) : element('td', { className: 'none', textContent: '·' }));
		}
		table.append(line);
	}
	$('blame').append(table);
}

function blameCell(queue, row) {
	const part = 100 * row.wait_ns / LENGTH, go = () => showWait(queue, row.worst_at_ns - doc.window_start_ns, row.worst_ns);
	const cell = element('td', { className: 'cell', title: row.count + ' waits, the longest ' + span(row.worst_ns), onclick: go },
			     element('button', { className: 'link', textContent: row.wait_ns === null ? 'unknown' : span(row.wait_ns) }), ' ' + percent(part));

	cell.style.background = 'color-mix(in srgb, ' + (blameWords(row).culprit?.colour ?? '#7d8590') + ' ' + Math.min(part, 40) + '%, transparent)';
	return cell;
}

/* where events were lost, between which it is */
function percents(values, key) {
	const least = values[key + '_min'], most = values[key + '_max'];

	return values[key] != null || least == null || most == null ? percent(values[key] ?? NaN) : percent(least) + ' to ' + percent(most);
}

function tellShares() {
	const names = doc.vgpus.some(v => v.vm);
	const table = element('table', {}, element('tr', {}, ...['vGPU', 'weight', 'entitled to', 'executed', 'of all execution', 'scheduled', ...names ? ['VM'] : []].map(t => element('th', { textContent: t }))));

	for (const v of doc.vgpus)
		table.append(element('tr', {}, ...[vgpuOf(v.dev, v.vgpu_id)?.title ?? 'vGPU ' + v.vgpu_id, v.weight ?? 'unknown', percent(v.weight_share_percent ?? NaN),
			(v.engines.some(e => e.exec_ns === null) ? 'at least ' : '') + span(v.engines.reduce((sum, e) => sum + (e.exec_ns ?? e.exec_ns_min ?? NaN), 0)), percents(v, 'exec_share_percent'), percents(v, 'scheduled_percent'),
			...names ? [isolated(v.vm ?? 'unknown')] : []].map((t, nr) => element('td', { textContent: t, className: nr === 6 ? 'vm' : '' }))));
	$('shares').append(table);
}

/* those that ended in the visible time, but came before the first, and the trace does not tell when */
const earlyOf = queue => queue.workloads.filter(w => isNaN(w.age) && w.lane.limits[w.first] >> 2 === 1 && (w.lane.what[w.last] & 7) === COMPLETES &&
	w.to > view.from && w.to <= view.to).length;

/* of the workloads that ended in the visible time: by powers of the square root of two */
function drawDistribution() {
	const c = $('histogram'), g = c.getContext('2d'), scale = devicePixelRatio || 1, w = $('chart').clientWidth || 1000, h = 130;
	const counts = queues.map(q => {
		const bins = new Uint32Array(128), row = once(q.workloads, () => latencyRow(q));
		let n = 0, sum = 0, most = 0;

		for (let k = after(row.ends, view.from), end = after(row.ends, view.to); k < end; k++) {
			bins[row.sizes[k]]++;
			n++;
			sum += row.latencies[k];
			most = Math.max(most, row.latencies[k]);
		}
		return { q, bins, n, sum, most, early: earlyOf(q) };
	});
	let low = 127, high = 0, top = 1;

	for (const { bins } of counts)
		bins.forEach((count, bin) => {
			if (count) {
				low = Math.min(low, bin);
				high = Math.max(high, bin);
				top = Math.max(top, count);
			}
		});
	c.hidden = low > high;
	c.style.width = w + 'px';
	c.style.height = h + 'px';
	c.width = w * scale;
	c.height = h * scale;
	g.setTransform(scale, 0, 0, scale, 0, 0);
	if (low <= high) {
		const cell = Math.min((w - 20) / (high - low + 1), 90), bar = (cell - 4) / counts.length;

		g.font = '11px system-ui, sans-serif';
		g.fillStyle = colours.grid;
		g.fillRect(0, 16, w, 1);
		for (let bin = low; bin <= high; bin++) {
			const x = 10 + (bin - low) * cell;

			counts.forEach(({ q, bins }, nr) => {
				const y = (h - 34) * bins[bin] / top;

				g.fillStyle = paintVgpu(q.vgpu);
				g.fillRect(x + nr * bar, h - 18 - y, Math.max(bar - 0.5, 0.5), y);
			});
			g.fillStyle = colours.dim;
			if (cell > 44 || (bin - low) % 4 === 0)
				g.fillText(span(2 ** (bin / 2)), x, h - 4);
		}
		g.fillText(counted(top, 'workload'), 0, 12);
	}
	$('latency').textContent = counts.map(({ q, n, sum, most, early }) => q.title + ': ' + (n ? counted(n, 'workload') + ', mean ' + span(sum / n) + ', longest ' + span(most) : 'none ended') +
		(early ? ', ' + early + ' more came before the trace' : '')).join('\n') +
		(view.to > BINS_FROM ? '\nWithout those after ' + clock(BINS_FROM) + ' s, which are in bins' : '');
}

function tellUnknown() {
	const list = $('unknown'), add = text => list.append(element('li', { textContent: text }));

	for (const m of doc.missing_events)
		add(m.event + ' (' + m.why + '): ' + m.unknown.join('; '));
	if (doc.not_checked.length)
		add('Rules that could not be checked, as events are missing: ' + doc.not_checked.join(', '));
	if (!vcpus.length)
		add('What the vCPUs did: there are no events of KVM and of the CPU’s scheduler in the trace (gvt-stat record full has them).');
	if (doc.skew?.events)
		add('The clocks of CPUs differ by up to ' + span(doc.skew.max_ns) + '.');
	add('Whatever happened before the trace began or after it ended: what is cut there says so.');
}

readColours();
document.querySelector('main').hidden = false;
for (const section of document.querySelectorAll('section.vgpus'))
	section.hidden = !vgpus.length;
if (MANY)
	$('chart').before($('detail'));
tellAbout();
tellLead();
makeCards();
tellFindings();
tellBlame();
tellShares();
tellUnknown();
$('footer').textContent = doc.tool + '. Everything is in this file, and it loads nothing from anywhere.';
readState();
tellChosen();
restyle();
layout();

/* for tests, and for who wants to know more in the browser's console */
window.gvt = { ready_ms: performance.now(), doc, lanes, engines, queues, vgpus, busy, levelArea, show, drawNow, rows: () => rows, view: () => view,
	       toX, toTime, chosen: () => chosen, wayOf, plotWidth, labelOf, GUTTER };
})();
