/**
 * The steps of an authorization request as the gateway and a browser take them. Each throws, with the exchange in the
 * message, when the upstream does not lead where it should; rows about wrong turns use the answers themselves.
 */
import type { OAuthClient, Parameters } from '../../support/oauth-client.js';
import { expectStatus, summary, type Answer } from '../../support/upstream-answer.js';
import type { Purpose } from '../../support/upstream-admin.js';
import type { Browser } from '../../support/upstream-browser.js';
import type { ConsentAccept, ConsentRequest, LoginAccept, LoginRequest, TokenAnswer } from '../../support/upstream-wire.js';
import { CALLBACK, somebody, type Scene } from './scene.js';

export interface SignIn {
  app?: OAuthClient;
  parameters?: Parameters;
  /** Without a subject it is the session's, or somebody new. */
  login?: LoginAccept;
  /** Without a grant everything requested is granted. */
  consent?: ConsentAccept;
}

export interface SignedIn {
  login: LoginRequest;
  consent: ConsentRequest;
  callback: URLSearchParams;
  code: string;
}

export type FlowPurpose = 'login' | 'consent';
export type Act = (typeof ACTS)[number];

/** Reading, accepting, rejecting a request. */
export const ACTS = ['', 'accept', 'reject'] as const;

/** One act on a challenge, with the smallest body that is good. */
export function actOn(scene: Scene, purpose: FlowPurpose, act: Act, challenge: string): Promise<Answer> {
  const body = purpose === 'login' && act === 'accept' ? { subject: 'anybody' } : {};
  return scene.admin.request(purpose, act, challenge, act === '' ? {} : { body });
}

/** The challenge that a redirect carries to the page of this purpose. */
export function challengeIn(answer: Answer, purpose: Purpose): string {
  const challenge = expectStatus(answer, 302).location?.searchParams.get(`${purpose}_challenge`);
  if (!challenge) throw new Error(`no ${purpose}_challenge: ${summary(answer)}`);
  return challenge;
}

export async function beginLogin(scene: Scene, browser: Browser, parameters: Parameters = {}, app = scene.app): Promise<string> {
  return challengeIn(await browser.get(app.authorizationUrl(parameters)), 'login');
}

/** Accepts the login and lets the browser follow. @returns the consent challenge */
export async function passLogin(scene: Scene, browser: Browser, challenge: string, accept: LoginAccept): Promise<string> {
  return challengeIn(await browser.get(await scene.admin.acceptLogin(challenge, accept)), 'consent');
}

/** Accepts the consent and lets the browser follow. @returns what the client is told */
export async function passConsent(
  scene: Scene,
  browser: Browser,
  challenge: string,
  accept: ConsentAccept,
): Promise<URLSearchParams> {
  return toClientQuery(await browser.get(await scene.admin.acceptConsent(challenge, accept)));
}

/** As far as the consent page: what the gateway then reads. */
export async function reachConsent(scene: Scene, browser: Browser, how: SignIn = {}): Promise<ConsentRequest> {
  const login = await scene.admin.getLogin(await beginLogin(scene, browser, how.parameters, how.app));
  return scene.admin.getConsent(await passLogin(scene, browser, login.challenge, loginAccept(login, how)));
}

export async function signIn(scene: Scene, browser: Browser, how: SignIn = {}): Promise<SignedIn> {
  const login = await scene.admin.getLogin(await beginLogin(scene, browser, how.parameters, how.app));
  const consentChallenge = await passLogin(scene, browser, login.challenge, loginAccept(login, how));
  const consent = await scene.admin.getConsent(consentChallenge);
  const callback = await passConsent(scene, browser, consentChallenge, grantAll(consent, how.consent));
  return { login, consent, callback, code: codeIn(callback) };
}

export async function signInForTokens(
  scene: Scene,
  browser: Browser,
  how: SignIn = {},
): Promise<SignedIn & { tokens: TokenAnswer }> {
  const signedIn = await signIn(scene, browser, how);
  return { ...signedIn, tokens: await (how.app ?? scene.app).redeem(signedIn.code) };
}

/** What the client is told: the query of its redirect address. Deliveries to the client are 303, all others 302. */
export function toClientQuery(answer: Answer): URLSearchParams {
  const { location } = expectStatus(answer, 303);
  if (location === undefined || location.origin + location.pathname !== CALLBACK)
    throw new Error(`not the client: ${summary(answer)}`);
  return location.searchParams;
}

/** What the error page is told; it must be that page, by 302. */
export function errorAtPage(scene: Scene, answer: Answer): Record<string, string> {
  const { location } = expectStatus(answer, 302);
  const page = location?.href.split('?')[0];
  if (location === undefined || page !== (scene.page('error') ?? page)) throw new Error(`not the error page: ${summary(answer)}`);
  return Object.fromEntries(location.searchParams);
}

export function codeIn(callback: URLSearchParams): string {
  const code = callback.get('code');
  if (!code) throw new Error(`no code: ${callback.toString()}`);
  return code;
}

/** The grant of a gateway that gives what was asked. */
export function grantAll(consent: ConsentRequest, accept: ConsentAccept = {}): ConsentAccept {
  return {
    grant_scope: consent.requested_scope,
    grant_access_token_audience: consent.requested_access_token_audience,
    ...accept,
  };
}

function loginAccept(login: LoginRequest, how: SignIn): LoginAccept {
  return { subject: login.skip ? login.subject : somebody(), ...how.login };
}
