/**
 * Leads to the second step of a sign-in over HTTP: a person with a factor, the login form, the page of the step and its
 * requests.
 */
import { expect } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { CALL_HEADERS } from '../../src/contract/form-fields.js';
import type { MfaVerificationState } from '../../src/contract/mfa-state.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import type { LoginRequest } from '../../src/hydra/hydra.port.js';
import { WebAuthnFactor } from '../../src/mfa/factors/webauthn/webauthn.factor.js';
import { TotpFactor } from '../../src/mfa/factors/totp/totp.factor.js';
import { KeysUnderTest, TotpUnderTest } from './factors-under-test.js';
import { PASSWORD, type TestGateway } from './gateway.js';
import { SyntheticKey, type AssertionAnswer, type AssertionDeviation, type RegistrationDeviation } from './synthetic-key.js';
import type { TestBrowser, TestPage } from './test-browser.js';
import { TotpApp } from '../../test-kit/totp-app.js';

export interface PersonWithApp {
  account: Account;
  app: TotpApp;
  recoveryCodes: string[];
}

export interface Waiting {
  browser: TestBrowser;
  challenge: string;
  page: TestPage;
  state: MfaVerificationState;
  /** Hidden fields of the step's form. */
  fields: Record<string, string>;
}

const ANOTHER_STEP_SECONDS = 60;
let count = 0;

export class SecondStepStory {
  constructor(private readonly gateway: TestGateway) {}

  /** Creates a person with an authenticator app. */
  async createPerson(username = `person.${(count += 1)}`): Promise<PersonWithApp> {
    const { gateway } = this;
    const account = await gateway.account(username);
    const factor = new TotpUnderTest(gateway.get(TotpFactor));
    const setup = await factor.begin({ account, boundTo: 'area:test' });
    if (typeof setup === 'string') throw new Error(setup);
    const app = new TotpApp(setup.secret, gateway.clock);
    const auditContext = { actor: 'person' } as const;
    const added = await factor.confirm({ account, boundTo: 'area:test', code: app.code(), onlyFirst: true, auditContext });
    if (added.kind !== 'added') throw new Error(JSON.stringify(added));
    gateway.clock.advanceSeconds(ANOTHER_STEP_SECONDS);
    return { account, app, recoveryCodes: added.recoveryCodes ?? [] };
  }

  /** Creates a person with a security key. @param account an existing account */
  async createKeyHolder(
    account?: Account,
    deviation: RegistrationDeviation = {},
  ): Promise<{ account: Account; key: SyntheticKey }> {
    const { gateway } = this;
    const owner = account ?? (await gateway.account(`person.${(count += 1)}`));
    const { origin, hostname } = new URL(gateway.config.publicUrl);
    const key = new SyntheticKey({ origin, rpId: hostname });
    const factor = new KeysUnderTest(gateway.get(WebAuthnFactor));
    const { challenge, sessionId } = await factor.beginRegistration(owner, 'area:test');
    const given = {
      account: owner,
      boundTo: 'area:test',
      sessionId,
      credential: key.register(challenge, deviation),
      onlyFirst: false,
    };
    const added = await factor.finishRegistration({ ...given, auditContext: { actor: 'person' } });
    if (added.kind !== 'added') throw new Error(JSON.stringify(added));
    return { account: owner, key };
  }

  /** Returns the assertion of the key for the challenge of the step. */
  async answerWithKey(
    waiting: Pick<Waiting, 'browser' | 'state'>,
    key: SyntheticKey,
    deviation: AssertionDeviation = {},
  ): Promise<AssertionAnswer> {
    const { body } = await call(waiting, SERVER_PATHS.mfaInitFido2);
    const { challenge, userVerification } = body['publicKey'] as { challenge: string; userVerification: string };
    return key.assert(challenge, { flags: userVerification === 'required' ? ['up', 'uv'] : ['up'], ...deviation });
  }

  /** Opens the login page of a new request. */
  async openLogin(more: Partial<LoginRequest> = {}, browser = this.gateway.browser()) {
    const challenge = more.challenge ?? `step-${(count += 1)}`;
    this.gateway.hydra.addLogin({ challenge, ...more });
    const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    return { browser, challenge, page, fields: loginFields(page) };
  }

  signIn(browser: TestBrowser, fields: Record<string, string>, { username }: Account): Promise<TestPage> {
    return browser.post(PATHS.loginNative, { ...fields, username, password: PASSWORD });
  }

  /** Signs in with the right password up to the second step. */
  async reachStep(account: Account, more: Partial<LoginRequest> = {}, browser?: TestBrowser): Promise<Waiting> {
    const opened = await this.openLogin(more, browser);
    const answer = await this.signIn(opened.browser, opened.fields, account);
    expect(answer.location).toBe(stepAddress(opened.challenge));
    return this.openStep(opened.browser, opened.challenge);
  }

  /** @param query further parameters, with their `&` */
  async openStep(browser: TestBrowser, challenge: string, query = ''): Promise<Waiting> {
    const page = await browser.get(stepAddress(challenge) + query);
    const { mfa_verification: state } = page.state('mfa_verification');
    const fields = { _xsrf: state.xsrf_token, login_challenge: state.login_challenge, ticket: state.ticket };
    return { browser, challenge, page, state, fields };
  }

  findAccepted(challenge: string) {
    return this.gateway.hydra.calls.filter((call) => call.call === 'acceptLogin' && call.challenge === challenge);
  }
}

export function stepAddress(challenge: string): string {
  return `${PATHS.mfaVerify}?login_challenge=${challenge}`;
}

export function loginFields(page: TestPage): Record<string, string> {
  const { login } = page.state('login');
  return { _xsrf: login.xsrf_token, login_challenge: login.login_challenge, ticket: login.ticket };
}

/** Sends a request as the script of the page does. @param headers replace the default ones; an empty one is omitted */
export async function call(
  { browser, state }: Pick<Waiting, 'browser' | 'state'>,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
  const all = {
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: `Bearer ${state.token}`,
    [CALL_HEADERS.xsrf]: state.xsrf_token,
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const answer = await browser.request(path, {
    method,
    headers: sent,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.html) as Record<string, unknown> };
}

/** @returns the code as it is typed on an Arabic keyboard */
export const toArabicDigits = (code: string): string =>
  code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
