/**
 * `npm run pack [folder]`: builds the archive that other projects install. It is like `npm pack`, but omits the Node.js that
 * `npm ci` of this repository installs (189 MB), because a project that installs the archive has its own. The package.json of the archive
 * lacks the members that only this repository needs. The programs are not bundled, because a bundle would contain third-party packages.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { listProgramPaths, toUnbundledPath } from './lib/programs.mjs';

const root = resolve(import.meta.dirname, '..');
const destination = resolve(process.argv[2] ?? root);
const work = mkdtempSync(join(tmpdir(), 'foyer-pack-'));

/** @param {string} folder @param {string} target @returns {string} name of the archive */
function pack(folder, target) {
  const options = ['pack', '--ignore-scripts', '--silent', '--pack-destination', target];
  return execFileSync('npm', options, { cwd: folder, encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
}

try {
  execFileSync('tar', ['-xzf', join(work, pack(root, work)), '-C', work]);
  const packageFolder = join(work, 'package');
  for (const program of listProgramPaths(packageFolder)) renameSync(toUnbundledPath(program), program);
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  for (const member of ['optionalDependencies', 'devDependencies', 'scripts', 'allowScripts', 'overrides'])
    delete manifest[member];
  writeFileSync(join(packageFolder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  process.stdout.write(`${join(destination, pack(packageFolder, destination))}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
