// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers of DuckDB and ClickHouse to questions over ./fleet, as JSON on stdout, a line each: the
// engine, the file of the question, its rows, and the seconds that it took.
//
//   node ask-engines.js MODULES duckdb|clickhouse VIEW QUESTION...
//
// MODULES: get-engines prints it; VIEW, QUESTION: files of SQL
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');

const [modules, engine, view, ...questions] = process.argv.slice(2);
const load = (name) => require(path.join(modules, 'node_modules', name));
const read = (file) => fs.readFileSync(file, 'utf8');
// no text of ours has a semicolon but at its end
const statements = (file) => read(file).replace(/^--.*$/mg, '').split(';').filter((text) => text.trim());

async function duckdb() {
	const { DuckDBInstance } = load('@duckdb/node-api');
	const connection = await (await DuckDBInstance.create(':memory:')).connect();
	return async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

function clickhouse() {
	const { Session } = load('chdb');
	const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'chdb.'));
	const session = new Session(dir);
	process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
	return (sql) => {
		const text = session.query(sql, 'JSON');
		return text ? JSON.parse(text).data : [];
	};
}

async function main() {
	const ask = await { duckdb, clickhouse }[engine]();
	for (const sql of statements(view))
		await ask(sql);
	for (const file of questions) {
		const from = process.hrtime.bigint();
		let rows;
		for (const sql of statements(file))
			rows = await ask(sql);
		console.log(JSON.stringify({ engine, question: path.basename(file, '.sql'), rows,
			seconds: Number(process.hrtime.bigint() - from) / 1e9 }));
	}
}

main().catch((error) => {
	console.error(String(error.message || error).split('\n')[0]);
	process.exit(1);
});
