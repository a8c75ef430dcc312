/** Calls of the console whose session is not that of the page, and logout tokens of Hydra that are sent again. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { beginConsoleSession, expectError, operatorSteps } from '../support/operator-story.js';

const CONSOLE = { url: 'http://localhost:3001', acr: 'urn:foyer:acr:mfa', backChannelUrl: 'http://localhost:3001' } as const;
const BY = { actor: 'system' } as const;

let operator: TestOperator;
const { createAccount } = operatorSteps(() => operator);

beforeAll(async () => {
  operator = await startTestOperator({ config: () => ({ console: CONSOLE }) });
});

afterAll(() => operator.close());

const call = (secret: string, headers: Record<string, string> = {}, method = 'GET', path = '/accounts') =>
  operator.call(method, path, undefined, {
    authorization: undefined,
    cookie: `foyer-console=${secret}`,
    'x-foyer-console': '1',
    'x-foyer-reason': 'because',
    ...headers,
  });

describe('[OPR-3] a page of the console', () => {
  it('does nothing in the name of somebody who signed in later in the same browser', async () => {
    const [olga, otto, victim] = [await createAccount(), await createAccount(), await createAccount()];
    const secret = await beginConsoleSession(operator, otto.id, 'admin');
    const disable = (shown: string) => call(secret, { 'x-foyer-operator': shown }, 'POST', `/accounts/${victim.id}/disable`);
    expectError(await disable(olga.id), 409, 'other_operator');
    expectError(await disable(''), 409, 'other_operator');
    expect((await operator.call('GET', `/accounts/${victim.id}`)).json['status']).toBe('active');
    expect((await disable(otto.id)).status).toBe(200);
    expect((await call(secret)).status).toBe(200);
  });
});

describe('[OPR-3] a logout token', () => {
  it.each(['session', 'subject'])('for a %s ends no session that began after it, when it is sent again', async (kind) => {
    const { id: accountId } = await createAccount();
    const upstream = kind === 'subject' ? { accountId } : { sessionId: `session of ${accountId}` };
    const first = await beginConsoleSession(operator, accountId, 'admin');
    operator.clock.advanceSeconds(60);
    const endsBefore = new Date(operator.clock.now().getTime());
    await operator.services.operatorSessions.endForUpstream(upstream, endsBefore, BY);
    expectError(await call(first), 401, 'signed_out');
    operator.clock.advanceSeconds(60);
    const second = await beginConsoleSession(operator, accountId, 'admin');
    expect(await operator.services.operatorSessions.endForUpstream(upstream, endsBefore, BY)).toBe(0);
    expect((await call(second)).status).toBe(200);
  });
});
