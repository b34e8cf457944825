// Measures every function of some modules: its length, and how deep its blocks are nested.
// usage: node shape.mjs TYPESCRIPT PROJECT FILE...; PROJECT is a tsconfig.json that covers the files.
// Prints a JSON list of {file, line, name, lines, depth}.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [typescript, project, ...files] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(typescript, 'dist', path)).href);
const [{ API }, { SyntaxKind }] = await Promise.all([load('api/sync/api.js'), load('ast/index.js')]);

const kinds = (...names) => new Set(names.map((name) => {
  if (SyntaxKind[name] === undefined) throw new Error(`TypeScript has no ${name}`);
  return SyntaxKind[name];
}));
const FUNCTIONS = kinds('FunctionDeclaration', 'FunctionExpression', 'ArrowFunction', 'MethodDeclaration', 'Constructor', 'GetAccessor', 'SetAccessor');
const BLOCKS = kinds('IfStatement', 'ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoStatement', 'SwitchStatement', 'TryStatement');

const api = new API();
const { program } = api.updateSnapshot({ openProjects: [project] }).getProject(project);
const found = files.flatMap(measured);
api.close();
console.log(JSON.stringify(found));

function measured(file) {
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`${file} is not in ${project}`);
  const { text } = source, functions = [];
  const lineOf = (position) => text.slice(0, position).split('\n').length;

  // A function's own line counts, its comment does not: `pos` of a node is where the comment before it begins.
  function visit(node, around) {
    if (FUNCTIONS.has(node.kind)) {
      const line = lineOf(node.getStart(source)), lines = lineOf(node.end) - line + 1;
      const one = { file, line, name: nameOf(node), lines, depth: 0 };
      functions.push(one);
      node.forEachChild((child) => visit(child, [...around, { one, depth: 0 }]));
      return;
    }
    const deeper = BLOCKS.has(node.kind) && !isElseIf(node);
    const inside = around.map(({ one, depth }) => ({ one, depth: depth + Number(deeper) }));
    for (const { one, depth } of inside) one.depth = Math.max(one.depth, depth);
    node.forEachChild((child) => visit(child, inside));
  }

  visit(source, []);
  return functions;
}

function isElseIf(node) {
  return node.kind === SyntaxKind.IfStatement && node.parent.kind === SyntaxKind.IfStatement && node.parent.elseStatement === node;
}

function nameOf(node) {
  return node.name?.text ?? node.parent.name?.text ?? (node.kind === SyntaxKind.Constructor ? 'constructor' : '');
}
