/** What needs attention today: when each row is shown, and to whom. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomToken } from '../../src/config/keys.js';
import type { OperatorRights } from '../../src/config/config.js';
import type { TodayRowAnswer } from '../../src/operator/wire-today.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { loadApi } from '../support/operator-api.js';
import { commandLine, operatorSteps } from '../support/operator-story.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOKENS = { read: randomToken(), auditor: randomToken(), support: randomToken() };

let operator: TestOperator;
const { createAccount } = operatorSteps(() => operator);
const line = commandLine(() => operator);
const api = loadApi();

beforeAll(async () => {
  const tokens = (['read', 'auditor', 'support'] as const).map((rights) => ({ name: rights, rights, token: TOKENS[rights] }));
  operator = await startTestOperator({ config: (config) => ({ operator: { ...config.operator, tokens } }) });
});

afterAll(() => operator.close());

async function findRows(rights?: keyof typeof TOKENS): Promise<TodayRowAnswer[]> {
  const headers = rights === undefined ? {} : { authorization: `Bearer ${TOKENS[rights]}` };
  const answer = await operator.call('GET', '/today', undefined, headers);
  expect(api.findAnswerFaults('GET', '/operator/v1/today', answer)).toBeNull();
  return (answer.json as unknown as { rows: TodayRowAnswer[] }).rows;
}

const findRow = async (kind: TodayRowAnswer['kind']) => (await findRows()).find((row) => row.kind === kind);

/** Inserts wrong passwords that were typed so many milliseconds ago. */
async function insertWrongPasswords(count: number, agoMs: number): Promise<void> {
  const at = new Date(operator.clock.now().getTime() - agoMs);
  const events = Array.from({ length: count }, () => ({ at, kind: 'password.refused', actor: 'person' as const }));
  await operator.database.db.insertInto('audit_event').values(events).execute();
}

describe('[OPR-3] today', () => {
  it('has no row while nothing needs attention', async () => {
    expect(await findRows()).toEqual([]);
    expect(await line('today')).toMatchObject({ code: 0, out: '', err: expect.stringContaining('Nothing needs attention') });
  });

  it('shows an unusual number of wrong passwords, but not the usual number', async () => {
    await insertWrongPasswords(99, 60_000);
    expect(await findRow('wrong-passwords')).toBeUndefined();
    await insertWrongPasswords(51, 60_000);
    expect(await findRow('wrong-passwords')).toMatchObject({ count: 150, since: expect.any(String) });
    await insertWrongPasswords(75, DAY_MS + 60_000);
    expect(await findRow('wrong-passwords')).toBeUndefined();
    await insertWrongPasswords(1500, 60_000);
    expect(await findRow('wrong-passwords')).toMatchObject({ count: 1001 });
    operator.clock.advanceSeconds(3700);
    expect(await findRow('wrong-passwords')).toBeUndefined();
  });

  it('shows a part that does not answer', async () => {
    operator.hydra.fail();
    expect(await findRow('health')).toMatchObject({ count: 1, names: ['upstream'] });
    operator.hydra.fail(null);
    expect(await findRow('health')).toBeUndefined();
  });

  it('shows frozen accounts until the freeze ends or is lifted', async () => {
    const { id } = await createAccount();
    const { id: other } = await createAccount();
    const until = new Date(operator.clock.now().getTime() + HOUR_MS);
    await operator.database.db
      .updateTable('account')
      .set({ credentials_frozen_until: until })
      .where('id', 'in', [id, other])
      .execute();
    for (const accountId of [id, id, other]) {
      await operator.services.audit.record({ kind: 'account.secured', actor: 'person', accountId });
    }
    expect(await findRow('accounts-frozen')).toMatchObject({ count: 2 });
    await operator.call('POST', `/accounts/${id}/unfreeze`);
    expect(await findRow('accounts-frozen')).toMatchObject({ count: 1 });
    operator.clock.advanceSeconds(3700);
    expect(await findRow('accounts-frozen')).toBeUndefined();
  });

  it('shows mails that were given up or wait, without those that nobody can help', async () => {
    const { mails } = operator.services;
    for (const name of ['one', 'two', 'three']) {
      const { id } = await createAccount({ email: `${name}@example.org`, password: 'kupfer linde 4821' });
      await operator.call('POST', `/accounts/${id}/password-reset-mail`);
    }
    const [one, two, three] = await mails.claim(3);
    await mails.abandon(one!, 'refused', { cause: 'refused' });
    await mails.postpone(two!, { cause: 'server-unreachable' });
    await mails.markSent(three!);
    expect([await findRow('mails-abandoned'), await findRow('mails-waiting')]).toMatchObject([{ count: 1 }, { count: 1 }]);
    operator.clock.advanceSeconds(40 * 86_400);
    expect([await findRow('mails-abandoned'), await findRow('mails-waiting')]).toEqual([undefined, undefined]);
  });

  it('shows what waits for a second operator until it is decided or expires', async () => {
    const { approvals } = operator.services;
    const ask = async () => {
      const asked = { operation: 'resets.factors', accountId: (await createAccount()).id, body: {} };
      return (await approvals.ask(asked, { actor: 'operator', operator: 'night', reason: 'call' })).id;
    };
    const [first] = [await ask(), await ask()];
    expect(await findRow('approvals')).toMatchObject({ count: 2, since: null });
    await approvals.reject(first, { actor: 'operator', operator: 'other' });
    expect(await findRow('approvals')).toMatchObject({ count: 1 });
    expect((await findRows('support')).map(({ kind }) => kind)).not.toContain('approvals');
    operator.clock.advanceSeconds(86_401);
    expect(await findRow('approvals')).toBeUndefined();
  });

  it('shows administrators whose right ends soon', async () => {
    const grant = async (right: string, days: number | null) => {
      const { id, username } = await createAccount();
      const ends_at = days === null ? null : new Date(operator.clock.now().getTime() + days * DAY_MS).toISOString();
      await operator.call('POST', `/accounts/${id}/operator-rights`, { right, ends_at });
      return username;
    };
    const soon = await grant('admin', 3);
    await grant('admin', 30);
    await grant('admin', null);
    await grant('support', 3);
    expect(await findRow('admins-ending')).toMatchObject({ count: 1, names: [soon] });
  });

  it('shows changes with a token of the last week, and not those of operators with an account', async () => {
    operator.clock.advanceSeconds(8 * 86_400);
    const { id } = await createAccount();
    const auditContext = { actor: 'operator', operator: 'olga', operatorAccount: id } as const;
    operator.clock.advanceSeconds(8 * 86_400);
    await operator.services.audit.record({ ...auditContext, kind: 'account.changed', accountId: id });
    expect(await findRow('tokens-used')).toBeUndefined();
    const headers = { authorization: `Bearer ${TOKENS.support}` };
    await operator.call('POST', `/accounts/${id}/disable`, undefined, headers);
    await createAccount();
    expect(await findRow('tokens-used')).toMatchObject({ count: 3, names: ['support', 'OPERATOR_TOKEN'] });
    expect((await line('today')).out).toMatch(
      /3 +changes that were made with a token.*support.*foyer audit --actor operator --since/,
    );
  });

  it('shows nobody what their rights do not reach', async () => {
    await insertWrongPasswords(150, 60_000);
    const { id } = await createAccount({ email: 'rights@example.org', password: 'kupfer linde 4821' });
    await operator.call('POST', `/accounts/${id}/password-reset-mail`);
    const mail = (await operator.services.mails.claim(10)).find(({ recipient }) => recipient === 'rights@example.org');
    await operator.services.mails.abandon(mail!, 'refused', { cause: 'refused' });
    const kinds = async (rights: OperatorRights & keyof typeof TOKENS) => (await findRows(rights)).map(({ kind }) => kind);
    expect(await kinds('support')).toEqual(['wrong-passwords', 'mails-abandoned']);
    expect(await kinds('read')).toEqual(['wrong-passwords', 'mails-abandoned']);
    expect(await kinds('auditor')).toEqual(['wrong-passwords', 'admins-ending', 'tokens-used']);
  });
});
