// SPDX-License-Identifier: GPL-2.0-or-later
'use strict';
/*
 * Asks Perfetto's own trace processor, as WebAssembly in this process.
 *
 *   node processor.js DIRECTORY TRACE <STATEMENTS	DIRECTORY: as get-processor prints it
 *
 * STATEMENTS is an array of texts of SQL, as JSON. Printed is an object: "load_cpu_ms", and "answers", for each
 * statement its rows, as objects.
 */
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { pathToFileURL } = require('node:url');

const SLICE = 32 << 20;		// a frame may have 64 MiB
const START_MS = 120000;		// it needs 1500 of a CPU, which others may use, too

/* It is made for a worker of a browser, which loads the WebAssembly beside itself. */
const CHANGES = [
	['this.useMemory64 = hasMemory64Support();', 'this.useMemory64 = false;'],
	['locateFile: (s) => s,', 'locateFile: (s) => s, wasmBinary: globalThis.wasmBytes,'],
	['const wasmBridge = new wasm_bridge_1.WasmBridge();',
	 'const wasmBridge = new wasm_bridge_1.WasmBridge(); globalThis.wasmBridge = wasmBridge;'],
];

function start(directory) {
	let program = fs.readFileSync(path.join(directory, 'engine_bundle.node.js'), 'utf8');

	for (const [old, changed] of CHANGES) {
		if (!program.includes(old))
			throw new Error('the trace processor is of another version: no ' + old);
		program = program.replace(old, changed);
	}
	const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

	define('self', globalThis);
	define('WorkerGlobalScope', function () {});
	define('location', { href: pathToFileURL(directory).href + '/' });
	define('wasmBytes', new Uint8Array(fs.readFileSync(path.join(directory, 'trace_processor.wasm'))));
	vm.runInThisContext(program);
	return globalThis.wasmBridge;
}

async function connect(directory) {
	process.env.NODE_ENV = 'production';
	const { EngineBase } = await import(pathToFileURL(path.join(directory, 'engine.mjs')).href);
	const { port1, port2 } = new MessageChannel();

	class Engine extends EngineBase {
		mode = 'WASM';
		id = 'test';

		constructor() {
			super();
			port2.onmessage = message => this.onRpcResponseBytes(message.data);
		}

		rpcSendRequestBytes(data) {
			port2.postMessage(data);
		}
	}
	start(directory).initialize(port1);
	return new Engine();
}

async function load(engine, name) {
	const bytes = fs.readFileSync(name), before = process.cpuUsage();

	for (let at = 0; at < bytes.length; at += SLICE)
		await engine.parse(new Uint8Array(bytes.subarray(at, at + SLICE)));
	await engine.notifyEof();
	const { user, system } = process.cpuUsage(before);

	return (user + system) / 1000;
}

/* integers have 64 bits: as JSON.stringify() would not print them */
const json = value => typeof value === 'bigint' ? String(value) : JSON.stringify(value);

async function ask(engine, statement) {
	const result = await engine.query(statement), columns = result.columns(), rows = [];

	for (const row = result.iter({}); row.valid(); row.next())
		rows.push('{' + columns.map(column => JSON.stringify(column) + ':' + json(row.get(column))).join() + '}');
	return '[' + rows.join() + ']';
}

async function main([directory, name]) {
	const statements = JSON.parse(fs.readFileSync(0, 'utf8')), answers = [];
	const late = setTimeout(() => { throw new Error('the trace processor does not start'); }, START_MS);
	const engine = await connect(directory);

	await engine.query('SELECT 1');
	clearTimeout(late);
	const ms = await load(engine, name);

	for (const statement of statements)
		answers.push(await ask(engine, statement));
	fs.writeSync(1, '{"load_cpu_ms":' + ms + ',"answers":[' + answers.join() + ']}\n');
	process.exit(0);
}

main(process.argv.slice(2)).catch(error => {
	console.error(error?.message ?? error);
	process.exit(1);
});
