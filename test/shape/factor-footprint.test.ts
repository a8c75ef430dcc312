/** A kind of second factor is one folder on the server and one for its pages; nothing else but two registries knows it. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import en from '../../locales/en.json' with { type: 'json' };
import { SETTINGS } from '../../src/config/settings.js';
import { findCodeKeys, findFactorKey, findNoticeKeys } from '../../src/mail/notice-phrases.js';
import { isSecondFactor } from '../../src/mfa/held-factors.js';
import { KINDS, PROOF_KINDS } from '../../src/mfa/registry.js';
import { MAIL_SAMPLES } from '../support/mail-samples.js';
import { PROJECT } from '../support/scratch-tree.js';

const SERVER = 'src/mfa/factors';
const PAGES = 'web/factors';

/** Where names of kinds may stand beside their own folders, and why. */
const KNOWS_KINDS: Readonly<Record<string, string>> = {
  'src/mfa/registry.ts': 'lists the kinds',
  'web/factors/registry.ts': 'lists the kinds for the pages',
  'src/contract/mfa-fields.ts': 'maps to the names of the specification',
  'src/contract/paths.ts': 'has the addresses of the specification',
  'src/contract/rpc.ts': 'has the error codes and answers of the specification',
  'web/ui/account/fault.tsx': 'has words for the error codes of the specification',
  'src/operator/wire.ts': 'has the fields of the operator API',
  'src/operator/client/operator-api.ts': 'is made from them by the build',
  'src/config/settings.ts': 'says what an installation may offer',
  'src/config/keys.ts': 'names what is sealed',
  'src/database/migrations/0004-factors.ts': 'has the tables, and the view that counts',
  'src/database/migrations/0010-email-codes.ts': 'has the table, and the view that counts',
  'src/database/migrations/0025-trusted-browsers.ts': 'has the view that counts',
  'src/database/migrations/0026-passkeys.ts': 'has the tables, and the view that counts',
  'src/database/migrations/0027-passkey-offers.ts': 'keeps who wants no offers',
  'src/database/migrations/0044-sign-ins.ts': 'keeps in which sign-in a passkey was used last',
  'src/database/schema.ts': 'describes the tables',
  'web/app.tsx': 'lists the pages, the offer of a passkey among them',
  'src/accounts/changes/secure-account.ts': 'removes what signs in without a password',
  'src/accounts/identities/ways-in.ts': 'looks for a way to sign in that is left',
  'src/accounts/sessions/manage-session-statements.ts': 'knows for whom a password does not count as a fresh proof',
  'src/webauthn/credential-rows.ts': 'renames and removes rows of either table, and looks where an id is taken',
  'src/webauthn/verified-credential.ts': 'verifies credentials of both kinds',
  'src/operator/cli/commands/account-export.ts': 'has an option for the seeds of authenticator apps',
  'src/operator/doctor/checks/secrets.check.ts': 'looks at seeds before anything else opens the database',
};

/** The sign-in with a passkey is not a second factor: it is part of the login page and of what measures sign-ins. */
const SIGNS_IN: readonly string[] = [
  'src/passkeys/ceremony.ts',
  'src/passkeys/passkey-sign-in.ts',
  'src/passkeys/passkeys.ts',
  'src/passkeys/sign-in-challenge.ts',
  'src/accounts/audit/event-count.ts',
  'src/config/provider-kinds.ts',
  'src/contract/form-fields.ts',
  'src/contract/page-state.ts',
  'src/flows/sign-in/login-screens.ts',
  'src/flows/sign-in/login.page.ts',
  'src/flows/sign-in/steps/passkey.ts',
  'src/telemetry/catalogue.ts',
  'web/browser/passkey.ts',
  'web/pages/login-alert.tsx',
  'web/pages/login-passkey.tsx',
  'web/pages/login-ways.tsx',
  'web/pages/login.tsx',
];

/** Which files may import from the folder of a kind, and why. */
const IMPORTS_KINDS: Readonly<Record<string, string>> = {
  'src/mfa/registry.ts': 'lists the kinds',
  'web/factors/registry.ts': 'lists the kinds for the pages',
  'web/fixtures/index.ts': 'lists the fixtures',
  'src/mfa/held-factors.ts': 'tells passkeys from second factors',
  'src/app.module.ts': 'seals the seeds of authenticator apps anew after each start',
  'src/flows/sign-in/sign-in.module.ts': 'has the offer of a passkey after a sign-in',
  'src/flows/sign-in/passkey-offer.ts': 'leads past the offer of a passkey',
  'src/flows/passkey-offer/passkey-offer.flow.ts': 'offers a passkey after a sign-in',
  'src/mfa/factors.module.ts': 'provides what seals seeds anew',
};

const CODE_MAILS = KINDS.flatMap(({ byMail }) => byMail?.mails ?? []);

const IMPORT = /\bfrom '(\.[^']*)'/g;

function filesBelow(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const readText = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const sources = ['src', 'web'].flatMap(filesBelow).filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
const isOwn = (file: string) =>
  [SERVER, PAGES].some((folder) => relative(folder, file).split('/').length > 1 && file.startsWith(`${folder}/`));
const toImports = (file: string) => [...readText(file).matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path));
const toFolders = (folder: string) =>
  readdirSync(join(PROJECT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

describe('a kind of second factor', () => {
  it('has one folder on the server and one for its pages, of the same name', () => {
    expect(toFolders(SERVER)).toEqual(KINDS.map(({ folder }) => folder).sort());
    expect(toFolders(PAGES)).toEqual(PROOF_KINDS.map(({ folder }) => folder).sort());
  });

  it('is imported by the registries alone', () => {
    const importers = sources.filter((file) => !isOwn(file) && toImports(file).some(isOwn));
    expect(importers.sort()).toEqual(Object.keys(IMPORTS_KINDS).sort());
  });

  it('is named by nothing else, not as a text either', () => {
    const named = KINDS.flatMap(({ folder, name }) => [folder, name]);
    const text = new RegExp(`\\b(${[...new Set(named)].join('|')})\\b`);
    const isKnown = (file: string) => Object.hasOwn(KNOWS_KINDS, file) || SIGNS_IN.includes(file);
    const isFixture = (file: string) => file.startsWith('web/fixtures/');
    const found = sources.filter((file) => !isOwn(file) && !isFixture(file) && !isKnown(file) && text.test(toCode(file)));
    expect(found).toEqual([]);
  });

  it.each(KINDS)('$name: can be offered, and its notices and codes have words and samples', (kind) => {
    const options = SETTINGS.mfa.factors.kind.read(kind.name);
    expect('value' in options).toBe(isSecondFactor(kind));
    for (const topic of [kind.notices.added, kind.notices.removed]) {
      expect(Object.keys(en)).toEqual(expect.arrayContaining(Object.values(findNoticeKeys(topic))));
      expect(MAIL_SAMPLES.map((sample) => sample.name)).toContain(`mail-${topic}`);
    }
  });

  it('has a name in mails, and no other has', () => {
    const names = Object.keys(en).filter((key) => /^mail\.factor_/.test(key) && !/^mail\.factor_stopped(_text)?$/.test(key));
    expect(names.sort()).toEqual([...new Set(PROOF_KINDS.map(({ name }) => findFactorKey(name)))].sort());
  });

  it.each(CODE_MAILS)('sends codes with words and a sample of their own: %s', (mail) => {
    expect(Object.keys(en)).toEqual(expect.arrayContaining(Object.values(findCodeKeys(mail))));
    expect(MAIL_SAMPLES.map(({ name }) => name)).toContain(`mail-${mail}`);
  });

  it('names every mail with a code, beside the one of the account area', () => {
    const words = Object.keys(en).flatMap((key) => /^mail\.(.+)_if_not$/.exec(key)?.[1]?.replaceAll('_', '-') ?? []);
    expect(words.filter((mail) => mail.includes('code')).sort()).toEqual(
      [...CODE_MAILS, 'email-change-code', 'proof-code'].sort(),
    );
  });
});

/** Without comments and addresses of imports. */
function toCode(file: string): string {
  return readText(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\bfrom '[^']*'/g, '');
}
