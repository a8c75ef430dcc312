/** Operations that wait for a second operator (OPERATOR_APPROVAL): who may decide what, once, and what an attacker would try. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cleanup } from '../../src/accounts/cleanup.js';
import type { AuditContext } from '../../src/accounts/audit/audit-log.js';
import { randomToken } from '../../src/config/keys.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';
import { loadApi } from '../support/operator-api.js';
import { beginConsoleSession, commandLine, expectError, importer, operatorSteps, runLine } from '../support/operator-story.js';

const CONSOLE = { url: 'http://localhost:3001', acr: 'urn:foyer:acr:mfa', backChannelUrl: 'http://localhost:3001' } as const;
const NIGHT = randomToken();
const NOBODY = '00000000-0000-4000-8000-000000000000';
const HOUR_SECONDS = 3600;
const IMPORTED_HASH = '$2y$04$abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G';

let operator: TestOperator;
const { createAccount, findKinds } = operatorSteps(() => operator);
const { importLines } = importer(() => operator);
const line = commandLine(() => operator);
const api = loadApi();

interface Colleague {
  id: string;
  username: string;
  secret: string;
}
let olga: Colleague;
let otto: Colleague;
let paula: Colleague;

async function hire(username: string): Promise<Colleague> {
  const { id } = await createAccount({ username });
  return { id, username, secret: await beginConsoleSession(operator, id, 'admin') };
}

/** Signs in again at the console, for a new session of the same account. */
async function signInAgain(colleague: Colleague): Promise<Colleague> {
  const signIn = { upstreamSessionId: `session of ${colleague.id}`, acr: 'urn:foyer:acr:mfa', userAgent: '' };
  const begun = await operator.services.operatorSessions.begin(
    { ...signIn, accountId: colleague.id, authTime: operator.clock.now() },
    null,
    { actor: 'system' },
  );
  if (begun.kind !== 'begun') throw new Error(begun.kind);
  return { ...colleague, secret: begun.secret };
}

beforeAll(async () => {
  operator = await startTestOperator({
    config: (config) => ({
      console: CONSOLE,
      operator: {
        ...config.operator,
        approval: 'operators',
        tokens: [{ name: 'night', rights: 'admin', token: NIGHT }],
        rules: [{ group: 'Support', right: 'support' }],
      },
    }),
  });
  [olga, otto, paula] = [await hire('olga.operator'), await hire('otto.operator'), await hire('paula.operator')];
});

afterAll(() => operator.close());

/** Calls in the console, with a reason. */
function callAs(colleague: Colleague, method: string, path: string, body?: unknown, reason = 'ticket%204711') {
  return operator.call(method, path, body, {
    authorization: undefined,
    cookie: `foyer-console=${colleague.secret}`,
    'x-foyer-console': '1',
    ...(reason === '' ? {} : { 'x-foyer-reason': reason }),
  });
}

const withToken = (method: string, path: string, body?: unknown, token = NIGHT) =>
  operator.call(method, path, body, { authorization: `Bearer ${token}`, 'x-foyer-reason': 'at%20night' });

/** @returns the id of the approval that waits */
function expectHeld(answer: OperatorAnswer): string {
  expect([answer.status, answer.json['state']]).toEqual([202, 'open']);
  expect(answer.headers['location']).toBe(`/operator/v1/approvals/${String(answer.json['id'])}`);
  return String(answer.json['id']);
}

const changeEmail = async (colleague: Colleague, id: string, email: string | null = 'new@example.org') =>
  expectHeld(await callAs(colleague, 'PATCH', `/accounts/${id}`, { email }));
const approve = (colleague: Colleague, approval: string) =>
  callAs(colleague, 'POST', `/approvals/${approval}/approve`, undefined, 'called%20back');
const readEmail = async (id: string) => (await operator.call('GET', `/accounts/${id}`)).json['email'];
const readState = async (approval: string) => (await callAs(olga, 'GET', `/approvals/${approval}`)).json['state'];

async function giveFactor(accountId: string): Promise<void> {
  const seed = { account_id: accountId, secret: 'sealed', last_step: 0, created_at: operator.clock.now() };
  await operator.database.db.insertInto('totp_factor').values(seed).execute();
}

describe('[OPR-3] an operation that needs a second operator', () => {
  it('does nothing when it is asked for, and exactly that when it is approved', async () => {
    const { id, username } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    expect([await readEmail(id), await readState(approval)]).toEqual(['old@example.org', 'open']);
    const shown = await callAs(otto, 'GET', `/approvals/${approval}`);
    expect(api.findAnswerFaults('GET', `/operator/v1/approvals/${approval}`, shown)).toBeNull();
    expect(shown.json).toMatchObject({
      operation: 'accounts.change',
      account_id: id,
      username,
      email: 'old@example.org',
      body: { email: 'new@example.org' },
      reason: 'ticket 4711',
      asked_by: 'operator:olga.operator',
      asked_by_account: olga.id,
      missing: 1,
    });
    const approved = await approve(otto, approval);
    expect(api.findAnswerFaults('POST', `/operator/v1/approvals/${approval}/approve`, approved)).toBeNull();
    expect(approved.json).toMatchObject({
      approval: { state: 'approved', decided_by: 'operator:otto.operator', decision_reason: 'called back', missing: 0 },
      result: { id, email: 'new@example.org' },
    });
    expect(await readEmail(id)).toBe('new@example.org');
  });

  it('is recorded when it is asked for, approved and done, with both reasons', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    await approve(otto, approval);
    const about = { approval, operation: 'accounts.change' };
    expect((await findKinds(id)).slice(0, 3)).toEqual([
      ['account.changed', { fields: ['email'], reason: 'ticket 4711', operatorAccount: otto.id }],
      ['approval.approved', { ...about, reason: 'called back', operatorAccount: otto.id }],
      ['approval.asked', { ...about, reason: 'ticket 4711', operatorAccount: olga.id }],
    ]);
  });

  it('shows the link of a reset to the one who approves, once', async () => {
    const { id } = await createAccount();
    const approval = expectHeld(await callAs(olga, 'POST', `/accounts/${id}/factor-reset`));
    const { json, text } = await approve(otto, approval);
    expect(json['result']).toMatchObject({ url: expect.stringContaining('/mfa-reset/reset-form?reset_token=') });
    const { token } = json['result'] as { token: string };
    const later = [await callAs(otto, 'GET', `/approvals/${approval}`), await callAs(olga, 'GET', '/approvals')];
    expect(text).toContain(token);
    for (const answer of later) expect(answer.text).not.toContain(token);
    const rows = await operator.database.db.selectFrom('operator_approval').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('is refused at once if it could not be done, so that nobody approves in vain', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    expectError(await callAs(olga, 'PATCH', `/accounts/${id}`, { email: 'no address' }), 422, 'format', 'email');
    const email = 'new@example.org';
    for (const text of ['\u0000', '\ud800']) {
      const withAttribute = { email, attributes: { team: text } };
      expectError(await callAs(olga, 'PATCH', `/accounts/${id}`, withAttribute), 422, 'format', 'attributes');
      expectError(await callAs(olga, 'PATCH', `/accounts/${id}`, { email, groups: [text] }), 422, 'characters', 'groups');
    }
    expectError(await callAs(olga, 'DELETE', `/accounts/${id}/factors/totp`), 404, 'factor_not_found');
    await operator.call('POST', `/accounts/${id}/disable`);
    expectError(await callAs(olga, 'POST', `/accounts/${id}/factor-reset`), 409, 'account_disabled');
    expectError(await callAs(olga, 'POST', `/accounts/${id}/operator-rights`, { right: 'admin' }), 409, 'account_disabled');
  });

  it('needs a reason also with a token', async () => {
    const { id } = await createAccount();
    expectError(await operator.call('POST', `/accounts/${id}/factor-reset`), 422, 'missing', 'reason');
  });

  it('waits once, however often the same operator asks', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const first = await changeEmail(olga, id);
    expect(await changeEmail(olga, id)).toBe(first);
    expect(await changeEmail(otto, id)).not.toBe(first);
    expect(await changeEmail(olga, id, 'other@example.org')).not.toBe(first);
  });
});

describe('[OPR-3] an approval', () => {
  it('is not given by the one who asked: in another session, under another name, or after another one did', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    expectError(await approve(olga, approval), 403, 'own_approval');
    expectError(await approve(await signInAgain(olga), approval), 403, 'own_approval');
    await operator.services.accounts.update(olga.id, { username: 'olga.renamed' });
    expectError(await approve(olga, approval), 403, 'own_approval');
    await operator.services.accounts.update(olga.id, { username: 'olga.operator' });
    expectError(await callAs(olga, 'POST', `/approvals/${approval}/reject`), 403, 'own_approval');
    expect([await readState(approval), await readEmail(id)]).toEqual(['open', 'old@example.org']);
  });

  it('is not given by the person concerned', async () => {
    const approval = expectHeld(await callAs(olga, 'POST', `/accounts/${otto.id}/factor-reset`));
    expectError(await approve(otto, approval), 403, 'own_account');
    expect(await readState(approval)).toBe('open');
    expect((await callAs(otto, 'POST', `/approvals/${approval}/reject`)).json['state']).toBe('rejected');
  });

  it('is given once by two at the same time, and the operation is done once', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await createAccount();
      const approval = expectHeld(await callAs(olga, 'POST', `/accounts/${id}/factor-reset`));
      const answers = await Promise.all([otto, paula, otto, paula].map((one) => approve(one, approval)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
      const kinds = (await findKinds(id)).map((kind) => (Array.isArray(kind) ? kind[0] : kind) as string);
      expect(kinds.filter((kind) => kind === 'factor-reset.issued' || kind === 'approval.approved').toSorted()).toEqual([
        'approval.approved',
        'factor-reset.issued',
      ]);
    }
  });

  it('is given or rejected, not both', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    const [one, other] = await Promise.all([approve(otto, approval), callAs(paula, 'POST', `/approvals/${approval}/reject`)]);
    expect([one.status, other.status].toSorted()).toEqual([200, 409]);
    expect(await readEmail(id)).toBe(one.status === 200 ? 'new@example.org' : 'old@example.org');
    for (const again of [
      approve(otto, approval),
      callAs(paula, 'POST', `/approvals/${approval}/reject`),
      callAs(olga, 'DELETE', `/approvals/${approval}`),
    ])
      expectError(await again, 409, 'approval_decided');
  });

  it('comes too late after 24 hours, and its end is recorded', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    operator.clock.advanceSeconds(24 * HOUR_SECONDS + 1);
    [olga, otto, paula] = [await hireAgain(olga), await hireAgain(otto), await hireAgain(paula)];
    expect(await readState(approval)).toBe('expired');
    for (const late of [
      approve(otto, approval),
      callAs(paula, 'POST', `/approvals/${approval}/reject`),
      callAs(olga, 'DELETE', `/approvals/${approval}`),
    ])
      expectError(await late, 409, 'approval_expired');
    await operator.services.approvals.expire();
    await operator.services.approvals.expire();
    const about = { approval, operation: 'accounts.change' };
    expect((await findKinds(id)).slice(0, 2)).toEqual([
      ['approval.expired', about],
      ['approval.asked', { ...about, reason: 'ticket 4711', operatorAccount: olga.id }],
    ]);
    expectError(await approve(otto, approval), 409, 'approval_expired');
    expect([await readState(approval), await readEmail(id)]).toEqual(['expired', 'old@example.org']);
  });

  it('is refused if the one who asked has lost the right, or is disabled', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const gone = await hire('gone.operator');
    const approval = await changeEmail(gone, id);
    await operator.call('DELETE', `/accounts/${gone.id}/operator-rights/admin`);
    expectError(await approve(otto, approval), 409, 'asker_without_right');
    await operator.services.grants.grant({ accountId: gone.id, right: 'support', endsAt: null }, { actor: 'system' });
    expectError(await approve(otto, approval), 409, 'asker_without_right');
    await operator.services.grants.grant({ accountId: gone.id, right: 'admin', endsAt: null }, { actor: 'system' });
    await operator.call('POST', `/accounts/${gone.id}/disable`);
    expectError(await approve(otto, approval), 409, 'asker_without_right');
    await operator.call('POST', `/accounts/${gone.id}/enable`);
    expect((await approve(otto, approval)).status).toBe(200);
  });

  it('ends with the account of the one who asked', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const gone = await hire('leaving.operator');
    const approval = await changeEmail(gone, id);
    await operator.call('DELETE', `/accounts/${gone.id}`);
    expectError(await approve(otto, approval), 404, 'approval_not_found');
  });

  it('is refused to somebody who has lost the right, whose session has ended, or whose proof is too old', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    const former = await hire('former.operator');
    await operator.call('DELETE', `/accounts/${former.id}/operator-rights/admin`);
    expectError(await approve(former, approval), 401, 'signed_out');
    await operator.services.grants.grant({ accountId: former.id, right: 'support', endsAt: null }, { actor: 'system' });
    expectError(await approve(former, approval), 403, 'forbidden');
    await operator.services.grants.grant({ accountId: former.id, right: 'admin', endsAt: null }, { actor: 'system' });
    await operator.call('DELETE', `/accounts/${former.id}/sessions`);
    // The cookie was kept and is sent again.
    expectError(await approve(former, approval), 401, 'signed_out');
    operator.clock.advanceSeconds(16 * 60);
    [olga, otto, paula] = [await hireAgain(olga), await hireAgain(otto), await hireAgain(paula)];
    operator.clock.advanceSeconds(8 * 60);
    expect((await callAs(otto, 'GET', '/approvals')).status).toBe(200);
    operator.clock.advanceSeconds(8 * 60);
    expectError(await approve(otto, approval), 403, 'proof_outdated');
    expect(await readEmail(id)).toBe('old@example.org');
    [olga, otto, paula] = [await hireAgain(olga), await hireAgain(otto), await hireAgain(paula)];
  });

  it.each([
    ['another address', (id: string) => operator.services.accounts.update(id, { email: 'meanwhile@example.org' })],
    ['an address that was verified', (id: string) => operator.services.accounts.update(id, { emailVerified: true })],
    ['another username', (id: string) => operator.services.accounts.update(id, { username: `renamed.${id.slice(0, 8)}` })],
    ['a disabled account', (id: string) => operator.call('POST', `/accounts/${id}/disable`)],
    ['frozen credentials', (id: string) => freeze(id)],
  ])('is refused after %s', async (_, change) => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    await change(id);
    const before = await readEmail(id);
    expectError(await approve(otto, approval), 409, 'approval_outdated');
    expect([await readEmail(id), await readState(approval)]).toEqual([before, 'open']);
  });

  it('of a reset is refused after the person has set another factor up', async () => {
    const { id } = await createAccount();
    const approval = expectHeld(await callAs(olga, 'POST', `/accounts/${id}/factor-reset`));
    await giveFactor(id);
    expectError(await approve(otto, approval), 409, 'approval_outdated');
  });

  it('of an operation that this version does not support is refused, and a second operator can reject it', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    const operation = { operation: 'accounts.formerly' };
    await operator.database.db.updateTable('operator_approval').set(operation).where('id', '=', approval).execute();
    expectError(await approve(otto, approval), 409, 'approval_outdated');
    expect((await callAs(otto, 'POST', `/approvals/${approval}/reject`)).json['state']).toBe('rejected');
  });

  it('ends with the account', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    await operator.call('DELETE', `/accounts/${id}`);
    for (const call of [approve(otto, approval), callAs(otto, 'GET', `/approvals/${approval}`)])
      expectError(await call, 404, 'approval_not_found');
  });

  it('stays open if the operation cannot be done, which then has no effect', async () => {
    const { id } = await createAccount();
    const ends_at = new Date(operator.clock.now().getTime() + HOUR_SECONDS * 1000).toISOString();
    const approval = expectHeld(await callAs(olga, 'POST', `/accounts/${id}/operator-rights`, { right: 'admin', ends_at }));
    operator.clock.advanceSeconds(2 * HOUR_SECONDS);
    [olga, otto, paula] = [await hireAgain(olga), await hireAgain(otto), await hireAgain(paula)];
    expectError(await approve(otto, approval), 422, 'past', 'ends_at');
    expect([await readState(approval), (await findKinds(id)).length]).toEqual(['open', 2]);
  });

  it('needs the id of one that exists', async () => {
    for (const id of [NOBODY, 'x', '%00', '1', 'accounts']) {
      expectError(await approve(otto, id), 404, 'approval_not_found');
      expectError(await callAs(otto, 'POST', `/approvals/${id}/reject`), 404, 'approval_not_found');
      expectError(await callAs(otto, 'DELETE', `/approvals/${id}`), 404, 'approval_not_found');
      expectError(await callAs(otto, 'GET', `/approvals/${id}`), 404, 'approval_not_found');
    }
  });

  it('takes no body: what was asked for is done, whatever is sent', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    const path = `/approvals/${approval}/approve`;
    expectError(await callAs(otto, 'POST', path, { body: { email: 'evil@example.org' } }), 400, 'unknown_member', 'body');
    // A later request does not replace the one that was seen.
    await changeEmail(olga, id, 'evil@example.org');
    await approve(otto, approval);
    expect(await readEmail(id)).toBe('new@example.org');
  });

  it('is withdrawn by the one who asked only', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    expectError(await callAs(otto, 'DELETE', `/approvals/${approval}`), 403, 'not_own_approval');
    expectError(await withToken('DELETE', `/approvals/${approval}`), 403, 'not_own_approval');
    const answer = await callAs(olga, 'DELETE', `/approvals/${approval}`);
    expect(api.findAnswerFaults('DELETE', `/operator/v1/approvals/${approval}`, answer)).toBeNull();
    expect(answer.json).toMatchObject({ state: 'withdrawn', decided_by: 'operator:olga.operator' });
    expectError(await approve(otto, approval), 409, 'approval_decided');
    expect((await findKinds(id))[0]).toEqual([
      'approval.withdrawn',
      { approval, operation: 'accounts.change', reason: 'ticket 4711', operatorAccount: olga.id },
    ]);
  });
});

/** A new session of somebody whose sessions have ended by time. */
async function hireAgain(colleague: Colleague): Promise<Colleague> {
  return { ...colleague, secret: await beginConsoleSession(operator, colleague.id, 'admin') };
}

function freeze(id: string) {
  const credentials_frozen_until = new Date(operator.clock.now().getTime() + 86_400_000);
  return operator.database.db.updateTable('account').set({ credentials_frozen_until }).where('id', '=', id).execute();
}

describe('[OPR-3] the right admin for somebody', () => {
  const RIGHT = { right: 'admin' };
  const ask = (id: string) => callAs(olga, 'POST', `/accounts/${id}/operator-rights`, RIGHT);
  const setPassword = (id: string, auditContext: AuditContext) =>
    operator.services.passwords.setPassword(id, 'a password that somebody set', auditContext);
  const countLinks = async (id: string) =>
    (await operator.database.db.selectFrom('one_time_secret').select('purpose').where('account_id', '=', id).execute()).length;

  it.each([
    ['a link to a new password', (id: string) => callAs(olga, 'POST', `/accounts/${id}/password-reset`)],
    ['a password', (id: string) => setPassword(id, { actor: 'operator', operator: 'olga.operator' })],
  ])('is not asked for within 7 days after an operator had %s', async (_, hand) => {
    const { id } = await createAccount();
    await hand(id);
    // Whoever has the link or the password can set another one.
    await setPassword(id, { actor: 'person' });
    expectError(await ask(id), 409, 'password_handed_out');
    operator.clock.advanceSeconds(7 * 24 * HOUR_SECONDS + 1);
    [olga, otto, paula] = [await hireAgain(olga), await hireAgain(otto), await hireAgain(paula)];
    expectHeld(await ask(id));
  });

  it('is not asked for within 7 days after an import with a password', async () => {
    const line = { username: 'imported', password_hash: IMPORTED_HASH };
    const [made] = await importLines([line]);
    const { json } = await operator.call('GET', '/accounts?username=imported');
    const [{ id } = { id: '' }] = json['accounts'] as { id: string }[];
    expect(made).toMatchObject({ result: 'created' });
    expectError(await ask(id), 409, 'password_handed_out');
  });

  it('is not given after the password or the factors have changed', async () => {
    for (const change of [(id: string) => setPassword(id, { actor: 'person' }), giveFactor]) {
      const { id } = await createAccount();
      const approval = expectHeld(await ask(id));
      await change(id);
      expectError(await approve(otto, approval), 409, 'approval_outdated');
    }
  });

  it('is not given after a link was handed out, and a link that is known ends with it', async () => {
    const { id } = await createAccount();
    const approval = expectHeld(await ask(id));
    await callAs(olga, 'POST', `/accounts/${id}/password-reset`);
    expectError(await approve(otto, approval), 409, 'password_handed_out');
    operator.clock.advanceSeconds(7 * 24 * HOUR_SECONDS + 1);
    [olga, otto, paula] = [await hireAgain(olga), await hireAgain(otto), await hireAgain(paula)];
    const link = { accountId: id, purpose: 'password-reset-handed', lifetimeSeconds: HOUR_SECONDS } as const;
    await operator.services.secrets.issue(link);
    await operator.services.secrets.issue({ ...link, purpose: 'factor-reset' });
    await operator.services.secrets.issue({ ...link, payload: 'mailed' });
    const later = expectHeld(await ask(id));
    expect(await countLinks(id)).toBe(4);
    expect((await approve(otto, later)).status).toBe(200);
    // The one that was mailed is known to the owner of the mailbox only.
    expect(await countLinks(id)).toBe(1);
  });
});

describe('[OPR-3] tokens', () => {
  it('cannot approve, and what they ask for needs two operators', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = expectHeld(await withToken('PATCH', `/accounts/${id}`, { email: 'new@example.org' }));
    expect((await callAs(olga, 'GET', `/approvals/${approval}`)).json).toMatchObject({ missing: 2, asked_by_account: null });
    expectError(await withToken('POST', `/approvals/${approval}/approve`), 403, 'own_approval');
    expectError(await withToken('POST', `/approvals/${approval}/approve`, undefined, operator.token), 403, 'approver_unknown');
    const first = await approve(olga, approval);
    expect(first.json).toMatchObject({
      approval: { state: 'open', missing: 1, supported_by: 'operator:olga.operator' },
      result: null,
    });
    // One person who has a token and an account is still one.
    expectError(await approve(olga, approval), 403, 'own_approval');
    expect(await readEmail(id)).toBe('old@example.org');
    expect((await approve(otto, approval)).json).toMatchObject({ approval: { state: 'approved' }, result: { id } });
    expect(await readEmail(id)).toBe('new@example.org');
  });

  it('count as somebody else than an operator of the same name', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const night = await hire('night');
    const approval = await changeEmail(night, id);
    expectError(await withToken('DELETE', `/approvals/${approval}`), 403, 'not_own_approval');
    expectError(await withToken('POST', `/approvals/${approval}/approve`), 403, 'approver_unknown');
    const tokenApproval = expectHeld(await withToken('PATCH', `/accounts/${id}`, { email: 'new@example.org' }));
    expect(tokenApproval).not.toBe(approval);
    const asked = (await line('audit --kind approval.asked --limit 2')).out;
    expect(asked).toMatch(/operator:night \(token\)/);
    expect(asked).toMatch(/operator:night(?! \(token\))/);
    expectError(await callAs(night, 'DELETE', `/approvals/${tokenApproval}`), 403, 'not_own_approval');
  });

  it('need the support of two who still have the right', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = expectHeld(await withToken('PATCH', `/accounts/${id}`, { email: 'new@example.org' }));
    const gone = await hire('supporter.operator');
    expect((await approve(gone, approval)).status).toBe(200);
    await operator.call('DELETE', `/accounts/${gone.id}/operator-rights/admin`);
    expectError(await approve(otto, approval), 409, 'asker_without_right');
  });
});

describe('[OPR-3] an export with secrets', () => {
  const PATH = '/exports?password_hashes=true';

  it('is open to the one who asked, once, after it was approved', async () => {
    const approval = expectHeld(await callAs(olga, 'GET', PATH));
    expectHeld(await callAs(olga, 'GET', PATH));
    expect((await approve(otto, approval)).json).toMatchObject({
      approval: { state: 'approved', account_id: null },
      result: null,
    });
    // For nobody else, and with no other secrets.
    for (const other of [await callAs(otto, 'GET', PATH), await callAs(olga, 'GET', '/exports?totp_secrets=true')])
      expect(other.status).toBe(202);
    const [one, again] = await Promise.all([callAs(olga, 'GET', PATH), callAs(olga, 'GET', PATH)]);
    expect([one.status, again.status].filter((status) => status === 200)).toHaveLength(1);
    expect((one.status === 200 ? one : again).text).toContain('olga.operator');
    expectHeld(await callAs(olga, 'GET', PATH));
    expect((await callAs(olga, 'GET', `/approvals/${approval}`)).json['used_at']).not.toBeNull();
  });

  it('is closed again a day after the approval', async () => {
    const approval = expectHeld(await callAs(paula, 'GET', PATH));
    await approve(otto, approval);
    operator.clock.advanceSeconds(24 * HOUR_SECONDS + 1);
    [olga, otto, paula] = [await hireAgain(olga), await hireAgain(otto), await hireAgain(paula)];
    expect(expectHeld(await callAs(paula, 'GET', PATH))).not.toBe(approval);
  });

  it('without secrets needs nobody', async () => {
    expect((await callAs(olga, 'GET', '/exports')).status).toBe(200);
  });
});

describe('[OPR-3] the list of approvals', () => {
  it('has open ones first, then the newest, page by page', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approvals: string[] = [];
    for (let index = 0; index < 4; index++) approvals.push(await changeEmail(olga, id, `new${index}@example.org`));
    const [first = '', , third = ''] = approvals;
    await callAs(otto, 'POST', `/approvals/${first}/reject`);
    await callAs(otto, 'POST', `/approvals/${third}/reject`);
    const whole = await callAs(otto, 'GET', '/approvals?limit=200');
    expect(api.findAnswerFaults('GET', '/operator/v1/approvals', whole)).toBeNull();
    const all = whole.json['approvals'] as { id: string; state: string }[];
    const own = all.filter((one) => approvals.includes(one.id)).map((one) => approvals.indexOf(one.id));
    expect(own).toEqual([3, 1, 2, 0]);
    for (const limit of [1, 2, 3]) expect(await listAll(limit)).toEqual(all.map((one) => one.id));
  });

  async function listAll(limit: number): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor = ''; ids.length < 1000;) {
      const answer = await callAs(otto, 'GET', `/approvals?limit=${limit}${cursor}`);
      const { approvals, next_cursor: next } = answer.json as { approvals: { id: string }[]; next_cursor?: string };
      ids.push(...approvals.map(({ id }) => id));
      if (next === undefined) return ids;
      cursor = `&cursor=${next}`;
    }
    throw new Error('The pages of the list do not end.');
  }

  it('refuses a cursor that it has not given, and is shown to admin only', async () => {
    for (const cursor of ['x', '2-1', '0-', '0-1-1', '%00'])
      expectError(await callAs(olga, 'GET', `/approvals?cursor=${cursor}`), 400, 'wrong_type', 'cursor');
    const reader = await hire('reader.operator');
    await operator.call('DELETE', `/accounts/${reader.id}/operator-rights/admin`);
    await operator.services.grants.grant({ accountId: reader.id, right: 'support', endsAt: null }, { actor: 'system' });
    expectError(await callAs(reader, 'GET', '/approvals'), 403, 'forbidden');
  });

  it('keeps what was decided for 30 days', async () => {
    const { id } = await createAccount({ email: 'old@example.org' });
    const approval = await changeEmail(olga, id);
    await callAs(otto, 'POST', `/approvals/${approval}/reject`);
    const count = async () =>
      (await operator.database.db.selectFrom('operator_approval').select('id').where('id', '=', approval).execute()).length;
    operator.clock.advanceSeconds(30 * 24 * HOUR_SECONDS);
    await new Cleanup(operator.database, { eventSinks: [] }).deleteExpired();
    expect(await count()).toBe(1);
    operator.clock.advanceSeconds(25 * HOUR_SECONDS);
    await new Cleanup(operator.database, { eventSinks: [] }).deleteExpired();
    expect(await count()).toBe(0);
    [olga, otto, paula] = [await hireAgain(olga), await hireAgain(otto), await hireAgain(paula)];
  });
});

describe('[OPR-2] the command line', () => {
  it('says that two operators have to approve the operation of a token, and lists, shows, rejects and withdraws', async () => {
    const { username } = await createAccount({ username: 'maria.musterfrau', email: 'old@example.org' });
    const asked = await line(['account', 'factor-reset', username, '--reason', 'lost phone']);
    expect(asked).toMatchObject({
      code: 6,
      out: '',
      err: expect.stringMatching(/^foyer: Nothing was done yet: two operators must approve the operation/),
    });
    const id = /\(([0-9a-f-]{36})\)/.exec(asked.err)?.[1] ?? '';
    expect((await line('approval list')).out).toMatch(/open +resets\.factors +maria\.musterfrau +operator .*lost phone/);
    expect((await line(`approval show ${id}`)).out).toMatch(
      /state +open\noperation +resets\.factors\naccount +maria\.musterfrau/,
    );
    const refused = await line(`approval approve ${id} --reason x`);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('another operator has to')]);
    const other = { OPERATOR_URL: operator.url, OPERATOR_TOKEN: NIGHT };
    expect((await runLine(`approval withdraw ${id}`, { env: other })).code).toBe(1);
    expect((await line(['approval', 'withdraw', id, '--reason', 'found it'])).out).toMatch(/state +withdrawn/);
    await line(['account', 'update', username, '--email', 'x@example.org', '--reason', 'moved']);
    const [{ id: second = '' } = {}] = (await callAs(otto, 'GET', '/approvals?limit=1')).json['approvals'] as { id?: string }[];
    expect((await runLine(['approval', 'reject', second, '--reason', 'no'], { env: other })).out).toMatch(/state +rejected/);
    expect((await line(`approval show ${NOBODY}`)).code).toBe(3);
    const exported = await line(['account', 'export', '--with-hashes', '--reason', 'backup'], {});
    expect([exported.code, exported.out]).toEqual([6, '']);
  });
});
