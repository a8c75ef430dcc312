/** A change on one replica applies at once on another, because nothing is cached outside of the database. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import type { Database } from '../../src/database/database.js';
import { openBeside, whyNoServer } from '../support/databases.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED ON POSTGRESQL: operator and a second replica: ${reason}\n`);

describe('[INS-8] two applications on one database object', () => {
  actAtOnce(
    () => startTestGateway(),
    (gateway) => Promise.resolve(gateway.database),
  );
});

(reason === null ? describe : describe.skip)('two replicas on one PostgreSQL database', () => {
  let second: Database | undefined;

  actAtOnce(
    () => startTestGateway({ kind: 'postgresql' }),
    async (gateway) => (second = await openBeside(gateway.database)),
  );

  afterAll(async () => {
    await second?.close();
  });
});

function actAtOnce(start: () => Promise<TestGateway>, toDatabase: (gateway: TestGateway) => Promise<Database>): void {
  let gateway: TestGateway;
  let operator: TestOperator;
  let challenges = 0;

  beforeAll(async () => {
    gateway = await start();
    operator = await startTestOperator({ database: await toDatabase(gateway) });
  }, 180_000);

  afterAll(async () => {
    await operator.close();
    await gateway.close();
  });

  /** Signs in at the gateway. @returns the status of the answer to the form, and the session of the upstream */
  async function signIn(username: string) {
    const challenge = `login-${(challenges += 1)}`;
    const { sessionId } = gateway.hydra.addLogin({ challenge });
    const browser = gateway.browser();
    const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    const fields = { _xsrf: page.state('login').login.xsrf_token, login_challenge: challenge };
    const { status } = await browser.post(PATHS.loginNative, { ...fields, username, password: PASSWORD });
    return { status, sessionId, browser };
  }

  /** Opens a request of a session that the upstream remembers, without a page. */
  async function continuesSession({ sessionId, browser }: Awaited<ReturnType<typeof signIn>>, subject: string): Promise<boolean> {
    const challenge = `again-${(challenges += 1)}`;
    const requestUrl = gateway.hydra.requestUrl({ prompt: 'none' });
    gateway.hydra.addLogin({ challenge, skip: true, subject, sessionId, requestUrl });
    await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    const answer = gateway.hydra.calls.find((call) => 'challenge' in call && call.challenge === challenge);
    return answer?.call === 'acceptLogin';
  }

  it('end sessions on both', async () => {
    const { id } = await gateway.account('maria.musterfrau');
    const session = await signIn('maria.musterfrau');
    expect(await continuesSession(session, id)).toBe(true);
    expect((await operator.call('DELETE', `/accounts/${id}/sessions`)).json).toEqual({ ended: 1, upstream: 'ended' });
    expect(await continuesSession(session, id)).toBe(false);
    expect((await signIn('maria.musterfrau')).status).toBe(303);
  });

  it('refuse a disabled account on both, until it is enabled', async () => {
    const { id } = await gateway.account('erika.musterfrau');
    const session = await signIn('erika.musterfrau');
    expect([session.status, await continuesSession(session, id)]).toEqual([303, true]);
    expect((await operator.call('POST', `/accounts/${id}/disable`)).status).toBe(200);
    expect(await continuesSession(session, id)).toBe(false);
    expect((await signIn('erika.musterfrau')).status).toBe(422);
    expect((await operator.call('POST', `/accounts/${id}/enable`)).status).toBe(200);
    expect(await continuesSession(session, id)).toBe(false);
    expect((await signIn('erika.musterfrau')).status).toBe(303);
  });

  it('accept a new account on both', async () => {
    const answer = await operator.call('POST', '/accounts', { username: 'neue.person', password: PASSWORD });
    expect(answer.status).toBe(201);
    expect((await signIn('neue.person')).status).toBe(303);
  });
}
