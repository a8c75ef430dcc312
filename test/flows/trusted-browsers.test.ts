/** Browsers that need no second factor again: what they replace, what they do not, and what ends the trust. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { TrustedBrowsers } from '../../src/accounts/sessions/trusted-browsers.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { UpstreamUnavailable } from '../../src/hydra/hydra.errors.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { TotpFactor } from '../../src/mfa/factors/totp/totp.factor.js';
import { WebAuthnFactor } from '../../src/mfa/factors/webauthn/webauthn.factor.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, accessToken } from '../support/manage.js';
import { NEW_PASSWORD, ResetStory } from '../support/resets.js';
import { RpcClient } from '../support/rpc-client.js';
import { SecondStepStory, call, stepAddress, type PersonWithApp } from '../support/second-step.js';
import type { TestBrowser } from '../support/test-browser.js';

const COOKIE = 'foyer-trusted';
const DAY = 24 * 3600;
const BY = { actor: 'operator' } as const;

let gateway: TestGateway;
let story: SecondStepStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

function freshCode({ app }: PersonWithApp): string {
  gateway.clock.advanceSeconds(60);
  return app.code();
}

/** Signs in with password and code, and requests that this browser is trusted. */
async function trustBrowser(person: PersonWithApp, browser = gateway.browser()): Promise<TestBrowser> {
  const waiting = await story.reachStep(person.account, {}, browser);
  const form = { ...waiting.fields, method: 'totp', code: freshCode(person), trust_browser: 'true' };
  expect((await browser.post(PATHS.mfaVerify, form)).status).toBe(303);
  return browser;
}

/** Signs in with the password. @returns whether a second factor is required, and what the app receives */
async function signIn({ account }: PersonWithApp, browser: TestBrowser, more: Partial<LoginRequest> = {}) {
  const opened = await story.openLogin({ sessionId: `trusted-${(count += 1)}`, ...more }, browser);
  const answer = await story.signIn(browser, opened.fields, account);
  const [accepted] = story.findAccepted(opened.challenge);
  return { isAsked: answer.location === stepAddress(opened.challenge), accepted };
}

const isAsked = async (person: PersonWithApp, browser: TestBrowser, more: Partial<LoginRequest> = {}) =>
  (await signIn(person, browser, more)).isAsked;

async function calls(person: PersonWithApp, browser: TestBrowser): Promise<RpcClient> {
  await browser.get(`${PATHS.manage}?t=${accessToken(gateway, person.account)}`);
  return new RpcClient(gateway.url, (await browser.get(PATHS.manage)).state('manage').api.token, browser.cookies('/'));
}

describe('a trusted browser', () => {
  it('[TRB-1] is offered if a factor is required only because the account has one', async () => {
    const person = await story.createPerson();
    expect((await story.reachStep(person.account)).state.trust_days).toBe(30);
    const strict = gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } });
    for (const more of [{ client: strict }, { acrValues: ['urn:foyer:acr:mfa'] }, { acrValues: ['phr', 'urn:foyer:acr:mfa'] }]) {
      expect((await story.reachStep(person.account, more)).state.trust_days).toBeUndefined();
    }
    const waiting = await story.reachStep(person.account);
    expect((await story.openStep(waiting.browser, waiting.challenge, '&method=recovery')).state.trust_days).toBeUndefined();
  });

  it('[TRB-1] is not created if the client has started to require a factor since the password', async () => {
    const person = await story.createPerson();
    const waiting = await story.reachStep(person.account);
    const client = gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } });
    gateway.hydra.addLogin({ challenge: waiting.challenge, client });
    const form = { ...waiting.fields, method: 'totp', code: freshCode(person), trust_browser: 'true' };
    const answer = await waiting.browser.post(PATHS.mfaVerify, form);
    expect([answer.status, answer.setCookies.filter(({ name }) => name === COOKIE)]).toEqual([303, []]);
    expect(await isAsked(person, waiting.browser)).toBe(true);
  });

  it('[TRB-1] needs no second factor, and the app is told that only a password was proven', async () => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    const { isAsked: again, accepted } = await signIn(person, browser);
    expect(again).toBe(false);
    expect(accepted).toMatchObject({ authentication: { acr: 'urn:foyer:acr:pwd', amr: ['pwd'] } });
    const events = (await gateway.get(AuditLog).list(person.account.id)).entries.filter(({ kind }) => kind === 'sign-in.ok');
    expect(events.map(({ detail }) => detail?.['trustedBrowser'])).toEqual(['used', 'made']);
  });

  it('[TRB-2] keeps its secret from scripts and other sites, and only a hash of it is stored', async () => {
    const person = await story.createPerson();
    const waiting = await story.reachStep(person.account);
    const form = { ...waiting.fields, method: 'totp', code: freshCode(person), trust_browser: 'true' };
    const cookie = (await waiting.browser.post(PATHS.mfaVerify, form)).setCookies.find(({ name }) => name === COOKIE);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAgeSeconds: 30 * DAY });
    const rows = await gateway.database.db.selectFrom('trusted_browser').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(cookie?.value ?? 'nothing');
  });

  it('[RCV-2] needs the second factor, without the option, after a recovery code and when the days have passed', async () => {
    const person = await story.createPerson();
    const without = await story.reachStep(person.account);
    await without.browser.post(PATHS.mfaVerify, { ...without.fields, method: 'totp', code: freshCode(person) });
    expect(await isAsked(person, without.browser)).toBe(true);
    const recovered = await story.reachStep(person.account);
    const code = { method: 'recovery', code: person.recoveryCodes[0] ?? '', trust_browser: 'true' };
    expect((await recovered.browser.post(PATHS.mfaVerify, { ...recovered.fields, ...code })).status).toBe(303);
    expect(await isAsked(person, recovered.browser)).toBe(true);
    const browser = await trustBrowser(person);
    gateway.clock.advanceSeconds(30 * DAY - 3600);
    expect(await isAsked(person, browser)).toBe(false);
    gateway.clock.advanceSeconds(7200);
    expect(await isAsked(person, browser)).toBe(true);
  });

  it('needs the second factor if the account changed while the sign-in was finishing', async () => {
    const changes = [
      ({ account }: PersonWithApp) => gateway.get(BrowserSessions).endForAccount(account.id, BY),
      ({ account }: PersonWithApp) => story.createKeyHolder(account),
      ({ account }: PersonWithApp) => gateway.get(TrustedBrowsers).end(account.id, null, BY),
    ];
    for (const change of changes) {
      const person = await story.createPerson();
      const { hydra } = gateway;
      const acceptLogin = hydra.acceptLogin.bind(hydra);
      hydra.acceptLogin = async (...request) => {
        hydra.acceptLogin = acceptLogin;
        await change(person);
        return acceptLogin(...request);
      };
      expect(await isAsked(person, await trustBrowser(person))).toBe(true);
    }
  });

  it('[TRB-2] is created only by the proof of the same form', async () => {
    const person = await story.createPerson();
    const { browser, fields } = await story.reachStep(person.account);
    const { hydra } = gateway;
    const getLogin = hydra.getLogin.bind(hydra);
    hydra.getLogin = () => Promise.reject(new UpstreamUnavailable('of the test'));
    const code = { method: 'recovery', code: person.recoveryCodes[0] ?? '' };
    expect((await browser.post(PATHS.mfaVerify, { ...fields, ...code })).status).toBe(503);
    hydra.getLogin = getLogin;
    const form = { ...fields, mfa_token: 'nonsense', trust_browser: 'true' };
    expect((await browser.post(PATHS.mfaVerify, form)).status).toBe(303);
    expect(await isAsked(person, browser)).toBe(true);
  });

  it('is created by a proof with a call too', async () => {
    const person = await story.createPerson();
    const waiting = await story.reachStep(person.account);
    const { body } = await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: freshCode(person) });
    const form = { ...waiting.fields, mfa_token: String(body['token']), trust_browser: 'true' };
    expect((await waiting.browser.post(PATHS.mfaVerify, form)).status).toBe(303);
    expect(await isAsked(person, waiting.browser)).toBe(false);
  });

  it('keeps the option after a wrong code', async () => {
    const person = await story.createPerson();
    const { browser, fields } = await story.reachStep(person.account);
    const wrong = { ...fields, method: 'totp', code: person.app.wrongCode() };
    const kept = await browser.post(PATHS.mfaVerify, { ...wrong, trust_browser: 'true' });
    expect(kept.state('mfa_verification').mfa_verification).toMatchObject({ trust_days: 30, trust_checked: true });
    const not = await browser.post(PATHS.mfaVerify, wrong);
    expect(not.state('mfa_verification').mfa_verification.trust_checked).toBeUndefined();
  });

  it('[TRB-3] needs the second factor for every app and request that requires one, also after a sign-in without one', async () => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    expect(await isAsked(person, browser)).toBe(false);
    const strict = gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } });
    expect(await isAsked(person, browser, { client: strict })).toBe(true);
    expect(await isAsked(person, browser, { acrValues: ['urn:foyer:acr:mfa'] })).toBe(true);
    expect(await isAsked(person, browser, { acrValues: ['urn:foyer:acr:pwd'] })).toBe(false);
    await gateway.get(Accounts).update(person.account.id, { secondFactor: 'required' });
    expect(await isAsked(person, browser)).toBe(true);
  });

  it('[TRB-1] is trusted for the account that requested it, and for several at the same time', async () => {
    const [one, other] = [await story.createPerson(), await story.createPerson()];
    const browser = await trustBrowser(one);
    expect(await isAsked(other, browser)).toBe(true);
    await trustBrowser(other, browser);
    expect([await isAsked(one, browser), await isAsked(other, browser)]).toEqual([false, false]);
  });

  it('stays trusted for one account when it becomes trusted for another several times', async () => {
    const [one, other] = [await story.createPerson(), await story.createPerson()];
    const browser = await trustBrowser(other);
    for (let again = 0; again < 6; again++) {
      await gateway.get(TrustedBrowsers).end(one.account.id, null, BY);
      await trustBrowser(one, browser);
    }
    expect([await isAsked(one, browser), await isAsked(other, browser)]).toEqual([false, false]);
    const cookie = browser.cookies('/').find((found) => found.startsWith(`${COOKIE}=`));
    expect(cookie?.split('.')).toHaveLength(2);
  });

  it('[TRB-1] is trusted for as many days as the installation currently allows', async () => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    const { mfa } = gateway.config;
    const days = mfa.trustedBrowserDays;
    const listLifeDays = async () =>
      (await gateway.get(TrustedBrowsers).list(person.account.id)).map(({ expiresAt, since }) => {
        return (expiresAt.getTime() - since.getTime()) / 1000 / DAY;
      });
    gateway.clock.advanceSeconds(2 * DAY);
    try {
      mfa.trustedBrowserDays = 3;
      expect([await isAsked(person, browser), await listLifeDays()]).toEqual([false, [3]]);
      mfa.trustedBrowserDays = 1;
      expect([await isAsked(person, browser), await listLifeDays()]).toEqual([true, []]);
      mfa.trustedBrowserDays = 0;
      expect([await isAsked(person, browser), await listLifeDays()]).toEqual([true, []]);
    } finally {
      mfa.trustedBrowserDays = days;
    }
    expect(await listLifeDays()).toEqual([days]);
  });

  it('[TRB-2] never reuses a secret that the browser sends, because it may be planted', async () => {
    const [victim, attacker] = [await story.createPerson(), await story.createPerson()];
    const planted = (await trustBrowser(attacker)).cookies('/').find((cookie) => cookie.startsWith(`${COOKIE}=`));
    const browser = gateway.browser({ cookie: planted ?? '' });
    await trustBrowser(victim, browser);
    expect(await isAsked(victim, gateway.browser({ cookie: planted ?? '' }))).toBe(true);
  });

  it('continues the session that it began, without a page and silently, until more is required', async () => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    const sessionId = `trusted-${(count += 1)}`;
    expect(await isAsked(person, browser, { sessionId })).toBe(false);
    const session = { sessionId, subject: person.account.id, skip: true };
    const askAgain = async (more: Partial<LoginRequest> = {}) => {
      const challenge = `trusted-again-${(count += 1)}`;
      gateway.hydra.addLogin({ challenge, ...session, ...more });
      await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
      return gateway.hydra.calls.filter((one) => 'challenge' in one && one.challenge === challenge);
    };
    expect(await askAgain()).toMatchObject([{ call: 'acceptLogin', authentication: { amr: ['pwd'] } }]);
    expect(await askAgain({ acrValues: ['urn:foyer:acr:mfa'] })).toEqual([]);
  });

  it('[TRB-4] does not count as a fresh proof in the account area, and neither does the password again', async () => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    expect(await isAsked(person, browser)).toBe(false);
    const rpc = await calls(person, browser);
    expect(await rpc.delete('/mfa/totp')).toMatchObject({ status: 403, body: { error: 'proof required' } });
    expect((await rpc.delete('/mfa/totp')).body['methods']).not.toContain('password');
    expect((await rpc.post('/proof/password', { password: PASSWORD })).body).toEqual({ error: 'forbidden' });
    const newPassword = 'silber ahorn 7733';
    const changed = await rpc.put('/password', { password: PASSWORD, newPassword, newPasswordRepeat: newPassword });
    expect(changed).toMatchObject({ status: 403, body: { error: 'proof required' } });
    expect((await rpc.post('/proof/totp', { code: freshCode(person) })).status).toBe(200);
    expect((await rpc.delete('/mfa/totp')).status).toBe(200);
  });

  it('[TRB-4] does not count as a fresh proof either once the account has no second factor any more', async () => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    expect(await isAsked(person, browser)).toBe(false);
    await gateway.get(TotpFactor).remove({ accountId: person.account.id, auditContext: BY, mayBeLast: true });
    const rpc = await calls(person, browser);
    expect((await rpc.post('/mfa-init-totp')).body).toMatchObject({ error: 'proof required', methods: ['password'] });
  });

  it('[TRB-4] does not count in another browser either in which the account area was opened', async () => {
    const person = await story.createPerson();
    await isAsked(person, await trustBrowser(person));
    const rpc = await calls(person, gateway.browser());
    expect((await rpc.delete('/mfa/totp')).body).toMatchObject({ error: 'proof required', methods: ['totp'] });
    expect((await rpc.post('/proof/password', { password: PASSWORD })).body).toEqual({ error: 'forbidden' });
    expect((await rpc.post('/proof/totp', { code: freshCode(person) })).status).toBe(200);
    expect((await rpc.delete('/mfa/totp')).status).toBe(200);
  });

  it('[TRB-2] is useless without the right password', async () => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    const { fields } = await story.openLogin({}, browser);
    const { username } = person.account;
    const answer = await browser.post(PATHS.loginNative, { ...fields, username, password: 'another one' });
    expect(answer.status).toBe(422);
  });
});

const ENDS: [string, (person: PersonWithApp, browser: TestBrowser) => Promise<unknown>][] = [
  [
    'a reset of the factors and a new one',
    async ({ account }) => {
      const { secret } = await gateway.get(FactorResets).issue(account, BY);
      expect(await gateway.get(FactorResets).reset(account, secret, BY)).toBe(true);
      await story.createKeyHolder(account);
    },
  ],
  ['a further factor', ({ account }) => story.createKeyHolder(account)],
  [
    'being disabled for a while',
    async ({ account }) => {
      for (const status of ['disabled', 'active'] as const) await gateway.get(Accounts).setStatus(account.id, status);
    },
  ],
  ['a sign-out everywhere', ({ account }) => gateway.get(BrowserSessions).endForAccount(account.id, BY)],
  [
    'its row in the account area',
    async (person, browser) => {
      const rpc = await calls(person, browser);
      const [row] = (await rpc.get('/trusted-browsers')).body as unknown as { id: string; is_this: boolean }[];
      expect(row?.is_this).toBe(true);
      expect((await rpc.delete(`/trusted-browsers/${row?.id ?? ''}`)).status).toBe(200);
      expect((await rpc.delete(`/trusted-browsers/${row?.id ?? ''}`)).status).toBe(404);
    },
  ],
];

describe('[TRB-5] the trust in a browser ends with', () => {
  it.each(ENDS)('%s', async (_, end) => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    expect(await isAsked(person, browser)).toBe(false);
    await end(person, browser);
    expect(await isAsked(person, browser)).toBe(true);
  });

  it('a factor that is added and removed: the account is then as before, but the trust is not', async () => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    await story.createKeyHolder(person.account);
    const keys = gateway.get(WebAuthnFactor);
    const [entry] = await keys.list(person.account.id);
    await keys.remove({ accountId: person.account.id, auditContext: { actor: 'person' }, mayBeLast: false }, entry?.id ?? '');
    expect(await keys.list(person.account.id)).toEqual([]);
    expect(await isAsked(person, browser)).toBe(true);
  });

  it('a new password', async () => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    const { secret } = await gateway.get(PasswordResets).issue(person.account, BY);
    await new ResetStory(gateway).reset(secret);
    const { fields, challenge } = await story.openLogin({}, browser);
    const answer = await browser.post(PATHS.loginNative, {
      ...fields,
      username: person.account.username,
      password: NEW_PASSWORD,
    });
    expect(answer.location).toBe(stepAddress(challenge));
  });

  it('a form of the account area, for one and for all, but not with a form of another person', async () => {
    const [person, other] = [await story.createPerson(), await story.createPerson()];
    const [browser, second] = [await trustBrowser(person), await trustBrowser(person)];
    const strangers = await trustBrowser(other);
    await isAsked(person, browser);
    await browser.get(`${PATHS.manage}?t=${accessToken(gateway, person.account)}`);
    const shown = (await browser.get(PATHS.manageMfa)).state('manage_mfa');
    expect(shown.manage_mfa.trusted_browsers?.map(({ is_this }) => is_this)).toEqual([false, true]);
    const foreign = await gateway.database.db
      .selectFrom('trusted_browser')
      .select('id')
      .where('account_id', '=', other.account.id)
      .executeTakeFirstOrThrow();
    const post = (key: string) => browser.post(PATHS.manageTrustedBrowsers, { _xsrf: shown.area.xsrf_token, key });
    for (const key of [foreign.id, 'nonsense']) {
      expect((await post(key)).location).toBe(`${PATHS.manageMfa}?status=trust-ended`);
    }
    expect(await isAsked(other, strangers)).toBe(false);
    await post(shown.manage_mfa.trusted_browsers?.[0]?.id ?? '');
    expect([await isAsked(person, second), await isAsked(person, browser)]).toEqual([true, false]);
  });

  it('[S-78c] no form of a person with only an access token, who does not see the trust either', async () => {
    const person = await story.createPerson();
    const browser = await trustBrowser(person);
    const thief = await ManageUser.enter(gateway, { account: person.account });
    expect((await thief.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa).not.toHaveProperty('trusted_browsers');
    const answer = await thief.post(PATHS.manageTrustedBrowsers, { key: '' });
    expect([answer.status, answer.state('manage_confirm').manage_confirm.next]).toEqual([403, PATHS.manageMfa]);
    expect(await isAsked(person, browser)).toBe(false);
  });

  it('a form on the page of devices, which returns there, for one and for all, but not with a form of another person', async () => {
    const [person, other] = [await story.createPerson(), await story.createPerson()];
    const [browser, second, third] = [await trustBrowser(person), await trustBrowser(person), await trustBrowser(person)];
    const strangers = await trustBrowser(other);
    await isAsked(person, browser);
    await browser.get(`${PATHS.manage}?t=${accessToken(gateway, person.account)}`);
    const show = async () => (await browser.get(PATHS.manageDevices)).state('manage_devices');
    const shown = await show();
    const [first] = shown.manage_devices.trusted_browsers ?? [];
    expect(shown.manage_devices.trusted_browsers?.map(({ is_this }) => is_this)).toEqual([false, false, true]);
    const post = (key: string) => browser.post(PATHS.manageDeviceTrust, { _xsrf: shown.area.xsrf_token, key });
    for (const key of ['nonsense', first?.id ?? ''])
      expect((await post(key)).location).toBe(`${PATHS.manageDevices}?status=trust-ended`);
    expect([await isAsked(person, third), await isAsked(person, second), await isAsked(other, strangers)]).toEqual([
      true,
      false,
      false,
    ]);
    await post('');
    expect((await show()).manage_devices).not.toHaveProperty('trusted_browsers');
    expect([await isAsked(person, browser), await isAsked(other, strangers)]).toEqual([true, false]);
  });
});
