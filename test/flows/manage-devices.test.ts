/** Where a person is signed in: the list in the account area, and how a sign-in in another browser ends. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import type { Account } from '../../src/accounts/account/accounts.js';
import { randomToken } from '../../src/config/keys.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { RevocationRunner } from '../../src/hydra/revocation-runner.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, accessToken, newPerson, signIn } from '../support/manage.js';
import { RpcClient } from '../support/rpc-client.js';
import { SecondStepStory, call } from '../support/second-step.js';
import type { TestBrowser } from '../support/test-browser.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';

let gateway: TestGateway;
let steps: SecondStepStory;

beforeAll(async () => {
  gateway = await startTestGateway();
  steps = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

/** Signs in and opens the account area. */
async function enter(account: Account, agent = FIREFOX): Promise<ManageUser> {
  const browser = gateway.browser({ 'user-agent': agent });
  await signIn(gateway, browser, account);
  await browser.get(`${PATHS.manage}?t=${accessToken(gateway, account)}`);
  return new ManageUser(gateway, account, browser);
}

async function signInWithAgent(account: Account, agent = IPHONE): Promise<TestBrowser> {
  gateway.clock.advanceSeconds(60);
  const browser = gateway.browser({ 'user-agent': agent });
  await signIn(gateway, browser, account);
  return browser;
}

const toDevices = async (user: ManageUser) => (await user.page(PATHS.manageDevices, 'manage_devices')).manage_devices.devices;
const isSignedIn = async ({ browser }: ManageUser) => (await browser.get(PATHS.manageDevices)).status === 200;

const toId = async (user: ManageUser, name: string) => (await toDevices(user)).find((device) => device.name === name)?.id ?? '';

async function findKinds({ id }: Account) {
  return (await gateway.get(AuditLog).list(id)).entries.map(({ kind, detail }) => [kind, detail]);
}

/** Session ids that Hydra was asked to end since then. */
async function listEndedAtHydra(work: () => Promise<unknown>): Promise<string[]> {
  const before = gateway.hydra.calls.length;
  await work();
  return gateway.hydra.calls.slice(before).flatMap((call) => (call.call === 'endLoginSession' ? [call.sessionId] : []));
}

describe('[SES-1] the devices of a person', () => {
  it('are listed with their names, this one first, and without anything that identifies the browser', async () => {
    const account = await newPerson(gateway);
    const user = await enter(account);
    await signInWithAgent(account);
    await newPerson(gateway).then((other) => signInWithAgent(other));
    const devices = await toDevices(user);
    expect(devices).toMatchObject([
      { name: 'Firefox, Windows', is_this: true, amr: ['pwd'], address: '127.0.0.1' },
      { name: 'Safari, iOS', is_this: false, amr: ['pwd'] },
    ]);
    const rows = await gateway.database.db.selectFrom('browser_session').selectAll().execute();
    const page = JSON.stringify(devices);
    for (const { browser_hash: browser, upstream_session_id: upstream } of rows) {
      expect(page).not.toContain(browser);
      expect(page).not.toContain(upstream);
    }
  });

  it('are listed once for each browser, also after a second sign-in there, or with only the account area', async () => {
    const account = await newPerson(gateway);
    const user = await enter(account);
    await signIn(gateway, user.browser, account);
    const alone = await ManageUser.enter(gateway, { account, proven: true });
    expect(await toDevices(user)).toMatchObject([{ is_this: true }, { is_this: false, name: null, amr: [] }]);
    expect(await toDevices(alone)).toMatchObject([
      { is_this: true, amr: [] },
      { is_this: false, name: 'Firefox, Windows' },
    ]);
  });

  it('show when an app last signed in by continuing the session', async () => {
    const account = await newPerson(gateway);
    const user = await enter(account);
    const [{ last_used_at: first } = { last_used_at: '' }] = await toDevices(user);
    const session = await gateway.database.db
      .selectFrom('browser_session')
      .select('upstream_session_id')
      .where('account_id', '=', account.id)
      .executeTakeFirstOrThrow();
    gateway.clock.advanceSeconds(3600);
    const upstream = { skip: true, subject: account.id, sessionId: session.upstream_session_id };
    gateway.hydra.addLogin({ challenge: 'devices-next', ...upstream });
    await user.browser.get(`${PATHS.login}?login_challenge=devices-next`);
    const later = await toDevices(await ManageUser.enter(gateway, { account, proven: true }));
    const { last_used_at: used = '' } = later.find(({ name }) => name === 'Firefox, Windows') ?? {};
    expect(Date.parse(used)).toBeGreaterThanOrEqual(Date.parse(first) + 3600_000);
  });

  it('are not listed after their end, or after the account area was unused for too long', async () => {
    const account = await newPerson(gateway);
    const alone = await ManageUser.enter(gateway, { account, proven: true });
    gateway.clock.advanceSeconds(gateway.config.manage.idleSeconds + 60);
    const user = await ManageUser.enter(gateway, { account, proven: true });
    expect(await toDevices(user)).toHaveLength(1);
    expect(await isSignedIn(alone)).toBe(false);
  });
});

describe('[SES-2] signing out', () => {
  it('ends the sign-in and the account area of one device here and at Hydra, and nothing else', async () => {
    const account = await newPerson(gateway);
    const user = await enter(account);
    const strange = await enter(account, IPHONE);
    const third = await enter(account, ANDROID);
    const id = await toId(user, 'Safari, iOS');
    const ended = await listEndedAtHydra(async () => {
      const answer = await user.post(PATHS.manageDevices, { key: id });
      expect(answer.location).toBe(`${PATHS.manageDevices}?status=device-ended`);
    });
    expect(ended).toHaveLength(1);
    expect([await isSignedIn(strange), await isSignedIn(third), await isSignedIn(user)]).toEqual([false, true, true]);
    expect((await toDevices(user)).map(({ name }) => name).sort()).toEqual(['Chrome, Android', 'Firefox, Windows']);
    expect(await findKinds(account)).toContainEqual(['sessions.ended', { sessions: 2, device: 'Safari, iOS' }]);
  });

  it('keeps this device signed in when all others are signed out, and the devices of other accounts', async () => {
    const account = await newPerson(gateway);
    const user = await enter(account);
    const others = [await enter(account, IPHONE), await enter(account, ANDROID)];
    const stranger = await enter(await newPerson(gateway));
    const ended = await listEndedAtHydra(() => user.post(PATHS.manageDevices));
    expect(ended).toHaveLength(2);
    expect(await toDevices(user)).toMatchObject([{ is_this: true }]);
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false]);
    expect(await isSignedIn(stranger)).toBe(true);
  });

  it('of a device keeps the account area of another person there, which an access token opened', async () => {
    const account = await newPerson(gateway);
    const user = await enter(account);
    const browser = await signInWithAgent(account);
    const other = await newPerson(gateway);
    await browser.get(`${PATHS.manage}?t=${accessToken(gateway, other)}`);
    const answer = await user.post(PATHS.manageDevices, { key: await toId(user, 'Safari, iOS') });
    expect(answer.location).toBe(`${PATHS.manageDevices}?status=device-ended`);
    expect((await browser.get(PATHS.manage)).state('manage').user?.id).toBe(other.id);
  });

  it('of all others ends a waiting sign-in there, also one with a proven second factor, and none in this browser', async () => {
    const { account, app } = await steps.createPerson(`devices.${randomToken(4)}`.replaceAll(/[-_]/g, 'x'));
    const user = await ManageUser.enter(gateway, { account });
    await user.post(PATHS.manageConfirm, { method: 'totp', code: app.code() });
    const waiting = await steps.reachStep(account);
    gateway.clock.advanceSeconds(60);
    const { status, body } = await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: app.code() });
    expect(status).toBe(200);
    const here = await steps.reachStep(account, {}, user.browser);
    expect((await user.post(PATHS.manageDevices)).location).toBe(`${PATHS.manageDevices}?status=devices-ended`);
    await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(body['token']) });
    expect(steps.findAccepted(waiting.challenge)).toEqual([]);
    gateway.clock.advanceSeconds(60);
    expect((await here.browser.post(PATHS.mfaVerify, { ...here.fields, method: 'totp', code: app.code() })).status).toBe(303);
    expect(steps.findAccepted(here.challenge)).toHaveLength(1);
  });

  it('of this device leads to the logout, which asks first', async () => {
    const user = await enter(await newPerson(gateway));
    const answer = await user.post(PATHS.manageDevices, { key: await toId(user, 'Firefox, Windows') });
    expect(answer.location).toContain('/oauth2/sessions/logout');
    expect(await isSignedIn(user)).toBe(true);
  });

  it('changes nothing for the device of another person, or one that does not exist', async () => {
    const user = await enter(await newPerson(gateway));
    const other = await enter(await newPerson(gateway));
    const [theirs] = await toDevices(other);
    const gone = await enter(user.account, IPHONE);
    const id = await toId(user, 'Safari, iOS');
    await Promise.all([user.post(PATHS.manageDevices, { key: id }), user.post(PATHS.manageDevices, { key: id })]);
    for (const key of [theirs?.id ?? '', 'nothing', id]) {
      expect((await user.post(PATHS.manageDevices, { key })).status).toBe(303);
    }
    expect([await isSignedIn(user), await isSignedIn(other), await isSignedIn(gone)]).toEqual([true, true, false]);
    const ends = (await findKinds(user.account)).filter(([kind]) => kind === 'sessions.ended');
    expect(ends).toEqual([['sessions.ended', { sessions: 2, device: 'Safari, iOS' }]]);
  });

  it('does not claim to have signed out a device that has signed in again since the page was made', async () => {
    const user = await enter(await newPerson(gateway));
    const other = await signInWithAgent(user.account);
    const key = await toId(user, 'Safari, iOS');
    await signIn(gateway, other, user.account);
    expect((await user.post(PATHS.manageDevices, { key })).location).toBe(PATHS.manageDevices);
    expect(await toDevices(user)).toHaveLength(2);
  });

  it('is tried again at Hydra if Hydra does not answer', async () => {
    const account = await newPerson(gateway);
    const user = await enter(account);
    const strange = await enter(account, IPHONE);
    const key = await toId(user, 'Safari, iOS');
    gateway.hydra.fail();
    await user.post(PATHS.manageDevices, { key });
    gateway.hydra.fail(null);
    expect(await isSignedIn(strange)).toBe(false);
    const jobs = gateway.database.db.selectFrom('revocation_job').selectAll().where('account_id', '=', account.id);
    expect(await jobs.execute()).toMatchObject([{ kind: 'named' }]);
    const again = await listEndedAtHydra(() => gateway.get(RevocationRunner).settle(account.id));
    expect(again).toHaveLength(1);
  });

  it('needs the form of the session', async () => {
    const user = await enter(await newPerson(gateway));
    const answer = await user.browser.post(PATHS.manageDevices, { _xsrf: 'nothing' });
    expect(answer.location ?? '').not.toContain('devices-ended');
  });

  it('works by RPC', async () => {
    const account = await newPerson(gateway);
    const user = await enter(account);
    const [phone, tablet] = [await enter(account, IPHONE), await enter(account, ANDROID)];
    const { api } = await user.page(PATHS.manage, 'manage');
    const calls = new RpcClient(gateway.url, api.token, user.browser.cookies('/'));
    const { body } = await calls.call('GET', '/devices');
    expect(body).toEqual(await toDevices(user));
    const id = await toId(user, 'Safari, iOS');
    expect((await calls.call('DELETE', `/devices/${id}`)).status).toBe(200);
    expect((await calls.call('DELETE', `/devices/${id}`)).status).toBe(404);
    expect([await isSignedIn(phone), await isSignedIn(tablet)]).toEqual([false, true]);
    expect((await calls.call('DELETE', '/devices')).status).toBe(200);
    expect([await isSignedIn(tablet), await isSignedIn(user)]).toEqual([false, true]);
  });
});
