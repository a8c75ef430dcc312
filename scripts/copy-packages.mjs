/**
 * Copies installed packages with all their dependencies, according to the lock file, into another folder. The demo image
 * needs only a few development packages. `node scripts/copy-packages.mjs TARGET NAME …`
 */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [target, ...names] = process.argv.slice(2);
if (!target || names.length === 0) {
  process.stderr.write('Usage: node scripts/copy-packages.mjs TARGET NAME …\n');
  process.exit(2);
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const paths = new Set();
for (const name of names) addPackage('', name);
for (const path of paths) cpSync(path, join(target, path.slice('node_modules/'.length)), { recursive: true });
process.stdout.write(`${paths.size} packages copied\n`);

/** @param {string} dependent path in the lock file of the package that depends on `name`; empty for the project itself */
function addPackage(dependent, name) {
  const path = resolve(dependent, name);
  if (path === undefined) throw new Error(`${name} is not in the lock file (required by ${dependent || 'the command line'})`);
  if (paths.has(path)) return;
  paths.add(path);
  for (const dependency of Object.keys(packages[path].dependencies ?? {})) addPackage(path, dependency);
}

/** Node's resolution order: the package's own folder first, then its parents. */
function resolve(dependent, name) {
  for (let folder = dependent; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}
