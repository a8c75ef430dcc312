/**
 * `npm test`: prepares a clone, checks the types and runs jest's projects in parallel, counts the results in their reports, and checks that
 * the run has left nothing behind. `npm test -- unit flows` runs only these parts; `--bail` starts no further part after a failure.
 * `npm run test:docs` tests the documents, `npm test -- everything` runs every part. The last line is `N passed, N failed, N skipped`.
 */
import { mkdirSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { ensureBrowser } from './lib/browser.mjs';
import { BENCH_CHECK, CHECKS, TYPE_CHECKS, runCheck } from './lib/checks.mjs';
import { runInLanes } from './lib/lanes.mjs';
import { BENCH, CHECK, EVERYTHING, NAMES, STANDARD, TYPES, isEverything, selectParts } from './lib/parts.mjs';
import { say, sayOutput, sayResult, sayTotal } from './lib/progress.mjs';
import { REPORTS, count, deleteReport, deleteTotal, readReport, toReportPath, writeTotal } from './lib/reports.mjs';
import { readRequirements, evaluateRequirements } from './lib/requirements.mjs';
import { projectEnv } from './lib/run.mjs';
import { beginRun, exitOnSignals } from './lib/run-folder.mjs';
import { ensureBuilt, ensureInstalled } from './lib/setup.mjs';
import { runJest } from './lib/tools.mjs';

const MAX_PROJECT_MS = 45 * 60_000;
/**
 * One more lane than cores, because many parts wait: for processes, for each other's answers and for time limits of the product. On two
 * cores a run with three lanes took 20 minutes, and with six 22. A lane needs up to 3 GB.
 */
const LANES = Math.min(availableParallelism() + 1, Math.max(2, Math.floor(totalmem() / 3e9)), 6);
/**
 * Finished test files leave memory behind. A worker that uses more than this is replaced, which costs some seconds for its database and
 * for loading its modules again.
 */
const WORKER_MB = Math.min(Math.max(Math.round(totalmem() / 2 ** 20 / LANES / 4), 700), 2000);
/** One worker for each project, because other projects use the other cores. */
const ONE_AT_A_TIME = ['--maxWorkers=1', `--workerIdleMemoryLimit=${WORKER_MB}MB`];
/** TEST_DEADLINE is in seconds since 1970. Projects that have not finished by then are ended and count as failed. */
const DEADLINE_MS = Number(process.env.TEST_DEADLINE ?? Infinity) * 1000;

const args = process.argv.slice(2);
const bail = args.includes('--bail');
const partNames = args.filter((arg) => arg !== '--bail');
const parts = selectParts(partNames);
const runName = partNames.length === 0 ? STANDARD : partNames.join('-');

/** @type {{ name: string, status: string }[]} */
const results = [];

try {
  deleteTotal(runName);
  const unknownNames = partNames.filter((name) => ![STANDARD, EVERYTHING, ...NAMES].includes(name));
  if (unknownNames.length > 0) throw new Error(`Unknown part: ${unknownNames.join(', ')}. The parts are: ${NAMES.join(', ')}.`);
  await ensureInstalled();
  exitOnSignals();
  const endRun = beginRun();
  await runParts(parts);
  checkLeftovers(endRun());
} catch (error) {
  fail('setup', error);
}
summarise();

function needs(prerequisite, parts) {
  return parts.some((part) => part.needs?.includes(prerequisite));
}

/** Parts that do not need the build run even if it fails, because their results often explain the failure. */
async function build() {
  if (!needs('build', parts)) return true;
  try {
    await ensureBuilt();
    return true;
  } catch (error) {
    fail('build', error);
    const skippedNames = parts.filter((part) => needs('build', [part])).map(({ name }) => name);
    say(`These parts need the build and were not run: ${skippedNames.join(', ')}.`);
    return false;
  }
}

function fail(name, error) {
  results.push({ name, status: 'failed' });
  sayOutput(error instanceof Error ? error.message : String(error));
}

async function runParts(parts) {
  mkdirSync(REPORTS, { recursive: true });
  parts.forEach(({ name }) => deleteReport(name));
  const browser = needs('browser', parts) ? await ensureBrowser(say) : null;
  const env = projectEnv(browser ? { CHROMIUM: browser } : {});
  const jobs = parts.flatMap((part) => toJobs(part, env));
  const mustStop = () => bail && count(results).failed > 0;
  const isBuilt = build();
  await runInLanes(orderAroundBuild(jobs, isBuilt), LANES, async ({ needsBuild, run }) => {
    if ((!needsBuild || (await isBuilt)) && !mustStop()) await run();
  });
  if (isEverything(partNames) && !mustStop()) checkRequirements();
}

function toJobs(part, env) {
  const needsBuild = needs('build', [part]);
  const checks = { [CHECK]: CHECKS, [TYPES]: TYPE_CHECKS, [BENCH]: [BENCH_CHECK] }[part.name];
  if (checks) return checks.map((check) => ({ needsBuild, run: () => runOneCheck(check) }));
  return [{ needsBuild, run: () => runProject(part.name, env) }];
}

/** While one lane builds, the other lanes begin with jobs that do not need the build. */
function orderAroundBuild(jobs, isBuilt) {
  const firstJobs = jobs.filter(({ needsBuild }) => !needsBuild).slice(0, LANES - 1);
  return [{ needsBuild: false, run: () => isBuilt }, ...firstJobs, ...jobs.filter((job) => !firstJobs.includes(job))];
}

async function runOneCheck(check) {
  const result = await runCheck(check);
  results.push(result);
  sayResult(result);
}

async function runProject(project, env) {
  const startedAt = performance.now();
  const options = ['--selectProjects', project, '--json', `--outputFile=${toReportPath(project)}`];
  const { code, output } = await runJest([...options, ...ONE_AT_A_TIME, ...(bail ? ['--bail'] : [])], {
    env,
    timeoutMs: Math.max(1000, Math.min(MAX_PROJECT_MS, DEADLINE_MS - Date.now())),
    onLine: sayProgress,
  });
  const tests = readReport(project);
  const testResults = tests ?? [];
  const { passed, failed, skipped } = count(testResults);
  const isFailed = code !== 0 || failed > 0 || testResults.length === 0;
  results.push(...testResults);
  // A project that failed without a failed test: no report, no tests, or jest itself crashed.
  if (isFailed && failed === 0) results.push({ name: project, status: 'failed' });
  const seconds = (performance.now() - startedAt) / 1000;
  const note = tests ? `${passed} passed, ${failed} failed, ${skipped} skipped` : 'wrote no report';
  sayResult({ name: project, status: isFailed ? 'failed' : 'passed', seconds, output, note });
}

/** Selects from jest's output one line per file, failed tests with the first line of their error, and skipped tests. */
function sayProgress(line) {
  if (/^(PASS|FAIL)\b|\bSKIPPED\b|^ +● .*( › |failed to run)|^ {4}\w*Error\b/.test(line)) say(`  ${line.trim().slice(0, 300)}`);
}

/** Checks that every requirement has a passing test. This check counts as one test. */
function checkRequirements() {
  const { rows, unknownIds } = evaluateRequirements(
    readRequirements(),
    parts.flatMap(({ name }) => readReport(name) ?? []),
  );
  const unprovenIds = [...rows.filter(({ state }) => state !== 'proven').map(({ id }) => id), ...unknownIds];
  const status = unprovenIds.length === 0 ? 'passed' : 'failed';
  results.push({ name: 'specification', status });
  say();
  sayResult({
    name: 'specification',
    status,
    seconds: 0,
    output: `Not proven, or unknown: ${unprovenIds.join(', ')} (npm run spec shows the details)`,
  });
}

/** Checks that the run has left nothing behind. This check counts as one test. */
function checkLeftovers(leftovers) {
  const result = {
    name: 'leftovers',
    status: leftovers.length === 0 ? 'passed' : 'failed',
    seconds: 0,
    output: leftovers.join('\n'),
  };
  results.push(result);
  sayResult(result);
}

function summarise() {
  const total = count(results);
  const failures = results.filter(({ status }) => status === 'failed');
  if (failures.length > 0) say('\nFailed:');
  for (const { name, title } of failures) say(`  ${title ?? name}`);
  writeTotal(runName, total);
  say();
  process.exitCode = sayTotal(total);
}
