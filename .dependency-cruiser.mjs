/**
 * The import rules (docs/architecture.md). `LAW` is their table: what each folder of `src` may import of
 * the project's own files. What is not listed is forbidden. Types count: a type is knowledge too.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LAW = {
  contract: [],
  config: ['src/contract', 'locales'],
  // All folders may import it; it imports only the configuration.
  telemetry: ['src/config'],
  database: ['src/telemetry', 'src/config', 'src/contract'],
  hydra: ['src/telemetry', 'src/config', 'src/contract'],
  // A password is verified where it is; the port says nothing of accounts.
  accounts: ['src/sources', 'src/database', 'src/telemetry', 'src/config', 'src/contract'],
  sources: ['src/telemetry', 'src/config', 'src/contract'],
  providers: ['src/database', 'src/telemetry', 'src/config', 'src/contract', 'locales'],
  mail: ['src/database', 'src/telemetry', 'src/config', 'src/contract', 'locales'],
  // What leaves is an event of the audit log.
  events: ['src/accounts', 'src/telemetry', 'src/config', 'src/contract'],
  gateway: ['src/telemetry', 'src/config', 'src/contract'],
  // Public keys of an account, and the two ceremonies of WebAuthn.
  webauthn: ['src/accounts', 'src/database', 'src/config', 'src/contract'],
  passkeys: ['src/webauthn', 'src/accounts', 'src/database', 'src/telemetry', 'src/config', 'src/contract'],
  // Each factor keeps what it needs in tables of its own.
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
  // The doctor looks at the storage before anything opens it.
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
 * Inside `src/accounts`: what each folder may import of its neighbours. A folder knows those above it in this list; a single
 * file of one below it is an exception, with its reason. Files of `src/accounts` itself put the folders together.
 */
const INSIDE_ACCOUNTS = {
  account: [
    'audit/audit-log',
    // Whoever is disabled is signed out in the same transaction, and links to the account stop working.
    'sessions/browser-sessions',
    'secrets/one-time-secrets',
    // A former address gets a mail with a link that brings it back.
    'queue/outbox',
    // A new account comes with its attributes.
    'attributes/account-attributes',
  ],
  // Changes of a whole account, which touch everything that belongs to it.
  changes: ['account', 'audit', 'queue', 'limits', 'sessions', 'secrets', 'identities', 'password'],
  attributes: ['account'],
  audit: ['account'],
  // A notice carries a link with a secret of its own.
  queue: ['account', 'audit', 'secrets/one-time-secrets'],
  limits: ['account', 'audit', 'queue'],
  sessions: ['account', 'audit', 'queue'],
  secrets: ['account', 'audit', 'queue', 'limits', 'sessions/browser-sessions'],
  identities: ['account', 'attributes/account-attributes', 'audit', 'queue', 'limits/attempt-keys', 'sessions', 'secrets'],
  // The account of a person whose password a source has verified.
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
  // The page Today counts mails that did not arrive. What nobody has checked is announced by mail, and codes open the page of a check.
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
  // A SCIM source creates, changes, disables and deletes whole accounts. Whose provider was connected gets a mail.
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
  ],
};

const OWN = '^(src|web|console|embedded|locales|test-kit|test|scripts)/';
const TEST = '\\.test\\.tsx?$';

/** The pages, as the table of `web/app.tsx` names them; the longest first, so that `login-hint` is not taken for a part of `login`. */
const PAGES = [...readFileSync(join(import.meta.dirname, 'web/app.tsx'), 'utf8').matchAll(/^ {2}([a-z\d_]+): createLazyPage\(/gm)]
  .map(([, name]) => name.replaceAll('_', '-'))
  .sort((one, other) => other.length - one.length)
  .join('|');

/** Tests beside the source may use what all tests share. */
const toLaw = (folder, allowed) => ({
  name: `law-${folder}`,
  severity: 'error',
  comment: `src/${folder} may import: ${allowed.join(', ') || 'nothing of the project'}.`,
  from: { path: `^src/${folder}/`, pathNot: TEST },
  to: { path: OWN, pathNot: [`^src/${folder}/`, ...allowed.map((path) => `^${path}/`)] },
});

const lawOfTests = (folder, allowed) => ({
  name: `law-${folder}-tests`,
  severity: 'error',
  comment: `Tests in src/${folder} may import what the folder may, and test/support.`,
  from: { path: `^src/${folder}/.*${TEST}` },
  to: { path: OWN, pathNot: [`^src/${folder}/`, '^test/support/', ...allowed.map((path) => `^${path}/`)] },
});

/** A package that one folder alone may know. */
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
  comment: `src/accounts/${folder} may import of its neighbours: ${allowed.join(', ')}.`,
  from: { path: `^src/accounts/${folder}/`, pathNot: TEST },
  to: { path: '^src/accounts/', pathNot: [folder, ...allowed].map((path) => `^src/accounts/${path}[/.]`) },
});

/** Neighbours of one folder do not know each other. `except` names what they share. */
const strangers = (folder, except = []) => ({
  name: `strangers-${folder.replaceAll('/', '-')}`,
  severity: 'error',
  comment: `${folder}/x does not import ${folder}/y.`,
  from: { path: `^${folder}/([^/]+)/`, pathNot: TEST },
  to: { path: `^${folder}/[^/]+/`, pathNot: [`^${folder}/$1/`, ...except.map((path) => `^${folder}/${path}/`)] },
});

export default {
  forbidden: [
    ...Object.entries(LAW).flatMap(([folder, allowed]) => [toLaw(folder, allowed), lawOfTests(folder, allowed)]),
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
      comment: 'Nobody imports the composition root but the program itself, what starts it, and its tests.',
      from: { path: '^(src|web)/', pathNot: '^src/[^/]+\\.ts$' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'embedded-apart',
      severity: 'error',
      comment: 'The product never imports what is embedded for a first run.',
      from: { path: '^(src|web|console)/' },
      to: { path: '^embedded/' },
    },
    {
      name: 'tests-apart',
      severity: 'error',
      comment: 'The product never imports tests or what only they use.',
      from: { path: '^(src|web|console|embedded)/', pathNot: TEST },
      to: { path: `^test/|${TEST}` },
    },
    {
      name: 'testing-apart',
      severity: 'error',
      comment: 'The test kit for apps stands on the product; the product does not know it.',
      from: { path: '^(src|web|console|embedded)/', pathNot: TEST },
      to: { path: '^test-kit/' },
    },
    {
      name: 'testing-law',
      severity: 'error',
      comment: 'The test kit starts an installation and speaks to it over HTTP: it knows its client, and no part of the inside.',
      from: { path: '^test-kit/' },
      to: {
        path: OWN,
        pathNot: ['^test-kit/', '^src/(config|contract|operator/client)/', '^src/start-foyer\\.ts$', '^embedded/'],
      },
    },
    onlyIn('hydra', ['@ory/client', 'axios'], ['src/hydra/']),
    onlyIn(
      'gateway',
      ['express', '@types/express', '@nestjs/platform-express'],
      ['src/gateway/', 'src/[^/]+\\.ts$', 'embedded/'],
    ),
    onlyIn('database', ['pg', '@types/pg', '@electric-sql/pglite'], ['src/database/']),
    onlyIn('ldap', ['ldapts'], ['src/sources/ldap/']),
    onlyIn('telemetry', ['@opentelemetry'], ['src/telemetry/sdk/']),
    {
      name: 'telemetry-loaded-late',
      severity: 'error',
      comment: 'OpenTelemetry costs memory and start time: only where the settings ask for it, and then by import().',
      from: { path: '^(src|web|embedded)/', pathNot: ['^src/telemetry/sdk/', TEST] },
      to: { path: '^src/telemetry/sdk/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'packages-loaded-late',
      severity: 'error',
      comment: 'Memory that most processes never use: loaded by import() at the first use.',
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
      comment: 'Accounts, database and contract know nothing of requests.',
      from: { path: '^src/(accounts|database|config|contract)/', pathNot: TEST },
      to: { path: ['^(node:)?https?2?$'] },
    },
    {
      name: 'web-law',
      severity: 'error',
      comment: 'Pages know the contract and the locales, nothing else of the project.',
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
      comment: 'A part of a page (login-alert of login) belongs to that page alone; what several need stands in web/ui.',
      from: { path: `^web/pages/(${PAGES})[^/]*\\.tsx$`, pathNot: TEST },
      to: { path: `^web/pages/(${PAGES})`, pathNot: '^web/pages/$1[^/]*\\.tsx$' },
    },
    {
      name: 'web-ui-below-pages',
      severity: 'error',
      comment: 'Parts of pages know no page.',
      from: { path: '^web/ui/' },
      to: { path: '^web/pages/' },
    },
    {
      name: 'console-law',
      severity: 'error',
      comment: 'The console knows the types of the operator API and its own phrases, nothing else of the project.',
      from: { path: '^console/', pathNot: ['^console/fixtures/', TEST] },
      to: { path: OWN, pathNot: ['^console/', '^locales/console/', '^src/operator/client/operator-api\\.ts$'] },
    },
    {
      name: 'console-fixtures-law',
      severity: 'error',
      comment:
        'The fake server of tests and pictures allows what the table of rights allows, and knows nothing else of the server.',
      from: { path: '^console/fixtures/', pathNot: TEST },
      to: {
        path: OWN,
        pathNot: ['^console/', '^locales/console/', '^src/operator/client/operator-api\\.ts$', '^src/operator/operations\\.ts$'],
      },
    },
    {
      name: 'console-types-only',
      severity: 'error',
      comment: 'Of the server the console has types, and no code.',
      from: { path: '^console/', pathNot: ['^console/fixtures/', TEST] },
      to: { path: '^src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'console-apart',
      severity: 'error',
      comment: 'The server knows the console as built files only, and the pages do not know it.',
      from: { path: '^(src|web|embedded|test-kit)/' },
      to: { path: '^(console|locales/console)/' },
    },
    {
      name: 'console-without-fixtures',
      severity: 'error',
      comment: 'Fixtures are for tests and pictures.',
      from: { path: '^console/', pathNot: ['^console/fixtures/', TEST] },
      to: { path: '^console/fixtures/' },
    },
    ...Object.entries(INSIDE_ACCOUNTS).map(insideAccounts),
    {
      name: 'accounts-folders',
      severity: 'error',
      comment: 'Every folder of src/accounts has its row in INSIDE_ACCOUNTS.',
      from: { path: '^src/accounts/[^/]+/', pathNot: `^src/accounts/(${Object.keys(INSIDE_ACCOUNTS).join('|')})/` },
      to: { path: '^src/accounts/' },
    },
    // A factor is one folder; what all have in common stands in src/mfa itself.
    strangers('src/mfa/factors'),
    // What every waiting request has in common stands in sign-in, which itself knows no flow.
    strangers('src/flows', ['sign-in']),
    // What every page of the account area needs stands in session.
    // The copy of the own data (data) lists what the pages of the others list.
    { ...strangers('src/manage', ['session']), from: { path: '^src/manage/([^/]+)/', pathNot: [TEST, '^src/manage/data/'] } },
    {
      ...strangers('embedded', ['site']),
      from: { path: '^embedded/([^/]+)/', pathNot: [TEST, '^embedded/launch/'] },
    },
    {
      name: 'embedded-law',
      severity: 'error',
      comment: 'Embedded parts stand for programs of other people; only the launcher knows the product.',
      from: { path: '^embedded/[^/]+/', pathNot: [TEST, '^embedded/launch/'] },
      to: { path: '^(src|web|locales)/', pathNot: '^src/(config|contract)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Nest on ESM fails at load where injectables import each other.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-runtime-packages',
      severity: 'error',
      comment: 'What runs in production does not import a development package.',
      from: { path: '^src/', pathNot: TEST },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that leads nowhere.',
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
