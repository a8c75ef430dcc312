/**
 * `npm test`: everything. Sets up an empty clone, runs the checks, then each of jest's projects, and counts from what
 * they wrote. `npm test -- unit flows` runs only those parts; `--bail` stops at the first part that fails.
 * The last line is always `N passed, N failed, N skipped`.
 */
import { mkdirSync } from 'node:fs';
import { ensureBrowser } from './lib/browser.mjs';
import { CHECKS, runChecks } from './lib/checks.mjs';
import { say, sayOutput, sayResult } from './lib/progress.mjs';
import { REPORTS, count, forgetReport, readReport, reportPath } from './lib/reports.mjs';
import { readRequirements, weigh } from './lib/requirements.mjs';
import { projectEnv } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './lib/setup.mjs';
import { runJest } from './lib/tools.mjs';

/** In the order in which a fault is cheapest to find. */
const PROJECTS = ['unit', 'web', 'shape', 'flows', 'flows-alone', 'conformance', 'e2e'];
const NEED_BUILD = ['flows', 'flows-alone', 'e2e'];
const NEED_BROWSER = ['e2e'];
/** One at a time where a test starts servers and databases. */
const IN_BAND = ['flows-alone', 'conformance', 'e2e'];
/** A gateway and a database in memory for each file; most of the time goes into loading them. */
const IN_PAIRS = ['flows'];
const LONGEST_PROJECT_MS = 14 * 60_000;
/** A continuous-integration run may take 25 minutes; what was counted until then is still told. */
const LONGEST_RUN_MS = process.env.CI ? 23 * 60_000 : Infinity;

const args = process.argv.slice(2);
const bail = args.includes('--bail');
const named = args.filter((arg) => arg !== '--bail');
const parts = named.length > 0 ? named : ['check', ...PROJECTS];

/** @type {{ name: string, status: string }[]} */
const results = [];

try {
  const unknown = parts.filter((part) => part !== 'check' && !PROJECTS.includes(part));
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}; there are: check, ${PROJECTS.join(', ')}.`);
  await ensureInstalled();
  const isBuilt = await build();
  await runParts(isBuilt ? parts : parts.filter((part) => !NEED_BUILD.includes(part)));
} catch (error) {
  fail('setup', error);
}
summarise();

/** What does not need the build still runs without it: its findings often say why it failed. */
async function build() {
  if (!parts.some((part) => NEED_BUILD.includes(part))) return true;
  try {
    await ensureBuilt();
    return true;
  } catch (error) {
    fail('build', error);
    say(`Not run without the build: ${parts.filter((part) => NEED_BUILD.includes(part)).join(', ')}.`);
    return false;
  }
}

function fail(name, error) {
  results.push({ name, status: 'failed' });
  sayOutput(error instanceof Error ? error.message : String(error));
}

async function runParts(parts) {
  mkdirSync(REPORTS, { recursive: true });
  if (named.length === 0) PROJECTS.forEach(forgetReport);
  const browser = parts.some((part) => NEED_BROWSER.includes(part)) ? await ensureBrowser(say) : null;
  const env = browser ? { CHROMIUM: browser } : {};
  if (parts.includes('check')) results.push(...(await runChecks(CHECKS, sayResult)));
  for (const project of PROJECTS.filter((name) => parts.includes(name))) {
    if (bail && count(results).failed > 0) return;
    await runProject(project, env);
  }
  if (named.length === 0) weighRows();
}

async function runProject(project, env) {
  const begin = performance.now();
  forgetReport(project);
  say(`\n${project}`);
  const options = ['--selectProjects', project, '--json', `--outputFile=${reportPath(project)}`];
  const { code, output } = await runJest([...options, ...workersOf(project), ...(bail ? ['--bail'] : [])], {
    env: projectEnv(env),
    timeoutMs: Math.max(1000, Math.min(LONGEST_PROJECT_MS, LONGEST_RUN_MS - performance.now())),
    onLine: sayProgress,
  });
  const tests = readReport(project);
  const found = tests ?? [];
  const { passed, failed, skipped } = count(found);
  const isFailed = code !== 0 || failed > 0 || found.length === 0;
  results.push(...found);
  // A project that ended badly without a failed test to show for it: no report, nothing run, or jest itself fell.
  if (isFailed && failed === 0) results.push({ name: project, status: 'failed' });
  const seconds = (performance.now() - begin) / 1000;
  const note = tests ? `${passed} passed, ${failed} failed, ${skipped} skipped` : 'left no report';
  sayResult({ name: project, status: isFailed ? 'failed' : 'passed', seconds, output, note });
}

/** Unless told, jest takes one core less than there are. */
function workersOf(project) {
  if (IN_BAND.includes(project)) return ['-i'];
  return IN_PAIRS.includes(project) ? ['--maxWorkers=2'] : [];
}

/** Of jest's output: a line for each file, and whatever a test says aloud about what it left out. */
function sayProgress(line) {
  if (/^(PASS|FAIL)\b/.test(line) || /\bSKIPPED\b/.test(line)) say(`  ${line.trim()}`);
}

/** Every row has a passing test. Counts as one test. */
function weighRows() {
  const { rows, unknown } = weigh(
    readRequirements(),
    PROJECTS.flatMap((project) => readReport(project) ?? []),
  );
  const wanting = [...rows.filter(({ state }) => state !== 'proven').map(({ id }) => id), ...unknown];
  const status = wanting.length === 0 ? 'passed' : 'failed';
  results.push({ name: 'rows', status });
  say();
  sayResult({
    name: 'specification',
    status,
    seconds: 0,
    output: `Not proven, or unknown: ${wanting.join(', ')} (npm run spec tells more)`,
  });
}

function summarise() {
  const { passed, failed, skipped } = count(results);
  const failures = results.filter(({ status }) => status === 'failed');
  if (failures.length > 0) say('\nFailed:');
  for (const { name, title } of failures) say(`  ${title ?? name}`);
  say(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
