/**
 * The picture and the table of docs/architecture.md: the folders of `src`, what each imports of the others (read from the
 * import graph), and what it may import (read from the rules of dependency-cruiser). No folder is named here.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './run.mjs';
import { runTool } from './tools.mjs';

/** @typedef {{ imports: ReadonlySet<string>, allowed: readonly string[] | null }} Folder */

export const ARCHITECTURE_MARKS = {
  begin: '<!-- imports:begin · made by `npm run architecture` -->',
  end: '<!-- imports:end -->',
};

/** What lies in `src` itself and in no folder. */
const START = 'start';
const RULES = '.dependency-cruiser.mjs';
/** Without the rules, which `npm run check` looks at, and without packages. */
const ONLY_THE_GRAPH = ['--no-config', '--include-only', '^src/', '--ts-pre-compilation-deps', '--ts-config', 'tsconfig.json'];
const TEST = /\.test\.tsx?$/;

/** @returns {Promise<string[]>} lines of Markdown: a Mermaid picture, then a table */
export async function architectureLines() {
  const folders = await foldersOfSource();
  return [...pictureOf(folders), '', ...tableOf(folders)];
}

/** @returns {Promise<ReadonlyMap<string, Folder>>} by name, those that are imported most first */
async function foldersOfSource() {
  const modules = await sourceModules();
  const rules = (await import(pathToFileURL(join(ROOT, RULES)).href)).default.forbidden;
  const names = [...new Set(modules.map(({ source }) => folderOf(source)))];
  const folders = names.map((name) => {
    const own = modules.filter(({ source }) => folderOf(source) === name);
    const targets = own.flatMap(({ dependencies }) => dependencies.map(({ resolved }) => folderOf(resolved)));
    const imports = new Set(targets.filter((target) => target !== name && names.includes(target)));
    return [name, { imports, allowed: allowedOf(name, rules) }];
  });
  return new Map(inOrder(folders));
}

/** Types count: a type is knowledge too. */
async function sourceModules() {
  const { code, output } = await runTool('depcruise', [...ONLY_THE_GRAPH, '--output-type', 'json', 'src']);
  const begin = output.indexOf('{');
  if (begin < 0) throw new Error(`dependency-cruiser ended with ${code} and without a graph:\n${output.slice(-2000)}`);
  return JSON.parse(output.slice(begin)).modules.filter(({ source }) => source.startsWith('src/') && !TEST.test(source));
}

function folderOf(path) {
  const [top, folder, ...rest] = path.split('/');
  if (top !== 'src') return null;
  return rest.length === 0 ? START : folder;
}

/** From the rule `law-<folder>`, which lists what is allowed. @returns null for a folder without a rule: everything */
function allowedOf(name, rules) {
  const law = rules.find((rule) => rule.name === `law-${name}`);
  if (law === undefined) return null;
  const paths = [law.to.pathNot].flat().map((path) => /^\^src\/(.+)\/$/.exec(path)?.[1]);
  return paths.filter((path) => path !== undefined && path !== name);
}

/** A folder stands behind everything that imports it; names decide between equals. */
function inOrder(folders) {
  const depth = new Map();
  const byName = new Map(folders);
  const depthOf = (name, path = []) => {
    if (path.includes(name)) return 0;
    if (!depth.has(name))
      depth.set(name, 1 + Math.max(0, ...[...byName.get(name).imports].map((to) => depthOf(to, [...path, name]))));
    return depth.get(name);
  };
  return folders.toSorted(([one], [other]) => depthOf(other) - depthOf(one) || one.localeCompare(other));
}

/** Only the arrows that no longer way makes superfluous, so that the layers can be seen. */
function pictureOf(folders) {
  const reaches = (from, to, seen = new Set()) =>
    [...folders.get(from).imports].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  const arrows = [...folders].flatMap(([from, { imports }]) => {
    const direct = [...imports].filter((to) => ![...imports].some((via) => via !== to && reaches(via, to)));
    return direct.toSorted().map((to) => `  ${from} --> ${to}`);
  });
  return ['```mermaid', 'flowchart TD', ...[...folders.keys()].map((name) => `  ${name}`), ...arrows, '```'];
}

function tableOf(folders) {
  const rows = [...folders].map(([name, { imports, allowed }]) => {
    const where = name === START ? '`src/*.ts`' : `\`src/${name}\``;
    return `| ${where} | ${listOf(imports)} | ${allowed === null ? 'everything' : listOf(allowed)} |`;
  });
  return ['| folder | imports | may import |', '| --- | --- | --- |', ...rows];
}

function listOf(names) {
  return [...names].toSorted().join(', ') || '–';
}
