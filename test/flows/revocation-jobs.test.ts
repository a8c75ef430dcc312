/** What has to end at the upstream after a reset and similar changes, also if the upstream does not answer then. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { RevocationJobs } from '../../src/accounts/queue/revocation-jobs.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { PATHS } from '../../src/contract/paths.js';
import type { RecordedCall } from '../../src/hydra/fake-hydra.js';
import { UpstreamUnavailable } from '../../src/hydra/hydra.errors.js';
import { RevocationRunner } from '../../src/hydra/revocation-runner.js';
import { ManageUser, accessToken } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { NEW_PASSWORD, ResetStory } from '../support/resets.js';
import type { TestPage } from '../support/test-browser.js';

let gateway: TestGateway;
let account: Account;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
});

beforeEach(async () => {
  gateway.hydra.fail(null);
  gateway.hydra.calls.length = 0;
  account = await gateway.account(`ended.${(count += 1)}`);
  await begin('here');
  gateway.hydra.addGrantedSession(account.id, sid('there'));
});

afterAll(() => gateway.close());

const sid = (name: string): string => `${name}-of-${account.username}`;

const begin = (name: string) =>
  gateway.get(BrowserSessions).begin({
    browser: `browser-${sid(name)}`,
    accountId: account.id,
    upstreamSessionId: sid(name),
    acr: 'urn:foyer:acr:pwd',
    amr: ['pwd'],
    lifetimeSeconds: 3600,
  });

/** First by their ids, because an end by subject notifies nobody. */
const buildCalls = (): RecordedCall[] => [
  ...[sid('there'), sid('here')].map((sessionId): RecordedCall => ({ call: 'endLoginSession', sessionId })),
  { call: 'endLoginSessions', subject: account.id },
  { call: 'revokeConsents', subject: account.id },
];

const jobs = () => gateway.database.db.selectFrom('revocation_job').selectAll().where('account_id', '=', account.id).execute();

async function resetPassword(): Promise<void> {
  const { secret } = await gateway.get(PasswordResets).issue(account, { actor: 'operator' });
  expect((await new ResetStory(gateway).reset(secret)).location).toContain('success');
}

let sequence = 0;

async function signIn(password = NEW_PASSWORD): Promise<TestPage> {
  const challenge = `again-${(sequence += 1)}`;
  gateway.hydra.addLogin({ challenge });
  const browser = gateway.browser();
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf, ticket, login_challenge } = page.state('login').login;
  return browser.post(PATHS.loginNative, { _xsrf, ticket, login_challenge, username: account.username, password });
}

async function runLater(): Promise<void> {
  for (let tries = 0; tries < 4; tries += 1) {
    gateway.clock.advanceSeconds(20 * 60);
    await gateway.get(RevocationRunner).run();
  }
}

describe('the end of access at the upstream', () => {
  it('[PWR-7] [S-44] comes after a reset: every session by its id, then the rest, then the grants of apps', async () => {
    await resetPassword();
    expect(gateway.hydra.calls).toEqual(buildCalls());
    expect(await jobs()).toEqual([]);
  });

  it('[FAR-3] comes after a reset of the factors too', async () => {
    const { secret } = await gateway.get(FactorResets).issue(account, { actor: 'operator' });
    const browser = gateway.browser();
    await browser.get(`${PATHS.mfaResetForm}?reset_token=${secret}`);
    const page = await browser.get(PATHS.mfaResetForm);
    const { xsrf_token: _xsrf, reset_token } = page.state('mfa_reset_form').mfa_reset_form;
    await browser.post(PATHS.mfaReset, { _xsrf, reset_token, password: PASSWORD });
    expect(gateway.hydra.calls).toEqual(buildCalls());
  });

  it('[PWR-7] comes later if the upstream does not answer, at growing intervals, and is recorded', async () => {
    gateway.hydra.fail();
    await resetPassword();
    const end = gateway.get(RevocationRunner);
    gateway.clock.advanceSeconds(13);
    await end.run();
    expect(await jobs()).toMatchObject([{ tries: 2, kind: 'everything', session_ids: [sid('here')] }]);
    gateway.hydra.fail(null);
    gateway.clock.advanceSeconds(13);
    await end.run();
    expect(gateway.hydra.calls).toEqual([]);
    gateway.clock.advanceSeconds(25);
    await Promise.all([end.run(), end.run()]);
    expect(gateway.hydra.calls).toEqual(buildCalls());
    expect(await jobs()).toEqual([]);
    const { entries } = await gateway.get(AuditLog).list(account.id);
    expect(entries.find(({ kind }) => kind === 'upstream-sessions.ended')).toMatchObject({
      actor: 'system',
      detail: { outcome: 'ended', tries: 3 },
    });
  });

  it('[PWR-7] [S-44] comes also if the sessions cannot be listed, so that a thief who extended the list gains nothing', async () => {
    const { listSessionIds } = gateway.hydra;
    gateway.hydra.listSessionIds = () => Promise.reject(new UpstreamUnavailable('The upstream answered with too much'));
    try {
      await resetPassword();
      const end = gateway.get(RevocationRunner);
      for (let tries = 1; tries <= 3; tries += 1) {
        expect(await jobs()).toMatchObject([{ tries, kind: 'everything' }]);
        expect(gateway.hydra.calls).toEqual([]);
        gateway.clock.advanceSeconds(20 * 60);
        await end.run();
      }
      // The sessions that Foyer knows end by their ids in any case.
      expect(gateway.hydra.calls).toEqual(buildCalls().slice(1));
      expect(await jobs()).toEqual([]);
    } finally {
      gateway.hydra.listSessionIds = listSessionIds;
    }
  });

  it('[PWR-7] [S-44] does not delay a sign-in because of a list that cannot be read, and no later attempt ends that sign-in', async () => {
    const { listSessionIds } = gateway.hydra;
    gateway.hydra.listSessionIds = () => Promise.reject(new UpstreamUnavailable('The upstream answered with too much'));
    try {
      await resetPassword();
      expect((await signIn()).status).toBe(303);
      expect(gateway.hydra.calls).toEqual([...buildCalls().slice(1), expect.objectContaining({ call: 'acceptLogin' })]);
      expect(await jobs()).toEqual([]);
      await runLater();
      expect(gateway.hydra.calls).toHaveLength(4);
    } finally {
      gateway.hydra.listSessionIds = listSessionIds;
    }
  });

  it('[PWR-7] [S-44] prevents sign-ins that it would end later', async () => {
    const { revokeConsents } = gateway.hydra;
    gateway.hydra.revokeConsents = () => Promise.reject(new UpstreamUnavailable('The upstream did not answer'));
    try {
      await resetPassword();
      expect((await signIn()).status).toBe(503);
      expect(gateway.hydra.calls.map(({ call }) => call)).not.toContain('acceptLogin');
    } finally {
      gateway.hydra.revokeConsents = revokeConsents;
    }
    expect((await signIn()).status).toBe(303);
    expect(gateway.hydra.calls.at(-1)).toMatchObject({ call: 'acceptLogin' });
    expect(await jobs()).toEqual([]);
  });

  it.each([
    ['listSessionIds', () => []],
    ['endLoginSession', () => [{ call: 'endLoginSession', sessionId: sid('there') }]],
    ['endLoginSessions', () => [{ call: 'endLoginSessions', subject: account.id }]],
  ] as const)(
    '[PWR-7] begins no call after a slow %s if a sign-in has settled the job meanwhile',
    async (method, buildLateCalls) => {
      const { hydra } = gateway;
      await gateway.get(RevocationJobs).queue({ accountId: account.id, kind: 'everything', sessionIds: [sid('here')] });
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const held = new Promise<void>((resolve) => {
        const holdFirstCall = async (value: string): Promise<never> => {
          Reflect.deleteProperty(hydra, method);
          resolve();
          await released;
          return hydra[method](value) as Promise<never>;
        };
        Object.assign(hydra, { [method]: holdFirstCall });
      });
      const settling = gateway.get(RevocationRunner).settle(account.id);
      await held;
      expect((await signIn(PASSWORD)).status).toBe(303);
      hydra.addGrantedSession(account.id, sid('since'));
      hydra.calls.length = 0;
      release();
      expect(await settling).toBe(true);
      expect(hydra.calls).toEqual(buildLateCalls());
    },
  );

  it('[PWR-7] does not prevent a sign-in because a session of another browser cannot end by its id', async () => {
    const { endLoginSession } = gateway.hydra;
    gateway.hydra.endLoginSession = () => Promise.reject(new UpstreamUnavailable('The upstream did not answer'));
    try {
      await gateway.get(RevocationJobs).queue({ accountId: account.id, kind: 'named', sessionIds: [sid('here')] });
      expect((await signIn(PASSWORD)).status).toBe(303);
      expect(await jobs()).toMatchObject([{ kind: 'named', tries: 1 }]);
    } finally {
      gateway.hydra.endLoginSession = endLoginSession;
    }
    expect(await gateway.get(RevocationRunner).settle(account.id)).toBe(true);
  });

  it('[FAR-3] [MAN-1] prevents an earlier token from opening the account area', async () => {
    const before = accessToken(gateway, account, { issuedAt: gateway.clock.now() });
    gateway.clock.advanceSeconds(60);
    gateway.hydra.fail();
    const { secret } = await gateway.get(FactorResets).issue(account, { actor: 'operator' });
    expect(await gateway.get(FactorResets).reset(account, secret, { actor: 'person' })).toBe(true);
    gateway.hydra.fail(null);
    const enterWithToken = async (t: string) => (await gateway.browser().get(`${PATHS.manage}?t=${t}`)).location;
    expect(await enterWithToken(before)).toBe(`${PATHS.manageError}unauthorized`);
    expect(await enterWithToken(accessToken(gateway, account, { issuedAt: gateway.clock.now() }))).toBe(PATHS.manage);
    expect(await gateway.get(RevocationRunner).settle(account.id)).toBe(true);
  });

  it('[PWR-7] comes before a person signs in again, whose session it would end', async () => {
    gateway.hydra.fail();
    await resetPassword();
    gateway.hydra.fail(null);
    expect((await signIn()).status).toBe(303);
    expect(gateway.hydra.calls).toEqual([...buildCalls(), expect.objectContaining({ call: 'acceptLogin' })]);
    gateway.clock.advanceSeconds(3600);
    await gateway.get(RevocationRunner).run();
    expect(gateway.hydra.calls).toHaveLength(5);
  });

  it('[MAN-5] comes for the sessions of other browsers only after a change of the own password', async () => {
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    gateway.hydra.calls.length = 0;
    const rpc = await user.rpc();
    const change = { password: PASSWORD, newPassword: NEW_PASSWORD, newPasswordRepeat: NEW_PASSWORD };
    expect((await rpc.put('/password', change)).status).toBe(200);
    expect(gateway.hydra.calls).toContainEqual({ call: 'endLoginSession', sessionId: sid('here') });
    expect([...new Set(gateway.hydra.calls.map(({ call }) => call))]).toEqual(['endLoginSession']);
  });
});
