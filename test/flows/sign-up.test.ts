/** People who create their own accounts: the whole way over HTTP, and what strangers would try with it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { OutboxClaims, type ClaimedMail } from '../../src/accounts/queue/outbox-claims.js';
import type { Config } from '../../src/config/config.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { toDetailField, type RegistrationStepState } from '../../src/contract/registration-state.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import { ChallengeExpired } from '../../src/hydra/hydra.errors.js';
import { renderMail } from '../../src/mail/render-mail.js';
import { FakeIdentityProviders } from '../../src/providers/fake-identity-providers.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { PASSWORD, startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { signIn } from '../support/manage.js';
import { TestBrowser, type TestPage } from '../support/test-browser.js';

type SignUpSettings = NonNullable<Config['registration']['signUp']>;

const USERNAME = { name: 'username', kind: 'text', isRequired: true } as const;
const DISPLAY_NAME = { name: 'display_name', kind: 'text', isRequired: false } as const;
const CUSTOMER = { name: 'customer', kind: 'text', isRequired: true } as const;
const HOUR = 3600;

const SIGN_UP: SignUpSettings = {
  fields: [USERNAME, DISPLAY_NAME],
  domains: [],
  deniedDomains: ['spam.example'],
  codesPerHour: 1000,
};

let gateway: TestGateway;
let count = 0;

const startGateway = (
  change: (config: Config) => Partial<Config> = () => ({}),
  beside?: TestGateway,
  more: TestGatewayOptions = {},
) =>
  startTestGateway({
    ...more,
    ...(beside ? { beside: beside.database } : {}),
    config: (config) => ({
      limits: { ...config.limits, addressFailures: 1000 },
      registration: { hintNames: ['customer', 'display_name'], signUp: SIGN_UP },
      ...change(config),
    }),
  });

beforeAll(async () => {
  gateway = await startGateway();
});

afterAll(() => gateway.close());
afterEach(() => gateway.hydra.fail(null));

const newName = (): string => `nele${(count += 1)}`;
const newDetails = (username = newName()) => ({ username, display_name: 'Nele Neumann', email: `${username}@example.org` });

const read = (page: TestPage): RegistrationStepState => page.state('registration').registration as RegistrationStepState;
const toError = (page: TestPage) => {
  const state = read(page);
  return [page.status, state.status, 'error' in state ? state.error : undefined];
};
const toPath = ({ status, location }: TestPage): [number, string] => [status, (location ?? '').split('?')[0] ?? ''];

/** A browser that was sent to the sign-up, at its first page. */
class Person {
  constructor(
    readonly challenge = `sign-up-${(count += 1)}`,
    readonly browser: TestBrowser = gateway.browser(),
    readonly at: TestGateway = gateway,
  ) {
    if (challenge.startsWith('sign-up-')) at.hydra.addLogin({ challenge });
  }

  open(path: string = PATHS.registerDetails): Promise<TestPage> {
    return this.browser.get(`${path}?login_challenge=${this.challenge}`);
  }

  async post(path: string, fields: Record<string, string>, shownAt: string = path): Promise<TestPage> {
    const state = read(await this.open(shownAt));
    return this.browser.post(path, { ...toForm(state), ...fields });
  }

  enterDetails(details: Record<string, string>): Promise<TestPage> {
    return this.post(PATHS.registerDetails, toFields(details));
  }

  enterCode(code: string): Promise<TestPage> {
    return this.post(PATHS.registerCode, { code });
  }

  enterPassword(password = PASSWORD, repeat = password): Promise<TestPage> {
    return this.post(PATHS.registerPassword, { password, password_repeat: repeat });
  }

  /** Proves the address. */
  async prove(details: Record<string, string>): Promise<TestPage> {
    expect(toPath(await this.enterDetails(details))).toEqual([303, PATHS.registerCode]);
    return this.enterCode(await readCode(this.at));
  }
}

const toFields = (details: Record<string, string>) =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [toDetailField(name), value]));

function toForm(state: RegistrationStepState): Record<string, string> {
  if (!('xsrf_token' in state)) throw new Error('The page has no form');
  return { [FIELDS.xsrf]: state.xsrf_token, [FIELDS.loginChallenge]: state.login_challenge };
}

/** Lists the mails that were queued since the last call, oldest first. */
async function listMails(at: TestGateway = gateway): Promise<ClaimedMail[]> {
  await at.get(RequestedMails).waitForAll();
  const claims = at.get(OutboxClaims);
  const mails = (await claims.claim(100)).toSorted((one, other) => one.id - other.id);
  for (const mail of mails) await claims.markSent(mail);
  return mails;
}

async function readCode(at: TestGateway = gateway): Promise<string> {
  const code = (await listMails(at)).filter(({ kind }) => kind === 'sign-up-code').at(-1)?.values['code'];
  if (typeof code !== 'string') throw new Error('There is no mail with a code');
  return code;
}

/** A new person to whom a code was mailed, and the code. The gateway trusts the address. */
async function requestCode(at: TestGateway, address: string): Promise<{ person: Person; code: string }> {
  const person = new Person(undefined, at.browser({ 'x-forwarded-for': address }), at);
  await person.enterDetails(newDetails());
  return { person, code: await readCode(at) };
}

/** Lists the requests that were limited, once for each wait. */
async function listLimited(at: TestGateway): Promise<unknown[]> {
  const events = at.database.db.selectFrom('audit_event').select('detail').where('kind', '=', 'request.limited');
  return (await events.execute()).map(({ detail }) => (detail as Record<string, unknown>)['request']);
}

const findAccount = (username: string, at: TestGateway = gateway) => at.get(Accounts).findByUsername(username);
const countAccounts = async (email: string): Promise<number> =>
  (await gateway.database.db.selectFrom('account').select('id').where('email', '=', email).execute()).length;

/** A code of six digits that is not this one. */
const toOther = (code: string, step = 1): string => String((Number(code) + step) % 1_000_000).padStart(6, '0');

describe('the way through the sign-up', () => {
  it('[JOI-1] leads a new person from the login page to the app, with forms alone', async () => {
    const details = newDetails();
    const person = new Person();
    const login = await person.open(PATHS.login);
    expect(login.state('login').login.can_register).toBe(true);
    const away = await person.browser.post(PATHS.register, {
      _xsrf: login.state('login').login.xsrf_token,
      login_challenge: person.challenge,
    });
    expect(toPath(away)).toEqual([303, PATHS.registerDetails]);
    expect(toPath(await person.prove(details))).toEqual([303, PATHS.registerPassword]);
    const done = await person.enterPassword();
    expect(done.status).toBe(303);
    expect(done.location).toContain('login_verifier=');
    const account = await findAccount(details.username);
    expect(account).toMatchObject({ displayName: 'Nele Neumann', email: details.email, emailVerified: true, status: 'active' });
    const accepted = gateway.hydra.calls.find((call) => call.call === 'acceptLogin' && call.challenge === person.challenge);
    expect(accepted).toMatchObject({ authentication: { subject: account?.id, amr: ['pwd'] } });
    const { entries } = await gateway.get(AuditLog).list(account?.id ?? '');
    expect(entries.find(({ kind }) => kind === 'account.created')).toMatchObject({ actor: 'person', detail: { by: 'sign-up' } });
    expect(done.setCookies.find(({ name }) => name.endsWith('-sign-up'))).toMatchObject({ value: '' });
    await signIn(gateway, gateway.browser(), account!);
  });

  it('[JOI-1] also begins with prompt=registration at Hydra', async () => {
    expect(toPath(await new Person().open(PATHS.register))).toEqual([303, PATHS.registerDetails]);
  });

  it('[JOI-2] stores nothing about the person before the address is proven, and no secret is in an address', async () => {
    const details = newDetails();
    const person = new Person();
    const away = await person.enterDetails(details);
    await gateway.get(RequestedMails).waitForAll();
    const code = await gateway.database.db
      .selectFrom('one_time_secret')
      .selectAll()
      .where('purpose', '=', 'sign-up-code')
      .execute();
    expect(code.every(({ payload, account_id }) => payload === null && account_id === null)).toBe(true);
    expect(await findAccount(details.username)).toBeNull();
    expect(away.location).toBe(`${PATHS.registerCode}?login_challenge=${person.challenge}`);
    const cookie = away.setCookies.find(({ name }) => name.endsWith('-sign-up'));
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(Buffer.from(cookie?.value ?? '', 'base64url').toString('latin1')).not.toContain(details.username);
    await listMails();
  });

  it('[JOI-3] asks for the fields of the settings, filled in with what the app knows', async () => {
    const other = await startGateway(() => ({
      registration: { hintNames: ['customer', 'display_name'], signUp: { ...SIGN_UP, fields: [DISPLAY_NAME, CUSTOMER] } },
      accounts: {
        ...gateway.config.accounts,
        schema: { properties: { customer: { type: 'integer' } }, required: ['customer'] },
      },
    }));
    try {
      const challenge = 'hinted';
      const requestUrl = other.hydra.requestUrl({ 'reg_hint[customer]': '4711', 'reg_hint[display_name]': 'Nele N.' });
      other.hydra.addLogin({ challenge, requestUrl, loginHint: 'nele@example.org' });
      const person = new Person(challenge, other.browser(), other);
      const form = read(await person.open());
      const values = form.status === 'details' ? form.fields.map(({ name, value, required }) => [name, value, required]) : [];
      expect(values).toEqual([
        ['display_name', 'Nele N.', false],
        ['customer', '4711', true],
        ['email', 'nele@example.org', true],
      ]);
      const wrong = read(await person.enterDetails({ display_name: '', customer: 'many', email: 'nele@example.org' }));
      expect(wrong.status === 'details' && wrong.fields.map(({ error }) => error)).toEqual([undefined, 'format', undefined]);
      expect(toPath(await person.prove({ display_name: '', customer: '4712', email: 'nele@example.org' }))).toEqual([
        303,
        PATHS.registerPassword,
      ]);
      expect((await person.enterPassword()).location).toContain('login_verifier=');
      // Without a chosen username, the address is the username.
      expect(await findAccount('nele@example.org', other)).toMatchObject({ attributes: { customer: 4712 } });
    } finally {
      await other.close();
    }
  });

  it('[JOI-1] is not there unless it is turned on', async () => {
    const other = await startTestGateway();
    try {
      other.hydra.addLogin({ challenge: 'off' });
      const browser = other.browser();
      const login = await browser.get(`${PATHS.login}?login_challenge=off`);
      expect(login.state('login').login).not.toHaveProperty('can_register');
      for (const path of [PATHS.registerDetails, PATHS.registerCode, PATHS.registerPassword])
        expect((await browser.get(`${path}?login_challenge=off`)).status).toBe(404);
      expect((await browser.get(`${PATHS.register}?login_challenge=off`)).location).toContain(PATHS.login);
      expect((await browser.get(SERVER_PATHS.registerKeys)).status).toBe(404);
    } finally {
      await other.close();
    }
  });
});

describe('an address that has an account', () => {
  it('[JOI-4] gets another mail, and the pages are the same', async () => {
    const known = newDetails();
    const owner = await gateway.account(known.username, { email: known.email, emailVerified: true });
    await listMails();
    const seen: unknown[] = [];
    for (const email of [known.email, `${newName()}@example.org`]) {
      const person = new Person();
      const away = await person.enterDetails({ ...known, username: newName(), email });
      const page = await person.open(PATHS.registerCode);
      const wrong = await person.enterCode('000000');
      seen.push([toPath(away), away.setCookies.map(({ name }) => name), toError(page), toError(wrong)]);
    }
    expect(seen[0]).toEqual(seen[1]);
    const mails = await listMails();
    expect(mails.map(({ kind, recipient, username }) => [kind, recipient, username])).toEqual([
      ['account-exists', owner.email, owner.username],
      ['sign-up-code', expect.any(String), undefined],
    ]);
    expect(mails[0]?.values).toEqual({});
  });

  it('[JOI-4] and is not verified gets a mail without the username of the account', async () => {
    const known = newDetails();
    const owner = await gateway.account(known.username, { email: known.email, emailVerified: false });
    await new Person().enterDetails({ ...known, username: newName() });
    const mails = await listMails();
    expect(mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([['account-exists', owner.email]]);
    const [mail] = mails;
    expect(renderMail({ ...mail!, values: {} }, gateway.config).text).toContain(`: ${owner.username}`);
    expect(renderMail(mail!, gateway.config).text).not.toContain(owner.username);
  });

  it('[JOI-4] can be used unless it is verified, if only a provider has created the account', async () => {
    const details = newDetails();
    const taken = await gateway.account(newName(), { email: details.email, emailVerified: false });
    const now = new Date();
    const link = { account_id: taken.id, source: 'https://accounts.example', subject: taken.username, profile: '' };
    const rows = gateway.database.db.insertInto('source_account').values({ ...link, connected_at: now, seen_at: now });
    await rows.execute();
    const person = new Person();
    await person.prove(details);
    expect((await person.enterPassword()).location).toContain('login_verifier=');
    expect(await findAccount(details.username)).toMatchObject({ email: details.email, emailVerified: true });
  });

  it('[JOI-4] counts wrong codes for it like for any other address', async () => {
    const { email } = await gateway.account(newName(), { email: `${newName()}@example.org` });
    const person = new Person();
    await person.enterDetails({ ...newDetails(), email: email ?? '' });
    const errors: unknown[] = [];
    for (let tries = 0; tries < 6; tries += 1) errors.push(toError(await person.enterCode(`00000${tries}`))[2]);
    expect(errors).toEqual([...Array<string>(4).fill('invalid verification code'), 'used-up', 'used-up']);
    await listMails();
  });

  it('[JOI-4] does not count an empty code', async () => {
    const person = new Person();
    await person.enterDetails(newDetails());
    const code = await readCode();
    for (const empty of ['', ' ', '', '', '', '']) {
      expect(toError(await person.enterCode(empty))).toEqual([422, 'code', 'invalid verification code']);
    }
    expect(toPath(await person.enterCode(code))).toEqual([303, PATHS.registerPassword]);
  });

  it('[JOI-4] is named only to a person who has proven the address', async () => {
    const details = newDetails();
    const person = new Person();
    await person.prove(details);
    await gateway.account(newName(), { email: details.email });
    const page = await person.enterPassword();
    expect(toError(page)).toEqual([422, 'exists', undefined]);
    expect(await countAccounts(details.email)).toBe(1);
  });

  it('[JOI-5] says that a username is taken only after the address is proven, and asks for no second code', async () => {
    const taken = await gateway.account(newName());
    const details = { ...newDetails(), username: taken.username };
    const person = new Person();
    expect(toPath(await person.enterDetails(details))).toEqual([303, PATHS.registerCode]);
    expect(toPath(await person.enterCode(await readCode()))).toEqual([303, PATHS.registerDetails]);
    const form = read(await person.open());
    expect(form.status === 'details' && form.fields.find(({ name }) => name === 'username')?.error).toBe('taken');
    expect(toPath(await person.open(PATHS.registerPassword))).toEqual([303, PATHS.registerDetails]);
    const username = newName();
    expect(toPath(await person.enterDetails({ ...details, username }))).toEqual([303, PATHS.registerPassword]);
    expect((await person.enterPassword()).location).toContain('login_verifier=');
    expect(await findAccount(username)).toMatchObject({ email: details.email });
    expect(await listMails()).toEqual([]);
  });
});

describe('the code', () => {
  it('[JOI-6] works once, in its own browser and request, and only the newest one', async () => {
    const details = newDetails();
    const person = new Person();
    await person.enterDetails(details);
    const first = await readCode();
    const again = await person.post(PATHS.registerCodeAgain, {}, PATHS.registerCode);
    expect(toPath(again)).toEqual([303, PATHS.registerCode]);
    const second = await readCode();
    if (first !== second) expect(toError(await person.enterCode(first))[2]).toBe('invalid verification code');
    const stranger = new Person();
    await stranger.enterDetails(details);
    await listMails();
    expect(toError(await stranger.enterCode(second))[2]).toBe('invalid verification code');
    expect(toPath(await person.enterCode(second))).toEqual([303, PATHS.registerPassword]);
    expect(toPath(await person.open(PATHS.registerCode))).toEqual([303, PATHS.registerPassword]);
  });

  it('[JOI-6] is not spent for a second click that is sent before the answer to the first, for ten seconds', async () => {
    const person = new Person();
    await person.enterDetails(newDetails());
    const code = await readCode();
    const form = { ...toForm(read(await person.open(PATHS.registerCode))), code };
    const cookie = person.browser.cookies(PATHS.registerCode).join('; ');
    const click = () => gateway.browser({ cookie }).post(PATHS.registerCode, form);
    expect([toPath(await click()), toPath(await click())]).toEqual(Array(2).fill([303, PATHS.registerPassword]));
    gateway.clock.advanceSeconds(11);
    expect(toError(await click())).toEqual([422, 'code', 'invalid verification code']);
  });

  it('[JOI-6] proves nothing in another request of the same browser', async () => {
    const person = new Person();
    await person.prove(newDetails());
    const other = new Person(undefined, person.browser);
    expect(toPath(await other.open(PATHS.registerPassword))).toEqual([303, PATHS.registerDetails]);
    expect(toPath(await other.open(PATHS.registerCode))).toEqual([303, PATHS.registerDetails]);
  });

  it('[JOI-6] proves nothing in another browser, even with the cookie', async () => {
    const details = newDetails();
    const person = new Person();
    await person.prove(details);
    const cookie = person.browser.cookies(PATHS.registerDetails).find((one) => one.startsWith('foyer-sign-up='));
    const thief = new Person(person.challenge, gateway.browser({ cookie: cookie ?? '' }));
    for (const path of [PATHS.registerDetails, PATHS.registerPassword])
      expect(toPath(await thief.open(path))).toEqual([303, PATHS.login]);
  });

  it('[JOI-6] expires after ten minutes; another one can be requested', async () => {
    const person = new Person();
    await person.enterDetails(newDetails());
    const code = await readCode();
    gateway.clock.advance({ seconds: 601 });
    expect(toError(await person.enterCode(code))).toEqual([422, 'code', 'expired']);
    await person.post(PATHS.registerCodeAgain, {}, PATHS.registerCode);
    expect(toPath(await person.enterCode(await readCode()))).toEqual([303, PATHS.registerPassword]);
  });

  it('[JOI-6] accepts at most five tries', async () => {
    const person = new Person();
    await person.enterDetails(newDetails());
    const code = await readCode();
    for (let step = 1; step <= 5; step += 1) await person.enterCode(toOther(code, step));
    expect(toError(await person.enterCode(code))).toEqual([422, 'code', 'used-up']);
  });
});

describe('the limits', () => {
  it('[JOI-7] bound the mails of a browser and of a mailbox, with the time to wait', async () => {
    const email = `${newName()}@example.org`;
    for (let mails = 0; mails < 5; mails += 1) await new Person().enterDetails({ ...newDetails(), email });
    const page = await new Person().enterDetails({ ...newDetails(), email });
    expect(toError(page)).toEqual([429, 'details', 'limited']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    const browser = gateway.browser();
    const errors: unknown[] = [];
    for (let mails = 0; mails < 11; mails += 1)
      errors.push((await new Person(undefined, browser).enterDetails(newDetails())).status);
    expect(errors).toEqual([...Array<number>(10).fill(303), 429]);
    gateway.clock.advance({ seconds: HOUR + 1 });
    expect((await new Person().enterDetails({ ...newDetails(), email })).status).toBe(303);
    await listMails();
  });

  it('[JOI-7] bound the mails of a mailbox with all its tags, also after an account was created', async () => {
    const name = newName();
    const toEmail = (mails: number) => `${name}+${mails}@example.org`;
    const person = new Person();
    await person.prove({ ...newDetails(), email: toEmail(0) });
    for (let mails = 1; mails < 5; mails += 1) await new Person().enterDetails({ ...newDetails(), email: toEmail(mails) });
    expect((await person.enterPassword()).location).toContain('login_verifier=');
    expect(toError(await new Person().enterDetails({ ...newDetails(), email: `${name}@example.org` }))).toEqual([
      429,
      'details',
      'limited',
    ]);
    await listMails();
  });

  it('[JOI-7] bound the passwords that one proven address may try', async () => {
    const person = new Person();
    await person.prove(newDetails());
    for (let tries = 0; tries < 30; tries += 1)
      expect(toError(await person.enterPassword('short'))).toEqual([422, 'password', 'password-strength']);
    const page = await person.enterPassword();
    expect(toError(page)).toEqual([429, 'details', 'limited']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('[JOI-7] bound the mails of the whole installation', async () => {
    const other = await startGateway(() => ({ registration: { hintNames: [], signUp: { ...SIGN_UP, codesPerHour: 2 } } }));
    try {
      const send = () => new Person(undefined, other.browser(), other).enterDetails(newDetails());
      expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([303, 303, 429]);
    } finally {
      await other.close();
    }
  });

  it('[JOI-7] bound the wrong codes of a network, over all its browsers and addresses, and not those of another network', async () => {
    const other = await startGateway(({ limits }) => ({ limits: { ...limits, addressFailures: 3 }, trustProxyHops: 1 }));
    try {
      const request = (address: string) => requestCode(other, address);
      const [first, second, elsewhere] = [await request('192.0.2.1'), await request('192.0.2.1'), await request('192.0.2.2')];
      const enter = async ({ person, code }: typeof first, step: number) => toError(await person.enterCode(toOther(code, step)));
      expect(await enter(first, 1)).toEqual([422, 'code', 'invalid verification code']);
      // A right code does not count.
      expect(toPath(await second.person.enterCode(second.code))).toEqual([303, PATHS.registerPassword]);
      for (const step of [2, 3]) expect((await enter(first, step))[2]).toBe('invalid verification code');
      const page = await first.person.enterCode(first.code);
      expect(toError(page)).toEqual([429, 'code', 'limited']);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(toPath(await elsewhere.person.enterCode(elsewhere.code))).toEqual([303, PATHS.registerPassword]);
      expect(await listLimited(other)).toEqual(['sign-up-code']);
      other.clock.advance({ seconds: HOUR + 1 });
      const later = await request('192.0.2.1');
      expect(toPath(await later.person.enterCode(later.code))).toEqual([303, PATHS.registerPassword]);
    } finally {
      await other.close();
    }
  });

  it('[JOI-7] bound the wrong codes of the whole installation, also for guesses at the same time', async () => {
    const other = await startGateway(() => ({
      trustProxyHops: 1,
      registration: { hintNames: [], signUp: { ...SIGN_UP, codesPerHour: 4 } },
    }));
    try {
      const request = (address: string) => requestCode(other, address);
      const people = [await request('192.0.2.1'), await request('192.0.2.2'), await request('192.0.2.3')];
      const guesses = people.flatMap(({ person, code }) => [1, 2].map((step) => person.enterCode(toOther(code, step))));
      const errors = (await Promise.all(guesses)).map((page) => toError(page)[2]).toSorted();
      expect(errors).toEqual([...Array<string>(4).fill('invalid verification code'), 'limited', 'limited']);
      const [{ person, code }] = people as [Awaited<ReturnType<typeof requestCode>>];
      expect(toError(await person.enterCode(code))).toEqual([429, 'code', 'limited']);
      expect(await listLimited(other)).toEqual(['sign-up-code']);
      other.clock.advance({ seconds: HOUR + 1 });
      const later = await request('192.0.2.1');
      expect(toPath(await later.person.enterCode(later.code))).toEqual([303, PATHS.registerPassword]);
    } finally {
      await other.close();
    }
  });
});

describe('an address of a provider or a user source', () => {
  const PERSON = { emailVerified: true, isActive: true, attributes: {}, password: 'linde kupfer 1284' };
  let other: TestGateway;
  let staff: FakeUserSource;
  let shop: FakeUserSource;

  beforeAll(async () => {
    const identityProviders = new FakeIdentityProviders();
    identityProviders.setDomains('google', ['people.example']);
    staff = new FakeUserSource('staff');
    shop = new FakeUserSource('shop');
    shop.domains = ['shop.example'];
    const fields = [DISPLAY_NAME];
    const change = () => ({ registration: { hintNames: [], signUp: { ...SIGN_UP, fields, deniedDomains: ['people.example'] } } });
    other = await startGateway(change, undefined, { identityProviders, sources: [staff, shop] });
  });
  afterAll(() => other.close());
  afterEach(() => {
    for (const source of [staff, shop]) source.calls.length = 0;
    staff.isDown = false;
  });

  const newPerson = () => new Person(undefined, other.browser(), other);

  it('[JOI-11] leads to the provider that has the domain, whoever has the address, and mails nothing', async () => {
    const { email } = await other.account(newName(), { email: `${newName()}@people.example`, emailVerified: true });
    await listMails(other);
    const seen = [];
    for (const typed of [email ?? '', `${newName()}@PEOPLE.example`]) {
      const person = newPerson();
      const page = await person.enterDetails({ display_name: '', email: typed });
      const { pathname, searchParams } = new URL(page.location ?? '', 'http://foyer.example');
      expect(Object.fromEntries(searchParams)).toEqual({ login_challenge: person.challenge, login_hint: typed });
      seen.push([page.status, pathname, page.setCookies.map(({ name }) => name)]);
    }
    expect(seen[0]?.slice(0, 2)).toEqual([303, '/login/google']);
    expect(seen[1]).toEqual(seen[0]);
    expect([staff.calls, shop.calls, await listMails(other)]).toEqual([[], [], []]);
  });

  it('[JOI-11] is refused where a user source has the domain, whoever has the address, and mails nothing', async () => {
    shop.people = [{ ...PERSON, subject: 's-1', username: 'cara', email: 'cara@shop.example' }];
    for (const email of ['cara@shop.example', 'nobody@shop.example']) {
      const page = await newPerson().enterDetails({ display_name: '', email });
      const state = read(page);
      expect([page.status, state.status === 'details' && state.fields.at(-1)?.error]).toEqual([422, 'source']);
    }
    expect([staff.calls, shop.calls, await listMails(other)]).toEqual([[], [], []]);
  });

  it('[JOI-11] that a user source knows gets no account, and nobody learns that before the address is proven', async () => {
    const email = `${newName()}@example.org`;
    staff.people = [{ ...PERSON, subject: 't-1', username: email }];
    const person = newPerson();
    await person.prove({ display_name: '', email });
    expect([staff.calls, shop.calls]).toEqual([[], []]);
    expect(toError(await person.enterPassword())).toEqual([422, 'exists', undefined]);
    expect(await findAccount(email, other)).toBeNull();
  });

  it('[JOI-11] gets no account while a user source does not answer, and gets it afterwards', async () => {
    const email = `${newName()}@example.org`;
    const person = newPerson();
    await person.prove({ display_name: '', email });
    staff.isDown = true;
    expect(toError(await person.enterPassword())).toEqual([503, 'password', 'busy']);
    staff.isDown = false;
    expect((await person.enterPassword()).location).toContain('login_verifier=');
    expect(await findAccount(email, other)).toMatchObject({ email, emailVerified: true });
  });
});

describe('bad input', () => {
  it.each([
    [{ username: '' }, 'username', 'missing'],
    [{ username: 'ab' }, 'username', 'too-short'],
    [{ username: 'a b c' }, 'username', 'characters'],
    [{ username: 'x'.repeat(300) }, 'username', 'too-long'],
    [{ username: 'somebody@else.example' }, 'username', 'format'],
    [{ display_name: 'a\u202Eb' }, 'display_name', 'characters'],
    [{ display_name: 'x'.repeat(200) }, 'display_name', 'too-long'],
    [{ email: '' }, 'email', 'missing'],
    [{ email: 'nobody' }, 'email', 'format'],
    [{ email: 'ceo@corp.example/.evil.example' }, 'email', 'format'],
    [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'email', 'characters'],
    [{ email: 'nele@mail.spam.example' }, 'email', 'domain'],
  ])('[JOI-8] %j is shown at its field, and no mail is sent', async (change, field, error) => {
    const page = await new Person().enterDetails({ ...newDetails(), ...change });
    const form = read(page);
    expect(page.status).toBe(422);
    expect(form.status === 'details' && form.fields.filter((one) => one.error).map((one) => [one.name, one.error])).toEqual([
      [field, error],
    ]);
    expect(await listMails()).toEqual([]);
  });

  it('[JOI-8] settings that have changed meanwhile count for what was entered before', async () => {
    const change = { fields: [DISPLAY_NAME], deniedDomains: ['denied.example'] };
    const later = await startGateway(() => ({ registration: { hintNames: [], signUp: { ...SIGN_UP, ...change } } }), gateway);
    try {
      const prove = async (email: string) => {
        const earlier = new Person();
        const details = { ...newDetails(), email };
        await earlier.prove(details);
        const cookie = earlier.browser.cookies(PATHS.registerPassword).join('; ');
        return { details, person: new Person(earlier.challenge, new TestBrowser(later.url, { cookie }), later) };
      };
      const denied = await prove(`${newName()}@denied.example`);
      const page = await denied.person.enterPassword();
      expect(toError(page)).toEqual([422, 'details', 'fields']);
      const { fields } = read(page) as Extract<RegistrationStepState, { status: 'details' }>;
      expect(fields).toContainEqual(expect.objectContaining({ name: 'email', error: 'domain' }));
      expect(await countAccounts(denied.details.email)).toBe(0);
      const { details, person } = await prove(newDetails().email);
      expect((await person.enterPassword()).location).toContain('login_verifier=');
      expect(await findAccount(details.username)).toBeNull();
      expect(await findAccount(details.email)).toMatchObject({ attributes: {} });
    } finally {
      await later.close();
    }
  });

  it('[JOI-8] an outdated form is shown again with what was entered, and a password that is too weak', async () => {
    const details = newDetails();
    const person = new Person();
    await person.open();
    const stale = await person.browser.post(
      PATHS.registerDetails,
      { _xsrf: 'outdated', login_challenge: person.challenge, ...toFields(details) },
      { 'sec-fetch-site': 'same-origin' },
    );
    expect([stale.status, stale.html.includes(details.email)]).toEqual([403, true]);
    await person.prove(details);
    expect(toError(await person.enterPassword('short', 'short'))).toEqual([422, 'password', 'password-strength']);
    expect(toError(await person.enterPassword(PASSWORD, 'other'))).toEqual([422, 'password', 'passwords-not-equal']);
    expect(toError(await person.enterPassword('', ''))).toEqual([422, 'password', 'empty-password']);
    expect(await findAccount(details.username)).toBeNull();
  });

  it('[JOI-9] a request that has expired meanwhile starts again with the same details', async () => {
    const details = newDetails();
    const person = new Person();
    await person.prove(details);
    gateway.hydra.fail(new ChallengeExpired('The challenge has expired'));
    expect(toPath(await person.enterPassword())).toEqual([303, PATHS.login]);
    gateway.hydra.fail(null);
    expect(await findAccount(details.username)).toBeNull();
    const again = read(await new Person(undefined, person.browser).open());
    expect(again.status === 'details' && again.fields.map(({ value }) => value)).toEqual([
      details.username,
      details.display_name,
      details.email,
    ]);
  });

  it('[JOI-9] a person who is signed in can create another account', async () => {
    const details = newDetails();
    const browser = gateway.browser({ origin: gateway.config.publicUrl });
    await signIn(gateway, browser, await gateway.account(newName()));
    const person = new Person(undefined, browser);
    await person.prove(details);
    expect((await person.enterPassword()).location).toContain('login_verifier=');
  });
});

describe('two at once', () => {
  it('[JOI-10] two sign-ups with one address over two gateways make one account', async () => {
    const other = await startGateway(undefined, gateway);
    try {
      const email = `${newName()}@example.org`;
      const people = [new Person(), new Person(undefined, other.browser(), other)];
      for (const person of people) await person.prove({ ...newDetails(), email });
      const pages = await Promise.all(people.map((person) => person.enterPassword()));
      expect(pages.map(({ status }) => status).toSorted()).toEqual([303, 422]);
      const late = pages.find(({ status }) => status === 422);
      expect(late && read(late).status).toBe('exists');
      expect(await countAccounts(email)).toBe(1);
    } finally {
      await other.close();
    }
  });

  it('[JOI-10] a double click on the last button creates one account and signs in once', async () => {
    const details = newDetails();
    const person = new Person();
    await person.prove(details);
    const form = toForm(read(await person.open(PATHS.registerPassword)));
    const post = () => person.browser.post(PATHS.registerPassword, { ...form, password: PASSWORD, password_repeat: PASSWORD });
    const pages = await Promise.all([post(), post()]);
    expect(new Set(pages.map(({ location }) => location)).size).toBe(1);
    expect(pages[0].location).toContain('login_verifier=');
    expect(await countAccounts(details.email)).toBe(1);
    // "Back" and once more: the request was used.
    expect(toPath(await person.open(PATHS.registerPassword))).toEqual([303, PATHS.login]);
  });

  it('[JOI-10] a second click after the first was answered leads to the second factor that the app requires', async () => {
    const details = newDetails();
    const challenge = `strict-${(count += 1)}`;
    const client = gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } });
    gateway.hydra.addLogin({ challenge, client });
    const person = new Person(challenge);
    await person.prove(details);
    const fields = { ...toForm(read(await person.open(PATHS.registerPassword))), password: PASSWORD, password_repeat: PASSWORD };
    const own = { 'sec-fetch-site': 'same-origin' };
    const post = () => person.browser.post(PATHS.registerPassword, fields, own);
    expect([toPath(await post()), toPath(await post())]).toEqual(Array(2).fill([303, PATHS.mfaVerify]));
    expect(await countAccounts(details.email)).toBe(1);
  });
});
