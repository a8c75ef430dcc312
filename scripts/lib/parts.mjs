/** The parts of a test run: the checks and jest's projects. */

/** @typedef {{ name: string, needs?: readonly ('build' | 'browser')[] }} Part */

export const CHECK = 'check';

/** `npm run test:docs`: tests the commands and examples of the documents. @type {Part} */
export const DOCS = { name: 'docs', needs: ['build', 'browser'] };

/** The parts of `npm test`, longest first, so that all cores are busy until the end. @type {readonly Part[]} */
export const PARTS = [
  { name: 'e2e', needs: ['build', 'browser'] },
  { name: 'flows', needs: ['build'] },
  { name: 'conformance' },
  { name: 'pages', needs: ['build', 'browser'] },
  { name: 'stories', needs: ['build', 'browser'] },
  { name: 'model' },
  { name: 'flows-alone', needs: ['build'] },
  { name: CHECK },
  { name: 'shape' },
  { name: 'unit' },
  { name: 'web' },
];
