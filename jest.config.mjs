/** One project per kind of test, so that a run can select some of them. */
import { createHash } from 'node:crypto';

const ROOT = import.meta.dirname;

// The workers, and every process that a test starts, share compiled code.
process.env.NODE_COMPILE_CACHE ??= `${ROOT}/.cache/compiled`;

const sharedOptions = {
  cacheDirectory: `${ROOT}/.cache/jest`,
  globalSetup: '<rootDir>/test/support/run.setup.mjs',
  globalTeardown: '<rootDir>/test/support/run.teardown.mjs',
  // All projects of a clone have the same id, so that they share their caches.
  id: createHash('sha1').update(ROOT).digest('hex'),
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json'],
  modulePathIgnorePatterns: ['<rootDir>/.cache/'],
};

/** Node loads modules, once for all test files of a process. */
const nodeOptions = {
  runtime: `${ROOT}/test/support/shared-modules.runtime.mjs`,
  testEnvironment: '<rootDir>/test/support/shared-modules.environment.mjs',
  transform: {},
};

/** Jest loads modules, again for each test file, for tests that need a DOM or replace modules. */
const sandboxOptions = {
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '\\.css$': '<rootDir>/test/support/no-styles.ts',
  },
  transform: { '\\.tsx?$': '<rootDir>/test/support/swc.transformer.mjs' },
  setupFiles: ['<rootDir>/test/support/dom.setup.ts'],
  testEnvironment: 'node',
};

/** This test replaces modules, which only jest's own loader can do. */
const MODULE_REPLACING_TEST = 'src/accounts/password/hasher.test.ts';

/** These tests use a database, so they run in the project `flows-operation`, which has a server. */
const DATABASE_TESTS = 'embedded/launch/(demo-account|demo-people|operator-people).test.ts';

/** For tests that use PostgreSQL: all files share one server. */
const postgresOptions = {
  ...nodeOptions,
  globalSetup: '<rootDir>/test/support/postgres-server.setup.mjs',
};

/** What operators, other systems and the installation do, by the first word of the file name. */
const OPERATION_SUBJECTS = 'audit|event|operator|provider|scim|settings|source|support|telemetry|token';
const OPERATION_TESTS = `test/flows/(${OPERATION_SUBJECTS})[-.]`;

/** This test installs packages of Python, which takes longer than the test. */
const SCIM_TESTERS = 'conformance/scim/testers';

/** Only `npm run test:all` runs these tests. Record 0110 names what proves their subjects otherwise. */
const TESTS_OF_FULL_MATRIX = [
  'docs/(clients|conformance|people-table|testing-kit)',
  'e2e/(further-settings|joining|log-destinations|rolling-upgrade-(people|joining))',
  'e2e/pages-(gallery|large-text|looks|mail|old-browsers)',
  'flows/event-sinks-killed',
  SCIM_TESTERS,
];
const isFull = process.env.TEST_MATRIX === 'full';
const LEFT_OUT = isFull ? [] : [`test/(${TESTS_OF_FULL_MATRIX.join('|')}).test.ts`];

const project = (displayName, testMatch, { testPathIgnorePatterns = [], ...options } = nodeOptions) => ({
  ...sharedOptions,
  ...options,
  displayName,
  testMatch,
  testPathIgnorePatterns: [...testPathIgnorePatterns, ...LEFT_OUT],
});

/** These tests write many rows, or start and kill processes with an embedded database. */
const LONG_DATABASE_TESTS = 'test/conformance/database/(embedded|event-delivery-backlog|plans|statement-plans).test.ts';

/** Tests that start processes or servers besides the gateway, or depend on time limits of the product. They run one file at a time. */
const SERIAL_TESTS = [
  'database-limits',
  'devices-crossing',
  'doctor',
  'doctor-accounts',
  'doctor-console',
  'doctor-hydra',
  'doctor-people',
  'doctor-providers',
  'doctor-sources',
  'event-receiver-example',
  'event-sinks-killed',
  'manage-factor-gateways',
  'manage-killed',
  'migrate-command',
  'operator-cli',
  'operator-replicas',
  'passkey-gateways',
];
const SERIAL_PATHS = `test/flows/(${SERIAL_TESTS.join('|')}).test.ts`;

export default {
  // This only ends a test that hangs: no test asserts a duration, and on a busy machine a test may take ten times as long as usual.
  testTimeout: 180_000,
  projects: [
    project('unit', ['<rootDir>/{src,embedded,test-kit,scripts}/**/*.test.ts', '<rootDir>/web/{*,i18n/*}.test.tsx'], {
      ...nodeOptions,
      testPathIgnorePatterns: [MODULE_REPLACING_TEST, DATABASE_TESTS],
    }),
    project(
      'web',
      [
        '<rootDir>/web/{browser,pages,ui}/**/*.test.{ts,tsx}',
        '<rootDir>/console/**/*.test.{ts,tsx}',
        `<rootDir>/${MODULE_REPLACING_TEST}`,
      ],
      sandboxOptions,
    ),
    project('shape', ['<rootDir>/test/shape/**/*.test.ts']),
    // Two halves, so that they run at the same time: together they take a third of `npm test`.
    project('flows', ['<rootDir>/test/flows/**/*.test.ts'], {
      ...postgresOptions,
      testPathIgnorePatterns: [SERIAL_PATHS, OPERATION_TESTS],
    }),
    project('flows-operation', [`<rootDir>/${OPERATION_TESTS}*ts`, `<rootDir>/${DATABASE_TESTS}`], {
      ...postgresOptions,
      testPathIgnorePatterns: [SERIAL_PATHS],
    }),
    project('flows-alone', [`<rootDir>/${SERIAL_PATHS}`, `<rootDir>/test/${SCIM_TESTERS}.test.ts`], postgresOptions),
    project('conformance', ['<rootDir>/test/conformance/!(database|scim)/**/*.test.ts'], postgresOptions),
    project('conformance-database', ['<rootDir>/test/conformance/database/**/*.test.ts'], {
      ...postgresOptions,
      testPathIgnorePatterns: [LONG_DATABASE_TESTS],
    }),
    project('conformance-long', [`<rootDir>/${LONG_DATABASE_TESTS}`], postgresOptions),
    // What the README promises: `npm start`, and a sign-in in a browser.
    project('start', ['<rootDir>/test/e2e/start.test.ts']),
    project('e2e', ['<rootDir>/test/e2e/**/!(pages|pages-*|console-pages|embedded-installation|start).test.ts']),
    project('model', ['<rootDir>/test/model/**/*.test.ts'], postgresOptions),
    // Separate projects, so that they run at the same time as the others: the console, each state of each page, the stories on the
    // embedded upstream, and the other tests of pages in a browser.
    project('console', ['<rootDir>/test/e2e/console-pages.test.ts']),
    project('pages', ['<rootDir>/test/e2e/pages.test.ts']),
    project('stories', ['<rootDir>/test/e2e/embedded-installation.test.ts']),
    project('page-stories', ['<rootDir>/test/e2e/pages-*.test.ts']),
    project('docs', ['<rootDir>/test/docs/**/*.test.ts'], postgresOptions),
  ],
};
