/** A passkey in place of the password at a sign-up: the way over HTTP, and what strangers would try with it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PasswordAttempts } from '../../src/accounts/password/password-attempts.js';
import type { Config } from '../../src/config/config.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { FLAGS, PasskeyStory, TestPasskey } from '../support/passkeys.js';
import { NEW_PASSWORD, ResetStory } from '../support/resets.js';
import { TestBrowser } from '../support/test-browser.js';
import { NewPerson, readError, readStep, toFormFields, toPath } from '../support/sign-up.js';
import { SyntheticKey, type RegistrationDeviation } from '../support/synthetic-key.js';

const SIGN_UP: NonNullable<Config['registration']['signUp']> = {
  fields: [
    { name: 'username', kind: 'text', isRequired: true },
    { name: 'display_name', kind: 'text', isRequired: false },
  ],
  domains: [],
  deniedDomains: [],
  codesPerHour: 1000,
};

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string; name: string; displayName: string };
}

let gateway: TestGateway;

const startGateway = (change: (config: Config) => Partial<Config> = () => ({}), beside?: TestGateway) =>
  startTestGateway({
    ...(beside ? { beside: beside.database } : {}),
    config: (config) => ({
      limits: { ...config.limits, addressFailures: 1000 },
      registration: { hintNames: [], signUp: SIGN_UP },
      ...change(config),
    }),
  });

beforeAll(async () => {
  gateway = await startGateway();
});

afterAll(() => gateway.close());

const createKey = (at: TestGateway = gateway) =>
  new SyntheticKey({ origin: new URL(at.config.publicUrl).origin, rpId: at.config.passkeys.rpId, counter: 1 });

const toCredential = (key: SyntheticKey, { challenge }: CreationOptions, deviation: RegistrationDeviation = {}): string =>
  JSON.stringify(key.register(challenge, { flags: FLAGS.device, format: 'none', ...deviation }));

/** @returns the options of the page with the last step, with its form */
async function openLastStep(person: NewPerson): Promise<{ options: CreationOptions; form: Record<string, string> }> {
  const step = readStep(await person.open(PATHS.registerPassword));
  if (step.status !== 'password' || !step.passkey) throw new Error('The page offers no passkey');
  return { options: step.passkey as CreationOptions, form: toFormFields(step) };
}

/** @returns the options for a person whose address is proven */
async function prove(person: NewPerson): Promise<{ options: CreationOptions; form: Record<string, string> }> {
  await person.prove();
  return openLastStep(person);
}

const findAccount = ({ details }: NewPerson) => gateway.get(Accounts).findByUsername(details.username);

describe('a passkey in place of the password', () => {
  it('[JOI-40] creates the account, signs in as a passkey does, and signs in again later', async () => {
    const person = new NewPerson(gateway);
    const { options, form } = await prove(person);
    expect(options.user).toMatchObject({ name: person.details.username, displayName: 'Frieda Fuchs' });
    expect(await findAccount(person)).toBeNull();
    const key = createKey();
    const done = await person.browser.post(PATHS.registerPassword, { ...form, credential: toCredential(key, options) });
    expect(done.location).toContain('login_verifier=');
    expect(done.setCookies.find(({ name }) => name.endsWith('-sign-up'))).toMatchObject({ value: '' });
    const account = await findAccount(person);
    expect(account).toMatchObject({ email: person.details.email, emailVerified: true });
    const story = new PasskeyStory(gateway);
    const [accepted] = story.findAccepted(person.challenge);
    const later = await story.signIn(new TestPasskey(account!, key, options.user.id, FLAGS.device));
    expect(accepted?.authentication).toMatchObject({ subject: account?.id, amr: ['hwk', 'pop', 'user', 'pin', 'mfa'] });
    expect(later.accepted?.authentication.acr).toBe(accepted?.authentication.acr);
    const { entries } = await gateway.get(AuditLog).list(account?.id ?? '');
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['account.created', 'factor.added']));
    expect(entries.map(({ kind }) => kind)).not.toContain('password.changed');
  });

  it('[JOI-40] is enough where the app requires two factors', async () => {
    const challenge = 'strict';
    const client = gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } });
    gateway.hydra.addLogin({ challenge, client });
    const person = new NewPerson(gateway, gateway.browser(), challenge);
    const { options, form } = await prove(person);
    const done = await person.browser.post(PATHS.registerPassword, { ...form, credential: toCredential(createKey(), options) });
    expect(done.location).toContain('login_verifier=');
  });

  it('[JOI-41] that is lost is replaced by a password with a mailed link', async () => {
    const person = new NewPerson(gateway);
    const { options, form } = await prove(person);
    await person.browser.post(PATHS.registerPassword, { ...form, credential: toCredential(createKey(), options) });
    const story = new ResetStory(gateway);
    await story.reset(await story.requestToken(person.details.username));
    const attempt = {
      username: person.details.username,
      password: NEW_PASSWORD,
      address: '192.0.2.7',
      device: null,
      requestId: 'r',
    };
    expect((await gateway.get(PasswordAttempts).prove(attempt)).kind).toBe('proven');
  });

  it('[JOI-40] is not offered and not accepted if passkeys are turned off', async () => {
    const other = await startGateway(({ passkeys }) => ({ passkeys: { ...passkeys, mode: 'off' } }));
    try {
      const person = new NewPerson(other);
      const step = await person.prove();
      expect(step).not.toHaveProperty('passkey');
      const key = createKey(other);
      const credential = toCredential(key, { challenge: 'AAEC', rp: { id: '' }, user: { id: '', name: '', displayName: '' } });
      const page = await person.browser.post(PATHS.registerPassword, { ...toFormFields(step), credential });
      expect(readError(page)).toEqual([422, 'password', 'passkey']);
    } finally {
      await other.close();
    }
  });

  it('[JOI-40] [JOI-20] does not go around the approval of an operator', async () => {
    const signUp = { ...SIGN_UP, approval: { days: 30, maxWaiting: 10 } };
    const config = (): Config => ({ ...gateway.config, registration: { hintNames: [], signUp } });
    const approving = await startTestGateway({ beside: gateway.database, hydra: gateway.hydra, config });
    try {
      const person = new NewPerson(gateway);
      // A gateway without approval has made the options, which are right.
      const { options, form } = await prove(person);
      const cookie = person.browser.cookies(PATHS.registerPassword).join('; ');
      const there = new NewPerson(approving, new TestBrowser(approving.url, { cookie }), person.challenge);
      expect(readStep(await there.open(PATHS.registerPassword))).not.toHaveProperty('passkey');
      const page = await there.browser.post(PATHS.registerPassword, { ...form, credential: toCredential(createKey(), options) });
      expect(readError(page)).toEqual([422, 'password', 'empty-password']);
      expect(await findAccount(person)).toBeNull();
    } finally {
      await approving.close();
    }
  });
});

describe('a credential that is not accepted', () => {
  it.each<[string, RegistrationDeviation]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user verification', { flags: ['up'] }],
    ['another ceremony', { type: 'webauthn.get' }],
    ['another challenge', { challenge: 'AAEC' }],
  ])('[JOI-42] shows the page again: %s', async (_, deviation) => {
    const person = new NewPerson(gateway);
    const { options, form } = await prove(person);
    const page = await person.browser.post(PATHS.registerPassword, {
      ...form,
      credential: toCredential(createKey(), options, deviation),
    });
    expect(readError(page)).toEqual([422, 'password', 'passkey']);
    expect(await findAccount(person)).toBeNull();
  });

  it.each(['', '{}', 'null', '{"id":"AA"'])('[JOI-42] is not a credential: %s', async (credential) => {
    const person = new NewPerson(gateway);
    const { form } = await prove(person);
    expect(readError(await person.browser.post(PATHS.registerPassword, { ...form, credential }))).toEqual([
      422,
      'password',
      'passkey',
    ]);
  });

  it('[JOI-42] after which the same authenticator replaces its passkey, because the user handle stays', async () => {
    const person = new NewPerson(gateway);
    const first = await prove(person);
    await person.browser.post(PATHS.registerPassword, { ...first.form, credential: '{}' });
    const second = await openLastStep(person);
    expect(second.options.user.id).toBe(first.options.user.id);
    expect(second.options.challenge).not.toBe(first.options.challenge);
    expect((await prove(new NewPerson(gateway))).options.user.id).not.toBe(first.options.user.id);
  });

  it('[JOI-43] is bound to its browser, its request and its proven address', async () => {
    const owner = new NewPerson(gateway);
    const { options } = await prove(owner);
    const credential = toCredential(createKey(), options);
    const stranger = new NewPerson(gateway);
    const sameBrowser = new NewPerson(gateway, owner.browser);
    for (const person of [stranger, sameBrowser]) {
      const { form } = await prove(person);
      const page = await person.browser.post(PATHS.registerPassword, { ...form, credential });
      expect(readError(page)).toEqual([422, 'password', 'passkey']);
      expect(await findAccount(person)).toBeNull();
    }
    const cookie = stranger.browser.cookies(PATHS.registerDetails).find((one) => one.startsWith('foyer-sign-up='));
    const thief = new NewPerson(gateway, gateway.browser({ cookie: cookie ?? '' }), stranger.challenge);
    const page = await thief.browser.post(PATHS.registerPassword, { login_challenge: thief.challenge, credential });
    expect(page.status).toBe(403);
  });

  it('[JOI-43] does not count for another address of the same request', async () => {
    const person = new NewPerson(gateway);
    const { options } = await prove(person);
    person.details.email = `other.${person.details.email}`;
    const { form } = await prove(person);
    const page = await person.browser.post(PATHS.registerPassword, { ...form, credential: toCredential(createKey(), options) });
    expect(readError(page)).toEqual([422, 'password', 'passkey']);
  });

  it('[JOI-43] needs a proven address', async () => {
    const person = new NewPerson(gateway);
    const form = toFormFields(readStep(await person.open(PATHS.registerDetails)));
    await person.enterDetails();
    const page = await person.browser.post(PATHS.registerPassword, { ...form, credential: '{}' });
    expect(toPath(page)).toEqual([303, PATHS.registerDetails]);
  });

  it('[JOI-43] expires', async () => {
    const person = new NewPerson(gateway);
    const { options, form } = await prove(person);
    gateway.clock.advance({ seconds: 1801 });
    const page = await person.browser.post(PATHS.registerPassword, { ...form, credential: toCredential(createKey(), options) });
    expect(page.location ?? '').not.toContain('login_verifier=');
    expect(await findAccount(person)).toBeNull();
  });

  it('[JOI-44] belongs to another account already: nothing is created, and another passkey or a password still can be', async () => {
    const holder = await new PasskeyStory(gateway).createHolder();
    const person = new NewPerson(gateway);
    const { options, form } = await prove(person);
    const page = await person.browser.post(PATHS.registerPassword, { ...form, credential: toCredential(holder.key, options) });
    expect(readError(page)).toEqual([422, 'password', 'passkey']);
    expect(await findAccount(person)).toBeNull();
    const done = await person.post(PATHS.registerPassword, { password: PASSWORD, password_repeat: PASSWORD });
    expect(done.location).toContain('login_verifier=');
  });
});

describe('two at once', () => {
  it.each(['one gateway', 'two gateways'])(
    '[JOI-45] a double click at %s creates one account and signs in once',
    async (where) => {
      const other = await startTestGateway({ beside: gateway.database, hydra: gateway.hydra, config: () => gateway.config });
      try {
        const person = new NewPerson(gateway);
        const { options, form } = await prove(person);
        const fields = { ...form, credential: toCredential(createKey(), options) };
        const second = new TestBrowser(where === 'one gateway' ? gateway.url : other.url, {
          cookie: person.browser.cookies(PATHS.registerPassword).join('; '),
        });
        const [first, repeated] = await Promise.all([
          person.browser.post(PATHS.registerPassword, fields),
          second.post(PATHS.registerPassword, fields),
        ]);
        const pages = [first, repeated, await second.post(PATHS.registerPassword, fields)];
        const answered = pages.filter(({ location }) => location?.includes('login_verifier='));
        expect(new Set(answered.map(({ location }) => location)).size).toBe(1);
        expect(pages.every(({ status }) => status === 303 || status === 422)).toBe(true);
        if (where === 'one gateway') expect(answered).toHaveLength(3);
        expect(new PasskeyStory(gateway).findAccepted(person.challenge).length).toBeGreaterThan(0);
        const accounts = gateway.database.db.selectFrom('account').select('id').where('email', '=', person.details.email);
        expect(await accounts.execute()).toHaveLength(1);
      } finally {
        await other.close();
      }
    },
  );
});
