/**
 * The import rules (docs/architecture.md). The table `ALLOWED_IMPORTS` lists the folders of the
 * project that each folder of `src` may import; all others are forbidden. The rules apply to imports of types too.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ALLOWED_IMPORTS = {
  contract: [],
  config: ['src/contract', 'locales'],
  // Imports only the configuration.
  telemetry: ['src/config'],
  database: ['src/telemetry', 'src/config', 'src/contract'],
  hydra: ['src/telemetry', 'src/config', 'src/contract'],
  // A source verifies the passwords of its people; its port does not depend on accounts.
  accounts: ['src/sources', 'src/database', 'src/telemetry', 'src/config', 'src/contract'],
  sources: ['src/telemetry', 'src/config', 'src/contract'],
  providers: ['src/database', 'src/telemetry', 'src/config', 'src/contract', 'locales'],
  mail: ['src/database', 'src/telemetry', 'src/config', 'src/contract', 'locales'],
  // The events that are sent are those of the audit log.
  events: ['src/accounts', 'src/telemetry', 'src/config', 'src/contract'],
  gateway: ['src/telemetry', 'src/config', 'src/contract'],
  // Contains the public keys of an account, and the two ceremonies of WebAuthn.
  webauthn: ['src/accounts', 'src/database', 'src/config', 'src/contract'],
  passkeys: ['src/webauthn', 'src/accounts', 'src/database', 'src/telemetry', 'src/config', 'src/contract'],
  // Each factor has its own tables.
  mfa: [
    'src/passkeys',
    'src/webauthn',
    'src/database',
    'src/telemetry',
    'src/accounts',
    'src/gateway',
    'src/config',
    'src/contract',
  ],
  flows: [
    'src/hydra',
    'src/accounts',
    'src/passkeys',
    'src/webauthn',
    'src/mfa',
    'src/providers',
    'src/mail',
    'src/gateway',
    'src/config',
    'src/contract',
  ],
  manage: ['src/hydra', 'src/accounts', 'src/mfa', 'src/providers', 'src/mail', 'src/gateway', 'src/config', 'src/contract'],
  // The doctor inspects the storage before any code opens it.
  operator: [
    'src/database/inspection',
    'src/hydra',
    'src/accounts',
    'src/mfa',
    'src/providers',
    'src/sources',
    'src/mail',
    'src/gateway',
    'src/telemetry',
    'src/config',
    'src/contract',
  ],
};

/**
 * Inside `src/accounts`: the folders next to it that each folder may import. These are folders above it in this list; a single file
 * of a folder below it is an exception, with a reason. The files in `src/accounts` itself combine the folders.
 */
const INSIDE_ACCOUNTS = {
  account: [
    // Changes write audit events.
    'audit/audit-log',
    // Disabling an account signs the person out and voids links to the account in the same transaction.
    'sessions/browser-sessions',
    'secrets/one-time-secrets',
    // A mail to the former address contains a link that restores this address.
    'queue/outbox',
    // A new account is created with its attributes.
    'attributes/account-attributes',
  ],
  attributes: ['account'],
  audit: ['account'],
  // A notice contains a link with its own secret.
  queue: ['account', 'audit', 'secrets/one-time-secrets'],
  limits: ['account', 'audit', 'queue'],
  sessions: ['account', 'audit', 'queue'],
  secrets: ['account', 'audit', 'queue', 'limits', 'sessions/browser-sessions'],
  identities: ['account', 'attributes/account-attributes', 'audit', 'queue', 'limits/attempt-keys', 'sessions', 'secrets'],
  terms: ['account', 'audit/audit-log'],
  // A person whose password a source has verified needs an account.
  password: [
    'account',
    'audit',
    'queue',
    'limits',
    'sessions',
    'secrets',
    'identities/source-accounts',
    'identities/source-names',
    'identities/migrated-accounts',
  ],
  // Changes to a whole account, which affect all its data.
  changes: ['account', 'audit', 'queue', 'limits', 'sessions', 'secrets', 'identities', 'password'],
  // The page Today counts mails that did not arrive. Changes without a check are announced by mail, and codes open the page of a check.
  operators: ['account', 'audit', 'sessions', 'queue/failed-mails', 'queue/outbox', 'secrets', 'limits'],
  jobs: ['account', 'audit', 'queue/lease-queue', 'operators/saved-filters', 'operators/operator-identity'],
  transfer: [
    'account',
    'attributes',
    'audit',
    'identities',
    'password',
    // Imported people of a SCIM source are offered to it.
    'operators/operator-identity',
    'scim/offered-accounts',
  ],
  // A SCIM source creates, changes, disables and deletes whole accounts. A person whose provider was connected gets a mail.
  scim: [
    'account',
    'attributes',
    'audit',
    'changes',
    'identities',
    'operators',
    'password',
    'queue/outbox',
    'secrets',
    'sessions',
    // What one person has accepted does not count for the next person of the account.
    'terms/terms-acceptances',
  ],
};

const OWN = '^(src|web|console|embedded|locales|test-kit|test|scripts)/';
const TEST = '\\.test\\.tsx?$';

/** The pages, as the table of `web/app.tsx` names them; the longest first, so that `login-hint` does not match as a part of `login`. */
const PAGES = [...readFileSync(join(import.meta.dirname, 'web/app.tsx'), 'utf8').matchAll(/^ {2}([a-z\d_]+): createLazyPage\(/gm)]
  .map(([, name]) => name.replaceAll('_', '-'))
  .sort((one, other) => other.length - one.length)
  .join('|');

/** The rule for one folder of `src`, except its tests. */
const toImportRule = (folder, allowed) => ({
  name: `imports-${folder}`,
  severity: 'error',
  comment: `src/${folder} may import: ${allowed.join(', ') || 'no other folder of the project'}.`,
  from: { path: `^src/${folder}/`, pathNot: TEST },
  to: { path: OWN, pathNot: [`^src/${folder}/`, ...allowed.map((path) => `^${path}/`)] },
});

/** The rule for the tests in a folder of `src`, which may also use the files that all tests share. */
const toTestImportRule = (folder, allowed) => ({
  name: `imports-${folder}-tests`,
  severity: 'error',
  comment: `Tests in src/${folder} may import the same as the folder, and test/support.`,
  from: { path: `^src/${folder}/.*${TEST}` },
  to: { path: OWN, pathNot: [`^src/${folder}/`, '^test/support/', ...allowed.map((path) => `^${path}/`)] },
});

/** Packages that only these folders may import. */
const onlyIn = (name, packages, folders) => ({
  name: `only-in-${name}`,
  severity: 'error',
  comment: `${packages.join(', ')}: only in ${folders.join(', ')}.`,
  from: { path: '^(src|web|console|embedded)/', pathNot: [TEST, ...folders.map((folder) => `^${folder}`)] },
  to: { path: packages.map((name) => `(^|/)node_modules/${name}/|^${name}$`) },
});

const insideAccounts = ([folder, allowed]) => ({
  name: `accounts-${folder}`,
  severity: 'error',
  comment: `src/accounts/${folder} may import these folders of src/accounts: ${allowed.join(', ')}.`,
  from: { path: `^src/accounts/${folder}/`, pathNot: TEST },
  to: { path: '^src/accounts/', pathNot: [folder, ...allowed].map((path) => `^src/accounts/${path}[/.]`) },
});

/** Folders within one folder do not import each other. `except` names those that they share. */
const toSeparationRule = (folder, except = []) => ({
  name: `separate-${folder.replaceAll('/', '-')}`,
  severity: 'error',
  comment: `${folder}/x does not import ${folder}/y.`,
  from: { path: `^${folder}/([^/]+)/`, pathNot: TEST },
  to: { path: `^${folder}/[^/]+/`, pathNot: [`^${folder}/$1/`, ...except.map((path) => `^${folder}/${path}/`)] },
});

export default {
  forbidden: [
    ...Object.entries(ALLOWED_IMPORTS).flatMap(([folder, allowed]) => [
      toImportRule(folder, allowed),
      toTestImportRule(folder, allowed),
    ]),
    {
      name: 'contract-is-plain',
      severity: 'error',
      comment: 'src/contract is plain TypeScript for server and browser: no package, no built-in module.',
      from: { path: '^src/contract/', pathNot: TEST },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown', 'core'] },
    },
    {
      name: 'composition-root',
      severity: 'error',
      comment: 'Only the program itself, the code that starts it, and its tests import the composition root.',
      from: { path: '^(src|web)/', pathNot: '^src/[^/]+\\.ts$' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'embedded-apart',
      severity: 'error',
      comment: 'The product never imports the parts that are embedded for a first run.',
      from: { path: '^(src|web|console)/' },
      to: { path: '^embedded/' },
    },
    {
      name: 'tests-apart',
      severity: 'error',
      comment: 'The product never imports tests, or files that only tests use.',
      from: { path: '^(src|web|console|embedded)/', pathNot: TEST },
      to: { path: `^test/|${TEST}` },
    },
    {
      name: 'testing-apart',
      severity: 'error',
      comment: 'The test kit for apps imports the product; the product does not import the test kit.',
      from: { path: '^(src|web|console|embedded)/', pathNot: TEST },
      to: { path: '^test-kit/' },
    },
    {
      name: 'imports-testing',
      severity: 'error',
      comment:
        'The test kit starts an installation and calls it over HTTP: in src, it imports only the start, the configuration, the contract and the client of the operator API.',
      from: { path: '^test-kit/' },
      to: {
        path: OWN,
        pathNot: ['^test-kit/', '^src/(config|contract|operator/client)/', '^src/start-foyer\\.ts$', '^embedded/'],
      },
    },
    onlyIn('hydra', ['@ory/client', 'axios'], ['src/hydra/']),
    onlyIn('gateway', ['express', '@types/express', '@nestjs/platform-express'], ['src/gateway/', 'src/[^/]+\\.ts$']),
    onlyIn('database', ['pg', '@types/pg', '@electric-sql/pglite'], ['src/database/']),
    onlyIn('ldap', ['ldapts'], ['src/sources/ldap/']),
    onlyIn('telemetry', ['@opentelemetry'], ['src/telemetry/sdk/']),
    {
      name: 'telemetry-loaded-late',
      severity: 'error',
      comment: 'OpenTelemetry needs memory and start time, so it is loaded by import(), and only if the settings require it.',
      from: { path: '^(src|web|embedded)/', pathNot: ['^src/telemetry/sdk/', TEST] },
      to: { path: '^src/telemetry/sdk/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'packages-loaded-late',
      severity: 'error',
      comment: 'Most processes never use these packages, so they are loaded by import() at the first use to save memory.',
      from: { path: '^src/', pathNot: TEST },
      to: {
        path: '(^|/)node_modules/(@simplewebauthn/server|@node-rs/bcrypt|otplib|nodemailer|qrcode|@electric-sql/pglite)/',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    onlyIn('operator-client', ['openapi-fetch'], ['src/operator/client/', 'console/api/']),
    onlyIn('web', ['react', 'react-dom', 'react-i18next'], ['web/', 'console/']),
    onlyIn('console', ['@tanstack'], ['console/']),
    {
      name: 'accounts-without-http',
      severity: 'error',
      comment: 'Accounts, database, configuration and contract do not use HTTP.',
      from: { path: '^src/(accounts|database|config|contract)/', pathNot: TEST },
      to: { path: ['^(node:)?https?2?$'] },
    },
    {
      name: 'imports-web',
      severity: 'error',
      comment: 'Pages import the contract and the locales, and nothing else of the project.',
      from: { path: '^web/', pathNot: TEST },
      to: { path: '^(src|embedded|test|scripts)/', pathNot: '^src/contract/' },
    },
    {
      name: 'web-pages-apart',
      severity: 'error',
      comment: 'A page does not import another page.',
      from: { path: '^web/pages/', pathNot: TEST },
      to: { path: `^web/pages/(${PAGES})\\.tsx$` },
    },
    {
      name: 'web-parts-of-pages',
      severity: 'error',
      comment: 'A part of a page (login-alert of login) belongs only to that page; parts that several pages need are in web/ui.',
      from: { path: `^web/pages/(${PAGES})[^/]*\\.tsx$`, pathNot: TEST },
      to: { path: `^web/pages/(${PAGES})`, pathNot: '^web/pages/$1[^/]*\\.tsx$' },
    },
    {
      name: 'web-ui-below-pages',
      severity: 'error',
      comment: 'Parts of pages do not import pages.',
      from: { path: '^web/ui/' },
      to: { path: '^web/pages/' },
    },
    {
      name: 'imports-console',
      severity: 'error',
      comment: 'The console imports the types of the operator API and its own phrases, and nothing else of the project.',
      from: { path: '^console/', pathNot: ['^console/fixtures/', TEST] },
      to: { path: OWN, pathNot: ['^console/', '^locales/console/', '^src/operator/client/operator-api\\.ts$'] },
    },
    {
      name: 'imports-console-fixtures',
      severity: 'error',
      comment:
        'The fake server for tests and pictures imports the types of the operator API and the table of operations, and nothing else of the server.',
      from: { path: '^console/fixtures/', pathNot: TEST },
      to: {
        path: OWN,
        pathNot: ['^console/', '^locales/console/', '^src/operator/client/operator-api\\.ts$', '^src/operator/operations\\.ts$'],
      },
    },
    {
      name: 'console-types-only',
      severity: 'error',
      comment: 'The console imports types of the server, and no code.',
      from: { path: '^console/', pathNot: ['^console/fixtures/', TEST] },
      to: { path: '^src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'console-apart',
      severity: 'error',
      comment: 'The server serves the console as built files and does not import it; nor do the pages.',
      from: { path: '^(src|web|embedded|test-kit)/' },
      to: { path: '^(console|locales/console)/' },
    },
    {
      name: 'console-without-fixtures',
      severity: 'error',
      comment: 'Only tests and pictures use fixtures.',
      from: { path: '^console/', pathNot: ['^console/fixtures/', TEST] },
      to: { path: '^console/fixtures/' },
    },
    ...Object.entries(INSIDE_ACCOUNTS).map(insideAccounts),
    {
      name: 'accounts-folders',
      severity: 'error',
      comment: 'Every folder of src/accounts needs an entry in INSIDE_ACCOUNTS.',
      from: { path: '^src/accounts/[^/]+/', pathNot: `^src/accounts/(${Object.keys(INSIDE_ACCOUNTS).join('|')})/` },
      to: { path: '^src/accounts/' },
    },
    // A factor is one folder; the code that all factors share is in src/mfa itself.
    toSeparationRule('src/mfa/factors'),
    // The code that all waiting requests share is in sign-in, which imports no flow.
    toSeparationRule('src/flows', ['sign-in']),
    // The code that every page of the account area needs is in session. The folder data, which builds the copy of their data that
    // people download, lists the same as the pages of the other folders.
    {
      ...toSeparationRule('src/manage', ['session']),
      from: { path: '^src/manage/([^/]+)/', pathNot: [TEST, '^src/manage/data/'] },
    },
    {
      ...toSeparationRule('embedded', ['site']),
      from: { path: '^embedded/([^/]+)/', pathNot: [TEST, '^embedded/launch/'] },
    },
    {
      name: 'imports-embedded',
      severity: 'error',
      comment:
        'Embedded parts represent programs of other people: except for configuration and contract, only the launcher imports the product.',
      from: { path: '^embedded/[^/]+/', pathNot: [TEST, '^embedded/launch/'] },
      to: { path: '^(src|web|locales)/', pathNot: '^src/(config|contract)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Nest on ESM fails to load injectables that import each other.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-runtime-packages',
      severity: 'error',
      comment: 'Code that runs in production does not import a development package.',
      from: { path: '^src/', pathNot: TEST },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'The imported file does not exist.',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|screens|coverage|\\.cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
