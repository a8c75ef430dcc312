/** People who sign up and wait for an operator's decision (`REGISTRATION=own-with-approval`): what they see, and what is mailed and stored. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { EmailTaken, UsernameTaken } from '../../src/accounts/account/account.errors.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { ApproveSignUp } from '../../src/accounts/changes/approve-sign-up.js';
import {
  ApplicationNotFound,
  SignUpApplications,
  type SignUpApplication,
} from '../../src/accounts/changes/sign-up-applications.js';
import { SignUp } from '../../src/accounts/changes/sign-up.js';
import { OutboxClaims, type ClaimedMail } from '../../src/accounts/queue/outbox-claims.js';
import type { Config } from '../../src/config/config.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import { toDetailField, type RegistrationStepState } from '../../src/contract/registration-state.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import { renderMail } from '../../src/mail/render-mail.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { signIn } from '../support/manage.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const DAY = 24 * 3600;
const BY = { actor: 'operator', operator: 'olga', reason: 'Known customer' } as const;

const SIGN_UP: NonNullable<Config['registration']['signUp']> = {
  fields: [
    { name: 'username', kind: 'text', isRequired: true },
    { name: 'display_name', kind: 'text', isRequired: false },
    { name: 'customer', kind: 'text', isRequired: false },
  ],
  domains: [],
  deniedDomains: [],
  codesPerHour: 1000,
  approval: { days: 30, maxWaiting: 1000 },
};

let gateway: TestGateway;
let applications: SignUpApplications;
let approveSignUp: ApproveSignUp;
let count = 0;

const startGateway = (change: Partial<typeof SIGN_UP> = {}, beside?: TestGateway, sources?: readonly FakeUserSource[]) =>
  startTestGateway({
    ...(beside ? { beside: beside.database } : {}),
    ...(sources ? { sources } : {}),
    config: (config) => ({
      limits: { ...config.limits, addressFailures: 10_000 },
      registration: { hintNames: [], signUp: { ...SIGN_UP, ...change } },
      accounts: { ...config.accounts, schema: { properties: { customer: { type: 'integer' } } } },
    }),
  });

beforeAll(async () => {
  gateway = await startGateway();
  applications = gateway.get(SignUpApplications);
  approveSignUp = gateway.get(ApproveSignUp);
});

afterAll(() => gateway.close());

beforeEach(async () => {
  await gateway.database.db.deleteFrom('sign_up_application').execute();
  await listMails();
});

const newDetails = (change: Record<string, string> = {}) => {
  const username = `nele${(count += 1)}`;
  return { username, display_name: 'Nele Neumann', customer: '4711', email: `${username}@example.org`, ...change };
};

const read = (page: TestPage): RegistrationStepState => page.state('registration').registration as RegistrationStepState;
const toPath = ({ status, location }: TestPage): [number, string] => [status, (location ?? '').split('?')[0] ?? ''];

/** Lists the mails that were queued since the last call, oldest first. */
async function listMails(at: TestGateway = gateway): Promise<ClaimedMail[]> {
  await at.get(RequestedMails).waitForAll();
  const claims = at.get(OutboxClaims);
  const mails = (await claims.claim(100)).toSorted((one, other) => one.id - other.id);
  for (const mail of mails) await claims.markSent(mail);
  return mails;
}

/** A browser that was sent to the sign-up. */
class Person {
  readonly challenge = `approval-${(count += 1)}`;

  constructor(
    readonly browser: TestBrowser = gateway.browser(),
    readonly at: TestGateway = gateway,
  ) {
    at.hydra.addLogin({ challenge: this.challenge });
  }

  open(path: string = PATHS.registerDetails): Promise<TestPage> {
    return this.browser.get(`${path}?login_challenge=${this.challenge}`);
  }

  async post(path: string, fields: Record<string, string>): Promise<TestPage> {
    const state = read(await this.open(path));
    if (!('xsrf_token' in state)) throw new Error(`The page has no form: ${state.status}`);
    const form = { [FIELDS.xsrf]: state.xsrf_token, [FIELDS.loginChallenge]: state.login_challenge };
    return this.browser.post(path, { ...form, ...fields });
  }

  enterDetails(details: Record<string, string>): Promise<TestPage> {
    const fields = Object.entries(details).map(([name, value]) => [toDetailField(name), value]);
    return this.post(PATHS.registerDetails, Object.fromEntries(fields) as Record<string, string>);
  }

  async prove(details: Record<string, string>): Promise<void> {
    expect(toPath(await this.enterDetails(details))).toEqual([303, PATHS.registerCode]);
    const code = (await listMails(this.at)).find(({ kind }) => kind === 'sign-up-code')?.values['code'];
    expect(toPath(await this.post(PATHS.registerCode, { code: String(code) }))).toEqual([303, PATHS.registerPassword]);
  }

  enterPassword(password = PASSWORD): Promise<TestPage> {
    return this.post(PATHS.registerPassword, { password, password_repeat: password });
  }
}

/** Somebody signs up and waits. */
async function apply(details = newDetails(), person = new Person()): Promise<SignUpApplication> {
  await person.prove(details);
  expect(toPath(await person.enterPassword())).toEqual([303, PATHS.registerDetails]);
  const { applications: waiting } = await person.at.get(SignUpApplications).list({});
  const found = waiting.find((one) => one.details.email === details.email);
  if (!found) throw new Error('Nobody waits with this address');
  return found;
}

const findAccount = (username: string) => gateway.get(Accounts).findByUsername(username);

async function findEvents(kind: string) {
  const { entries } = await gateway.get(AuditLog).search({ kinds: [kind] });
  return entries;
}

const render = (mail: ClaimedMail) => renderMail(mail, gateway.config);

describe('a person who signs up', () => {
  it('[JOI-20] waits for an operator: there is no account, no sign-in, and a page that says so', async () => {
    const details = newDetails();
    const person = new Person();
    expect(read(await person.open())).toMatchObject({ status: 'details', approval: true });
    const { id } = await apply(details, person);
    const page = await person.open();
    expect([page.status, read(page)]).toEqual([
      200,
      { status: 'waits', sent_to: details.email, login_url: expect.stringContaining(PATHS.login) },
    ]);
    expect(toPath(await person.open(PATHS.registerPassword))).toEqual([303, PATHS.registerDetails]);
    expect(await findAccount(details.username)).toBeNull();
    expect(gateway.hydra.calls.filter((call) => 'challenge' in call && call.challenge === person.challenge)).not.toContainEqual(
      expect.objectContaining({ call: 'acceptLogin' }),
    );
    const [event] = await findEvents('sign-up.asked');
    expect(event).toMatchObject({ actor: 'person', detail: { application: id } });
    expect(JSON.stringify(event)).not.toContain('nele');
    // The person may be refused: nothing that leads to them may stay in the audit log.
    expect(event).not.toHaveProperty('address');
    expect(await listMails()).toEqual([]);
  });

  it('[JOI-20] leaves nothing but the address in the browser, and the next request of the browser begins empty', async () => {
    const person = new Person();
    await apply(newDetails(), person);
    const next = read(await new Person(person.browser).open());
    expect(next.status === 'details' && next.fields.map(({ value }) => value)).toEqual(['', '', '', '']);
  });

  it('[JOI-21] gets the account that was entered after the approval, and a mail with a link to the app', async () => {
    const details = newDetails();
    const { id } = await apply(details);
    const account = await approveSignUp.approve(id, {}, BY);
    expect(account).toMatchObject({
      username: details.username,
      displayName: 'Nele Neumann',
      email: details.email,
      emailVerified: true,
      attributes: { customer: 4711 },
    });
    const { entries } = await gateway.get(AuditLog).list(account.id);
    expect(entries.find(({ kind }) => kind === 'account.created')).toMatchObject({
      actor: 'operator',
      operator: 'olga',
      detail: { by: 'sign-up', application: id, reason: 'Known customer' },
    });
    const mails = await listMails();
    expect(mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([['sign-up-approved', details.email]]);
    expect(render(mails[0]!).text).toContain(details.username);
    await signIn(gateway, gateway.browser(), account);
    expect((await applications.list({})).applications).toEqual([]);
  });

  it('[JOI-22] gets a mail if an operator refuses, with the words that were written for the person', async () => {
    for (const words of [undefined, 'Please ask your branch.\r\nBcc: x']) {
      const details = newDetails();
      const { id } = await apply(details);
      await applications.refuse(id, { words }, { ...BY, reason: 'Unknown company' });
      const [mail] = await listMails();
      expect([mail?.kind, mail?.recipient]).toEqual(['sign-up-refused', details.email]);
      const { text, subject } = render(mail!);
      expect(text.includes('Please ask your branch. Bcc: x')).toBe(words !== undefined);
      expect(text + subject).not.toContain('Unknown company');
      expect(await findAccount(details.username)).toBeNull();
      expect((await applications.list({})).applications).toEqual([]);
      const [event] = await findEvents('sign-up.refused');
      expect(event).toMatchObject({ operator: 'olga', detail: { application: id, reason: 'Unknown company' } });
    }
  });

  it('[JOI-23] is told by mail if nobody decides in time, and can sign up again', async () => {
    const details = newDetails();
    const { id } = await apply(details);
    gateway.clock.advance({ seconds: 30 * DAY + 1 });
    // Before the next run of the cleanup, too.
    expect((await applications.list({})).applications).toEqual([]);
    await expect(approveSignUp.approve(id, {}, BY)).rejects.toThrow(ApplicationNotFound);
    await expect(applications.refuse(id, {}, BY)).rejects.toThrow(ApplicationNotFound);
    expect(await applications.expire()).toBe(1);
    expect(await applications.expire()).toBe(0);
    const mails = await listMails();
    expect(mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([['sign-up-expired', details.email]]);
    expect(render(mails[0]!).text).toContain('expired');
    expect((await findEvents('sign-up.expired'))[0]).toMatchObject({ actor: 'system', detail: { application: id } });
    expect(await gateway.database.db.selectFrom('sign_up_application').selectAll().execute()).toEqual([]);
    const again = await apply(details);
    gateway.clock.advance({ seconds: 30 * DAY + 1 });
    expect((await apply(details)).id).not.toBe(again.id);
  });
});

describe('an address', () => {
  it('[JOI-24] that waits already, or has an account, or neither, gets the same pages and another mail', async () => {
    const waiting = newDetails();
    await apply(waiting);
    const account = await gateway.account(newDetails().username, { email: 'known@example.org', emailVerified: true });
    const seen: unknown[] = [];
    for (const email of [waiting.email, 'known@example.org', newDetails().email]) {
      const person = new Person();
      const away = await person.enterDetails({ ...newDetails(), email });
      const page = read(await person.open(PATHS.registerCode));
      const wrong = await person.post(PATHS.registerCode, { code: '000000' });
      seen.push([
        toPath(away),
        away.setCookies.map(({ name }) => name),
        { ...page, sent_to: '', login_challenge: '', xsrf_token: '', details_url: '' },
        wrong.status,
      ]);
    }
    expect(seen[0]).toEqual(seen[2]);
    expect(seen[1]).toEqual(seen[2]);
    // They are queued at random moments.
    const mails = (await listMails()).toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
    expect(mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ['account-exists', account.email],
      ['sign-up-code', expect.any(String)],
      ['sign-up-waits', waiting.email],
    ]);
    expect(mails[2]?.values).toEqual({});
  });

  it('[JOI-24] that gets an account in the meantime is named only to a person who has proven it', async () => {
    const details = newDetails();
    const person = new Person();
    await person.prove(details);
    await gateway.account(newDetails().username, { email: details.email });
    const page = await person.enterPassword();
    expect([page.status, read(page).status]).toEqual([422, 'exists']);
    expect((await applications.list({})).applications).toEqual([]);
  });

  it('[JOI-25] of which an earlier application waits keeps that application unchanged', async () => {
    const details = newDetails();
    const [one, other] = [new Person(), new Person()];
    await one.prove(details);
    await other.prove({ ...details, display_name: 'Somebody Else' });
    expect([toPath(await one.enterPassword()), toPath(await other.enterPassword('another linde 4821'))]).toEqual([
      [303, PATHS.registerDetails],
      [303, PATHS.registerDetails],
    ]);
    const { applications: waiting } = await applications.list({});
    expect(waiting.map((application) => application.details.displayName)).toEqual(['Nele Neumann']);
  });
});

describe('an address that a user source knows', () => {
  const PERSON = { emailVerified: true, isActive: true, attributes: {}, password: 'linde kupfer 1284' };
  let staff: FakeUserSource;
  let other: TestGateway;

  beforeAll(async () => {
    staff = new FakeUserSource('staff');
    other = await startGateway({}, undefined, [staff]);
  });
  afterAll(() => other.close());

  it('[JOI-24] gets no application, also while the source does not answer', async () => {
    const details = newDetails();
    const person = new Person(other.browser(), other);
    await person.prove(details);
    staff.isDown = true;
    expect([(await person.enterPassword()).status, read(await person.open(PATHS.registerPassword)).status]).toEqual([
      503,
      'password',
    ]);
    staff.isDown = false;
    staff.people = [{ ...PERSON, subject: 't-1', username: 'somebody', email: details.email }];
    expect(read(await person.enterPassword()).status).toBe('exists');
    expect((await other.get(SignUpApplications).list({})).applications).toEqual([]);
  });

  it('[JOI-24] that it knows only since then is not approved', async () => {
    const details = newDetails();
    const { id } = await apply(details, new Person(other.browser(), other));
    staff.people = [{ ...PERSON, subject: 't-2', username: 'somebody', email: details.email }];
    await expect(other.get(ApproveSignUp).approve(id, {}, BY)).rejects.toThrow(EmailTaken);
    expect(await other.get(Accounts).findByUsername(details.username)).toBeNull();
    expect((await other.get(SignUpApplications).list({})).applications).toHaveLength(1);
  });
});

describe('several at once', () => {
  it('[JOI-26] two operators decide once', async () => {
    const details = newDetails();
    const { id } = await apply(details);
    const results = await Promise.allSettled([
      approveSignUp.approve(id, {}, BY),
      applications.refuse(id, {}, BY),
      approveSignUp.approve(id, {}, BY),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(ApplicationNotFound);
    expect(await listMails()).toHaveLength(1);
  });

  it('[JOI-26] an account with the address that was created in another way is not created twice; a refusal is not mailed then', async () => {
    const details = newDetails();
    const { id } = await apply(details);
    await gateway.account(newDetails().username, { email: details.email, emailVerified: true });
    await expect(approveSignUp.approve(id, {}, BY)).rejects.toThrow(EmailTaken);
    expect((await applications.get(id)).details.email).toBe(details.email);
    await applications.refuse(id, {}, BY);
    expect(await listMails()).toEqual([]);
  });

  it('[JOI-27] a username that was taken in the meantime can be replaced by the operator', async () => {
    const details = newDetails();
    const { id } = await apply(details);
    await gateway.account(details.username);
    await expect(approveSignUp.approve(id, {}, BY)).rejects.toThrow(UsernameTaken);
    const username = newDetails().username;
    expect(await approveSignUp.approve(id, { username }, BY)).toMatchObject({ username, email: details.email });
  });

  it('[JOI-27] people who are not asked for a username get their address as username, or another one', async () => {
    const fields = SIGN_UP.fields.slice(1);
    const other = await startGateway({ fields }, gateway);
    try {
      for (const isFree of [true, false]) {
        const { username: _, ...details } = newDetails();
        const { id } = await apply(details as ReturnType<typeof newDetails>, new Person(other.browser(), other));
        if (!isFree)
          await gateway.database.db
            .insertInto('held_username')
            .values({
              username_key: details.email,
              account_id: (await gateway.account(newDetails().username)).id,
              held_until: new Date(gateway.clock.now().getTime() + DAY * 1000),
              has_looks: false,
            })
            .execute();
        const { username } = await other.get(ApproveSignUp).approve(id, {}, BY);
        expect(username === details.email).toBe(isFree);
        await listMails();
      }
    } finally {
      await other.close();
    }
  });

  it('[JOI-28] a double click on the last button makes one application', async () => {
    const details = newDetails();
    const person = new Person();
    await person.prove(details);
    const state = read(await person.open(PATHS.registerPassword));
    if (!('xsrf_token' in state)) throw new Error('The page has no form');
    const form = { _xsrf: state.xsrf_token, login_challenge: person.challenge, password: PASSWORD, password_repeat: PASSWORD };
    const pages = await Promise.all([1, 2].map(() => person.browser.post(PATHS.registerPassword, form)));
    expect(pages.map(toPath)).toEqual([1, 2].map(() => [303, PATHS.registerDetails]));
    expect((await applications.list({})).applications).toHaveLength(1);
  });
});

describe('the limits', () => {
  it('[JOI-29] no more people wait than the setting allows, for every address and before a mail is sent', async () => {
    const other = await startGateway({ approval: { days: 30, maxWaiting: 1 } }, gateway);
    try {
      const [first, late] = [newDetails(), newDetails()];
      const latePerson = new Person(other.browser(), other);
      await latePerson.prove(late);
      await apply(first, new Person(other.browser(), other));
      for (const email of [first.email, newDetails().email]) {
        const page = await new Person(other.browser(), other).enterDetails({ ...newDetails(), email });
        expect([page.status, read(page)]).toMatchObject([503, { status: 'details', error: 'full' }]);
      }
      expect([await listMails(other), read(await latePerson.enterPassword())]).toMatchObject([[], { error: 'full' }]);
      expect((await other.get(SignUpApplications).list({})).applications).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('[JOI-29] a proven address may try 30 passwords an hour', async () => {
    const person = new Person();
    await person.prove(newDetails());
    for (let tries = 0; tries < 30; tries += 1) expect((await person.enterPassword('short')).status).toBe(422);
    expect((await person.enterPassword()).status).toBe(429);
  });

  it('[JOI-20] no other way of the sign-up creates an account without the approval', async () => {
    const { username, email } = newDetails();
    const create = gateway.get(SignUp).create({
      details: { username, email, attributes: {} },
      password: PASSWORD,
      auditContext: { actor: 'person' },
    });
    await expect(create).rejects.toThrow('An operator has to approve this account');
    expect(await findAccount(username)).toBeNull();
  });
});
