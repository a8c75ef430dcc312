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
const wanted = new Set();
for (const name of names) want('', name);
for (const path of wanted) cpSync(path, join(target, path.slice('node_modules/'.length)), { recursive: true });
process.stdout.write(`${wanted.size} packages copied\n`);

/** @param {string} from path in the lock file of the package that depends on it; empty for the project itself */
function want(from, name) {
  const path = resolve(from, name);
  if (path === undefined) throw new Error(`${name} is not in the lock file (required by ${from || 'the command line'})`);
  if (wanted.has(path)) return;
  wanted.add(path);
  for (const needed of Object.keys(packages[path].dependencies ?? {})) want(path, needed);
}

/** Node's resolution order: the package's own folder first, then its parents. */
function resolve(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}
