/**
 * The bench: measures one installation on this machine in one run, prints a table and keeps it as JSON. It fails when
 * something that can be counted exceeds its limit. `--quick` takes fewer of everything, `--profile` says where the
 * gateway's CPU goes. The same file is each of the bench's own processes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exceeded } from './count-limits.js';
import { profileSummary } from './cpu-profile.js';
import { Installation } from './installation.js';
import { generateLoad } from './load-generator.js';
import { measureAll } from './measure.js';
import type { Amounts } from './measure.js';
import { hashRaw } from './raw-hashing.js';
import { rowsOf, table } from './report.js';
import { runUpstream } from './upstream-process.js';

const FULL: Amounts = { hashes: 200, warmUp: 300, logins: 400, staged: 200, pages: 2000, paints: 3, calls: 2000 };
const QUICK: Amounts = { hashes: 100, warmUp: 80, logins: 120, staged: 60, pages: 300, paints: 1, calls: 400 };

const ROLES: Readonly<Record<string, () => void>> = { upstream: runUpstream, load: generateLoad, hashing: hashRaw };
const FOLDER = join('.cache', 'bench');

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(flags: readonly string[]): Promise<void> {
  const unknown = flags.filter((flag) => !['--quick', '--profile'].includes(flag));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(' ')}. There are --quick and --profile.`);
  mkdirSync(FOLDER, { recursive: true });
  const date = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
  const profile = flags.includes('--profile') ? join(FOLDER, `${date}.cpuprofile`) : null;
  const installation = new Installation(fileURLToPath(import.meta.url));
  const stop = (): void => void installation.stop().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const measured = await measureAll({ installation, amounts: flags.includes('--quick') ? QUICK : FULL, profile, say });
    const file = join(FOLDER, `${date}.json`);
    writeFileSync(file, `${JSON.stringify({ date, notes: installation.notes, ...measured }, null, 2)}\n`);
    say(`\n${table(rowsOf(measured))}\n\n${[measured.machine, ...installation.notes, `kept in ${file}`].join('\n')}`);
    if (profile !== null) say(`\n${profileSummary(profile)}\nprofile: ${profile}`);
    const excess = exceeded(measured);
    if (excess.length > 0) throw new Error(`More than is allowed (test/bench/count-limits.ts):\n${excess.join('\n')}`);
  } finally {
    await installation.stop();
  }
}

const [first = '', ...rest] = process.argv.slice(2);
const role = ROLES[first];
if (role) role();
else
  await main([first, ...rest].filter((flag) => flag !== '')).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  });
