/** Checks that a kind of second factor is one folder on the server and one for the pages, which only two registries import. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import en from '../../locales/en.json' with { type: 'json' };
import { SETTINGS } from '../../src/config/settings.js';
import { getCodeKeys, findFactorKey, getNoticeKeys } from '../../src/mail/notice-phrases.js';
import { isSecondFactor } from '../../src/mfa/held-factors.js';
import { KINDS, PROOF_KINDS } from '../../src/mfa/registry.js';
import { MAIL_SAMPLES } from '../support/mail-samples.js';
import { PROJECT, listFilesBelow } from '../support/scratch-tree.js';

const SERVER = 'src/mfa/factors';
const PAGES = 'web/factors';

/** Files outside the folders of the kinds that may mention the name of a kind, and why. */
const KNOWS_KINDS: Readonly<Record<string, string>> = {
  'src/mfa/registry.ts': 'lists the kinds',
  'web/factors/registry.ts': 'lists the kinds for the pages',
  'src/contract/mfa-fields.ts': 'maps to the names of the specification',
  'src/contract/paths.ts': 'has the addresses of the specification',
  'src/contract/rpc.ts': 'has the error codes and answers of the specification',
  'web/ui/account/fault.tsx': 'has words for the error codes of the specification',
  'src/operator/wire.ts': 'has the fields of the operator API',
  'src/operator/client/operator-api.ts': 'is generated from the description of the operator API',
  'src/config/settings.ts': 'lists the kinds that an installation may offer',
  'src/config/keys.ts': 'names the purposes of encryption keys',
  'src/database/migrations/0004-factors.ts': 'has the tables, and the view that counts',
  'src/database/migrations/0010-email-codes.ts': 'has the table, and the view that counts',
  'src/database/migrations/0025-trusted-browsers.ts': 'has the view that counts',
  'src/database/migrations/0026-passkeys.ts': 'has the tables, and the view that counts',
  'src/database/migrations/0027-passkey-offers.ts': 'has the table of people who want no offers',
  'src/database/migrations/0044-sign-ins.ts': 'has the column for the last passkey of a sign-in',
  'src/database/schema.ts': 'describes the tables',
  'web/app.tsx': 'lists the pages, including the offer of a passkey',
  'src/accounts/audit/catalogue.ts': 'explains the details of events',
  'src/events/ocsf/auth-factors.ts': 'maps to the factors of OCSF',
  'src/accounts/changes/secure-account.ts': 'removes the credentials that replace a password',
  'src/accounts/identities/sign-in-methods.ts': 'looks for a remaining way to sign in',
  'src/accounts/scim/scim-accounts.ts': 'removes the credentials of the person to whom an account belonged before',
  'src/accounts/sessions/manage-session-statements.ts': 'decides for which accounts a password is not a fresh proof',
  'src/webauthn/credential-rows.ts': 'renames and removes rows of both tables, and finds the table that contains an id',
  'src/webauthn/verified-credential.ts': 'verifies credentials of both kinds',
  'src/operator/cli/commands/account-export.ts': 'has an option for the seeds of authenticator apps',
  'src/operator/doctor/checks/console.check.ts': 'says with which kinds operators can sign in to the console',
  'src/operator/doctor/checks/secrets.check.ts': 'checks the seeds before other code opens the database',
};

/** Files about signing in with a passkey, which is not a second factor but part of the login page and of its metrics. */
const PASSKEY_SIGN_IN: readonly string[] = [
  'src/passkeys/bound-challenges.ts',
  'src/passkeys/ceremony.ts',
  'src/passkeys/passkey-sign-in.ts',
  'src/passkeys/passkeys.ts',
  'src/passkeys/sign-in-challenge.ts',
  'src/passkeys/sign-up-passkeys.ts',
  'src/accounts/audit/event-count.ts',
  'src/accounts/identities/connect-offers.ts',
  'src/config/provider-kinds.ts',
  'src/contract/form-fields.ts',
  'src/contract/page-state.ts',
  'src/contract/registration-state.ts',
  'src/flows/sign-in/login-screens.ts',
  'src/flows/sign-in/login.page.ts',
  'src/flows/sign-in/steps/passkey.ts',
  'src/flows/sign-in/steps/sign-up/password.flow.ts',
  'src/flows/sign-in/steps/sign-up/sign-up-end.ts',
  'src/flows/sign-in/steps/sign-up/sign-up.pages.ts',
  'src/telemetry/catalogue.ts',
  'web/browser/passkey.ts',
  'web/pages/login-alert.tsx',
  'web/pages/login-passkey.tsx',
  'web/pages/login-ways.tsx',
  'web/pages/login.tsx',
  'web/pages/registration-steps.tsx',
];

/** Files that may import from the folder of a kind, and why. */
const IMPORTS_KINDS: Readonly<Record<string, string>> = {
  'src/mfa/registry.ts': 'lists the kinds',
  'web/factors/registry.ts': 'lists the kinds for the pages',
  'web/fixtures/index.ts': 'lists the fixtures',
  'src/mfa/held-factors.ts': 'distinguishes passkeys from second factors',
  'src/app.module.ts': 'encrypts the seeds of authenticator apps again after each start',
  'src/flows/sign-in/sign-in.module.ts': 'provides the offer of a passkey after a sign-in',
  'src/flows/sign-in/passkey-offer.ts': 'decides whether a sign-in continues with the offer of a passkey',
  'src/flows/passkey-offer/passkey-offer.flow.ts': 'offers a passkey after a sign-in',
  'src/mfa/factors.module.ts': 'provides the service that encrypts seeds with the newest secret',
};

const CODE_MAILS = KINDS.flatMap(({ byMail }) => byMail?.mails ?? []);

const IMPORT = /\bfrom '(\.[^']*)'/g;

const readText = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const sources = ['src', 'web'].flatMap(listFilesBelow).filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
const isOwn = (file: string) =>
  [SERVER, PAGES].some((folder) => relative(folder, file).split('/').length > 1 && file.startsWith(`${folder}/`));
const toImports = (file: string) => [...readText(file).matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path));
const toFolders = (folder: string) =>
  readdirSync(join(PROJECT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

describe('a kind of second factor', () => {
  it('has one folder on the server and one for the pages, with the same name', () => {
    expect(toFolders(SERVER)).toEqual(KINDS.map(({ folder }) => folder).sort());
    expect(toFolders(PAGES)).toEqual(PROOF_KINDS.map(({ folder }) => folder).sort());
  });

  it('is imported only by the registries and the listed files', () => {
    const importers = sources.filter((file) => !isOwn(file) && toImports(file).some(isOwn));
    expect(importers.sort()).toEqual(Object.keys(IMPORTS_KINDS).sort());
  });

  it('is not mentioned by any other file, not even in a string', () => {
    const named = KINDS.flatMap(({ folder, name }) => [folder, name]);
    const text = new RegExp(`\\b(${[...new Set(named)].join('|')})\\b`);
    const isKnown = (file: string) => Object.hasOwn(KNOWS_KINDS, file) || PASSKEY_SIGN_IN.includes(file);
    const isFixture = (file: string) => file.startsWith('web/fixtures/');
    const found = sources.filter((file) => !isOwn(file) && !isFixture(file) && !isKnown(file) && text.test(toCode(file)));
    expect(found).toEqual([]);
  });

  it.each(KINDS)('can be offered, and has notices with phrases and samples ($name)', (kind) => {
    const options = SETTINGS.mfa.factors.kind.read(kind.name);
    expect('value' in options).toBe(isSecondFactor(kind));
    for (const topic of [kind.notices.added, kind.notices.removed]) {
      expect(Object.keys(en)).toEqual(expect.arrayContaining(Object.values(getNoticeKeys(topic))));
      expect(MAIL_SAMPLES.map((sample) => sample.name)).toContain(`mail-${topic}`);
    }
  });

  it('has a name in mails, and nothing else has one', () => {
    const names = Object.keys(en).filter((key) => /^mail\.factor_/.test(key) && !/^mail\.factor_stopped(_text)?$/.test(key));
    expect(names.sort()).toEqual([...new Set(PROOF_KINDS.map(({ name }) => findFactorKey(name)))].sort());
  });

  it.each(CODE_MAILS)('sends codes with separate phrases and a separate sample (%s)', (mail) => {
    expect(Object.keys(en)).toEqual(expect.arrayContaining(Object.values(getCodeKeys(mail))));
    expect(MAIL_SAMPLES.map(({ name }) => name)).toContain(`mail-${mail}`);
  });

  it('lists every mail with a code, except the mails of the account area, of the sign-in, of the page for the help desk and of the sign-up', () => {
    const words = Object.keys(en).flatMap((key) => /^mail\.(.+)_if_not$/.exec(key)?.[1]?.replaceAll('_', '-') ?? []);
    expect(words.filter((mail) => mail.includes('code')).sort()).toEqual(
      [...CODE_MAILS, 'email-change-code', 'proof-code', 'sign-in-code', 'sign-up-code', 'support-code'].sort(),
    );
  });
});

/** @returns the file without comments and import paths */
function toCode(file: string): string {
  return readText(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\bfrom '[^']*'/g, '');
}
