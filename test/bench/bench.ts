/**
 * The bench: measures one installation on this machine in one run, prints a table and keeps it as JSON. It fails when
 * something that can be counted exceeds its limit. `--quick` takes fewer of everything, `--profile` says where the
 * gateway's CPU goes. The same file is each of the bench's own processes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findExcess } from './count-limits.js';
import { profileSummary } from './cpu-profile.js';
import { measureGrowth, type Growth } from './growth-bench.js';
import { growthRows } from './growth-report.js';
import { VARIANTS, hydraBinary, measurePeer, measureStack, type StackCost } from './hydra-bench.js';
import { Installation } from './installation.js';
import { generateLoad } from './load-generator.js';
import { measureAll, type Amounts } from './measure.js';
import { hashRaw } from './raw-hashing.js';
import { toRows, table } from './report.js';
import { stackTable } from './stack-report.js';
import { runUpstream } from './upstream-process.js';

const FULL: Amounts = {
  hashes: 200,
  warmUp: 1000,
  comparedWarmUp: 300,
  logins: 400,
  staged: 200,
  pages: 2000,
  paints: 3,
  calls: 2000,
};
const QUICK: Amounts = {
  hashes: 100,
  warmUp: 400,
  comparedWarmUp: 120,
  logins: 120,
  staged: 60,
  pages: 300,
  paints: 1,
  calls: 400,
};

const ROLES: Readonly<Record<string, () => void>> = { upstream: runUpstream, load: generateLoad, hashing: hashRaw };
const FOLDER = join('.cache', 'bench');

const FEW_ACCOUNTS = 1000;
const SELF = fileURLToPath(import.meta.url);
const FLAGS = {
  quick: { type: 'boolean', default: false },
  profile: { type: 'boolean', default: false },
  hydra: { type: 'boolean', default: false },
  runs: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
  peer: { type: 'string', multiple: true },
  accounts: { type: 'string' },
} as const;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(flags: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...flags], options: FLAGS });
  mkdirSync(FOLDER, { recursive: true });
  const name = join(FOLDER, new Date().toISOString().replaceAll(':', '-').slice(0, 19));
  if (values.hydra) await compareHydras(name, { runs: Number(values.runs), only: values.only, peers: values.peer ?? [] });
  else if (values.accounts !== undefined) await compareSizes(name, Number(values.accounts));
  else await measureSignIn(name, values);
}

/** @throws when something that can be counted exceeds its limit */
async function measureSignIn(name: string, { quick, profile }: { quick: boolean; profile: boolean }): Promise<void> {
  const profileFile = profile ? `${name}.cpuprofile` : null;
  await withInstallation(new Installation(SELF), async (installation) => {
    const measured = await measureAll({ installation, amounts: quick ? QUICK : FULL, profile: profileFile, say });
    keep(name, { notes: installation.notes, ...measured });
    say(`\n${table(toRows(measured))}\n\n${[measured.machine, ...installation.notes].join('\n')}`);
    if (profileFile !== null) say(`\n${profileSummary(profileFile)}\nprofile: ${profileFile}`);
    const excess = findExcess(measured);
    if (excess.length > 0) throw new Error(`More than is allowed (test/bench/count-limits.ts):\n${excess.join('\n')}`);
  });
}

/** @param comparison `only`: part of the names of the variants to measure; `peers`: folders of other login servers, measured in turn with them */
async function compareHydras(
  name: string,
  { runs, only, peers }: { runs: number; only: string; peers: readonly string[] },
): Promise<void> {
  const binary = hydraBinary(process.env);
  const variants = Object.entries(VARIANTS).filter(([variant]) => variant.includes(only));
  if (variants.length === 0) throw new Error(`--only takes a part of: ${Object.keys(VARIANTS).join('; ')}.`);
  const costs: Record<string, (StackCost | null)[]> = {};
  for (let run = 0; run < runs; run++) {
    for (const [variant, options] of variants) {
      say(`run ${run + 1}: ${variant} …`);
      await withInstallation(new Installation(SELF, { binary, ...options }), async (installation) => {
        const cost = await measureStack(installation);
        (costs[variant] ??= []).push(cost);
        say(JSON.stringify(cost));
      });
    }
    for (const folder of peers) {
      say(`run ${run + 1}: the peer in ${folder} …`);
      const { name: peer, cost } = await measurePeer(SELF, folder);
      (costs[peer] ??= []).push(cost);
      say(JSON.stringify(cost));
    }
  }
  keep(name, { binary, costs });
  say(`\n${stackTable(costs)}`);
}

async function compareSizes(name: string, accounts: number): Promise<void> {
  if (!Number.isInteger(accounts) || accounts < FEW_ACCOUNTS)
    throw new Error(`--accounts takes a number from ${FEW_ACCOUNTS} on.`);
  const grown: Growth[] = [];
  for (const size of [FEW_ACCOUNTS, accounts]) {
    say(`${size} accounts …`);
    await withInstallation(new Installation(SELF, null), async (installation) => {
      grown.push(await measureGrowth(installation, size));
    });
  }
  keep(name, { grown });
  const [small, large] = grown;
  if (small && large) say(`\n${table(growthRows(small, large))}`);
}

/** What was started is stopped; at a signal, run.mjs does it. */
async function withInstallation(installation: Installation, work: (installation: Installation) => Promise<void>): Promise<void> {
  try {
    await work(installation);
  } finally {
    await installation.stop();
  }
}

function keep(name: string, measured: object): void {
  writeFileSync(`${name}.json`, `${JSON.stringify(measured, null, 2)}\n`);
  say(`kept in ${name}.json`);
}

const [first = '', ...rest] = process.argv.slice(2);
const role = ROLES[first];
if (role) role();
else
  await main([first, ...rest].filter((flag) => flag !== '')).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  });
