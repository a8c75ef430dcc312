/**
 * The benchmark: measures an installation on this machine, prints a table and saves the results as JSON. It fails if a count
 * exceeds its limit. `--quick` measures less of everything, `--counts` only counts, and `--profile` reports where the gateway uses CPU
 * time. Each process of the benchmark runs this file.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findExcess, type CountsAndWeight } from './count-limits.js';
import { summarizeProfile } from './cpu-profile.js';
import { buildFloodRows, measureFlood } from './flood-bench.js';
import { generateFlood } from './flood-load.js';
import { measureGrowth, type Growth } from './growth-bench.js';
import { buildGrowthRows } from './growth-report.js';
import { VARIANTS, findHydraBinary, measurePeer, measureStack, type StackCost } from './hydra-bench.js';
import { buildGatewaysRows, measureGateways } from './gateways-bench.js';
import { Installation } from './installation.js';
import { generateLoad } from './load-generator.js';
import { countAll, measureAll, type Amounts } from './measure.js';
import { readPeer } from './peer.js';
import { hashRaw } from './raw-hashing.js';
import { buildTable, toCountRows, toRows, type Row } from './report.js';
import { buildStackTable } from './stack-report.js';
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
const ROLES: Readonly<Record<string, () => void>> = {
  upstream: runUpstream,
  load: generateLoad,
  flood: generateFlood,
  hashing: hashRaw,
};
const FOLDER = join('.cache', 'bench');

const FEW_ACCOUNTS = 1000;
/** The connections of their pools together fit into the default `max_connections` of PostgreSQL. */
const MAX_GATEWAYS = 8;
const SELF = fileURLToPath(import.meta.url);
const FLAGS = {
  quick: { type: 'boolean', default: false },
  counts: { type: 'boolean', default: false },
  profile: { type: 'boolean', default: false },
  hydra: { type: 'boolean', default: false },
  runs: { type: 'string', default: '1' },
  only: { type: 'string', default: '' },
  peer: { type: 'string', multiple: true },
  accounts: { type: 'string' },
  flood: { type: 'string' },
  gateways: { type: 'string' },
} as const;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(flags: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...flags], options: FLAGS });
  mkdirSync(FOLDER, { recursive: true });
  const name = join(FOLDER, new Date().toISOString().replaceAll(':', '-').slice(0, 19));
  if (values.hydra) await compareHydras(name, { runs: Number(values.runs), only: values.only, peers: values.peer ?? [] });
  else if (values.accounts !== undefined) await compareSizes(name, Number(values.accounts));
  else if (values.flood !== undefined) await measurePasswordFlood(name, Number(values.flood), values.profile);
  else if (values.gateways !== undefined) await compareGateways(name, Number(values.gateways));
  else if (values.counts) await countWork(name);
  else await measureSignIn(name, values);
}

/** @throws if a count exceeds its limit */
async function countWork(name: string): Promise<void> {
  await runWithInstallation(new Installation(SELF), async (installation) => {
    const counted = await countAll({ installation, say });
    report({ name, measured: counted, rows: toCountRows(counted), notes: installation.notes });
  });
}

/** @throws if a count exceeds its limit */
async function measureSignIn(name: string, { quick, profile }: { quick: boolean; profile: boolean }): Promise<void> {
  const profileFile = profile ? `${name}.cpuprofile` : null;
  await runWithInstallation(new Installation(SELF), async (installation) => {
    const measured = await measureAll({ installation, amounts: quick ? QUICK : FULL, profile: profileFile, say });
    const notes = [measured.machine, ...installation.notes];
    report({ name, measured, rows: toRows(measured), notes });
    if (profileFile !== null) say(`\n${summarizeProfile(profileFile)}\nprofile: ${profileFile}`);
  });
}

interface Report {
  name: string;
  measured: CountsAndWeight;
  rows: readonly Row[];
  notes: readonly string[];
}

/** @throws if a count exceeds its limit */
function report({ name, measured, rows, notes }: Report): void {
  save(name, { notes, ...measured });
  say(`\n${buildTable(rows)}\n\n${notes.join('\n')}`);
  const excess = findExcess(measured);
  if (excess.length > 0) throw new Error(`Counts exceed their limits (test/bench/count-limits.ts):\n${excess.join('\n')}`);
}

/** @param comparison `only`: a part of the names of the variants to measure; `peers`: folders of other login servers, which are measured in turn */
async function compareHydras(
  name: string,
  { runs, only, peers }: { runs: number; only: string; peers: readonly string[] },
): Promise<void> {
  const binary = findHydraBinary(process.env);
  const variants = Object.entries(VARIANTS).filter(([variant]) => variant.includes(only));
  if (variants.length === 0) throw new Error(`--only must be a part of one of these names: ${Object.keys(VARIANTS).join('; ')}.`);
  // A fault in a description is reported before anything is measured.
  for (const folder of peers) readPeer({ folder, port: 0, database: { port: 0, name: '' } });
  const costs: Record<string, (StackCost | null)[]> = {};
  for (let run = 0; run < runs; run++) {
    for (const [variant, options] of variants) {
      say(`run ${run + 1}: ${variant} …`);
      await runWithInstallation(new Installation(SELF, { binary, ...options }), async (installation) => {
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
  save(name, { binary, costs });
  say(`\n${buildStackTable(costs)}`);
}

async function compareSizes(name: string, accounts: number): Promise<void> {
  if (!Number.isInteger(accounts) || accounts < FEW_ACCOUNTS)
    throw new Error(`--accounts must be a number of at least ${FEW_ACCOUNTS}.`);
  const results: Growth[] = [];
  for (const size of [FEW_ACCOUNTS, accounts]) {
    say(`${size} accounts …`);
    await runWithInstallation(new Installation(SELF, null), async (installation) => {
      results.push(await measureGrowth(installation, size));
    });
  }
  save(name, { grown: results });
  const [small, large] = results;
  if (small && large) say(`\n${buildTable(buildGrowthRows(small, large))}`);
}

async function compareGateways(name: string, count: number): Promise<void> {
  if (!Number.isInteger(count) || count < 2 || count > MAX_GATEWAYS)
    throw new Error(`--gateways must be a whole number from 2 to ${MAX_GATEWAYS}.`);
  await runWithInstallation(new Installation(SELF, null), async (installation) => {
    const costs = await measureGateways(installation, count);
    save(name, { costs });
    say(`\n${buildTable(buildGatewaysRows(costs))}`);
  });
}

/** @param perMinute number of wrong passwords per minute */
async function measurePasswordFlood(name: string, perMinute: number, isProfiled: boolean): Promise<void> {
  if (!(perMinute > 0)) throw new Error('--flood must be a number of wrong passwords per minute.');
  const profile = isProfiled ? `${name}.cpuprofile` : null;
  await runWithInstallation(new Installation(SELF, null), async (installation) => {
    const flood = await measureFlood(installation, { perMinute, profile });
    save(name, flood);
    say(`\n${buildTable(buildFloodRows(flood))}`);
    if (profile !== null) say(`\n${summarizeProfile(profile)}\nprofile: ${profile}`);
  });
}

/** Runs the work and stops everything that was started. After a signal, run.mjs stops it. */
async function runWithInstallation(
  installation: Installation,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  try {
    await work(installation);
  } finally {
    await installation.stop();
  }
}

function save(name: string, measured: object): void {
  writeFileSync(`${name}.json`, `${JSON.stringify(measured, null, 2)}\n`);
  say(`saved in ${name}.json`);
}

const [first = '', ...rest] = process.argv.slice(2);
const role = ROLES[first];
if (role) role();
else
  await main([first, ...rest].filter((flag) => flag !== '')).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  });
