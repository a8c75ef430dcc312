/**
 * Reads jest's reports of its projects, and stores the total of each run. In a run, a missing or broken report counts as a failure; the
 * run first deletes earlier reports of its projects.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './run.mjs';

export const REPORTS = join(ROOT, '.cache', 'reports');
const TOTALS = join(ROOT, '.cache', 'totals');

/** @typedef {{ title: string, status: 'passed' | 'failed' | 'skipped' }} TestResult */

export const toReportPath = (project) => join(REPORTS, `${project}.json`);

export function deleteReport(project) {
  rmSync(toReportPath(project), { force: true });
}

const toTotalPath = (run) => join(TOTALS, `${run}.json`);

export function deleteTotal(run) {
  rmSync(toTotalPath(run), { force: true });
}

/** @param {string} run @param {ReturnType<typeof count>} total */
export function writeTotal(run, total) {
  mkdirSync(TOTALS, { recursive: true });
  writeFileSync(toTotalPath(run), JSON.stringify(total));
}

/** @returns {ReturnType<typeof count> | null} null if the run did not finish */
export function readTotal(run) {
  try {
    return JSON.parse(readFileSync(toTotalPath(run), 'utf8'));
  } catch {
    return null;
  }
}

/** @returns {string[]} the projects with a report */
export function listReportedProjects() {
  if (!statSync(REPORTS, { throwIfNoEntry: false })) return [];
  return readdirSync(REPORTS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'));
}

/**
 * A file that could not run counts as one failed test.
 * @returns {TestResult[] | null} null if there is no readable report
 */
export function readReport(project) {
  let report;
  try {
    report = JSON.parse(readFileSync(toReportPath(project), 'utf8'));
  } catch {
    return null;
  }
  if (!Array.isArray(report?.testResults)) return null;
  return report.testResults.flatMap((file) => {
    const tests = file.assertionResults.map(({ fullName, status }) => ({ title: fullName, status: toStatus(status) }));
    const isBroken = file.status === 'failed' && !tests.some(({ status }) => status === 'failed');
    return isBroken ? [...tests, { title: basename(file.name), status: 'failed' }] : tests;
  });
}

function toStatus(status) {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}

/** @param {readonly { status: string }[]} results */
export function count(results) {
  const countStatus = (expected) => results.filter(({ status }) => status === expected).length;
  return { passed: countStatus('passed'), failed: countStatus('failed'), skipped: countStatus('skipped') };
}

/** Maximum number of lines that are returned of a run that printed no list. */
const MAX_LINES = 20;

/** @returns {string} the end of the output of `npm test`: the list of failed tests and the total, or why the run ended without them */
export function findFailureList(output) {
  const index = output.lastIndexOf('\nFailed:');
  return index >= 0 ? output.slice(index).trim() : output.trim().split('\n').slice(-MAX_LINES).join('\n');
}
