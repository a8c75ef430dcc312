/** One project per kind of test, so that `npm run check` can run the fast half. */
import { createHash } from 'node:crypto';

const ROOT = import.meta.dirname;

// What Node has compiled once, it reads: for the workers, and for every process that a test starts.
process.env.NODE_COMPILE_CACHE ??= `${ROOT}/.cache/compiled`;

const shared = {
  cacheDirectory: `${ROOT}/.cache/jest`,
  globalSetup: '<rootDir>/test/support/run.setup.mjs',
  globalTeardown: '<rootDir>/test/support/run.teardown.mjs',
  // One for all projects of a clone, so that they share their caches.
  id: createHash('sha1').update(ROOT).digest('hex'),
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json'],
  modulePathIgnorePatterns: ['<rootDir>/.cache/'],
};

/** Modules are loaded by Node, once for all files of a process. */
const onNode = {
  runtime: `${ROOT}/test/support/shared-modules.runtime.mjs`,
  testEnvironment: '<rootDir>/test/support/shared-modules.environment.mjs',
  transform: {},
};

/** Modules are loaded by jest, for each file anew: for a DOM, and for replaced modules. */
const inSandbox = {
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '\\.css$': '<rootDir>/test/support/no-styles.ts',
  },
  transform: { '\\.tsx?$': '<rootDir>/test/support/swc.transformer.mjs' },
  testEnvironment: 'node',
};

/** Only jest's own loader can do that. */
const REPLACES_MODULES = 'src/accounts/password/hasher.test.ts';

/** These use a database, so they run with `flows`, which has a server. */
const ON_DATABASE = 'embedded/launch/(demo-account|demo-people|operator-people).test.ts';

const project = (displayName, testMatch, kind = onNode) => ({ ...shared, ...kind, displayName, testMatch });

/** For tests that use PostgreSQL: one server for all files. */
const onPostgres = {
  ...onNode,
  globalSetup: '<rootDir>/test/support/postgres-server.setup.mjs',
};

/** What starts processes or servers beside the gateway, or lives by time limits of the product: one file at a time. */
const ALONE = [
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

export default {
  // A hang must end; no test asserts how long something takes. On a machine that does something else, ten times as much as usual.
  testTimeout: 180_000,
  projects: [
    project('unit', ['<rootDir>/{src,embedded,test-kit,scripts}/**/*.test.ts', '<rootDir>/web/{*,i18n/*}.test.tsx'], {
      ...onNode,
      testPathIgnorePatterns: [REPLACES_MODULES, ON_DATABASE],
    }),
    project(
      'web',
      [
        '<rootDir>/web/{browser,pages,ui}/**/*.test.{ts,tsx}',
        '<rootDir>/console/**/*.test.{ts,tsx}',
        `<rootDir>/${REPLACES_MODULES}`,
      ],
      inSandbox,
    ),
    project('shape', ['<rootDir>/test/shape/**/*.test.ts']),
    project('flows', ['<rootDir>/test/flows/**/*.test.ts', `<rootDir>/${ON_DATABASE}`], {
      ...onPostgres,
      testPathIgnorePatterns: [`/flows/(${ALONE.join('|')}).test.ts$`],
    }),
    project('flows-alone', [`<rootDir>/test/flows/(${ALONE.join('|')}).test.ts`], onPostgres),
    project('conformance', ['<rootDir>/test/conformance/**/*.test.ts'], onPostgres),
    project('e2e', ['<rootDir>/test/e2e/**/!(pages|pages-*|console-pages|embedded-installation).test.ts']),
    project('model', ['<rootDir>/test/model/**/*.test.ts'], onPostgres),
    // Apart, so that they run beside the others: the console; each state of each page; the stories on the embedded upstream, and on pages.
    project('console', ['<rootDir>/test/e2e/console-pages.test.ts']),
    project('pages', ['<rootDir>/test/e2e/pages.test.ts']),
    project('stories', ['<rootDir>/test/e2e/embedded-installation.test.ts']),
    project('page-stories', ['<rootDir>/test/e2e/pages-*.test.ts']),
    project('docs', ['<rootDir>/test/docs/**/*.test.ts'], onPostgres),
  ],
};
