/** The parts of a test run: the checks, jest's projects and the benchmark. */

/** @typedef {{ name: string, needs?: readonly ('build' | 'browser')[], isInNpmTest?: boolean }} Part */

/** The part that checks the types. */
export const TYPES = 'types';

/** The part with the other static checks. */
export const CHECK = 'check';

/** The part that runs the benchmark, which counts the work of a sign-in. */
export const BENCH = 'bench';

/** The name of all parts of `npm test`. */
export const STANDARD = 'standard';

/** The name of all parts, which continuous integration and `npm run test:all` run. */
export const EVERYTHING = 'everything';

/**
 * Longest first, so that all cores are busy until the end. No part takes more than a sixth of the processor time of a run, because
 * the last part that runs uses only one core. Record 0109 names what `npm test` leaves out, and why. @type {readonly Part[]}
 */
const ORDER = [
  { name: 'flows', needs: ['build'], isInNpmTest: true },
  { name: 'flows-operation', needs: ['build'], isInNpmTest: true },
  { name: 'e2e', needs: ['build', 'browser'] },
  { name: 'conformance-database', isInNpmTest: true },
  { name: 'conformance', isInNpmTest: true },
  { name: 'pages', needs: ['build', 'browser'], isInNpmTest: true },
  { name: 'console', needs: ['build', 'browser'] },
  { name: 'stories', needs: ['build', 'browser'] },
  { name: 'flows-alone', needs: ['build'] },
  { name: 'conformance-long' },
  { name: 'page-stories', needs: ['build', 'browser'] },
  { name: 'docs', needs: ['build', 'browser'] },
  { name: CHECK },
  { name: TYPES, isInNpmTest: true },
  { name: 'start', needs: ['build', 'browser'], isInNpmTest: true },
  { name: BENCH, needs: ['build', 'browser'] },
  { name: 'model', isInNpmTest: true },
  // Uses the build if it is up to date, and otherwise makes its own.
  { name: 'shape', isInNpmTest: true },
  { name: 'unit', isInNpmTest: true },
  { name: 'web', isInNpmTest: true },
];

export const NAMES = ORDER.map(({ name }) => name);

/** @param {readonly string[]} partNames an empty list selects the parts of `npm test`, like `standard` @returns {Part[]} */
export function selectParts(partNames) {
  const isStandard = partNames.length === 0 || partNames.includes(STANDARD);
  return ORDER.filter(
    ({ name, isInNpmTest = false }) => isEverything(partNames) || (isStandard && isInNpmTest) || partNames.includes(name),
  );
}

/** @param {readonly string[]} partNames */
export function isEverything(partNames) {
  return partNames.includes(EVERYTHING);
}
