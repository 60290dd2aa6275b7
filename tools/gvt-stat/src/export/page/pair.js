// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';
/*
 * Shows how two traces differ, and the page of each (page.js) in a frame. Texts of the traces
 * reach the page by textContent only.
 */
(async () => {
const $ = id => document.getElementById(id);
const doc = JSON.parse($('document').textContent);
const SIDES = ['a', 'b'];

function element(tag, properties = {}, ...children) {
	const node = Object.assign(document.createElement(tag), properties);

	node.append(...children.filter(c => c !== null && c !== undefined));
	return node;
}

async function inflate(text) {
	const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));

	return new Response(stream).text();
}

// --- what changed ---------------------------------------------------------------------
const number = x => x === null || !isFinite(x) ? 'unknown' : Math.abs(x) >= 100 ? x.toFixed(1) : x.toFixed(3).replace(/^-(0\.000)$/, '$1');
const several = new Set(doc.metrics.map(m => m.dev)).size > 1;
const nameOf = m => (several ? 'GPU ' + m.dev + ' ' : '') + (m.vgpu_id === null ? 'all vGPUs' : 'vGPU ' + m.vgpu_id + (m.vm ? ' (' + m.vm + ')' : ''));
const moved = m => m.verdict === 'higher' || m.verdict === 'lower';

/* the interval as a part of the larger figure, at most twice that to each side */
function interval(m) {
	const most = Math.max(Math.abs(m.a), Math.abs(m.b)), box = element('span', { className: 'interval' });

	if (m.low === null || m.high === null || !(most > 0))
		return element('span', { className: 'dim', textContent: 'too few blocks or workloads' });
	const place = x => 50 + 50 * Math.max(Math.min(x / most, 1), -1), bar = element('i');

	bar.style.left = place(m.low) + '%';
	bar.style.width = place(m.high) - place(m.low) + '%';
	box.title = number(m.low * doc.titles[m.metric].scale) + ' to ' + number(m.high * doc.titles[m.metric].scale);
	box.append(bar);
	return box;
}

function metricLine(m) {
	const { title, scale } = doc.titles[m.metric], shown = x => number(x === null ? null : x * scale);
	const words = { higher: 'higher', lower: 'lower', same: 'the same', unclear: 'unclear' }[m.verdict] ?? 'unknown';

	const small = !moved(m) || Math.abs(m.change_percent ?? Infinity) < doc.margin_percent;

	return element('tr', { className: m.verdict === null ? 'unknown' : small ? 'same' : '' },
		...[nameOf(m), m.engine, title, shown(m.a), shown(m.b), shown(m.difference)].map(textContent => element('td', { textContent })),
		element('td', {}, interval(m)), element('td', {}, element(small ? 'span' : 'b', { textContent: words })));
}

let all = false;
function tellMetrics() {
	const list = doc.metrics.filter(m => all || moved(m));
	const table = element('table', {}, element('tr', {}, ...['vGPU', 'engine', 'figure', 'before', 'after', 'difference', 'interval', 'after is']
		.map(textContent => element('th', { textContent }))), ...list.map(metricLine));

	$('metrics').replaceChildren(list.length ? table : element('p', { textContent: 'No figure is higher or lower for certain.' }));
	$('all').textContent = all ? 'show only what is higher or lower' : 'show all ' + doc.metrics.length + ' figures';
}

function tellSettings() {
	const lines = doc.settings.map(s => element('tr', {}, ...[(several ? 'GPU ' + s.dev + ' ' : '') + s.setting, s.a ?? 'unknown', s.b ?? 'unknown']
		.map(textContent => element('td', { textContent }))));

	$('settings').append(lines.length ? element('table', {}, element('tr', {}, ...['setting', 'before', 'after']
		.map(textContent => element('th', { textContent }))), ...lines) :
		element('p', { textContent: 'None in the traces.' }));
}

/* the one thing to know: whose work waits so much less or more */
function tellLead() {
	const waits = doc.metrics.filter(m => m.metric === 'wait_mean_ns' && m.vgpu_id !== null && moved(m))
		.sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference));

	$('lead').append(...waits.slice(0, 4).map((m, nr) => element('span', {}, nr ? '; ' : '', element('b', { textContent: nameOf(m) + ' waits ' +
		(m.verdict === 'lower' ? 'less' : 'longer') + ' for ' + m.engine }), ': ' + number(m.a / 1e6) + ' ms before, ' + number(m.b / 1e6) + ' ms after')));
	if (!waits.length)
		$('lead').textContent = 'Nobody’s waits are longer or shorter for certain.';
}

function tellTrace(side, word) {
	const { trace, window_ns: length, lost } = doc[side];

	$(side).append(element('b', { textContent: word + ': ' }), trace.file ?? '', ', ' + number(length / 1e9) + ' s, ' + doc[side].blocks + ' blocks of ' +
		number(doc[side].block_ns / 1e9) + ' s' + (!lost?.gaps ? '' : '; events were lost in it' +
		(doc[side].lost_blocks ? ', so that ' + doc[side].lost_blocks + ' more are left out' : '')));
}

// --- the pages -----------------------------------------------------------------------------
const state = new URLSearchParams(location.hash.slice(1));
const frames = Object.fromEntries(SIDES.map(side => [side, $('frame-' + side)]));
const other = side => frames[side === 'a' ? 'b' : 'a'].contentWindow?.gvt;

/* the one that is moved; the other one follows */
let leader = null;

/* page.js tells whenever it has drawn */
function told(side, hash, view) {
	state.set(side, hash);
	history.replaceState(null, '', '#' + state);
	if ($('together').checked && side === leader)
		other(side)?.show(view.from, view.to);
}

async function load(side) {
	const frame = frames[side], text = await inflate($('page-' + side).textContent);

	$('page-' + side).remove();
	frame.state = state.get(side) ?? '';
	frame.told = (hash, view) => told(side, hash, view);
	frame.addEventListener('mouseenter', () => { leader = side; });
	frame.addEventListener('load', () => {
		frame.contentWindow.addEventListener('focus', () => { leader = side; });
		const { body } = frame.contentDocument;

		new ResizeObserver(() => { frame.style.height = body.scrollHeight + 40 + 'px'; }).observe(body);
	});
	frame.srcdoc = text;
}

$('confidence').textContent = 100 * doc.confidence + ' %';
tellTrace('a', 'Before');
tellTrace('b', 'After');
tellLead();
tellSettings();
tellMetrics();
$('all').addEventListener('click', () => {
	all = !all;
	tellMetrics();
});
$('together').checked = state.get('together') === '1';
$('together').addEventListener('change', () => {
	state.set('together', $('together').checked ? '1' : '0');
	history.replaceState(null, '', '#' + state);
});
$('footer').textContent = doc.tool + '. Everything is in this file, and it loads nothing from anywhere.';
await Promise.all(SIDES.map(load));

/* for tests */
window.gvt = { doc, frames, ready: () => SIDES.every(side => frames[side].contentWindow?.gvt) };
})();
