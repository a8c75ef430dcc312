/**
 * The steps of an authorization request as the gateway and a browser take them. Each step throws, with the exchange in the
 * message, when the upstream leads elsewhere; rows about wrong requests use the answers themselves.
 */
import type { OAuthClient, Parameters } from '../../support/oauth-client.js';
import { expectStatus, summary, type Answer } from '../../support/upstream-answer.js';
import type { Purpose } from '../../support/upstream-admin.js';
import type { Browser } from '../../support/upstream-browser.js';
import type { ConsentAccept, ConsentRequest, LoginAccept, LoginRequest, TokenAnswer } from '../../support/upstream-wire.js';
import { CALLBACK, newSubject, type Scene } from './scene.js';

export interface SignIn {
  app?: OAuthClient;
  parameters?: Parameters;
  /** By default the subject of the session, or a new one. */
  login?: LoginAccept;
  /** By default everything that is requested is granted. */
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

/** The acts on a request: reading (the empty path), accepting and rejecting. */
export const ACTS = ['', 'accept', 'reject'] as const;

/** Performs one act on a challenge, with the smallest valid body. */
export function actOn(scene: Scene, purpose: FlowPurpose, act: Act, challenge: string): Promise<Answer> {
  const body = purpose === 'login' && act === 'accept' ? { subject: 'anybody' } : {};
  return scene.admin.request(purpose, act, challenge, act === '' ? {} : { body });
}

/** Finds the challenge that a redirect passes to the page of this purpose. */
export function findChallenge(answer: Answer, purpose: Purpose): string {
  const challenge = expectStatus(answer, 302).location?.searchParams.get(`${purpose}_challenge`);
  if (!challenge) throw new Error(`no ${purpose}_challenge: ${summary(answer)}`);
  return challenge;
}

export async function beginLogin(scene: Scene, browser: Browser, parameters: Parameters = {}, app = scene.app): Promise<string> {
  return findChallenge(await browser.get(app.authorizationUrl(parameters)), 'login');
}

/** Accepts the login and lets the browser follow. @returns the consent challenge */
export async function passLogin(scene: Scene, browser: Browser, challenge: string, accept: LoginAccept): Promise<string> {
  return findChallenge(await browser.get(await scene.admin.acceptLogin(challenge, accept)), 'consent');
}

/** Accepts the consent and lets the browser follow. @returns the query that the client receives */
export async function passConsent(
  scene: Scene,
  browser: Browser,
  challenge: string,
  accept: ConsentAccept,
): Promise<URLSearchParams> {
  return toClientQuery(await browser.get(await scene.admin.acceptConsent(challenge, accept)));
}

/** Proceeds to the consent page. @returns the request that the gateway reads there */
export async function reachConsent(scene: Scene, browser: Browser, how: SignIn = {}): Promise<ConsentRequest> {
  const login = await scene.admin.getLogin(await beginLogin(scene, browser, how.parameters, how.app));
  return scene.admin.getConsent(await passLogin(scene, browser, login.challenge, loginAccept(login, how)));
}

export async function signIn(scene: Scene, browser: Browser, how: SignIn = {}): Promise<SignedIn> {
  const login = await scene.admin.getLogin(await beginLogin(scene, browser, how.parameters, how.app));
  const consentChallenge = await passLogin(scene, browser, login.challenge, loginAccept(login, how));
  const consent = await scene.admin.getConsent(consentChallenge);
  const callback = await passConsent(scene, browser, consentChallenge, grantAll(consent, how.consent));
  return { login, consent, callback, code: getCode(callback) };
}

export async function signInForTokens(
  scene: Scene,
  browser: Browser,
  how: SignIn = {},
): Promise<SignedIn & { tokens: TokenAnswer }> {
  const signedIn = await signIn(scene, browser, how);
  return { ...signedIn, tokens: await (how.app ?? scene.app).redeem(signedIn.code) };
}

/** The query that the client receives at its redirect address. Redirects to the client are 303, all others 302. */
export function toClientQuery(answer: Answer): URLSearchParams {
  const { location } = expectStatus(answer, 303);
  if (location === undefined || location.origin + location.pathname !== CALLBACK)
    throw new Error(`not the client: ${summary(answer)}`);
  return location.searchParams;
}

/** The query that the error page receives by a 302; throws if the answer leads elsewhere. */
export function findPageError(scene: Scene, answer: Answer): Record<string, string> {
  const { location } = expectStatus(answer, 302);
  const page = location?.href.split('?')[0];
  if (location === undefined || page !== (scene.page('error') ?? page)) throw new Error(`not the error page: ${summary(answer)}`);
  return Object.fromEntries(location.searchParams);
}

export function getCode(callback: URLSearchParams): string {
  const code = callback.get('code');
  if (!code) throw new Error(`no code: ${callback.toString()}`);
  return code;
}

/** A grant of everything that was requested. */
export function grantAll(consent: ConsentRequest, accept: ConsentAccept = {}): ConsentAccept {
  return {
    grant_scope: consent.requested_scope,
    grant_access_token_audience: consent.requested_access_token_audience,
    ...accept,
  };
}

function loginAccept(login: LoginRequest, how: SignIn): LoginAccept {
  return { subject: login.skip ? login.subject : newSubject(), ...how.login };
}
