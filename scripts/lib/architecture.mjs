/**
 * The diagram and the table of docs/architecture.md: the folders of `src`, their imports (from the import graph), and
 * their allowed imports (from the rules of dependency-cruiser). This file does not name these folders.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT } from './run.mjs';

/** @typedef {{ imports: ReadonlySet<string>, allowed: readonly string[] | null }} Folder */

export const ARCHITECTURE_MARKS = {
  begin: '<!-- imports:begin · made by `npm run architecture` -->',
  end: '<!-- imports:end -->',
};

/** Files directly in `src`. */
const START = 'start';
const RULES = '.dependency-cruiser.mjs';
const SOURCE = /(?<!\.test)\.ts$/;

/** @returns {Promise<string[]>} lines of Markdown: a Mermaid diagram, then a table */
export async function buildArchitectureLines() {
  const folders = await readFolders();
  return [...toDiagram(folders), '', ...toTable(folders)];
}

/** @returns {Promise<ReadonlyMap<string, Folder>>} by name; each folder before the folders that it imports */
async function readFolders() {
  const modules = readModules();
  const rules = (await import(pathToFileURL(join(ROOT, RULES)).href)).default.forbidden;
  const names = [...new Set(modules.map(({ source }) => toFolder(source)))];
  const folders = names.map((name) => {
    const folderModules = modules.filter(({ source }) => toFolder(source) === name);
    const targets = folderModules.flatMap(({ dependencies }) => dependencies.map(toFolder));
    const imports = new Set(targets.filter((target) => target !== name && names.includes(target)));
    return [name, { imports, allowed: findAllowedImports(name, rules) }];
  });
  return new Map(sortByDepth(folders));
}

/** Reads the import graph, including imports of types. `npm run check` verifies that each import leads to a file. */
function readModules() {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true }).filter((path) => SOURCE.test(path));
  return files.map((file) => {
    const source = join('src', file);
    const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, source), 'utf8'), true, false);
    const relativeImports = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
    return { source, dependencies: relativeImports.map(({ fileName }) => normalize(join(source, '..', fileName))) };
  });
}

function toFolder(path) {
  const [top, folder, ...innerParts] = path.split('/');
  if (top !== 'src') return null;
  return innerParts.length === 0 ? START : folder;
}

/**
 * Reads the allowed imports from the rule `imports-<folder>`. @returns null for a folder without a rule, which may import everything
 */
function findAllowedImports(name, rules) {
  const rule = rules.find(({ name: ruleName }) => ruleName === `imports-${name}`);
  if (rule === undefined) return null;
  const paths = [rule.to.pathNot].flat().map((path) => /^\^src\/(.+)\/$/.exec(path)?.[1]);
  return paths.filter((path) => path !== undefined && path !== name);
}

/**
 * Sorts folders by the length of the longest chain of imports that begins there, longest first, so that each folder comes after all folders
 * that import it (except in a cycle); folders with equal lengths by name.
 */
function sortByDepth(folders) {
  const depth = new Map();
  const foldersByName = new Map(folders);
  const measureDepth = (name, path = []) => {
    if (path.includes(name)) return 0;
    if (!depth.has(name))
      depth.set(
        name,
        1 + Math.max(0, ...[...foldersByName.get(name).imports].map((target) => measureDepth(target, [...path, name]))),
      );
    return depth.get(name);
  };
  return folders.toSorted(([one], [other]) => measureDepth(other) - measureDepth(one) || one.localeCompare(other));
}

/** Draws the diagram. Arrows that follow from other arrows are omitted, so that the layers are visible. */
function toDiagram(folders) {
  const reaches = (folder, target, reachedFolders = new Set()) =>
    [...folders.get(folder).imports].some((importedFolder) => {
      if (importedFolder === target) return true;
      if (reachedFolders.has(importedFolder)) return false;
      reachedFolders.add(importedFolder);
      return reaches(importedFolder, target, reachedFolders);
    });
  const arrows = [...folders].flatMap(([folder, { imports }]) => {
    const targets = [...imports].filter((target) => ![...imports].some((other) => other !== target && reaches(other, target)));
    return targets.toSorted().map((target) => `  ${folder} --> ${target}`);
  });
  return ['```mermaid', 'flowchart TD', ...[...folders.keys()].map((name) => `  ${name}`), ...arrows, '```'];
}

function toTable(folders) {
  const rows = [...folders].map(([name, { imports, allowed }]) => {
    const path = name === START ? '`src/*.ts`' : `\`src/${name}\``;
    return `| ${path} | ${toList(imports)} | ${allowed === null ? 'everything' : toList(allowed)} |`;
  });
  return ['| folder | imports | may import |', '| --- | --- | --- |', ...rows];
}

function toList(names) {
  return [...names].toSorted().join(', ') || '–';
}
