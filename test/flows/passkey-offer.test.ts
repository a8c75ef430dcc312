/** Offering a passkey after a sign-in with a password: to whom, what is required, and that the request is never lost. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { SecureAccount } from '../../src/accounts/changes/secure-account.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import type { PasskeyOfferState, PasskeySetupState } from '../../src/contract/passkey-state.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { TotpFactor } from '../../src/mfa/factors/totp/totp.factor.js';
import { PasskeyFactor } from '../../src/mfa/factors/passkey/passkey.factor.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { NotMeStory } from '../support/not-me.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';
import { SyntheticKey, type RegistrationDeviation } from '../support/synthetic-key.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

const COOKIE = 'foyer-offered';
const GOOGLE = Buffer.from('ea9b8d664d011d213ce4b6b48cb575d4', 'hex');
const BY = { actor: 'operator' } as const;

let gateway: TestGateway;
let automatic: TestGateway;
let story: SecondStepStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  automatic = await startTestGateway({ config: ({ passkeys }) => ({ passkeys: { ...passkeys, offer: 'automatic' } }) });
  story = new SecondStepStory(gateway);
});

afterAll(async () => {
  await automatic.close();
  await gateway.close();
});

const person = () => gateway.account(`offered.${(count += 1)}`, { email: `offered.${count}@ok.example` });
const offerAddress = (challenge: string) => `${PATHS.passkeyOffer}?login_challenge=${challenge}`;
const loginAddress = (challenge: string) => `${PATHS.login}?login_challenge=${challenge}`;
const toPasskeys = (account: Account) => gateway.get(PasskeyFactor).list(account.id);
/** The address to which the accepted login leads. */
const ON = expect.stringContaining('login_verifier=');

function newKey(target = gateway): SyntheticKey {
  const { origin, hostname } = new URL(target.config.publicUrl);
  return new SyntheticKey({ origin, rpId: hostname, aaguid: GOOGLE });
}

interface SignedIn {
  browser: TestBrowser;
  challenge: string;
  answer: TestPage;
}

/** Signs in with the password in a browser that reports this support. */
async function signIn(
  account: Account,
  { creation = 'asked', browser, ...more }: Partial<LoginRequest> & { creation?: string; browser?: TestBrowser } = {},
): Promise<SignedIn> {
  const opened = await story.openLogin({ sessionId: `offer-${(count += 1)}`, ...more }, browser);
  const fields = { ...opened.fields, ...(creation === '' ? {} : { [FIELDS.passkeyCreation]: creation }) };
  return { ...opened, answer: await story.signIn(opened.browser, fields, account) };
}

interface Offered extends SignedIn {
  state: PasskeyOfferState;
  setup: PasskeySetupState;
  fields: Record<string, string>;
}

async function openOffer(account: Account, more: Parameters<typeof signIn>[1] = {}): Promise<Offered> {
  const signedIn = await signIn(account, more);
  expect(signedIn.answer.location).toBe(offerAddress(signedIn.challenge));
  const { passkey_offer: state } = (await signedIn.browser.get(offerAddress(signedIn.challenge))).state('passkey_offer');
  if (!state.setup) throw new Error('Nothing is offered.');
  const fields = { _xsrf: state.xsrf_token, login_challenge: signedIn.challenge, ticket: state.ticket };
  return { ...signedIn, state, setup: state.setup, fields };
}

function buildFields({ setup, fields }: Offered, deviation: RegistrationDeviation = {}, key = newKey()): Record<string, string> {
  const { challenge } = setup.public_key as { challenge: string };
  const credential = key.register(challenge, { format: 'none', flags: ['up', 'uv', 'be', 'bs'], ...deviation });
  return { ...fields, [FIELDS.setupSession]: setup.session_id, [FIELDS.credential]: JSON.stringify(credential) };
}

describe('[PKY-3] the offer of a passkey', () => {
  it('comes between the accepted login and the app, and creates a passkey with the name of its vendor', async () => {
    const account = await person();
    const offer = await openOffer(account);
    expect(offer.setup.public_key).toMatchObject({
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      user: { name: account.username },
    });
    expect(story.findAccepted(offer.challenge)).toHaveLength(1);
    expect((await offer.browser.post(PATHS.passkeyOffer, buildFields(offer))).location).toEqual(ON);
    expect(await toPasskeys(account)).toMatchObject([{ name: 'Google Password Manager' }]);
    const kinds = (await gateway.get(AuditLog).list(account.id)).entries.map(({ kind }) => kind);
    expect(kinds).toContain('factor.added');
    expect((await new NotMeStory(gateway).listMails(account)).map(({ kind }) => kind)).toContain('passkey-added');
  });

  it.each(['', 'yes', 'ASKED'])('is not made to a browser that does not report support: "%s"', async (creation) => {
    const { answer } = await signIn(await person(), { creation });
    expect(answer.location).toEqual(ON);
  });

  it('is made once in a browser, for each account', async () => {
    const [one, other] = [await person(), await person()];
    const first = await openOffer(one);
    const cookie = first.answer.setCookies.find(({ name }) => name === COOKIE);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAgeSeconds: 400 * 86_400 });
    expect(cookie?.value).not.toContain(one.id);
    const again = await signIn(one, { browser: first.browser });
    expect(again.answer.location).toEqual(ON);
    await openOffer(other, { browser: first.browser });
    const third = await signIn(one, { browser: first.browser });
    expect(third.answer.location).toEqual(ON);
  });

  it('is shown after each click on the form of the sign-in, also after one that follows the answer', async () => {
    const account = await person();
    const {
      browser,
      challenge,
      fields: hidden,
    } = await story.openLogin({ sessionId: `offer-${(count += 1)}` }, gateway.browser({ 'sec-fetch-site': 'same-origin' }));
    const fields = { ...hidden, [FIELDS.passkeyCreation]: 'asked' };
    const atOnce = await Promise.all([browser, browser.twin()].map((one) => story.signIn(one, fields, account)));
    const late = await story.signIn(browser, fields, account);
    expect([...atOnce, late].map(({ location }) => location)).toEqual(Array(3).fill(offerAddress(challenge)));
    expect((await browser.get(offerAddress(challenge))).state('passkey_offer').passkey_offer.setup).toBeDefined();
  });

  it('can be postponed, and declined for good in all browsers', async () => {
    const account = await person();
    const later = await openOffer(account);
    expect((await later.browser.post(PATHS.passkeyOffer, later.fields)).location).toEqual(ON);
    const never = await openOffer(account);
    expect((await never.browser.post(PATHS.passkeyRefuse, never.fields)).location).toEqual(ON);
    const elsewhere = await signIn(account);
    expect(elsewhere.answer.location).toEqual(ON);
    expect(await toPasskeys(account)).toEqual([]);
  });

  it('is not made to a person with a passkey', async () => {
    const account = await person();
    const offer = await openOffer(account);
    await offer.browser.post(PATHS.passkeyOffer, buildFields(offer));
    const again = await signIn(account);
    expect(again.answer.location).toEqual(ON);
  });

  it('lets the browser create a passkey without a question only if the operator wants that and the browser can', async () => {
    const readSetup = async (target: TestGateway, creation: string) => {
      const account = await target.account(`automatic.${(count += 1)}`);
      const steps = new SecondStepStory(target);
      const opened = await steps.openLogin({ sessionId: `automatic-${count}` });
      await steps.signIn(opened.browser, { ...opened.fields, [FIELDS.passkeyCreation]: creation }, account);
      return (await opened.browser.get(offerAddress(opened.challenge))).state('passkey_offer').passkey_offer.setup;
    };
    expect((await readSetup(automatic, 'unasked'))?.unasked).toBe(true);
    expect((await readSetup(automatic, 'asked'))?.unasked).toBeUndefined();
    expect((await readSetup(gateway, 'unasked'))?.unasked).toBeUndefined();
  });

  it('accepts a passkey that was created without a question, and only then one without a touch', async () => {
    const account = await automatic.account(`automatic.${(count += 1)}`);
    const steps = new SecondStepStory(automatic);
    for (const [creation, expected] of [
      ['asked', 0],
      ['unasked', 1],
    ] as const) {
      const opened = await steps.openLogin({ sessionId: `automatic-${(count += 1)}` });
      await steps.signIn(opened.browser, { ...opened.fields, [FIELDS.passkeyCreation]: creation }, account);
      const { passkey_offer: state } = (await opened.browser.get(offerAddress(opened.challenge))).state('passkey_offer');
      const { challenge } = state.setup!.public_key as { challenge: string };
      const credential = newKey(automatic).register(challenge, { format: 'none', flags: ['be', 'bs'] });
      await opened.browser.post(PATHS.passkeyOffer, {
        ...{ _xsrf: state.xsrf_token, login_challenge: opened.challenge, ticket: state.ticket },
        ...{ [FIELDS.setupSession]: state.setup?.session_id ?? '', [FIELDS.credential]: JSON.stringify(credential) },
      });
      expect(await automatic.get(PasskeyFactor).list(account.id)).toHaveLength(expected);
    }
  });
});

describe('[PKY-3] a person with a second factor', () => {
  it('is offered a passkey after it was proven', async () => {
    const { account, app } = await story.createPerson();
    const signedIn = await signIn(account);
    expect(signedIn.answer.location).toBe(stepAddress(signedIn.challenge));
    const waiting = await story.openStep(signedIn.browser, signedIn.challenge);
    const answer = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'totp', code: app.code() });
    expect(answer.location).toBe(offerAddress(signedIn.challenge));
    const { passkey_offer: state } = (await waiting.browser.get(answer.location ?? '')).state('passkey_offer');
    const fields = { _xsrf: state.xsrf_token, login_challenge: signedIn.challenge, ticket: state.ticket };
    const offer = { ...signedIn, state, setup: state.setup as PasskeySetupState, fields };
    expect((await waiting.browser.post(PATHS.passkeyOffer, buildFields(offer))).location).toEqual(ON);
    expect(await toPasskeys(account)).toHaveLength(1);
  });

  it('is not offered one if a trusted browser replaced the factor, because a stolen password must not plant a passkey', async () => {
    const { account, app } = await story.createPerson();
    const signedIn = await signIn(account, { creation: '' });
    const waiting = await story.openStep(signedIn.browser, signedIn.challenge);
    const form = { ...waiting.fields, method: 'totp', code: app.code(), trust_browser: 'true' };
    expect((await waiting.browser.post(PATHS.mfaVerify, form)).status).toBe(303);
    const again = await signIn(account, { browser: waiting.browser });
    expect(again.answer.location).toEqual(ON);
  });

  it('[S-78b] cannot use an offer after another factor replaced the proven one', async () => {
    const { account, app } = await story.createPerson();
    const signedIn = await signIn(account);
    const waiting = await story.openStep(signedIn.browser, signedIn.challenge);
    const proven = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'totp', code: app.code() });
    const { passkey_offer: state } = (await waiting.browser.get(proven.location ?? '')).state('passkey_offer');
    const fields = { _xsrf: state.xsrf_token, login_challenge: signedIn.challenge, ticket: state.ticket };
    gateway.clock.advanceSeconds(60);
    const removed = { accountId: account.id, auditContext: { actor: 'person' } as const, mayBeLast: true };
    expect(await gateway.get(TotpFactor).remove(removed)).toBe(true);
    await story.createKeyHolder(account);
    const answer = await waiting.browser.post(
      PATHS.passkeyOffer,
      buildFields({ ...signedIn, state, setup: state.setup as PasskeySetupState, fields }),
    );
    expect([answer.status, await toPasskeys(account)]).toEqual([422, []]);
  });

  it('cannot use an offer that was made before the factor was set up', async () => {
    const account = await person();
    const offer = await openOffer(account);
    await story.createKeyHolder(account);
    const answer = await offer.browser.post(PATHS.passkeyOffer, buildFields(offer));
    expect([answer.status, answer.state('passkey_offer').passkey_offer.error]).toEqual([422, 'refused']);
    expect(await toPasskeys(account)).toEqual([]);
  });
});

describe('[PKY-4] an attacker', () => {
  const submitOffer = async (offer: Offered, fields = buildFields(offer), browser = offer.browser) => {
    const { status, location } = await browser.post(PATHS.passkeyOffer, fields);
    return { status, location };
  };

  it('with only the address, or the cookies of another browser, gets no offer', async () => {
    const account = await person();
    const offer = await openOffer(account);
    const stranger = gateway.browser();
    expect((await stranger.get(offerAddress(offer.challenge))).location).toBe(loginAddress(offer.challenge));
    await stranger.get(PATHS.login);
    expect((await submitOffer(offer, buildFields(offer), stranger)).status).not.toBe(200);
    const other = await openOffer(await person());
    const mixed = { ...buildFields(offer), _xsrf: other.state.xsrf_token };
    expect((await other.browser.post(PATHS.passkeyOffer, mixed)).location).not.toEqual(ON);
    expect(await toPasskeys(account)).toEqual([]);
  });

  it.each<[string, (account: Account) => Promise<unknown>]>([
    ['a sign-out everywhere', ({ id }) => gateway.get(BrowserSessions).endForAccount(id)],
    ['an operator who disables the account', ({ id }) => gateway.get(Accounts).setStatus(id, 'disabled')],
  ])('cannot plant a passkey after %s', async (_, end) => {
    const account = await person();
    const offer = await openOffer(account);
    await end(account);
    expect((await submitOffer(offer)).status).toBe(422);
    expect(await toPasskeys(account)).toEqual([]);
  });

  it('cannot plant a passkey after "That was not me", nor while credentials are frozen', async () => {
    const account = await person();
    const [before, notMe] = [await openOffer(account), new NotMeStory(gateway)];
    const second = await openOffer(account, { browser: gateway.browser() });
    await second.browser.post(PATHS.passkeyOffer, buildFields(second));
    const token = await notMe.findToken(account, 'passkey-added');
    expect((await notMe.submit(token)).status).toBe(303);
    expect(await toPasskeys(account)).toEqual([]);
    await submitOffer(before);
    expect(await toPasskeys(account)).toEqual([]);
    expect(await gateway.get(SecureAccount).find(token)).toEqual({ kind: 'used' });
    // The password is new, and the freeze is not over.
    await gateway.get(SetPassword).setPassword(account.id, PASSWORD);
    const signedIn = await signIn(account);
    expect(signedIn.answer.location).toEqual(ON);
  });

  it('cannot use an offer after a factor reset', async () => {
    const account = await person();
    const offer = await openOffer(account);
    const resets = gateway.get(FactorResets);
    const { secret } = await resets.issue(account, BY);
    await resets.reset(account, secret, BY);
    await submitOffer(offer);
    expect(await toPasskeys(account)).toEqual([]);
  });

  it('cannot use a response twice, or one of another page or site, or one without user verification', async () => {
    const account = await person();
    const [offer, other] = [await openOffer(account), await openOffer(await person())];
    for (const deviation of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { crossOrigin: true },
      { challenge: (other.setup.public_key as { challenge: string }).challenge },
      { flags: ['up', 'be', 'bs'] },
      { flags: [] },
    ] as const) {
      const { browser, ...fresh } = await openOffer(account, { browser: gateway.browser() });
      expect((await browser.post(PATHS.passkeyOffer, buildFields({ browser, ...fresh }, deviation))).status).toBe(422);
    }
    const fields = buildFields(offer);
    expect((await submitOffer(offer, fields)).location).toEqual(ON);
    await submitOffer(offer, fields);
    expect(await toPasskeys(account)).toHaveLength(1);
  });

  it('on another site cannot answer for the person', async () => {
    const offer = await openOffer(await person());
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await offer.browser.post(PATHS.passkeyRefuse, offer.fields, foreign)).status).toBe(403);
    const { _xsrf: _, ...without } = offer.fields;
    expect((await offer.browser.post(PATHS.passkeyRefuse, without)).status).toBe(403);
    const again = await offer.browser.get(offerAddress(offer.challenge));
    expect(again.state('passkey_offer').passkey_offer.setup).toBeDefined();
  });
});

describe('[PKY-5] the request', () => {
  it('continues after a refused passkey', async () => {
    const offer = await openOffer(await person());
    const answer = await offer.browser.post(PATHS.passkeyOffer, buildFields(offer, { origin: 'https://evil.example' }));
    const { passkey_offer: state } = answer.state('passkey_offer');
    expect([answer.status, state.error, state.setup]).toEqual([422, 'refused', undefined]);
    expect((await offer.browser.post(PATHS.passkeyOffer, offer.fields)).location).toEqual(ON);
  });

  it('continues once after a double click, and the second press starts it again', async () => {
    const account = await person();
    const offer = await openOffer(account);
    const fields = buildFields(offer);
    const answers = await Promise.all([offer.browser, offer.browser.twin()].map((one) => one.post(PATHS.passkeyOffer, fields)));
    expect(answers.map(({ location }) => location)).toEqual([ON, ON]);
    expect(await toPasskeys(account)).toHaveLength(1);
    const late = await offer.browser.post(PATHS.passkeyOffer, offer.fields);
    expect(late.location).toBe(gateway.hydra.requestUrl());
  });

  it('is shown as used after Back, with a link that leads on', async () => {
    const offer = await openOffer(await person());
    await offer.browser.post(PATHS.passkeyOffer, offer.fields);
    expect((await offer.browser.get(offerAddress(offer.challenge))).location).toBe(loginAddress(offer.challenge));
    const back = await offer.browser.get(loginAddress(offer.challenge));
    const { login } = back.state('login');
    expect([back.status, login.challenge_fault, login.restart_url !== undefined]).toEqual([400, 'used', true]);
  });

  it('starts again when passkeys were turned off meanwhile, and no passkey is created', async () => {
    const account = await person();
    const offer = await openOffer(account);
    const { passkeys } = gateway.config;
    Object.assign(gateway.config, { passkeys: { ...passkeys, mode: 'off' } });
    try {
      expect((await offer.browser.get(offerAddress(offer.challenge))).location).toBe(loginAddress(offer.challenge));
      expect((await offer.browser.post(PATHS.passkeyOffer, buildFields(offer))).location).toBe(gateway.hydra.requestUrl());
    } finally {
      Object.assign(gateway.config, { passkeys });
    }
    expect(await toPasskeys(account)).toEqual([]);
  });

  it('starts again when the offer has expired', async () => {
    const offer = await openOffer(await person());
    gateway.clock.advanceSeconds(901);
    expect((await offer.browser.post(PATHS.passkeyOffer, buildFields(offer))).location).toBe(gateway.hydra.requestUrl());
  });

  it('of another app in the same browser waits with its own offer', async () => {
    const [one, other] = [await person(), await person()];
    const first = await openOffer(one);
    const second = await openOffer(other, { browser: first.browser });
    expect((await second.browser.post(PATHS.passkeyOffer, second.fields)).location).toEqual(ON);
    // The browser has a new id, so the older offer has ended, but not its request.
    const late = await first.browser.post(PATHS.passkeyOffer, first.fields, { 'sec-fetch-site': 'same-origin' });
    expect(late.location).toBe(loginAddress(first.challenge));
    const { login } = (await first.browser.get(late.location ?? '')).state('login');
    expect(login.restart_url).toBe(gateway.hydra.requestUrl());
  });
});
