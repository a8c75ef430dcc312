/** Named tokens of the operator API: what each may do, and that the audit log names the token. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATOR_RIGHTS, type OperatorRights } from '../../src/config/config.js';
import { randomToken } from '../../src/config/keys.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';
import { loadApi } from '../support/operator-api.js';
import { expectError, operatorSteps, runLine } from '../support/operator-story.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const TOKENS = { read: randomToken(), support: randomToken(), admin: randomToken() };
const NAMES = { read: 'monitor', support: 'helpdesk', admin: 'platform' };

let operator: TestOperator;
const { createAccount } = operatorSteps(() => operator);
const api = loadApi();

beforeAll(async () => {
  const tokens = OPERATOR_RIGHTS.map((rights) => ({ name: NAMES[rights], rights, token: TOKENS[rights] }));
  operator = await startTestOperator({
    config: (config) => ({
      operator: { ...config.operator, tokens, hostNames: ['foyer-operator.sso.svc'] },
      telemetry: { ...config.telemetry, prometheus: {} },
    }),
  });
});

afterAll(() => operator.close());

function as(rights: OperatorRights, method: string, path: string, body?: unknown): Promise<OperatorAnswer> {
  return operator.call(method, path, body, { authorization: `Bearer ${TOKENS[rights]}` });
}

/** Every operation, with the minimum rights that its description names. */
const OPERATIONS = Object.entries(api.document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security }]) => ({
    name: `${method} ${path}`,
    method: method.toUpperCase(),
    path: path
      .slice('/operator/v1'.length)
      .replace('{id}', NOBODY)
      .replace(/\{\w+\}/, 'x'),
    least: security?.[0]?.token[0] as OperatorRights,
  })),
);

describe('[OPR-3] the rights of a token', () => {
  it.each(OPERATIONS)('allow $name with $least and with more', async ({ method, path, least }) => {
    for (const rights of OPERATOR_RIGHTS) {
      const answer = await as(rights, method, path);
      const isEnough = OPERATOR_RIGHTS.indexOf(rights) >= OPERATOR_RIGHTS.indexOf(least);
      if (isEnough) expect([rights, answer.status]).not.toEqual([rights, 403]);
      else expectError(answer, 403, 'forbidden');
    }
  });

  it('exclude from support what gives access to an account', () => {
    const forSupport = OPERATIONS.filter(({ least }) => least === 'support').map(({ name }) => name.replace('/operator/v1', ''));
    expect(forSupport.sort()).toEqual([
      'delete /accounts/{id}/deletion',
      'delete /accounts/{id}/sessions',
      'delete /accounts/{id}/sessions/{session}',
      'delete /accounts/{id}/trusted-browsers',
      'delete /accounts/{id}/trusted-browsers/{browser}',
      'post /accounts/{id}/disable',
      'post /accounts/{id}/invitation',
      'post /accounts/{id}/password-reset-mail',
      'post /accounts/{id}/refresh',
      'post /accounts/{id}/unlock',
    ]);
  });

  it('are checked before an account is read or a body is parsed, with a message that names both', async () => {
    const { id } = await createAccount();
    const [known, unknown] = [
      await as('read', 'PATCH', `/accounts/${id}`, { nonsense: 1 }),
      await as('read', 'PATCH', '/accounts/x'),
    ];
    expect(known.json).toEqual(unknown.json);
    expect(known.json['message']).toBe('This call requires a token with the rights "admin"; this token has "read".');
    expect(operator.logLines).toContainEqual(
      expect.objectContaining({ operator: 'monitor', required: 'admin', msg: expect.stringContaining('lacks the rights') }),
    );
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

describe('[OPR-7] the audit log', () => {
  it('names the token, and finds its actions', async () => {
    const { id } = await createAccount();
    await as('support', 'POST', `/accounts/${id}/disable`);
    await as('admin', 'POST', `/accounts/${id}/enable`);
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
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('requires a token with the rights "admin"')]);
    const named = JSON.stringify([{ name: 'helpdesk', rights: 'support', token: TOKENS.support }]);
    expect((await runLine('account list', { env: { OPERATOR_URL: operator.url, OPERATOR_TOKENS: named } })).code).toBe(0);
  });
});
