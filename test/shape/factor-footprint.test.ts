/** A kind of second factor is one folder on the server and one for its pages; nothing else but two registries knows it. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import en from '../../locales/en.json' with { type: 'json' };
import { SETTINGS } from '../../src/config/settings.js';
import { codeKeys, factorKey, noticeKeys } from '../../src/mail/notice-phrases.js';
import { KINDS } from '../../src/mfa/registry.js';
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
  'src/accounts/account/secure-account.ts': 'removes what signs in without a password',
  'src/accounts/identities/ways-in.ts': 'looks for a way to sign in that is left',
  'src/accounts/sessions/manage-session-statements.ts': 'knows for whom a password is no fresh proof',
  'src/mfa/credentials/credential-ids.ts': 'looks where an id is taken',
  'src/mfa/credentials/credential-rows.ts': 'renames and removes rows of either table',
  'src/operator/cli/commands/account-export.ts': 'has an option for the seeds of authenticator apps',
  'src/operator/doctor/checks/secrets.check.ts': 'looks at seeds before anything else opens the database',
};

/** The sign-in with a passkey is not a second factor: it is part of the login page and of what measures sign-ins. */
const SIGNS_IN: readonly string[] = [
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
  'src/mfa/held-factors.ts': 'tells recovery codes and passkeys from second factors',
  'src/mfa/factors.ts': 'makes and removes recovery codes with the first and the last factor',
  'src/flows/sign-in/sign-in.module.ts': 'has the offer of a passkey after a sign-in',
  'src/flows/sign-in/passkey-offer.ts': 'leads past the offer of a passkey',
  'src/flows/passkey-offer/passkey-offer.flow.ts': 'offers a passkey after a sign-in',
  'src/mfa/factors.module.ts': 'provides the sign-in with a passkey',
  'src/flows/sign-in/steps/passkey.ts': 'signs in with a passkey',
  'src/flows/sign-in/login-screens.ts': 'asks for a passkey',
  'src/manage/factors/factors.page.ts': 'shows how many recovery codes there are',
  'src/manage/factors/recovery-codes/recovery-codes-calls.controller.ts': 'renews recovery codes',
  'src/manage/factors/recovery-codes/recovery-codes.flow.ts': 'renews recovery codes',
};

const IMPORT = /\bfrom '(\.[^']*)'/g;

function filesBelow(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const textOf = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const sources = ['src', 'web'].flatMap(filesBelow).filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
const isOwn = (file: string) =>
  [SERVER, PAGES].some((folder) => relative(folder, file).split('/').length > 1 && file.startsWith(`${folder}/`));
const importsOf = (file: string) => [...textOf(file).matchAll(IMPORT)].map(([, path = '']) => join(dirname(file), path));
const foldersOf = (folder: string) =>
  readdirSync(join(PROJECT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

describe('a kind of second factor', () => {
  it('has one folder on the server and one for its pages, of the same name', () => {
    const kinds = KINDS.map(({ folder }) => folder).sort();
    expect([foldersOf(SERVER), foldersOf(PAGES)]).toEqual([kinds, kinds]);
  });

  it('is imported by the registries alone, and recovery codes by what makes and shows them', () => {
    const importers = sources.filter((file) => !isOwn(file) && importsOf(file).some(isOwn));
    expect(importers.sort()).toEqual(Object.keys(IMPORTS_KINDS).sort());
  });

  it('is named by nothing else, not as a text either', () => {
    const named = KINDS.filter(({ setUpBy }) => setUpBy !== null).flatMap(({ folder, name }) => [folder, name]);
    const text = new RegExp(`\\b(${[...new Set(named)].join('|')})\\b`);
    const isKnown = (file: string) => Object.hasOwn(KNOWS_KINDS, file) || SIGNS_IN.includes(file);
    const isFixture = (file: string) => file.startsWith('web/fixtures/');
    const found = sources.filter((file) => !isOwn(file) && !isFixture(file) && !isKnown(file) && text.test(codeOf(file)));
    expect(found).toEqual([]);
  });

  it.each(KINDS)(
    '$name: can be offered, and its notices and codes have words and samples',
    ({ name, setUpBy, isUsed, notices }) => {
      const options = SETTINGS.mfaFactors.kind.read(name);
      expect('value' in options).toBe(setUpBy !== null && isUsed === undefined);
      const topics = notices ? [notices.added, notices.removed] : [];
      for (const topic of topics) {
        expect(Object.keys(en)).toEqual(expect.arrayContaining(Object.values(noticeKeys(topic))));
        expect(MAIL_SAMPLES.map((sample) => sample.name)).toContain(`mail-${topic}`);
      }
      expect(factorKey(name)).toBeDefined();
    },
  );

  it('has a name in mails, and no other has', () => {
    const names = Object.keys(en).filter((key) => /^mail\.factor_/.test(key) && !/^mail\.factor_stopped(_text)?$/.test(key));
    expect(names.sort()).toEqual([...new Set(KINDS.map(({ name }) => factorKey(name)))].sort());
  });

  it.each(KINDS.flatMap(({ codeMails = [] }) => codeMails))('sends codes with words and a sample of their own: %s', (mail) => {
    expect(Object.keys(en)).toEqual(expect.arrayContaining(Object.values(codeKeys(mail))));
    expect(MAIL_SAMPLES.map(({ name }) => name)).toContain(`mail-${mail}`);
  });

  it('names every mail with a code, beside the one of the account area', () => {
    const words = Object.keys(en).flatMap((key) => /^mail\.(.+)_if_not$/.exec(key)?.[1]?.replaceAll('_', '-') ?? []);
    const named = KINDS.flatMap(({ codeMails = [] }) => codeMails);
    expect(words.filter((mail) => mail.includes('code')).sort()).toEqual([...named, 'email-change-code', 'proof-code'].sort());
  });
});

/** Without comments and addresses of imports. */
function codeOf(file: string): string {
  return textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\bfrom '[^']*'/g, '');
}
