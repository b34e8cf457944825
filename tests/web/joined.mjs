// Compares every module of the page with what the server has joined, as a JavaScript engine runs both.
// usage: node joined.mjs FOLDER JOINED; prints the differences, and how much was compared, as JSON

import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const [folder, joined] = process.argv.slice(2);

// Modules ask for a browser when they are loaded: here is one where everything is anything.
const anything = new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : name === Symbol.iterator ? [][Symbol.iterator] : name === 'then' ? undefined : anything),
  apply: () => anything,
  construct: () => anything,
  set: () => true,
});
for (const name of ['document', 'window', 'localStorage', 'history', 'HTMLElement', 'Node', 'Element', 'SVGElement', 'matchMedia', 'requestAnimationFrame', 'addEventListener', 'self', 'postMessage'])
  globalThis[name] ??= anything;
globalThis.location = new URL('http://page.test/nowhere');
process.on('unhandledRejection', () => {}); // the page begins, and does not get far

const at = (root, path) => pathToFileURL(join(root, path)).href;
const list = (root) => readdirSync(root, { recursive: true }).filter((path) => statSync(join(root, path)).isFile());
const programs = []; // the page, and workers
for (const file of list(joined)) if (file.endsWith('.js')) programs.push(await import(at(joined, file)));
const needed = (path) => programs.values().map(({ $need }) => {
  try {
    return $need?.(path);
  } catch {
    return undefined; // it is not in this one
  }
}).find((one) => one);

const bare = (code) => code.replaceAll(/^[ \t]*(?:\/\*\*(?:(?!\*\/)[^])*\*\/|\/\/[^\n]*)[ \t]*$/gm, '').replaceAll(/\n[ \t]*(?=\n)/g, '');
const text = (value, path) => (typeof value === 'function' ? bare(String(value)) : inspect(value, { depth: 6 }))
  .replaceAll(/(?<![\w$.])\$import\(/g, 'import(')
  .replaceAll(/(?<![\w$.])\$url\b/g, 'import.meta.url')
  .replaceAll(at(folder, path), at(joined, path))
  .replaceAll(/file:\/\/[^'"\s]*\/(?=icons\/)/g, '');
const problems = [];
let modules = 0, exports = 0;
for (const path of list(folder).filter((one) => one.endsWith('.js')).map((one) => relative('.', one))) {
  const plain = await import(at(folder, path)), other = needed(path);
  modules += 1;
  if (!other) {
    problems.push(`${path} is in no file, or does not run there`);
    continue;
  }
  const names = Object.keys(plain).sort().join(), found = Object.keys(other).sort().join();
  if (names !== found) problems.push(`${path}: ${names} / ${found}`);
  for (const name of Object.keys(plain)) {
    exports += 1;
    if (text(plain[name], path) !== text(other[name], path)) problems.push(`${path}: ${name} differs`);
  }
}
console.log(JSON.stringify({ problems, modules, exports }));
process.exit(0);
