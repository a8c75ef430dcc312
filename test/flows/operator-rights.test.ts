/**
 * The rights of tokens and of operators in the console, for every operation of the table; what the console asks for in addition; and
 * that the audit log names the token.
 */
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATOR_RIGHTS, type OperatorRights } from '../../src/config/config.js';
import { randomToken } from '../../src/config/keys.js';
import { getRule, listOperations, mayDo, OPERATION_IDS, type OperationId } from '../../src/operator/operations.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';
import { loadApi } from '../support/operator-api.js';
import { expectError, importer, operatorSteps, runLine } from '../support/operator-story.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const TOKENS = { read: randomToken(), auditor: randomToken(), support: randomToken(), admin: randomToken() };
const NAMES = { read: 'monitor', auditor: 'revision', support: 'helpdesk', admin: 'platform' };
const REASON = { 'x-foyer-reason': 'ticket%204711' };

/** The session of the next calls, as the console would set it; null: they are calls with a token. */
let session: { rights: readonly OperatorRights[]; accountId: string; isFresh: boolean } | null = null;
let operator: TestOperator;
const { createAccount } = operatorSteps(() => operator);
const { importLines } = importer(() => operator);
const api = loadApi();

beforeAll(async () => {
  const tokens = OPERATOR_RIGHTS.map((rights) => ({ name: NAMES[rights], rights, token: TOKENS[rights] }));
  operator = await startTestOperator({
    config: (config) => ({
      operator: { ...config.operator, tokens, hostNames: ['foyer-operator.sso.svc'] },
      telemetry: { ...config.telemetry, prometheus: {} },
    }),
    onRequest: setSession,
  });
});

afterAll(() => operator.close());

/** Sets what the console would set, and ignores the rights of the token with which the call is made. */
function setSession(request: IncomingMessage): void {
  if (session === null) return;
  const { rights, ...own } = session;
  Object.defineProperty(request, 'rights', { get: () => rights, set() {} });
  Object.assign(request, { session: own });
}

function callAs(rights: OperatorRights, method: string, path: string, body?: unknown): Promise<OperatorAnswer> {
  return operator.call(method, path, body, { authorization: `Bearer ${TOKENS[rights]}` });
}

/** Calls as an operator who is signed in to the console. By default with a fresh proof and with a reason. */
async function callInConsole(
  { rights, accountId = NOBODY, isFresh = true }: { rights: readonly OperatorRights[]; accountId?: string; isFresh?: boolean },
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
  headers: Record<string, string> = REASON,
): Promise<OperatorAnswer> {
  session = { rights, accountId, isFresh };
  try {
    return await operator.call(method, path, body, headers);
  } finally {
    session = null;
  }
}

/** Method and path of every operation. @param account in place of `{id}` */
function toCall(id: OperationId, account = NOBODY): readonly [method: string, path: string] {
  for (const [path, methods] of Object.entries(api.document.paths)) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      const filled = path
        .slice('/operator/v1'.length)
        .replace('{id}', account)
        .replace(/\{\w+\}/, 'x');
      if (operationId === id) return [method.toUpperCase(), filled];
    }
  }
  throw new Error(`The operation ${id} has no route.`);
}

const CHANGES = OPERATION_IDS.filter((id) => getRule(id).changes);
const DANGEROUS = OPERATION_IDS.filter((id) => getRule(id).dangerous);

describe('[OPR-3] the rights of a token', () => {
  it.each(OPERATION_IDS)('allow %s with the rights of the table only', async (id) => {
    for (const rights of OPERATOR_RIGHTS) {
      const answer = await callAs(rights, ...toCall(id));
      if (getRule(id).rights.includes(rights)) expect([rights, answer.status]).not.toEqual([rights, 403]);
      else expectError(answer, 403, 'forbidden');
    }
  });

  it('exclude from support what gives access to an account', () => {
    const changes = CHANGES.filter((id) => mayDo(['support'], id));
    expect(changes.sort()).toEqual([
      'access.disable',
      'access.refresh',
      'access.unlock',
      'accountApps.remove',
      'deletion.cancel',
      'invitations.resend',
      'invitations.withdraw',
      // With the rights for the action beside it.
      'jobs.start',
      'jobs.stop',
      'mails.retry',
      'mails.retryAll',
      'resets.invite',
      'resets.mailPassword',
      'resets.requirePassword',
      'scimFaults.dismiss',
      'sessions.endAll',
      'sessions.endOne',
      'supportCheck.answer',
      'supportCheck.ask',
      'trustedBrowsers.endAll',
      'trustedBrowsers.endOne',
    ]);
    expect(DANGEROUS.filter((id) => mayDo(['support'], id))).toEqual(['jobs.start']);
  });

  it('let an auditor read what happened, and neither accounts nor secrets', () => {
    expect(listOperations(['auditor']).sort()).toEqual([
      'audit.ofAccount',
      'audit.ofAll',
      'filters.list',
      'filters.remove',
      'filters.save',
      'operatorHealth.health',
      'operators.list',
      'operators.sessions',
      'operators.show',
      'settings.list',
      'sinks.deliveries',
      'sinks.list',
      'sources.list',
      'terms.list',
      'terms.text',
      'today.show',
    ]);
    expect(CHANGES.filter((id) => mayDo(['auditor', 'read'], id))).toEqual([]);
  });

  it('let admin do everything', () => {
    expect(listOperations(['admin'])).toEqual(OPERATION_IDS);
  });

  it('are checked before an account is read or a body is parsed, with a message that names both', async () => {
    const { id } = await createAccount();
    const [known, unknown] = [
      await callAs('read', 'PATCH', `/accounts/${id}`, { nonsense: 1 }),
      await callAs('read', 'PATCH', '/accounts/x'),
    ];
    expect(known.json).toEqual(unknown.json);
    expect(known.json['message']).toBe('This call requires a token with the right "admin"; this token has "read".');
    const several = await callAs('auditor', 'GET', '/accounts');
    expect(several.json['message']).toBe(
      'This call requires a token with the right "read", "support" or "admin"; this token has "auditor".',
    );
    const logged = { operator: 'monitor', operation: 'accounts.change', msg: expect.stringContaining('rights for a call') };
    expect(operator.logLines).toContainEqual(expect.objectContaining(logged));
  });

  it('let an auditor see who is an operator, and not that any other account exists', async () => {
    const { id } = await createAccount();
    expect((await callAs('admin', 'GET', `/accounts/${id}/operator-rights`)).json['rights']).toEqual([]);
    expectError(await callAs('auditor', 'GET', `/accounts/${id}/operator-rights`), 404, 'account_not_found');
    await callAs('admin', 'POST', `/accounts/${id}/operator-rights`, { right: 'read' });
    expect((await callAs('auditor', 'GET', `/accounts/${id}/operator-rights`)).status).toBe(200);
  });

  it('are all rights for the token without a name, as before', async () => {
    expect((await operator.call('POST', '/accounts', { username: 'by.the.single.token' })).status).toBe(201);
  });

  it('belong to exactly this token, not to a similar or joined one or another case', async () => {
    const { admin, read } = TOKENS;
    for (const wrong of [admin.slice(1), `${admin}x`, admin.toUpperCase(), `${read},${admin}`, 'platform', `platform:${admin}`]) {
      operator.clock.advanceSeconds(120);
      const answer = await operator.call('GET', '/accounts', undefined, { authorization: `Bearer ${wrong}` });
      expectError(answer, 401, 'unauthorized');
    }
    expect(JSON.stringify(operator.logLines)).not.toMatch(new RegExp(Object.values(TOKENS).join('|')));
  });
});

describe('[OPR-3] the rights of an operator in the console', () => {
  it.each(OPERATION_IDS)('allow %s with the rights of the table only', async (id) => {
    for (const rights of OPERATOR_RIGHTS) {
      const answer = await callInConsole({ rights: [rights] }, toCall(id));
      if (getRule(id).rights.includes(rights)) expect([rights, answer.status]).not.toEqual([rights, 403]);
      else expectError(answer, 403, 'forbidden');
    }
  });

  it('add up if there are several, and none allow nothing', async () => {
    for (const id of OPERATION_IDS) {
      const { status } = await callInConsole({ rights: ['auditor', 'support'] }, toCall(id));
      expect([id, status === 403]).toEqual([id, !mayDo(['auditor'], id) && !mayDo(['support'], id)]);
      expectError(await callInConsole({ rights: [] }, toCall(id)), 403, 'forbidden');
    }
    const { json } = await callInConsole({ rights: ['read', 'auditor'] }, ['POST', '/accounts']);
    expect(json['message']).toBe(
      'This requires the right "admin"; you have "read" and "auditor". An operator with the right "admin" can grant it.',
    );
  });

  it.each(CHANGES)('are not enough for %s without a reason', async (id) => {
    expectError(await callInConsole({ rights: ['admin'] }, toCall(id), {}), 422, 'missing', 'reason');
    expect((await callAs('admin', ...toCall(id))).json['field']).not.toBe('reason');
  });

  it.each(DANGEROUS)('are not enough for %s without a fresh proof', async (id) => {
    expectError(await callInConsole({ rights: ['admin'], isFresh: false }, toCall(id)), 403, 'proof_outdated');
  });

  it('are enough without a proof and a reason for all other operations', async () => {
    for (const id of OPERATION_IDS) {
      const { changes, dangerous } = getRule(id);
      if (dangerous) continue;
      const headers = changes ? REASON : {};
      const { status } = await callInConsole({ rights: ['admin'], isFresh: false }, toCall(id), headers);
      expect([id, status]).not.toEqual([id, 403]);
    }
  });

  it('are checked before the reason, the proof and the account', async () => {
    const { id } = await createAccount();
    const wrong = { 'x-foyer-reason': '%' };
    const stale = { rights: ['read'] as const, accountId: id, isFresh: false };
    for (const change of CHANGES) expectError(await callInConsole(stale, toCall(change, id), wrong), 403, 'forbidden');
  });
});

describe('[OPR-3] an operator’s own account', () => {
  const ofAccount = CHANGES.filter((id) => toCall(id)[1].includes(NOBODY));

  it.each(ofAccount)('is left alone by %s if the operation is dangerous', async (operation) => {
    const { id } = await createAccount();
    const own = { rights: ['admin'] as const, accountId: id };
    // Ids are compared as the database compares them.
    for (const spelling of [id, id.toUpperCase()]) {
      const answer = await callInConsole({ ...own, isFresh: false }, toCall(operation, spelling));
      if (getRule(operation).dangerous) expectError(answer, 403, 'own_account');
      else expect(answer.status).not.toBe(403);
    }
    expect((await operator.call('GET', `/accounts/${id}`)).status).toBe(200);
  });

  it('is recognised by its subject', async () => {
    const [line] = await importLines([{ username: 'olga.operator', subject: 'staff|olga' }]);
    const accountId = line?.['id'] as string;
    const answer = await callInConsole({ rights: ['admin'], accountId }, ['POST', '/accounts/staff%7Colga/enable']);
    expectError(answer, 403, 'own_account');
  });
});

describe('[OPR-3] the account of an operator', () => {
  const ofAccount = CHANGES.filter((id) => toCall(id)[1].includes(NOBODY) && getRule(id).rights.length > 1);

  it('is an account that support may change in many ways otherwise', () => {
    expect(ofAccount.length).toBeGreaterThan(8);
  });

  it.each(ofAccount)('is not changed by %s without the rights admin', async (operation) => {
    const { id } = await createAccount();
    await callAs('admin', 'POST', `/accounts/${id}/operator-rights`, { right: 'read' });
    for (const answer of [
      await callAs('support', ...toCall(operation, id)),
      await callAs('support', ...toCall(operation, id.toUpperCase())),
      await callInConsole({ rights: ['support', 'auditor'] }, toCall(operation, id)),
      await callInConsole({ rights: ['support'], accountId: id }, toCall(operation, id)),
    ]) {
      expectError(answer, 403, 'operator_account');
    }
    expect((await callAs('admin', ...toCall(operation, id))).status).not.toBe(403);
    await callAs('admin', 'DELETE', `/accounts/${id}/operator-rights/read`);
    expect((await callAs('support', ...toCall(operation, id))).status).not.toBe(403);
  });

  it('is protected while it is disabled too, and can be read', async () => {
    const { id } = await createAccount();
    await callAs('admin', 'POST', `/accounts/${id}/operator-rights`, { right: 'auditor' });
    await callAs('admin', 'POST', `/accounts/${id}/disable`);
    expectError(await callAs('support', 'POST', `/accounts/${id}/unlock`), 403, 'operator_account');
    expect((await callAs('support', 'GET', `/accounts/${id}`)).status).toBe(200);
  });

  it('tells whoever reads it whether their rights allow a change', async () => {
    const [{ id }, { id: person }] = [await createAccount(), await createAccount()];
    await callAs('admin', 'POST', `/accounts/${id}/operator-rights`, { right: 'read' });
    const read = async (right: OperatorRights, account: string) =>
      (await callAs(right, 'GET', `/accounts/${account}`)).json['may_change'];
    expect([await read('admin', id), await read('support', id), await read('read', id)]).toEqual([true, false, false]);
    expect([await read('admin', person), await read('support', person), await read('read', person)]).toEqual([true, true, false]);
  });
});

describe('[OPR-7] the reason of a call', () => {
  const send = (reason: string) => operator.call('GET', '/health', undefined, { 'x-foyer-reason': reason });

  it('is refused if it is malformed, with the rule that it breaks', async () => {
    const malformed = ['%', '%ff', '%zz', '', '%20', '%0a', 'a%00', '%E2%80%AEabc', 'x'.repeat(501), '%F0%9F%98%80'.repeat(501)];
    for (const reason of malformed) expectError(await send(reason), 400, 'wrong_type', 'reason');
    expectError(await send('gr\u00fcn'), 400, 'wrong_type', 'reason');
    const twice = { 'x-foyer-reason': ['one', 'other'] };
    expectError(await operator.call('GET', '/health', undefined, twice), 400, 'wrong_type', 'reason');
  });

  it('has 1 to 500 characters of any script', async () => {
    for (const reason of ['x', 'ticket 4711 (call back)', encodeURIComponent('Ümläut, Ελληνικά 😀'), '%F0%9F%98%80'.repeat(500)])
      expect((await send(reason)).status).toBe(200);
  });
});

describe('[OPR-7] the audit log', () => {
  it('names the token, and finds its actions', async () => {
    const { id } = await createAccount();
    await callAs('support', 'POST', `/accounts/${id}/disable`);
    await callAs('admin', 'POST', `/accounts/${id}/enable`);
    const actors = async (query = '') => {
      const { json } = await operator.call('GET', `/accounts/${id}/audit?kind=account${query}`);
      return (json['entries'] as { kind: string; actor: string }[]).map(({ kind, actor }) => [kind, actor]);
    };
    const all = [
      ['account.enabled', 'operator:platform'],
      ['account.disabled', 'operator:helpdesk'],
      ['account.created', 'operator'],
    ];
    expect(await actors()).toEqual(all);
    expect(await actors('&actor=operator')).toEqual(all);
    expect(await actors('&actor=operator:helpdesk')).toEqual([['account.disabled', 'operator:helpdesk']]);
    expect(await actors('&actor=operator:nobody')).toEqual([]);
    expectError(await operator.call('GET', '/audit?actor=person:x'), 400, 'wrong_type', 'actor');
  });
});

describe('a name of the cluster', () => {
  it('is accepted if it is configured, and no other name is', async () => {
    const status = async (host: string) => (await operator.call('GET', '/health', undefined, { host })).status;
    expect(await status('foyer-operator.sso.svc:3001')).toBe(200);
    expect(await status('FOYER-OPERATOR.sso.svc')).toBe(200);
    for (const host of ['foyer-operator', 'sso.svc', 'x.foyer-operator.sso.svc'])
      expect([host, await status(host)]).toEqual([host, 421]);
  });
});

describe('[OPR-3] the command line', () => {
  it('reports missing rights, and uses the first named token if no other is set', async () => {
    const env = { OPERATOR_URL: operator.url, OPERATOR_TOKEN: TOKENS.read };
    const refused = await runLine('account create --username nobody.at.all', { env });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('requires a token with the right "admin"')]);
    const named = JSON.stringify([{ name: 'helpdesk', rights: 'support', token: TOKENS.support }]);
    expect((await runLine('account list', { env: { OPERATOR_URL: operator.url, OPERATOR_TOKENS: named } })).code).toBe(0);
  });
});
