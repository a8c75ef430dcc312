/**
 * Determines which rows of `test/requirements.json` are proven by tests; docs/requirements.md has the full texts of the rows. A test names
 * its rows in its title, like `[LOG-4]`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** @typedef {{ id: string, area: string, title: string }} Requirement */
/** @typedef {Requirement & { state: 'proven' | 'failing' | 'missing' }} Row */

/** @returns {readonly Requirement[]} */
export function readRequirements() {
  return JSON.parse(readFileSync(join(ROOT, 'test', 'requirements.json'), 'utf8')).requirements;
}

/** @returns {string[]} ids in the square brackets of a title; `[LOG-4, LOG-5]` and `[LOG-4] [LOG-5]` are equivalent */
function findIds(title) {
  return [...title.matchAll(/\[([^\]]*)\]/g)].flatMap(([, inside]) => inside.match(/\b[A-Z][A-Z0-9]{2}-\d+\b/g) ?? []);
}

/**
 * @param {readonly Requirement[]} requirements
 * @param {readonly import('./reports.mjs').TestResult[]} results
 * @returns {{ rows: Row[], unknownIds: string[] }} `unknownIds`: ids in test titles that are not in the table
 */
export function evaluateRequirements(requirements, results) {
  const statuses = new Map();
  for (const { title, status } of results) {
    for (const id of findIds(title)) statuses.set(id, [...(statuses.get(id) ?? []), status]);
  }
  const knownIds = new Set(requirements.map(({ id }) => id));
  return {
    rows: requirements.map((row) => ({ ...row, state: toState(statuses.get(row.id) ?? []) })),
    unknownIds: [...statuses.keys()].filter((id) => !knownIds.has(id)),
  };
}

/** A skipped test proves nothing; a failed test disproves the row. */
function toState(statuses) {
  if (statuses.includes('failed')) return 'failing';
  if (statuses.includes('passed')) return 'proven';
  return 'missing';
}
