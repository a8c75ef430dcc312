/** Invitations of people who have no account yet: from the operator API to the account, and what others would try with a link. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { Cleanup } from '../../src/accounts/cleanup.js';
import { OutboxClaims, type ClaimedMail } from '../../src/accounts/queue/outbox-claims.js';
import type { Config } from '../../src/config/config.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import { INVITATION_PATH, toDetailField, type InvitationState } from '../../src/contract/registration-state.js';
import { renderMail } from '../../src/mail/render-mail.js';
import type { InvitationAnswer } from '../../src/operator/wire-invitations.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { loadApi } from '../support/operator-api.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const DAY = 86_400;
const PERSON = { emailVerified: true, isActive: true, attributes: {}, password: 'linde kupfer 1284' };
const SCHEMA = {
  type: 'object',
  properties: {
    department: { type: 'string' },
    customer: { type: 'string', title: 'Kundennummer', pattern: '^[0-9]{4}$' },
    team: { type: 'string' },
  },
  required: ['customer', 'team'],
};

let gateway: TestGateway;
let operator: TestOperator;
let count = 0;
const { createAccount } = operatorSteps(() => operator);
const api = loadApi();
const foyer = commandLine(() => operator);

const change = (config: Config): Partial<Config> => ({
  accounts: { ...config.accounts, schema: SCHEMA },
  limits: { ...config.limits, addressFailures: 1000 },
  // The attribute `team` grants a right, so only an operator may choose it.
  operator: { ...config.operator, rules: [{ attribute: 'team', value: 'platform', right: 'support' }] },
});

beforeAll(async () => {
  gateway = await startTestGateway({ config: change });
  operator = await startTestOperator({ database: gateway.database, config: change });
  for (const { hydra } of [gateway, operator]) {
    const client = hydra.client({ id: 'portal', name: 'Partner Portal', clientUri: 'https://portal.example.org/home' });
    hydra.addClient({ ...client, redirectUris: ['https://portal.example.org/callback'] }, ['openid']);
  }
});

afterAll(async () => {
  await operator.close();
  await gateway.close();
});

const newAddress = (): string => `nele.${(count += 1)}@example.org`;
const newName = (): string => `nele-${(count += 1)}`;

async function listMails(): Promise<ClaimedMail[]> {
  const claims = gateway.get(OutboxClaims);
  const mails = (await claims.claim(100)).toSorted((one, other) => one.id - other.id);
  for (const mail of mails) await claims.markSent(mail);
  return mails;
}

const readToken = async (email: string): Promise<string> =>
  String((await listMails()).findLast(({ recipient }) => recipient === email)?.values['token']);

const call = (path: string, body?: object) =>
  operator.call('POST', `/invitations${path}`, body, { 'x-foyer-reason': 'new colleague' });

/** @returns the invitation, and the token of its mail */
async function invite(members: object = {}): Promise<InvitationAnswer & { token: string }> {
  const email = newAddress();
  const answer = await call('', { email, attributes: { team: 'sales' }, ...members });
  expect([answer.status, api.findAnswerFaults('POST', '/operator/v1/invitations', answer)]).toEqual([201, null]);
  const invitation = answer.json as unknown as InvitationAnswer;
  return { ...invitation, token: await readToken(invitation.email) };
}

const show = async (id: string): Promise<InvitationAnswer> =>
  (await operator.call('GET', `/invitations/${id}`)).json as unknown as InvitationAnswer;

const read = (page: TestPage) => page.state('registration').registration;

function readForm(page: TestPage): InvitationState {
  const state = read(page);
  if (state.status !== 'invitation') throw new Error(`The page is ${state.status}.`);
  return state;
}

/** Opens a link. @returns the page after the redirect that removes the token */
async function open(token: string, browser: TestBrowser = gateway.browser()): Promise<{ browser: TestBrowser; page: TestPage }> {
  const away = await browser.get(`${INVITATION_PATH}?token=${token}`);
  expect([away.status, away.location]).toEqual([303, INVITATION_PATH]);
  return { browser, page: await browser.get(INVITATION_PATH) };
}

const toFields = (details: Record<string, string>) =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [toDetailField(name), value]));

function toForm(page: TestPage, details: Record<string, string>, password = PASSWORD): Record<string, string> {
  const { token, xsrf_token: xsrf } = readForm(page);
  return { [FIELDS.linkToken]: token, [FIELDS.xsrf]: xsrf, password, password_repeat: password, ...toFields(details) };
}

/** Opens a link and sends its form. @returns the answer, and the page to which a redirect leads */
async function accept(token: string, details: Record<string, string>, password?: string) {
  const { browser, page } = await open(token);
  const answer = await browser.post(INVITATION_PATH, toForm(page, details, password));
  return { browser, answer, next: answer.status === 303 ? await browser.get(answer.location ?? '') : answer };
}

const findAccount = (username: string) => gateway.get(Accounts).findByUsername(username);
const countAccounts = async (email: string): Promise<number> =>
  (await gateway.database.db.selectFrom('account').select('id').where('email', '=', email).execute()).length;

describe('the way of an invited person', () => {
  it('[INV-1] leads from the mail to an account with the verified address, and to the app', async () => {
    const inviter = 'Ina Immergrün';
    const { email, id, token } = await invite({ client: 'portal', inviter, display_name: 'Nele Neumann', groups: ['Sales'] });
    const { browser, page } = await open(token);
    const state = readForm(page);
    expect(state).toMatchObject({ error: null, email, inviter, client: { name: 'Partner Portal' } });
    expect(state.fields.map(({ name, value }) => [name, value])).toEqual([
      ['username', ''],
      ['display_name', 'Nele Neumann'],
      ['customer', ''],
    ]);
    const username = newName();
    const done = await browser.post(INVITATION_PATH, toForm(page, { username, display_name: 'Nele N.', customer: '4711' }));
    expect([done.status, done.location]).toEqual([303, INVITATION_PATH]);
    const ready = await browser.get(INVITATION_PATH);
    expect(read(ready).status).toBe('invitation-used');
    expect(ready.state('registration').app).toMatchObject({
      return_to_url: 'https://portal.example.org/home',
      return_to_name: 'Partner Portal',
    });
    const account = await findAccount(username);
    expect(account).toMatchObject({ displayName: 'Nele N.', email, emailVerified: true, groups: ['Sales'] });
    expect(account?.attributes).toEqual({ team: 'sales', customer: '4711' });
    const { entries } = await gateway.get(AuditLog).list(account?.id ?? '');
    expect(entries.find(({ kind }) => kind === 'account.created')).toMatchObject({
      actor: 'person',
      detail: { by: 'invitation', invitation: id },
    });
    expect(await show(id)).toMatchObject({ state: 'used', account_id: account?.id, username });
    const signIn = gateway.browser();
    gateway.hydra.addLogin({ challenge: `after-${username}` });
    const login = (await signIn.get(`${PATHS.login}?login_challenge=after-${username}`)).state('login').login;
    const form = { _xsrf: login.xsrf_token, login_challenge: `after-${username}`, username, password: PASSWORD };
    expect((await signIn.post(PATHS.loginNative, form)).location).toContain('login_verifier=');
  });

  it('[INV-1] begins with a mail that says who invites to what, with a link to the configured address', async () => {
    const email = newAddress();
    await call('', { email, attributes: { team: 'sales' }, client: 'portal', language: 'de', inviter: 'Ina Immergrün' });
    const mail = (await listMails()).find(({ recipient }) => recipient === email);
    if (!mail) throw new Error('There is no mail.');
    const { subject, text } = renderMail(mail, gateway.config);
    expect([mail.locale, subject]).toEqual(['de', 'Ihre Einladung zu Partner Portal']);
    expect(text).toContain('Ina Immergrün lädt Sie ein, Partner Portal zu nutzen.');
    expect(text).toContain(`${gateway.config.publicUrl}${INVITATION_PATH}?token=${String(mail.values['token'])}`);
  });

  it('[INV-1] ignores who is signed in, and does not sign them out', async () => {
    const { token } = await invite();
    const { browser } = await open(token);
    const username = newName();
    const { answer } = await accept(token, { username, customer: '4711' });
    expect(answer.setCookies.some(({ name }) => name.endsWith('-session') || name.endsWith('-manage'))).toBe(false);
    expect((await browser.get(INVITATION_PATH)).status).toBe(200);
  });
});

describe('a link', () => {
  it('[INV-2] creates one account, although two forms are sent at once at two gateways', async () => {
    const { email, token } = await invite();
    const second = await startTestGateway({ beside: gateway.database, config: change });
    try {
      const { browser, page } = await open(token);
      const elsewhere = second.browser();
      await elsewhere.get(`${INVITATION_PATH}?token=${token}`);
      const other = await elsewhere.get(INVITATION_PATH);
      const answers = await Promise.all([
        browser.post(INVITATION_PATH, toForm(page, { username: newName(), customer: '4711' })),
        elsewhere.post(INVITATION_PATH, toForm(other, { username: newName(), customer: '4711' })),
      ]);
      expect(answers.map(({ status, location }) => [status, location])).toEqual([1, 2].map(() => [303, INVITATION_PATH]));
      expect(await countAccounts(email)).toBe(1);
      expect(read(await browser.get(INVITATION_PATH)).status).toBe('invitation-used');
    } finally {
      await second.close();
    }
  });

  it('[INV-3] that was used creates nothing, and says that the account is ready', async () => {
    const { email, token } = await invite();
    const { browser, page } = await open(token);
    await accept(token, { username: newName(), customer: '4711' });
    expect(read((await open(token)).page).status).toBe('invitation-used');
    const again = await browser.post(INVITATION_PATH, toForm(page, { username: newName(), customer: '4711' }));
    expect(again.status).toBe(303);
    expect(await countAccounts(email)).toBe(1);
  });

  it('[INV-3] that was withdrawn, was replaced, or has expired creates nothing', async () => {
    const withdrawn = await invite();
    const { browser, page } = await open(withdrawn.token);
    const { json } = await call(`/${withdrawn.id}/withdraw`);
    expect(json).toMatchObject({ state: 'withdrawn', withdrawn: true });
    expect((await call(`/${withdrawn.id}/withdraw`)).json).toMatchObject({ state: 'withdrawn', withdrawn: false });
    expectError(await call(`/${withdrawn.id}/resend`), 409, 'invitation_ended', 'id');

    const replaced = await invite();
    expect((await call(`/${replaced.id}/resend`)).status).toBe(200);
    const newest = await readToken(replaced.email);
    expect(newest).not.toBe(replaced.token);
    expect(read((await open(newest)).page).status).toBe('invitation');

    const expired = await invite({ days: 1 });
    gateway.clock.advance({ seconds: DAY + 1 });
    operator.clock.advance({ seconds: DAY + 1 });
    expect((await show(expired.id)).state).toBe('expired');
    for (const { token, email } of [withdrawn, replaced, expired]) {
      const opened = await open(token);
      expect(read(opened.page).status).toBe('invitation-ended');
      const form = { ...toForm(page, { username: newName(), customer: '4711' }), [FIELDS.linkToken]: token };
      expect((await browser.post(INVITATION_PATH, form)).status).toBe(303);
      expect(await countAccounts(email)).toBe(0);
    }
    expect((await call(`/${expired.id}/resend`)).json).toMatchObject({ state: 'open' });
    expect(read((await open(await readToken(expired.email))).page).status).toBe('invitation');
    expect(read((await open('unknown')).page).status).toBe('invitation-ended');
  });

  it('[INV-3] is sent again although a later invitation of the address exists, if that one has expired too', async () => {
    const first = await invite({ days: 1 });
    const passDay = () => {
      for (const { clock } of [gateway, operator]) clock.advance({ seconds: DAY + 1 });
    };
    passDay();
    const second = await invite({ email: first.email, days: 1 });
    expectError(await call(`/${first.id}/resend`), 409, 'already_invited', 'email');
    passDay();
    expect((await call(`/${first.id}/resend`)).json).toMatchObject({ id: first.id, state: 'open' });
    const mails = (await listMails()).filter(({ recipient }) => recipient === first.email);
    expect(mails).toHaveLength(1);
    expect(read((await open(String(mails[0]?.values['token']))).page).status).toBe('invitation');
    expect([(await show(second.id)).state, read((await open(second.token)).page).status]).toEqual([
      'expired',
      'invitation-ended',
    ]);
  });

  it('[INV-3] whose address has an account by now says so, creates nothing, and the operator sees it', async () => {
    const { email, id, token } = await invite();
    const { browser, page } = await open(token);
    await createAccount({ email, attributes: { team: 'sales', customer: '4711' } });
    const answer = await browser.post(INVITATION_PATH, toForm(page, { username: newName(), customer: '4711' }));
    expect(read(await browser.get(answer.location ?? '')).status).toBe('invitation-exists');
    expect(await countAccounts(email)).toBe(1);
    expect(await show(id)).toMatchObject({ state: 'open', has_account: true });
    expectError(await call(`/${id}/resend`), 409, 'has_account', 'email');
    expect(await readToken(email)).toBe('undefined');
  });

  it.each(['example.org', 'bücher.example'])(
    '[INV-3] whose address at %s is the username of an account says so, and the operator sees it',
    async (domain) => {
      const { email, id, token } = await invite({ email: `${newName()}@${domain}` });
      const account = await createAccount({ username: email, email, attributes: { team: 'sales', customer: '4711' } });
      // The unverified address of an account that belongs to a provider does not count, but its username is taken.
      await sql`
      insert into source_account (account_id, source, subject, profile, connected_at, seen_at)
      values (${account.id}, 'https://provider.example', ${id}, '', now(), now())`.execute(operator.database.db);
      expect(read((await open(token)).page).status).toBe('invitation-exists');
      expect(await show(id)).toMatchObject({ state: 'open', has_account: true });
    },
  );

  it('[INV-3] whose address had an account that was deleted creates nothing; an account that has not proven the address changes nothing', async () => {
    const { token, id, email } = await invite();
    const remove = async (emailVerified: boolean): Promise<void> => {
      const { id: account } = await gateway.account(newName(), {
        email,
        emailVerified,
        attributes: { customer: '4711', team: 'sales' },
      });
      expect((await operator.call('DELETE', `/accounts/${account}`)).status).toBe(200);
    };
    await remove(false);
    expect(read((await open(token)).page).status).toBe('invitation');
    await remove(true);
    expect(read((await open(token)).page).status).toBe('invitation-ended');
    expectError(await operator.call('GET', `/invitations/${id}`), 404, 'invitation_not_found');
  });

  it('[INV-3] whose groups would by now make an administrator ends where a second operator has to approve that', async () => {
    const rules = [{ group: 'Admins', right: 'admin' }] as const;
    const held = await startTestGateway({
      beside: gateway.database,
      config: (config) => ({ ...change(config), operator: { ...config.operator, approval: 'operators', rules } }),
    });
    try {
      const { token, email } = await invite({ groups: ['Admins'] });
      expect(read((await open(token, held.browser())).page).status).toBe('invitation-ended');
      const other = await invite({ groups: ['Sales'] });
      const { browser, page } = await open(other.token, held.browser());
      const form = { ...toForm(page, { username: newName(), customer: '4711' }), [FIELDS.linkToken]: token };
      const answer = await browser.post(INVITATION_PATH, form);
      expect([answer.status, answer.location]).toEqual([303, INVITATION_PATH]);
      expect(await countAccounts(email)).toBe(0);
    } finally {
      await held.close();
    }
  });

  it('[INV-3] whose address a user source knows by now says so, and creates nothing', async () => {
    const staff = new FakeUserSource('staff');
    const other = await startTestGateway({ beside: gateway.database, config: change, sources: [staff] });
    try {
      const { token, email } = await invite();
      const { browser, page } = await open(token, other.browser());
      staff.people = [{ ...PERSON, subject: 't-1', username: 'somebody', email }];
      const answer = await browser.post(INVITATION_PATH, toForm(page, { username: newName(), customer: '4711' }));
      expect(read(answer).status).toBe('invitation-exists');
      expect(await countAccounts(email)).toBe(0);
    } finally {
      await other.close();
    }
  });

  it('[INV-4] gives what the invitation has, whatever the form sends', async () => {
    const { token } = await invite({ group_name: 'Sales', language: 'nl', attributes: { team: 'sales', customer: '1111' } });
    const username = newName();
    const { page } = await open(token);
    expect(readForm(page).fields.map(({ name }) => name)).toEqual(['username', 'display_name']);
    const evil = { team: 'platform', customer: '2222', groups: 'Administrators', email: 'evil@example.org', department: 'x' };
    await accept(token, { username, ...evil });
    const account = await findAccount(username);
    expect(account).toMatchObject({ groups: ['Sales'], language: 'nl', attributes: { team: 'sales', customer: '1111' } });
    expect(account?.email).not.toBe('evil@example.org');
  });

  it('[INV-5] keeps what was entered when something has to be corrected', async () => {
    const { token } = await invite();
    const taken = newName();
    await createAccount({ username: taken, attributes: { team: 'sales', customer: '4711' } });
    const find = (page: TestPage) => {
      const { error, fields } = readForm(page);
      return [page.status, error, ...fields.filter((field) => field.error).map(({ name, error: fault }) => `${name} ${fault}`)];
    };
    expect(find((await accept(token, { username: taken, customer: 'x' })).answer)).toEqual([422, 'fields', 'customer format']);
    expect(find((await accept(token, { username: '', customer: '4711' })).answer)).toEqual([422, 'fields', 'username missing']);
    const conflict = await accept(token, { username: taken, customer: '4711', display_name: 'Nele' });
    expect(find(conflict.answer)).toEqual([422, 'fields', 'username taken']);
    expect(readForm(conflict.answer).fields.map(({ value }) => value)).toEqual([taken, 'Nele', '4711']);
    expect(find((await accept(token, { username: newName(), customer: '4711' }, 'kurz')).answer)).toEqual([
      422,
      'password-strength',
    ]);
    const { browser, page } = await open(token);
    const form = toForm(page, { username: newName(), customer: '4711' });
    expect(find(await browser.post(INVITATION_PATH, { ...form, password: '' }))).toEqual([422, 'empty-password']);
    expect(find(await browser.post(INVITATION_PATH, { ...form, password_repeat: 'other' }))).toEqual([
      422,
      'passwords-not-equal',
    ]);
    const outdated = { ...form, [FIELDS.xsrf]: 'outdated' };
    const stale = await browser.post(INVITATION_PATH, outdated, { 'sec-fetch-site': 'same-origin' });
    expect(find(stale)).toEqual([403, 'stale']);
  });

  it('[INV-5] can be tried 30 times an hour', async () => {
    const { token } = await invite();
    const { browser, page } = await open(token);
    const form = toForm(page, { username: newName(), customer: '4711' }, 'kurz');
    let answer = await browser.post(INVITATION_PATH, form);
    for (let tries = 1; tries < 31; tries++) answer = await browser.post(INVITATION_PATH, form);
    expect([answer.status, readForm(answer).error]).toEqual([429, 'limited']);
  });
});

describe('[INV-6] operators', () => {
  it('invite many people, and each row has its own result', async () => {
    const [one, two] = [newAddress(), newAddress()];
    const { email } = await invite();
    const known = newAddress();
    await createAccount({ email: known, attributes: { team: 'sales', customer: '4711' } });
    const attributes = { team: 'sales' };
    const { json } = await call('/many', {
      invitations: [
        { email: one, attributes },
        { email: one.toUpperCase(), attributes },
        { email: two },
        { email: 'nele', attributes },
        { email, attributes },
        { email: known, attributes },
        { email: two, attributes, client: 'unknown' },
        { email: two, attributes, client: '\u0000' },
        { email: two, attributes: { team: 'sales', customer: 'x' } },
        { email: two, attributes, groups: 'Sales' },
        { email: two, attributes, days: 31 },
        { email: two, attributes, color: 'red' },
        { attributes },
        { email: two, attributes, group_name: null },
      ],
    });
    const rows = json['results'] as { row: number; result: string; error?: string; field?: string }[];
    expect(rows.map(({ row, result, error, field }) => [row, result, error, field])).toEqual([
      [1, 'invited', undefined, undefined],
      [2, 'invalid', 'already_invited', 'email'],
      [3, 'invalid', 'format', 'attributes'],
      [4, 'invalid', 'format', 'email'],
      [5, 'invalid', 'already_invited', 'email'],
      [6, 'invalid', 'has_account', 'email'],
      [7, 'invalid', 'unknown_client', 'client'],
      [8, 'invalid', 'unknown_client', 'client'],
      [9, 'invalid', 'format', 'attributes'],
      [10, 'invalid', 'wrong_type', 'groups'],
      [11, 'invalid', 'wrong_type', 'days'],
      [12, 'invalid', 'unknown_member', 'color'],
      [13, 'invalid', 'missing', 'email'],
      [14, 'invited', undefined, undefined],
    ]);
    expect((await listMails()).map(({ recipient }) => recipient)).toEqual([one, two]);
    expectError(await call('/many', { invitations: Array.from({ length: 101 }, () => ({})) }), 422, 'too_many', 'invitations');
  });

  it('list them by state and address, newest first', async () => {
    const first = await invite();
    const second = await invite();
    await call(`/${first.id}/withdraw`);
    const list = async (query: string) => {
      const { json } = await operator.call('GET', `/invitations${query}`);
      return json as unknown as { invitations: InvitationAnswer[]; next_cursor?: string };
    };
    const page = await list('?limit=1');
    expect(page.invitations.map(({ id }) => id)).toEqual([second.id]);
    expect((await list(`?limit=1&cursor=${page.next_cursor}`)).invitations.map(({ id }) => id)).toEqual([first.id]);
    expect((await list('?state=withdrawn&limit=1')).invitations.map(({ id }) => id)).toEqual([first.id]);
    expect((await list(`?email=${second.email.toUpperCase()}`)).invitations).toMatchObject([
      { id: second.id, state: 'open', invited_by: 'operator', reason: 'new colleague', attributes: { team: 'sales' } },
    ]);
    for (const email of ['nobody', 'nele%00@example.org']) expect((await list(`?email=${email}`)).invitations).toEqual([]);
    expectError(await operator.call('GET', '/invitations/x'), 404, 'invitation_not_found');
  });

  it('leave events with their reason, without the address', async () => {
    const { id, email } = await invite({ client: 'portal' });
    await call(`/${id}/resend`);
    await call(`/${id}/withdraw`);
    const { json } = await operator.call('GET', '/audit?kind=invitation&limit=3');
    expect(json['entries']).toMatchObject([
      { kind: 'invitation.withdrawn', detail: { invitation: id, reason: 'new colleague' } },
      { kind: 'invitation.resent', detail: { invitation: id } },
      { kind: 'invitation.created', detail: { invitation: id, client: 'portal' } },
    ]);
    expect(JSON.stringify(json)).not.toContain(email);
  });

  it('[INV-5] mail an address at most three times an hour', async () => {
    const { id } = await invite();
    expect((await call(`/${id}/resend`)).status).toBe(200);
    expect((await call(`/${id}/resend`)).status).toBe(200);
    const limited = await call(`/${id}/resend`);
    expectError(limited, 429, 'limited');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(3000);
    const [event] = (await gateway.get(AuditLog).search({ kinds: ['request.limited'] })).entries;
    expect(event?.detail).toEqual({ request: 'invitation' });
  });

  it('[INV-5] that import the same people again use up no limit', async () => {
    const known = newAddress();
    await createAccount({ email: known, attributes: { team: 'sales', customer: '4711' } });
    const { id, email } = await invite();
    const attributes = { team: 'sales' };
    const inviteAgain = async () => {
      const { json } = await call('/many', {
        invitations: [
          { email, attributes },
          { email: known, attributes },
        ],
      });
      return (json['results'] as { error?: string }[]).map(({ error }) => error);
    };
    for (let time = 0; time < 4; time += 1) expect(await inviteAgain()).toEqual(['already_invited', 'has_account']);
    expect((await call(`/${id}/resend`)).status).toBe(200);
  });

  it('[INV-5] that are resent after their end use up no limit', async () => {
    const { id, email } = await invite();
    await call(`/${id}/withdraw`);
    for (let time = 0; time < 4; time += 1) expectError(await call(`/${id}/resend`), 409, 'invitation_ended');
    expect((await invite({ email })).email).toBe(email);
  });

  it('need a mail server, and a second operator for a new admin', async () => {
    const without = await startTestOperator({ database: gateway.database, config: ({ mail: { from } }) => ({ mail: { from } }) });
    const held = await startTestOperator({
      database: gateway.database,
      config: ({ operator: own }) => ({
        operator: { ...own, approval: 'operators', rules: [{ group: 'Admins', right: 'admin' }] },
      }),
    });
    try {
      expectError(await without.call('POST', '/invitations', { email: newAddress() }), 409, 'no_mail');
      const body = { email: newAddress(), groups: [' Admins '] };
      expectError(await held.call('POST', '/invitations', body), 409, 'approval_required');
    } finally {
      await without.close();
      await held.close();
    }
  });

  it('show in the list on the command line that the address has an account by now, also after the link has expired', async () => {
    const { email } = await invite({ days: 1 });
    await createAccount({ email, attributes: { team: 'sales', customer: '4711' } });
    const list = async () => (await foyer(`invitation list --email ${email}`)).out;
    expect(await list()).toContain(' open, has account ');
    gateway.clock.advance({ seconds: DAY + 1 });
    operator.clock.advance({ seconds: DAY + 1 });
    expect(await list()).toContain(' expired, has account ');
  });

  it('invite, list, resend and withdraw on the command line, also the people of a file', async () => {
    const email = newAddress();
    const attributes = '{"team":"sales"}';
    const given = ['--attributes', attributes, '--client', 'portal', '--inviter', 'Ina Immergrün', '--days', '3'];
    const created = await foyer(['invitation', 'create', email, ...given, '--reason', 'new colleague']);
    expect([created.code, created.out]).toEqual([0, expect.stringContaining(`An invitation will be sent to ${email}`)]);
    const id = /Invitation: (.+)/.exec(created.out)?.[1] ?? '';
    expect((await foyer(`invitation list --email ${email} --state open`)).out).toContain(id);
    expect((await foyer(`invitation resend ${id}`)).code).toBe(0);
    expect((await foyer(`invitation withdraw ${id}`)).out).toBe(`The invitation for ${email} was withdrawn.\n`);
    expect((await foyer(`invitation withdraw ${id}`)).out).toContain('had ended already (withdrawn)');
    expect((await foyer(`invitation resend ${id}`)).code).toBe(4);
    expect((await foyer(['invitation', 'create', newAddress(), '--days', 'x'])).code).toBe(2);

    const people = Array.from({ length: 101 }, () => JSON.stringify({ email: newAddress(), attributes: { team: 'sales' } }));
    const lines = [...people, '', 'not JSON', '{"email":"nele"}', people[0]].join('\n');
    const input = { input: () => Readable.from([Buffer.from(lines)]) };
    const imported = await foyer('invitation import -', input);
    expect(imported.code).toBe(1);
    expect(imported.out.split('\n')).toEqual([
      'standard input:103: The line must be a JSON object in UTF-8.',
      'standard input:104: email is not an e-mail address.',
      'standard input:105: This address has an open invitation: resend it or withdraw it.',
      'Invited: 101. Not invited: 3.',
      '',
    ]);
    expect((await listMails()).length).toBeGreaterThan(99);
  });

  it('import the other lines of a file in which one is too long for a call', async () => {
    const [before, after] = [newAddress(), newAddress()].map((email) => JSON.stringify({ email, attributes: { team: 'sales' } }));
    const text = 'x'.repeat(65_500);
    // Written out, the numbers are longer than in the file.
    const numbers = `{"numbers":[${Array.from({ length: 4000 }, () => '1e20').join()}]}`;
    const lines = [before, JSON.stringify({ text }), numbers, after].join('\n');
    const imported = await foyer('invitation import -', { input: () => Readable.from([Buffer.from(lines)]) });
    const message = 'The line is longer than 63 kB, with its numbers written out.';
    expect([imported.code, imported.out.split('\n')]).toEqual([
      1,
      [`standard input:2: ${message}`, `standard input:3: ${message}`, 'Invited: 2. Not invited: 2.', ''],
    ]);
  });

  it('have them for 90 days after their end, and their links never', async () => {
    const { id, token } = await invite();
    const rows = await gateway.database.db.selectFrom('invitation').selectAll().where('id', '=', id).execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    gateway.clock.advance({ seconds: 98 * DAY });
    operator.clock.advance({ seconds: 98 * DAY });
    await gateway.get(Cleanup).deleteExpired();
    expectError(await operator.call('GET', `/invitations/${id}`), 404, 'invitation_not_found');
  });
});
