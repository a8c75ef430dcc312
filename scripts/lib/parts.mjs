/** The parts of a test run: the checks and jest's projects. */

/** @typedef {{ name: string, needs?: readonly ('build' | 'browser')[] }} Part */

export const CHECK = 'check';

/** The name of all parts of `npm test`. */
export const ALL = 'all';

/** Tests the commands and examples of the documents, with `npm run test:docs` and in continuous integration. */
const DOCS = 'docs';

/** Longest first, so that all cores are busy until the end. @type {readonly Part[]} */
const ORDER = [
  { name: 'e2e', needs: ['build', 'browser'] },
  { name: 'flows', needs: ['build'] },
  { name: 'stories', needs: ['build', 'browser'] },
  { name: 'conformance' },
  { name: 'flows-alone', needs: ['build'] },
  { name: 'pages', needs: ['build', 'browser'] },
  { name: 'model' },
  { name: CHECK },
  { name: DOCS, needs: ['build', 'browser'] },
  // It uses the build if there is one, and otherwise makes another.
  { name: 'shape' },
  { name: 'unit' },
  { name: 'web' },
];

export const NAMES = ORDER.map(({ name }) => name);

/** @param {readonly string[]} named `all` or none stands for the parts of `npm test` @returns {Part[]} */
export function selectParts(named) {
  const isFull = isFullRun(named);
  return ORDER.filter(({ name }) => (isFull && name !== DOCS) || named.includes(name));
}

/** @param {readonly string[]} named */
export function isFullRun(named) {
  return named.length === 0 || named.includes(ALL);
}
