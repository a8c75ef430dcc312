/** Which rows of `test/requirements.json` are proven by which tests. A test names its rows in its title, like `[LOG-4]`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** @typedef {{ id: string, area: string, title: string, issue: number }} Requirement */
/** @typedef {Requirement & { state: 'proven' | 'failing' | 'missing' | 'open' }} Row */

/** @returns {{ landed: readonly number[], requirements: readonly Requirement[] }} */
export function readRequirements() {
  return JSON.parse(readFileSync(join(ROOT, 'test', 'requirements.json'), 'utf8'));
}

/** @returns {string[]} ids in the square brackets of a title; `[LOG-4, LOG-5]` and `[LOG-4] [LOG-5]` are the same */
function idsIn(title) {
  return [...title.matchAll(/\[([^\]]*)\]/g)].flatMap(([, inside]) => inside.match(/\b[A-Z][A-Z0-9]{2}-\d+\b/g) ?? []);
}

/**
 * @param {ReturnType<typeof readRequirements>} table
 * @param {readonly import('./reports.mjs').TestResult[]} results
 * @returns {{ rows: Row[], unknown: string[] }} `unknown`: ids that tests name and the table lacks
 */
export function weigh({ landed, requirements }, results) {
  const statuses = new Map();
  for (const { title, status } of results) {
    for (const id of idsIn(title)) statuses.set(id, [...(statuses.get(id) ?? []), status]);
  }
  const known = new Set(requirements.map(({ id }) => id));
  return {
    rows: requirements.map((row) => ({ ...row, state: stateOf(statuses.get(row.id) ?? [], landed.includes(row.issue)) })),
    unknown: [...statuses.keys()].filter((id) => !known.has(id)),
  };
}

/** A skipped test proves nothing; one that fails disproves. */
function stateOf(statuses, isLanded) {
  if (statuses.includes('failed')) return 'failing';
  if (statuses.includes('passed')) return 'proven';
  return isLanded ? 'missing' : 'open';
}
