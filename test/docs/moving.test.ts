/** Runs the scripts of docs/moving.md on exports of other products, imports their output, and signs in the imported people. */
import { execFile } from 'node:child_process';
import { pbkdf2Sync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TotpRecords } from '../../src/mfa/factors/totp/totp.records.js';
import { Keys } from '../../src/config/keys.js';
import { toExamples } from '../support/doc-examples.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { importer } from '../support/operator-story.js';
import { testConfig } from '../support/test-config.js';

const SCRIPTS = toExamples('docs/moving.md');
const PASSWORD = 'Grüße, Welt 7';
const ID = '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11';
/** A TOTP secret as Keycloak creates it: a text whose bytes are the key. */
const KEYCLOAK_SEED = 'aB3dE5gH7jK9mN1pQ3sT';

let operator: TestOperator;
let directory: string;
const { importLines } = importer(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
  directory = await mkdtemp(join(tmpdir(), 'foyer-moving-'));
});

afterAll(async () => {
  await operator.close();
  await rm(directory, { recursive: true, force: true });
});

/** @returns the lines that the script writes for the import, and its warnings */
async function convert(
  script: string,
  exports: readonly string[],
): Promise<{ lines: Record<string, unknown>[]; warnings: string }> {
  await writeFile(join(directory, script), SCRIPTS.get(script) ?? '');
  const files = exports.map((_, index) => join(directory, `${script}-${index}.json`));
  await Promise.all(exports.map((text, index) => writeFile(files[index] ?? '', text)));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(directory, script), ...files]);
  const lines = stdout.split('\n').filter(Boolean);
  return { lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>), warnings: stderr };
}

/** @returns the kind of the result: `proven` or `refused` */
async function attemptSignIn(username: string, password = PASSWORD): Promise<string> {
  const attempt = { username, password, address: '192.0.2.7', device: null, requestId: 'request' };
  return (await operator.services.signIn.prove(attempt)).kind;
}

const readAccount = async (id: unknown) => (await operator.call('GET', `/accounts/${String(id)}`)).json;

describe('docs/moving.md', () => {
  const buildCredential = (type: string, data: object, secret: object) => ({
    type,
    credentialData: JSON.stringify(data),
    secretData: JSON.stringify(secret),
  });
  const totp = { subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' };

  it('moves people from Keycloak with id, password, authenticator app and groups', async () => {
    const salt = Buffer.from('0123456789abcdef');
    const key = pbkdf2Sync(PASSWORD, salt, 1000, 64, 'sha512');
    const pbkdf2 = buildCredential(
      'password',
      { hashIterations: 1000, algorithm: 'pbkdf2-sha512', additionalParameters: {} },
      { value: key.toString('base64'), salt: salt.toString('base64'), additionalParameters: {} },
    );
    const text = await argon2(PASSWORD, { memoryCost: 7168, timeCost: 5, parallelism: 1, salt });
    const costs = { hashLength: ['32'], memory: ['7168'], type: ['id'], version: ['1.3'], parallelism: ['1'] };
    const padded = `${text.split('$').at(-1)}=`;
    const newer = buildCredential(
      'password',
      { hashIterations: 5, algorithm: 'argon2', additionalParameters: costs },
      { value: padded, salt: salt.toString('base64'), additionalParameters: {} },
    );
    const users = [
      {
        id: ID,
        username: 'klara.keycloak',
        firstName: 'Klara',
        lastName: 'Vorbild',
        email: 'klara@example.org',
        emailVerified: true,
        enabled: true,
        createdTimestamp: 1_556_956_800_000,
        attributes: { locale: ['de'] },
        groups: ['/Sales', '/Sales/North'],
        credentials: [pbkdf2, buildCredential('otp', totp, { value: KEYCLOAK_SEED })],
      },
      { id: '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d12', username: 'otto.keycloak', enabled: true, credentials: [newer] },
      {
        id: '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d13',
        username: 'gone.keycloak',
        enabled: false,
        credentials: [buildCredential('otp', { ...totp, digits: 8 }, { value: KEYCLOAK_SEED })],
      },
      { id: '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d14', username: 'service-account-app', serviceAccountClientId: 'app' },
    ];
    const { lines, warnings } = await convert('keycloak.mjs', [JSON.stringify({ realm: 'example', users })]);
    expect(warnings).toBe('gone.keycloak: its authenticator app has other settings: the owner sets a factor up again.\n');
    expect((await importLines(lines)).map(({ result }) => result)).toEqual(['created', 'created', 'created']);

    expect(await readAccount(ID)).toMatchObject({
      ...{ username: 'klara.keycloak', display_name: 'Klara Vorbild', email: 'klara@example.org', email_verified: true },
      ...{ language: 'de', groups: ['Sales', 'Sales/North'], status: 'active', created_at: '2019-05-04T08:00:00.000Z' },
    });
    const keys = new Keys(testConfig().secrets);
    const factors = new TotpRecords(operator.database, keys);
    // The same key in base32, the encoding of authenticator apps.
    expect(await factors.find(ID)).toMatchObject({ seed: 'MFBDGZCFGVTUQN3KJM4W2TRROBITG42U' });
    expect(await attemptSignIn('klara.keycloak', 'wrong')).toBe('refused');
    expect(await attemptSignIn('klara.keycloak')).toBe('proven');
    expect(await attemptSignIn('otto.keycloak')).toBe('proven');
    expect(await readAccount('0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d13')).toMatchObject({ status: 'disabled' });
  });

  it('moves people from Auth0 with subject and password', async () => {
    const buildProfile = (user_id: string, more: object) =>
      JSON.stringify({ user_id, email_verified: true, created_at: '2019-05-04T08:00:00.000Z', ...more });
    const profiles = [
      buildProfile('auth0|5f1', {
        email: 'anna@example.org',
        name: 'Anna Auth',
        identities: [{ provider: 'auth0', user_id: '5f1' }],
      }),
      buildProfile('github|77', {
        email: 'git@example.org',
        name: 'git@example.org',
        identities: [{ provider: 'github', user_id: 77 }],
      }),
    ];
    const hashes = [{ _id: { $oid: '5f1' }, email: 'anna@example.org', passwordHash: await bcrypt(PASSWORD, 4) }];
    const { lines, warnings } = await convert('auth0.mjs', [
      profiles.join('\n'),
      `${hashes.map((each) => JSON.stringify(each)).join('\n')}\n`,
    ]);
    expect(warnings.split('\n')).toEqual([
      'git@example.org: no password and no provider; the owner needs a link to a password.',
      'git@example.org: signs in with github, which has no counterpart in PROVIDERS of the script.',
      '',
    ]);
    const [anna] = await importLines(lines);
    expect(await readAccount(anna?.['id'])).toMatchObject({
      subject: 'auth0|5f1',
      display_name: 'Anna Auth',
      email_verified: true,
    });
    expect(await attemptSignIn('anna@example.org')).toBe('proven');
  });
});
