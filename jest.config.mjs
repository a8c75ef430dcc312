/** One project per kind of test, so that `npm run check` can run the fast half. */
import { createHash } from 'node:crypto';

const swc = [
  '<rootDir>/test/support/swc.transformer.mjs',
  {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', tsx: true, decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
      keepClassNames: true,
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
  },
];

const shared = {
  // One for all projects of a clone, so that they share their caches.
  id: createHash('sha1')
    .update(import.meta.dirname)
    .digest('hex'),
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '/locales/phrases\\.js$': '<rootDir>/test/support/phrases.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '\\.css$': '<rootDir>/test/support/no-styles.ts',
  },
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json'],
  transform: { '\\.tsx?$': swc },
  testEnvironment: 'node',
};

const project = (displayName, testMatch, more = {}) => ({ ...shared, displayName, testMatch, ...more });

const withDatabases = { testEnvironment: '<rootDir>/test/support/kept-databases.environment.mjs' };

/** For tests that use PostgreSQL: one server for all files. */
const onPostgres = {
  ...withDatabases,
  globalSetup: '<rootDir>/test/support/postgres-server.setup.mjs',
  globalTeardown: '<rootDir>/test/support/postgres-server.teardown.mjs',
};

/** What starts processes or servers beside the gateway, or lives by time limits of the product: one file at a time. */
const ALONE = [
  'database-limits',
  'doctor',
  'doctor-accounts',
  'doctor-hydra',
  'doctor-providers',
  'doctor-sources',
  'manage-killed',
  'migrate-command',
  'operator-cli',
  'operator-replicas',
];

export default {
  // A hang must end; no test asserts how long something takes.
  testTimeout: 60_000,
  projects: [
    project('unit', ['<rootDir>/{src,embedded,test-kit,scripts}/**/*.test.ts', '<rootDir>/web/**/*.test.ts'], withDatabases),
    project('web', ['<rootDir>/web/**/*.test.tsx']),
    project('shape', ['<rootDir>/test/shape/**/*.test.ts']),
    project('flows', ['<rootDir>/test/flows/**/*.test.ts'], {
      ...withDatabases,
      testPathIgnorePatterns: [`/flows/(${ALONE.join('|')}).test.ts$`],
    }),
    project('flows-alone', [`<rootDir>/test/flows/(${ALONE.join('|')}).test.ts`], onPostgres),
    project('conformance', ['<rootDir>/test/conformance/**/*.test.ts'], onPostgres),
    project('e2e', ['<rootDir>/test/e2e/**/!(pages|pages-*).test.ts']),
    // Apart, so that they run beside the others.
    project('pages', ['<rootDir>/test/e2e/pages{,-*}.test.ts']),
    project('docs', ['<rootDir>/test/docs/**/*.test.ts'], withDatabases),
  ],
};
