/**
 * What a passed check of who is calling admits (SUPPORT_CHECK), and what happens without one: two operators, and 24 hours in which the
 * person can stop it.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Cleanup } from '../../src/accounts/cleanup.js';
import { endAllSessions } from '../../src/accounts/sessions/browser-sessions.js';
import type { Config } from '../../src/config/config.js';
import { randomToken } from '../../src/config/keys.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { PASSWORD } from '../support/gateway.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';
import { loadApi } from '../support/operator-api.js';
import { beginConsoleSession, commandLine, expectError, importer, operatorSteps } from '../support/operator-story.js';

const CONSOLE = { url: 'http://localhost:3001', acr: 'urn:foyer:acr:mfa', backChannelUrl: 'http://localhost:3001' } as const;
const NIGHT = randomToken();
const HOUR_SECONDS = 3600;

let operator: TestOperator;
const { createAccount, findKinds } = operatorSteps(() => operator);
const { importLines } = importer(() => operator);
const line = commandLine(() => operator);
const api = loadApi();

async function start(approval: Config['operator']['approval']): Promise<void> {
  const staff = new FakeUserSource('staff', undefined, 'Staff directory');
  const person = { subject: 'attacker', username: 'attacker', attributes: {}, isActive: true, password: PASSWORD };
  staff.people.push({ ...person, email: 'attacker@example.org', emailVerified: true });
  operator = await startTestOperator({
    config: (config) => ({
      console: CONSOLE,
      operator: {
        ...config.operator,
        approval,
        supportCheck: true,
        tokens: [{ name: 'night', rights: 'admin', token: NIGHT }],
      },
    }),
    foundation: ({ log }) => ({ sources: new UserSources([staff], log) }),
  });
}

let desks = 0;
const hire = async (): Promise<string> => {
  const { id } = await createAccount({ username: `desk${(desks += 1)}` });
  return beginConsoleSession(operator, id, 'admin');
};

const callAs = (secret: string, method: string, path: string, body?: unknown): Promise<OperatorAnswer> =>
  operator.call(method, path, body, {
    authorization: undefined,
    cookie: `foyer-console=${secret}`,
    'x-foyer-console': '1',
    'x-foyer-reason': 'ticket%204711',
  });

const withToken = (method: string, path: string, body?: unknown) =>
  operator.call(method, path, body, { authorization: `Bearer ${NIGHT}`, 'x-foyer-reason': 'at%20night' });

async function createVictim(): Promise<string> {
  const { id } = await createAccount({ email: 'old@example.org', password: PASSWORD });
  const seed = { account_id: id, secret: 'sealed', last_step: 0, created_at: operator.clock.now() };
  await operator.database.db.insertInto('totp_factor').values(seed).execute();
  return id;
}

async function passCheck(call: (method: string, path: string, body?: unknown) => Promise<OperatorAnswer>, id: string) {
  expect((await call('POST', `/accounts/${id}/support-check`)).status).toBe(200);
  const words = (await operator.services.supportChecks.find(id))?.words;
  const answer = await call('POST', `/accounts/${id}/support-check/answer`, { words });
  expect([answer.status, answer.json['state']]).toEqual([200, 'passed']);
}

const pass = (secret: string, id: string) => passCheck((...call) => callAs(secret, ...call), id);
const resetFactors = (secret: string, id: string) => callAs(secret, 'POST', `/accounts/${id}/factor-reset`);
const approve = (secret: string, approval: unknown) => callAs(secret, 'POST', `/approvals/${String(approval)}/approve`);
const readEmail = async (id: string) => (await operator.call('GET', `/accounts/${id}`)).json['email'];
/** As "That was not me" does. */
const endEverything = (accountId: string) =>
  operator.database.transaction((trx) => {
    return endAllSessions({ accountId, now: operator.database.now(), upstream: 'everything' }, trx);
  });
const toWait = ({ json }: OperatorAnswer) => {
  const [asked, early, end] = ['asked_at', 'not_before', 'expires_at'].map((name) => Date.parse(String(json[name])));
  return [(Number(early) - Number(asked)) / 1000, (Number(end) - Number(asked)) / 1000];
};

const CALLS = [
  ['accounts.change', 'PATCH', '', { email: 'new@example.org' }],
  ['accounts.change', 'PATCH', '', { email: 'old@example.org', email_verified: true }],
  ['factors.remove', 'DELETE', '/factors/totp', undefined],
  ['resets.factors', 'POST', '/factor-reset', undefined],
  ['resets.password', 'POST', '/password-reset', undefined],
  ['source.link', 'POST', '/source', { source: 'staff', username: 'attacker' }],
] as const;

describe('without two people for everything (OPERATOR_APPROVAL=off)', () => {
  let olga: string;
  let otto: string;

  beforeAll(() => start('off'));
  beforeEach(async () => {
    [olga, otto] = [await hire(), await hire()];
  });
  afterAll(() => operator.close());

  it.each(CALLS)(
    '%s by %s waits for a day and another operator unless the check has passed, which admits one',
    async (...row) => {
      const [operation, method, rest, body] = row;
      const id = await createVictim();
      const call = () => callAs(olga, method, `/accounts/${id}${rest}`, body);
      const held = await call();
      expect(api.findAnswerFaults(method, `/operator/v1/accounts/${id}${rest}`, held)).toBeNull();
      expect([held.status, held.json['operation'], held.json['checked']]).toEqual([202, operation, false]);
      expect(toWait(held)).toEqual([24 * HOUR_SECONDS, 72 * HOUR_SECONDS]);
      await pass(olga, id);
      expect((await call()).status).toBe(200);
      await callAs(olga, 'PATCH', `/accounts/${id}`, { display_name: 'Needs no check' });
      expect((await resetFactors(olga, id)).status).toBe(202);
    },
  );

  it('what nobody else could profit from needs no check', async () => {
    const id = await createVictim();
    const patch = { display_name: 'New name', email: 'old@example.org', groups: ['Sales'] };
    expect((await callAs(olga, 'PATCH', `/accounts/${id}`, patch)).status).toBe(200);
    expect((await callAs(olga, 'POST', `/accounts/${id}/operator-rights`, { right: 'read' })).status).toBe(200);
    expect((await callAs(olga, 'POST', `/accounts/${id}/disable`)).status).toBe(200);
  });

  it('the present address is not written without a check, so that a former one can be restored and a newer one stays', async () => {
    const id = await createVictim();
    const { accounts } = operator.services;
    const patch = (email: string) => callAs(olga, 'PATCH', `/accounts/${id}`, { email, display_name: 'New name' });
    const auditContext = { actor: 'person' } as const;
    await accounts.transact((trx) =>
      accounts.updateWithin(trx, { id, patch: { email: 'thief@example.net' }, isOwn: true, auditContext }),
    );
    expect((await patch('thief@example.net')).status).toBe(200);
    const links = operator.database.db.selectFrom('one_time_secret').select('purpose').where('account_id', '=', id);
    expect(await links.execute()).toEqual([{ purpose: 'email-restore' }]);
    const update = accounts.update.bind(accounts);
    const meanwhile = jest.spyOn(accounts, 'update').mockImplementationOnce(async (...given) => {
      await update(id, { email: 'newer@example.org' });
      return update(...given);
    });
    expect((await patch('thief@example.net')).status).toBe(200);
    meanwhile.mockRestore();
    expect(await readEmail(id)).toBe('newer@example.org');
  });

  it('a check counts for the operator who passed it and for that account', async () => {
    const [id, other] = [await createVictim(), await createVictim()];
    await pass(olga, id);
    expect((await resetFactors(otto, id)).status).toBe(202);
    expect((await withToken('POST', `/accounts/${id}/factor-reset`)).status).toBe(202);
    expect((await resetFactors(olga, other)).status).toBe(202);
    expect((await resetFactors(olga, id)).status).toBe(200);
  });

  it('a token that passed a check needs nobody else', async () => {
    const id = await createVictim();
    await passCheck(withToken, id);
    expect((await withToken('POST', `/accounts/${id}/factor-reset`)).status).toBe(200);
  });

  it('a check that has begun, was answered wrongly or passed a quarter of an hour ago admits nothing', async () => {
    const id = await createVictim();
    await callAs(olga, 'POST', `/accounts/${id}/support-check`);
    expect((await resetFactors(olga, id)).status).toBe(202);
    await callAs(olga, 'POST', `/accounts/${id}/support-check/answer`, { words: 'wrong wrong wrong' });
    expect((await resetFactors(olga, id)).status).toBe(202);
    await passCheck(withToken, id);
    operator.clock.advance({ seconds: 890 });
    await new Cleanup(operator.database, { eventSinks: [] }).deleteExpired();
    expect((await withToken('GET', `/accounts/${id}/support-check`)).json['state']).toBe('passed');
    operator.clock.advance({ seconds: 11 });
    expectError(await withToken('GET', `/accounts/${id}/support-check`), 404, 'support_check_not_found');
    expect((await withToken('POST', `/accounts/${id}/factor-reset`)).status).toBe(202);
  });

  it.each(['open', 'passed'])(
    'a check that is %s ends when all access to the account ends, or its address changes',
    async (state) => {
      const endings: ((accountId: string) => Promise<unknown>)[] = [
        (accountId) => operator.services.accounts.update(accountId, { email: 'moved@example.org' }),
        (accountId) => operator.services.accounts.setStatus(accountId, 'disabled'),
        (accountId) => endEverything(accountId),
      ];
      for (const end of endings) {
        const id = await createVictim();
        if (state === 'passed') await pass(olga, id);
        else await callAs(olga, 'POST', `/accounts/${id}/support-check`);
        await end(id);
        expectError(await callAs(olga, 'GET', `/accounts/${id}/support-check`), 404, 'support_check_not_found');
      }
      const id = await createVictim();
      await pass(olga, id);
      await operator.services.accounts.update(id, { email: 'old@example.org' });
      expect((await resetFactors(olga, id)).status).toBe(200);
    },
  );

  it('one check admits one of two calls that come at the same time', async () => {
    const id = await createVictim();
    await pass(olga, id);
    const patch = (email: string) => callAs(olga, 'PATCH', `/accounts/${id}`, { email });
    const answers = await Promise.all([patch('a@example.org'), patch('b@example.org'), resetFactors(olga, id)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status === 409)) expectError(answer, 409, 'support_check_ended');
  });

  it('is not used up by a change that is refused', async () => {
    const id = await createVictim();
    await createAccount({ email: 'taken@example.org' });
    await pass(olga, id);
    const patch = (email: string) => callAs(olga, 'PATCH', `/accounts/${id}`, { email });
    expect((await patch('no address')).status).toBe(422);
    expect((await resetFactors(olga, id)).status).toBe(200);
  });

  it('what waits is approved by another operator, after a day and for two days', async () => {
    const id = await createVictim();
    const { json } = await callAs(olga, 'PATCH', `/accounts/${id}`, { email: 'new@example.org' });
    expectError(await approve(otto, json['id']), 409, 'approval_too_early');
    expectError(await approve(olga, json['id']), 403, 'own_approval');
    operator.clock.advance({ seconds: 24 * HOUR_SECONDS - 60 });
    expectError(await approve(await hire(), json['id']), 409, 'approval_too_early');
    operator.clock.advance({ seconds: 61 });
    const approved = await approve(await hire(), json['id']);
    expect([approved.status, await readEmail(id)]).toEqual([200, 'new@example.org']);
    const again = await callAs(await hire(), 'PATCH', `/accounts/${id}`, { email: 'third@example.org' });
    operator.clock.advance({ seconds: 72 * HOUR_SECONDS + 1 });
    expectError(await approve(await hire(), again.json['id']), 409, 'approval_expired');
  });

  it('can be asked for without a check five times an hour, because each is announced by mail', async () => {
    const id = await createVictim();
    for (let count = 0; count < 5; count += 1) {
      const email = `new${count}@example.org`;
      expect((await callAs(olga, 'PATCH', `/accounts/${id}`, { email })).status).toBe(202);
    }
    expectError(await resetFactors(otto, id), 429, 'limited');
    await pass(otto, id);
    expect((await resetFactors(otto, id)).status).toBe(200);
  });

  it('the same call again is answered with what waits: it does not count, and the person gets no other mail', async () => {
    const id = await createVictim();
    const patch = (secret: string, email: string) => callAs(secret, 'PATCH', `/accounts/${id}`, { email });
    const first = await patch(olga, 'new@example.org');
    for (let count = 0; count < 6; count += 1) {
      expect((await patch(olga, 'new@example.org')).json).toMatchObject({ id: first.json['id'], state: 'open' });
    }
    const mails = operator.database.db.selectFrom('outbox').select('kind').where('account_id', '=', id);
    expect(await mails.where('kind', '=', 'change-announced').execute()).toHaveLength(1);
    expect((await patch(otto, 'new@example.org')).json['id']).not.toBe(first.json['id']);
    for (const email of ['b@example.org', 'c@example.org', 'd@example.org']) expect((await patch(olga, email)).status).toBe(202);
    expectError(await patch(olga, 'e@example.org'), 429, 'limited');
    expect((await patch(olga, 'new@example.org')).json['id']).toBe(first.json['id']);
    await callAs(olga, 'DELETE', `/approvals/${String(first.json['id'])}`);
    expectError(await patch(olga, 'new@example.org'), 429, 'limited');
  });

  it('the right admin waits for another operator, whom one alone could make otherwise', async () => {
    const { id } = await createAccount();
    const held = await callAs(olga, 'POST', `/accounts/${id}/operator-rights`, { right: 'admin' });
    expect([held.status, held.json]).toMatchObject([202, { not_before: null, missing: 1 }]);
    expect((await approve(otto, held.json['id'])).status).toBe(200);
  });

  it('what a token asked for needs two operators, after a day', async () => {
    const id = await createVictim();
    const { json } = await withToken('POST', `/accounts/${id}/factor-reset`);
    expect(json['missing']).toBe(2);
    operator.clock.advance({ seconds: 24 * HOUR_SECONDS + 1 });
    const [first, second] = [await hire(), await hire()];
    expect((await approve(first, json['id'])).json).toMatchObject({ result: null });
    expectError(await approve(first, json['id']), 403, 'own_approval');
    expect((await approve(second, json['id'])).json).toMatchObject({ result: { token: expect.any(String) } });
  });

  it('says whether the person was told, which needs an address, and nothing where nobody has to be told', async () => {
    const mailed = (await resetFactors(olga, await createVictim())).json;
    const { id: without } = await createAccount();
    const silent = (await callAs(olga, 'POST', `/accounts/${without}/password-reset`)).json;
    const granted = (await callAs(olga, 'POST', `/accounts/${without}/operator-rights`, { right: 'admin' })).json;
    expect([mailed['announced'], silent['announced'], granted['announced']]).toEqual([true, false, null]);
    expect((await callAs(otto, 'GET', `/approvals/${String(mailed['id'])}`)).json['announced']).toBe(true);
    const show = async (approval: unknown) => (await line(`approval show ${String(approval)}`)).out;
    expect(await show(mailed['id'])).toMatch(/the person +was told by mail/);
    expect(await show(silent['id'])).toMatch(/the person +was not told/);
    expect(await show(granted['id'])).not.toMatch(/the person +was/);
  });

  it('what the person has stopped is not approved', async () => {
    const id = await createVictim();
    const { json } = await resetFactors(olga, id);
    await operator.services.approvals.stop(String(json['id']), { actor: 'person' });
    operator.clock.advance({ seconds: 24 * HOUR_SECONDS + 1 });
    const secret = await hire();
    expectError(await approve(secret, json['id']), 409, 'approval_decided');
    expect((await callAs(secret, 'GET', `/approvals/${String(json['id'])}`)).json['state']).toBe('stopped');
    const [stopped, asked] = await findKinds(id);
    expect(stopped).toEqual(['approval.stopped', { approval: json['id'], operation: 'resets.factors' }]);
    expect(asked).toMatchObject(['approval.asked', { approval: json['id'], announced: true }]);
    await expect(operator.services.approvals.stop(String(json['id']), { actor: 'person' })).rejects.toThrow('decided');
    expect(json['stopped_before']).toBeNull();
    const again = await resetFactors(secret, id);
    const { json: seen } = await callAs(secret, 'GET', `/approvals/${String(again.json['id'])}`);
    expect(Date.parse(String(seen['stopped_before']))).toBeLessThan(Date.parse(String(seen['asked_at'])));
    expect((await line(`approval show ${String(again.json['id'])}`)).out).toMatch(/the person +stopped the same request on 20/);
  });

  it('an account that was deleted is not imported again', async () => {
    const id = await createVictim();
    expect((await callAs(olga, 'DELETE', `/accounts/${id}`)).status).toBe(200);
    const names = { username: `c${id.slice(0, 8)}`, email: 'evil@example.org', password: PASSWORD };
    expect(await importLines([{ id, ...names }])).toMatchObject([{ result: 'invalid', error: 'approval_required' }]);
  });

  it('the command line says what waits and why, and passes a check', async () => {
    const { id, username } = await createAccount({ email: 'old@example.org' });
    const change = () => line(`account update ${username} --email new@example.org --reason call`);
    const held = await change();
    expect([held.code, held.err]).toEqual([6, expect.stringMatching(/nobody has checked who is calling.*support-check ask/)]);
    await line(`account support-check ask ${username} --reason call`);
    const words = (await operator.services.supportChecks.find(id))?.words ?? '';
    await line(['account', 'support-check', 'answer', username, '--words', words, '--reason', 'call']);
    expect(await change()).toMatchObject({ code: 0 });
    const list = await operator.call('GET', '/approvals');
    const [waiting] = list.json['approvals'] as { id: string }[];
    expect((await line(`approval show ${waiting?.id ?? ''}`)).out).toMatch(/not before +\d{4}-/);
  });
});

describe('with two people for everything (OPERATOR_APPROVAL=operators)', () => {
  beforeAll(() => start('operators'));
  afterAll(() => operator.close());

  it('a passed check saves the day of waiting, not the second operator, who sees that it was passed', async () => {
    const [olga, otto] = [await hire(), await hire()];
    const id = await createVictim();
    const early = await resetFactors(olga, id);
    expect(early.json).toMatchObject({ checked: false, not_before: expect.any(String) });
    await pass(olga, id);
    const held = await resetFactors(olga, id);
    expect([held.status, held.json]).toMatchObject([202, { checked: true, not_before: null, missing: 1 }]);
    expect((await resetFactors(olga, id)).json['id']).toBe(early.json['id']);
    expectError(await approve(otto, early.json['id']), 409, 'approval_too_early');
    expect((await approve(otto, held.json['id'])).json).toMatchObject({ result: { token: expect.any(String) } });
  });

  it('what is about rights or secrets needs no check', async () => {
    const olga = await hire();
    const { id } = await createAccount();
    const granted = await callAs(olga, 'POST', `/accounts/${id}/operator-rights`, { right: 'admin' });
    expect([granted.status, granted.json]).toMatchObject([202, { checked: false, not_before: null }]);
    const exported = await callAs(olga, 'GET', '/exports?password_hashes=true');
    expect([exported.status, exported.json]).toMatchObject([202, { not_before: null }]);
  });
});
