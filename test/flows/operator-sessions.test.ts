/** Where a person is signed in, and how one session is ended. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fingerprint } from '../../src/config/keys.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway } from '../support/gateway.js';
import { newPerson, signIn } from '../support/manage.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';
import { SecondStepStory } from '../support/second-step.js';

let operator: TestOperator;
const { createAccount, findKinds, beginSession } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());

/** @returns the id of a session of the account area that the browser `browser` opened */
async function openManage(accountId: string, browser = 'browser'): Promise<string> {
  const toTime = (seconds: number) => new Date(operator.clock.now().getTime() + seconds * 1000);
  const row = {
    account_id: accountId,
    scope: 'manage' as const,
    browser_hash: fingerprint(`cookie of ${accountId} ${browser}`),
    entry_browser_hash: fingerprint(browser),
    client_id: 'portal',
    created_at: toTime(-60),
    seen_at: toTime(-30),
    expires_at: toTime(600),
    kept_until: toTime(600),
  };
  const { id } = await operator.database.db.insertInto('manage_session').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

async function findSessions(id: string): Promise<Record<string, unknown>[]> {
  const { status, json } = await operator.call('GET', `/accounts/${id}/sessions`);
  expect(status).toBe(200);
  return json['sessions'] as Record<string, unknown>[];
}

describe('[OPR-8] the sessions of an account', () => {
  it('are the active ones: sign-ins and the account area, newest first', async () => {
    const { id } = await createAccount();
    await beginSession(id, 'upstream session');
    const manageSessionId = await openManage(id);
    const [signIn, manageSession, ...more] = await findSessions(id);
    expect(more).toEqual([]);
    expect(signIn).toMatchObject({
      id: fingerprint('upstream session'),
      kind: 'sign_in',
      acr: 'urn:foyer:acr:pwd',
      amr: ['pwd'],
    });
    expect(manageSession).toMatchObject({ id: manageSessionId, kind: 'account_area', acr: null, amr: [], client_id: 'portal' });
    expect(JSON.stringify([signIn, manageSession])).not.toContain('upstream session');
    operator.clock.advanceSeconds(700);
    expect(await findSessions(id)).toEqual([]);
    expectError(await operator.call('GET', '/accounts/nobody/sessions'), 404, 'account_not_found');
  });

  it('can be ended one by one: a browser with its account area, here and at the upstream', async () => {
    const { id } = await createAccount();
    await beginSession(id, 'first upstream');
    await operator.services.sessions.begin({
      browser: 'other browser',
      accountId: id,
      upstreamSessionId: 'second upstream',
      acr: 'urn:foyer:acr:pwd',
      amr: ['pwd'],
      lifetimeSeconds: 600,
    });
    await openManage(id);
    const kept = await openManage(id, 'other browser');
    const end = (session: string) => operator.call('DELETE', `/accounts/${id}/sessions/${session}`);
    expect((await end(fingerprint('first upstream'))).json).toEqual({ ended: 2, upstream: 'ended' });
    expect(operator.hydra.calls.at(-1)).toEqual({ call: 'endLoginSession', sessionId: 'first upstream' });
    expect((await findSessions(id)).map((session) => session['id']).sort()).toEqual(
      [fingerprint('second upstream'), kept].sort(),
    );
    const calls = operator.hydra.calls.length;
    expect((await end(kept)).json).toEqual({ ended: 1, upstream: 'ended' });
    expect(operator.hydra.calls).toHaveLength(calls);
    expect(await findKinds(id)).toContainEqual(['sessions.ended', { sessions: 2 }]);
    for (const nothing of [kept, fingerprint('first upstream'), 'nonsense', "'"]) {
      expectError(await end(encodeURIComponent(nothing)), 404, 'session_not_found');
    }
  });

  it('are not those that expired, that were idle too long, or that only set up a factor, and these cannot be ended', async () => {
    const { id } = await createAccount();
    const toTime = (seconds: number) => new Date(operator.clock.now().getTime() + seconds * 1000);
    const { idleSeconds } = operator.config.manage;
    for (const [browser, change] of [
      ['enrolling', { scope: 'enrol' }],
      ['expired', { expires_at: toTime(-1) }],
      ['idle', { seen_at: toTime(-idleSeconds - 1) }],
    ] as const) {
      const session = await openManage(id, browser);
      await operator.database.db.updateTable('manage_session').set(change).where('id', '=', session).execute();
      expectError(await operator.call('DELETE', `/accounts/${id}/sessions/${session}`), 404, 'session_not_found');
    }
    expect(await findSessions(id)).toEqual([]);
    expect(JSON.stringify(await findKinds(id))).not.toContain('sessions.ended');
  });

  it('show app, browser and address of the sign-in, and of the account area in the same browser', async () => {
    const gateway = await startTestGateway();
    const replica = await startTestOperator({ database: gateway.database });
    try {
      const agent = 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0';
      const person = await newPerson(gateway);
      const browser = gateway.browser({ 'user-agent': agent });
      await signIn(gateway, browser, person);
      const { json } = await replica.call('GET', `/accounts/${person.id}/sessions`);
      const [session] = json['sessions'] as Record<string, unknown>[];
      expect(session).toMatchObject({ kind: 'sign_in', browser: 'Firefox, Windows', address: '127.0.0.1' });
      expect(session?.['client_id']).toEqual(expect.any(String));
      expect(JSON.stringify(json)).not.toContain('Mozilla');
    } finally {
      await replica.close();
      await gateway.close();
    }
    const { id } = await createAccount();
    const seen = { clientId: 'portal', address: '203.0.113.7', userAgent: 'Firefox/1 Linux' };
    const session = {
      browser: 'seen browser',
      accountId: id,
      upstreamSessionId: 'seen',
      acr: 'a',
      amr: [],
      lifetimeSeconds: 600,
      requestInfo: seen,
    };
    await operator.services.sessions.begin(session);
    await openManage(id, 'seen browser');
    await openManage(id, 'unknown browser');
    const all = (await findSessions(id)).map(({ kind, browser, address }) => [kind, browser, address]);
    expect(all).toEqual(
      expect.arrayContaining([
        ['sign_in', 'Firefox, Linux', '203.0.113.7'],
        ['account_area', 'Firefox, Linux', '203.0.113.7'],
        ['account_area', null, null],
      ]),
    );
  });

  it('end with the sign-ins of the account that wait in the same browser, and with no other', async () => {
    const gateway = await startTestGateway();
    const replica = await startTestOperator({ database: gateway.database });
    try {
      const steps = new SecondStepStory(gateway);
      const { account, app } = await steps.createPerson();
      const browser = gateway.browser();
      const first = await steps.reachStep(account, {}, browser);
      expect((await browser.post(PATHS.mfaVerify, { ...first.fields, method: 'totp', code: app.code() })).status).toBe(303);
      const waiting = [await steps.reachStep(account, {}, browser), await steps.reachStep(account)];
      const { json } = await replica.call('GET', `/accounts/${account.id}/sessions`);
      const [session] = json['sessions'] as Record<string, unknown>[];
      expect((await replica.call('DELETE', `/accounts/${account.id}/sessions/${String(session?.['id'])}`)).status).toBe(200);
      for (const step of waiting) {
        gateway.clock.advanceSeconds(60);
        await step.browser.post(PATHS.mfaVerify, { ...step.fields, method: 'totp', code: app.code() });
      }
      expect(waiting.map(({ challenge }) => steps.findAccepted(challenge).length)).toEqual([0, 1]);
    } finally {
      await replica.close();
      await gateway.close();
    }
  });

  it('are not found for another account', async () => {
    const [{ id }, other] = [await createAccount(), await createAccount()];
    await beginSession(other.id, 'upstream of another');
    const manageSessionId = await openManage(other.id);
    for (const session of [manageSessionId, fingerprint('upstream of another')]) {
      expectError(await operator.call('DELETE', `/accounts/${id}/sessions/${session}`), 404, 'session_not_found');
    }
    expect(await findSessions(other.id)).toHaveLength(2);
  });

  it('end here also when the upstream does not answer', async () => {
    const { id } = await createAccount();
    await beginSession(id, 'silent upstream');
    operator.hydra.fail();
    const answer = await operator.call('DELETE', `/accounts/${id}/sessions/${fingerprint('silent upstream')}`);
    operator.hydra.fail(null);
    expect([answer.status, answer.json]).toEqual([200, { ended: 1, upstream: 'unavailable' }]);
    expect(await findSessions(id)).toEqual([]);
  });
});

describe('[OPR-8] foyer account sessions', () => {
  it('lists them and ends one', async () => {
    const { id, username } = await createAccount();
    expect(await foyer(`account sessions list ${username}`)).toEqual({ code: 0, out: '', err: 'The person has no sessions.\n' });
    await beginSession(id, 'listed upstream');
    await openManage(id, 'other browser');
    const { code, out } = await foyer(`account sessions list ${username}`);
    expect(code).toBe(0);
    expect(out).toMatch(/^KIND +BEGAN +LAST USED +ENDS +PROVEN BY +APP +BROWSER +ADDRESS +ID\n/);
    expect(out).toMatch(new RegExp(`^sign-in .+Z +pwd +${fingerprint('listed upstream')}$`, 'm'));
    expect(out).toMatch(/^account area .+ portal .+$/m);
    const listed = JSON.parse((await foyer(`account sessions list ${username} --json`)).out) as { sessions: unknown[] };
    expect(listed.sessions).toHaveLength(2);
    const line = `account sessions end ${username} --session ${fingerprint('listed upstream')}`;
    expect(await foyer(line)).toEqual({ code: 0, err: '', out: `The session of ${username} has ended (sessions ended: 1).\n` });
    expect(await foyer(line)).toEqual({ code: 3, out: '', err: 'foyer: The account has no such session.\n' });
    expect((await foyer(`account sessions end ${username}`)).out).toContain('have ended (sessions ended: 1)');
  });
});
