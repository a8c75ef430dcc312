/** Signing in with a passkey over HTTP: who is signed in and with which proof, and who is refused. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { SourceAdmission } from '../../src/accounts/password/source-admission.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { PasskeyFactor } from '../../src/mfa/factors/passkey/passkey.factor.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { FLAGS, PasskeyStory, type TestPasskey } from '../support/passkeys.js';
import { SecondStepStory, call, stepAddress } from '../support/second-step.js';
import type { AssertionDeviation } from '../support/synthetic-key.js';

const DEVICE = ['hwk', 'pop', 'user', 'pin', 'mfa'];
/** The headers that browsers send with a form of the same origin. */
const OWN = { 'sec-fetch-site': 'same-origin' };
const RELATED = 'https://shop.example';

let gateway: TestGateway;
let story: PasskeyStory;
let steps: SecondStepStory;
let maria: TestPasskey;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: (config) => ({
      passkeys: { ...config.passkeys, origins: [RELATED] },
      limits: { ...config.limits, addressFailures: 1000 },
    }),
  });
  story = new PasskeyStory(gateway);
  steps = new SecondStepStory(gateway);
  maria = await story.createHolder();
});

afterAll(() => gateway.close());

const findEvents = async ({ account }: TestPasskey) => (await gateway.get(AuditLog).list(account.id)).entries;

describe('[PKY-1] a passkey', () => {
  it.each([-8, -7, -257] as const)('with algorithm %d signs in, as proof of both factors', async (algorithm) => {
    const passkey = await story.createHolder({ algorithm });
    const { page, accepted } = await story.signIn(passkey);
    expect([page.status, page.location]).toEqual([303, expect.stringContaining('login_verifier')]);
    expect(accepted).toMatchObject({
      authentication: { subject: passkey.account.id, acr: 'urn:foyer:acr:phrh', amr: DEVICE, remember: true },
    });
    const [signedIn, shown] = await findEvents(passkey);
    expect(signedIn).toMatchObject({ kind: 'sign-in.ok', detail: { amr: DEVICE } });
    expect(shown).toMatchObject({ kind: 'factor.ok', detail: { factor: 'passkey' } });
    const [entry] = await gateway.get(PasskeyFactor).list(passkey.account.id);
    expect(entry?.last_used_at).not.toBeNull();
  });

  it('wakes the worker of the event sinks', async () => {
    const recordedKinds: string[] = [];
    const audit = gateway.get(AuditLog);
    audit.onRecorded((kind) => recordedKinds.push(kind));
    await story.signIn(await story.createHolder());
    audit.onRecorded(() => undefined);
    expect(recordedKinds).toEqual(expect.arrayContaining(['factor.ok', 'sign-in.ok']));
  });

  it('that is synced is phishing-resistant, and not bound to a device', async () => {
    const passkey = await story.createHolder({ flags: FLAGS.synced });
    const { accepted } = await story.signIn(passkey);
    expect(accepted).toMatchObject({
      authentication: { acr: 'urn:foyer:acr:phr', amr: ['swk', 'pop', 'user', 'pin', 'mfa'] },
    });
  });

  it('is updated with its backup state', async () => {
    const passkey = await story.createHolder({ flags: ['up', 'uv', 'be'] });
    const opened = await story.openLogin();
    expect((await story.post(opened, passkey, { flags: FLAGS.synced })).status).toBe(303);
    const row = await gateway.database.db
      .selectFrom('passkey')
      .select(['backed_up', 'counter'])
      .where('credential_id', '=', passkey.key.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ backed_up: true, counter: 2 });
  });

  it('without a counter keeps working without one', async () => {
    const passkey = await story.createHolder({ counter: 0 });
    for (let index = 0; index < 2; index++) expect((await story.signIn(passkey)).page.status).toBe(303);
  });

  it('still signs in after its person has set up another one', async () => {
    const first = await story.createHolder();
    const second = await story.createHolder({ account: first.account });
    for (const passkey of [first, second]) expect((await story.signIn(passkey)).page.status).toBe(303);
  });

  it('signs in on a page of a related origin, which the browser can look up', async () => {
    const opened = await story.openLogin();
    expect((await story.post(opened, maria, { origin: RELATED })).status).toBe(303);
    const { status, html } = await gateway.browser().get(SERVER_PATHS.relatedOrigins);
    expect([status, JSON.parse(html)]).toEqual([200, { origins: [gateway.config.publicUrl, RELATED] }]);
  });

  it('[GEN-15] can be set up and managed at addresses that password managers find, as can the password', async () => {
    const browser = gateway.browser();
    const { publicUrl } = gateway.config;
    const { status, html } = await browser.get(SERVER_PATHS.passkeyEndpoints);
    expect([status, JSON.parse(html)]).toEqual([
      200,
      { enroll: `${publicUrl}/manage/mfa/register-passkey`, manage: `${publicUrl}/manage/mfa` },
    ]);
    const change = await browser.get(SERVER_PATHS.changePassword);
    expect([change.status, change.location]).toEqual([303, '/manage/credentials/password']);
    // The status shows them that the address has a meaning here.
    const missing = await browser.get('/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200');
    expect(missing.status).toBe(404);
  });

  it('of another account than that of the hint signs that account in, and the options do not name an account', async () => {
    const opened = await story.openLogin({ loginHint: 'somebody.else' });
    expect(opened.request).not.toHaveProperty('allowCredentials');
    expect(opened.page.html).not.toContain(maria.key.id);
    await story.post(opened, maria);
    expect(story.findAccepted(opened.challenge)[0]).toMatchObject({ authentication: { subject: maria.account.id } });
  });

  it('keeps the person signed in on request', async () => {
    const opened = await story.openLogin();
    const passkey = maria.answer(opened.request);
    await opened.browser.post(PATHS.loginPasskey, { ...opened.fields, passkey, remember: 'true' });
    const [session] = await gateway.database.db
      .selectFrom('browser_session')
      .selectAll()
      .where('upstream_session_id', '=', `sid-${opened.challenge}`)
      .execute();
    expect(session).toMatchObject({ account_id: maria.account.id, remembered: true, amr: DEVICE });
  });

  it('makes the browser a known device of its account', async () => {
    const passkey = await story.createHolder();
    await story.signIn(passkey);
    const rows = await gateway.database.db.selectFrom('known_device').where('account_id', '=', passkey.account.id).execute();
    expect(rows).toHaveLength(1);
  });

  it('is enough if a second factor is set up or required', async () => {
    const { account } = await steps.createPerson();
    const passkey = await story.createHolder({ account });
    const strict = gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } });
    for (const more of [{}, { client: strict }, { acrValues: ['phr'] }]) {
      expect((await story.signIn(passkey, more)).page.location).toContain('login_verifier');
    }
  });

  it('that is synced cannot prove possession of one device, so the app gets unmet_authentication_requirements', async () => {
    const passkey = await story.createHolder({ flags: FLAGS.synced });
    const { accepted, rejected } = await story.signIn(passkey, { acrValues: ['phrh'] });
    expect(accepted).toBeUndefined();
    expect(rejected).toMatchObject({ rejection: { code: 'unmet_authentication_requirements' } });
  });
});

describe('[PKY-2] a request that was answered', () => {
  it('gives a double click its first answer, and accepts once', async () => {
    const opened = await story.openLogin();
    const form = { ...opened.fields, passkey: maria.answer(opened.request) };
    const pages = await Promise.all([1, 2].map(() => opened.browser.post(PATHS.loginPasskey, form)));
    expect(pages.map(({ status }) => status)).toEqual([303, 303]);
    expect(pages[0]?.location).toBe(pages[1]?.location);
    expect(story.findAccepted(opened.challenge)).toHaveLength(1);
  });

  it('[LOG-14] gives a late second click the first answer too, although the browser has a new id', async () => {
    const opened = await story.openLogin({}, gateway.browser(OWN));
    const form = { ...opened.fields, passkey: maria.answer(opened.request) };
    const first = await opened.browser.post(PATHS.loginPasskey, form);
    const late = await opened.browser.post(PATHS.loginPasskey, form);
    expect([late.status, late.location]).toEqual([303, first.location]);
    expect(story.findAccepted(opened.challenge)).toHaveLength(1);
  });

  it('[LOG-14] [PKY-2] gives another person on the same page after "Back" no answer of the first one', async () => {
    const opened = await story.openLogin({}, gateway.browser(OWN));
    const first = await story.post(opened, maria);
    const second = await story.post(opened, await story.createHolder());
    expect(first.status).toBe(303);
    expect([second.status, second.location]).toEqual([400, null]);
    expect(story.findAccepted(opened.challenge)).toHaveLength(1);
  });

  it('[LOG-14] can be started in an older tab after somebody signed in in a newer one', async () => {
    const older = await story.openLogin({}, gateway.browser(OWN));
    const other = gateway.hydra.client({ id: 'other-app' });
    await story.signIn(await story.createHolder(), { client: other }, older.browser);
    expect((await story.post(older, maria)).location).toContain('login_verifier');
    expect(story.findAccepted(older.challenge)).toMatchObject([{ authentication: { subject: maria.account.id } }]);
  });

  it('accepts no assertion again, not even with another form', async () => {
    const opened = await story.openLogin();
    const passkey = maria.answer(opened.request);
    await opened.browser.post(PATHS.loginPasskey, { ...opened.fields, passkey });
    const again = await opened.browser.post(PATHS.loginPasskey, { ...opened.fields, passkey });
    expect(again.status).not.toBe(422);
    gateway.clock.advanceSeconds(60);
    const other = await opened.browser.get(`${PATHS.login}?login_challenge=${opened.challenge}`);
    expect(other.state('login').login).toMatchObject({ error: 'challenge', challenge_fault: 'used' });
    expect(story.findAccepted(opened.challenge)).toHaveLength(1);
  });

  it('keeps the input when the browser shows the form again', async () => {
    const opened = await story.openLogin();
    const page = await opened.browser.post(PATHS.loginPasskey, { ...opened.fields, username: 'typed.before', remember: 'true' });
    expect(page.status).toBe(422);
    expect(page.state('login').login).toMatchObject({ error: 'passkey-stale', username: 'typed.before', remember_checked: true });
  });
});

describe('[PKY-2] nobody is signed in', () => {
  const BAD: [string, (passkey: TestPasskey) => AssertionDeviation | Promise<AssertionDeviation>][] = [
    ['without a verified user', () => ({ flags: ['up'] })],
    ['without a present user', () => ({ flags: ['uv'] })],
    ['with a wrong signature', () => ({ hasWrongSignature: true })],
    ['with the signature of another key', async () => ({ signer: (await story.createHolder()).key })],
    ['at another relying party', () => ({ rpId: 'evil.example' })],
    ['on a page of another origin', () => ({ origin: 'https://evil.example' })],
    ['in a frame of another origin', () => ({ crossOrigin: true })],
    ['with a passkey that may be synced all at once', () => ({ flags: ['up', 'uv', 'be'] })],
    ['with a backup that cannot be', () => ({ flags: ['up', 'uv', 'bs'] })],
    ['with the user handle of another account', async () => ({ userHandle: (await story.createHolder()).handle })],
    ['without a user handle', () => ({ userHandle: null })],
    ['with a counter that went back', () => ({ counter: 1 })],
    ['with a counter that was used before', () => ({ counter: 5 })],
    ['with a counter of 0 where there was one', () => ({ counter: 0 })],
    ['with the other ceremony', () => ({ type: 'webauthn.create' })],
  ];

  it.each(BAD)('%s', async (name, deviation) => {
    const passkey = await story.createHolder({ counter: 5 });
    const opened = await story.openLogin();
    const page = await story.post(opened, passkey, await deviation(passkey));
    expect([page.status, page.state('login').login.error]).toEqual([422, 'passkey']);
    expect(story.findAccepted(opened.challenge)).toEqual([]);
    const fault = name.includes('counter') ? 'counter' : 'response';
    expect((await findEvents(passkey))[0]).toMatchObject({ kind: 'factor.refused', detail: { factor: 'passkey', fault } });
    // The same page then accepts a right one.
    const { login } = page.state('login');
    const again = passkey.answer(login.passkey?.request ?? { challenge: '' });
    const fields = { _xsrf: login.xsrf_token, login_challenge: login.login_challenge, ticket: login.ticket };
    expect((await opened.browser.post(PATHS.loginPasskey, { ...fields, passkey: again })).status).toBe(303);
  });

  const STALE: [string, (opened: Awaited<ReturnType<PasskeyStory['openLogin']>>) => Promise<string>][] = [
    ['of another login request of this browser', async ({ browser }) => (await story.openLogin({}, browser)).request.challenge],
    ['of another browser', async () => (await story.openLogin()).request.challenge],
    ['that was made up', async () => 'AAECAwQFBgcICQoLDA0ODw'],
    ['that was changed', async ({ request }) => `${request.challenge.startsWith('A') ? 'B' : 'A'}${request.challenge.slice(1)}`],
    [
      'that has expired',
      async ({ request }) => {
        gateway.clock.advanceSeconds(1801);
        return request.challenge;
      },
    ],
  ];

  it.each(STALE)('with a challenge %s, for which no page asked', async (_, toChallenge) => {
    const passkey = await story.createHolder();
    const opened = await story.openLogin();
    const page = await story.post(opened, passkey, { challenge: await toChallenge(opened) });
    expect([page.status, page.state('login').login.error]).toEqual([422, 'passkey-stale']);
    expect((await findEvents(passkey))[0]?.kind).toBe('factor.added');
    expect(story.findAccepted(opened.challenge)).toEqual([]);
  });

  it('with an unknown credential, which the browser may forget', async () => {
    const passkey = await story.createHolder();
    await gateway.database.db.deleteFrom('passkey').where('credential_id', '=', passkey.key.id).execute();
    const opened = await story.openLogin();
    const page = await story.post(opened, passkey);
    const { login } = page.state('login');
    expect([page.status, login.error, login.passkey?.unknown]).toEqual([422, 'passkey-unknown', passkey.key.id]);
  });

  it('whose account is disabled', async () => {
    const passkey = await story.createHolder();
    await gateway.get(Accounts).setStatus(passkey.account.id, 'disabled');
    const opened = await story.openLogin();
    const page = await story.post(opened, passkey);
    const { login } = page.state('login');
    expect([page.status, login.error, login.passkey?.unknown]).toEqual([422, 'passkey', undefined]);
    expect((await findEvents(passkey))[0]).toMatchObject({ kind: 'factor.refused', detail: { fault: 'account' } });
  });

  it('whose account is disabled while the passkey is verified', async () => {
    const passkey = await story.createHolder();
    const opened = await story.openLogin();
    const admission = gateway.get(SourceAdmission);
    const admit = admission.admit.bind(admission);
    const disabling = jest.spyOn(admission, 'admit').mockImplementation(async (...args) => {
      await gateway.get(Accounts).setStatus(passkey.account.id, 'disabled');
      return admit(...args);
    });
    expect((await story.post(opened, passkey)).status).toBe(422);
    disabling.mockRestore();
    expect((await findEvents(passkey))[0]).toMatchObject({ kind: 'factor.refused', detail: { fault: 'account' } });
  });

  it('in another browser than the one that opened the request', async () => {
    const opened = await story.openLogin();
    const other = await story.openLogin();
    const form = { ...other.fields, login_challenge: opened.challenge, passkey: maria.answer(opened.request) };
    const page = await other.browser.post(PATHS.loginPasskey, form);
    expect(page.status).toBe(400);
    expect(story.findAccepted(opened.challenge)).toEqual([]);
  });

  it('with a form of another site', async () => {
    const opened = await story.openLogin();
    const form = { ...opened.fields, _xsrf: '', passkey: maria.answer(opened.request) };
    expect((await opened.browser.post(PATHS.loginPasskey, form)).status).toBe(403);
  });
});

describe('beside a password', () => {
  it('a passkey alone is not a second factor, so the password is enough', async () => {
    const passkey = await story.createHolder();
    const opened = await steps.openLogin();
    const answer = await steps.signIn(opened.browser, opened.fields, passkey.account);
    expect(answer.location).toContain('login_verifier');
    expect(steps.findAccepted(opened.challenge)[0]).toMatchObject({ authentication: { acr: 'urn:foyer:acr:pwd', amr: ['pwd'] } });
  });

  it.each<[string, (gateway: TestGateway) => Partial<LoginRequest>]>([
    [
      'the client',
      (target) => ({ client: target.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } }) }),
    ],
    ['acr_values', () => ({ acrValues: ['urn:foyer:acr:mfa'] })],
    ['acr_values for a key', () => ({ acrValues: ['phr'] })],
  ])('it is required where %s requires more, and nobody can set up another factor instead', async (_, more) => {
    const passkey = await story.createHolder();
    const { state, browser, challenge } = await steps.reachStep(passkey.account, more(gateway));
    expect(state.view).toBe('passkey');
    expect(state).not.toHaveProperty('enrol_token');
    const refused = await browser.post(SERVER_PATHS.mfaEnrolTotp, {
      _xsrf: state.xsrf_token,
      login_challenge: challenge,
      ticket: state.ticket,
    });
    expect(refused.location).toBe(stepAddress(challenge));
  });

  it('it comes without recovery codes', async () => {
    const { account } = await story.createHolder();
    const rows = await gateway.database.db.selectFrom('recovery_code').where('account_id', '=', account.id).execute();
    expect(rows).toEqual([]);
  });
});

describe('[PKY-11] where passkeys are turned off', () => {
  it('no page and no route has passkeys, and stored ones remain', async () => {
    const off = await startTestGateway({ config: (config) => ({ passkeys: { ...config.passkeys, mode: 'off' } }) });
    try {
      off.hydra.addLogin({ challenge: 'off' });
      const browser = off.browser();
      const page = await browser.get(`${PATHS.login}?login_challenge=off`);
      expect(page.html).not.toMatch(/passkey/i);
      const { login } = page.state('login');
      const form = { _xsrf: login.xsrf_token, login_challenge: 'off', ticket: login.ticket, passkey: '{}' };
      expect((await browser.post(PATHS.loginPasskey, form)).status).toBe(404);
      expect((await browser.get(SERVER_PATHS.relatedOrigins)).status).toBe(404);
      expect((await browser.get(SERVER_PATHS.passkeyEndpoints)).status).toBe(404);
      const kept = await new PasskeyStory(off).createHolder();
      const waiting = await new SecondStepStory(off).reachStep(kept.account, { acrValues: ['urn:foyer:acr:mfa'] });
      expect(waiting.state.view).toBe('enrol');
      expect(waiting.page.html).not.toMatch(/passkey/i);
      const setUp = await call(waiting, `${PATHS.mfaVerify.replace('verify', 'init')}-passkey`);
      expect(setUp.status).toBe(404);
    } finally {
      await off.close();
    }
  });
});
