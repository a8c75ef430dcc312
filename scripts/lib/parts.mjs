/** The parts of a test run: the checks, jest's projects and the benchmark. */

/** @typedef {{ name: string, needs?: readonly ('build' | 'browser')[] }} Part */

export const CHECK = 'check';

/** The name of all parts of `npm test`. */
export const ALL = 'all';

/** The part that tests the commands and examples of the documents, with `npm run test:docs` and in continuous integration. */
const DOCS = 'docs';

/** The part that runs the benchmark, which counts the work of a sign-in, in continuous integration. */
export const BENCH = 'bench';

/**
 * Longest first, so that all cores are busy until the end. No part takes more than a sixth of the processor time of a run, because
 * the last part that runs uses only one core. @type {readonly Part[]}
 */
const ORDER = [
  { name: 'flows', needs: ['build'] },
  { name: 'e2e', needs: ['build', 'browser'] },
  { name: 'conformance' },
  { name: 'console', needs: ['build', 'browser'] },
  { name: 'pages', needs: ['build', 'browser'] },
  { name: 'stories', needs: ['build', 'browser'] },
  { name: 'flows-alone', needs: ['build'] },
  { name: 'page-stories', needs: ['build', 'browser'] },
  { name: 'model' },
  { name: CHECK },
  { name: DOCS, needs: ['build', 'browser'] },
  { name: BENCH, needs: ['build', 'browser'] },
  // Uses the build if it is up to date, and otherwise makes its own.
  { name: 'shape' },
  { name: 'unit' },
  { name: 'web' },
];

export const NAMES = ORDER.map(({ name }) => name);

/** @param {readonly string[]} partNames `all`, or an empty list, selects the parts of `npm test` @returns {Part[]} */
export function selectParts(partNames) {
  const isFull = isFullRun(partNames);
  return ORDER.filter(({ name }) => (isFull && name !== DOCS && name !== BENCH) || partNames.includes(name));
}

/** @param {readonly string[]} partNames */
export function isFullRun(partNames) {
  return partNames.length === 0 || partNames.includes(ALL);
}
