/**
 * The cookies of Hydra's development mode: one cookie per step and client (for device requests, one for all clients) that binds a
 * challenge to its browser, and one cookie with the id of a remembered session. Their contents are encrypted; names and attributes
 * are Hydra's.
 */
import type { Core } from '../core.js';
import type { Exchange } from '../http/exchange.js';
import { OAuthError } from '../oauth-error.js';
import type { SessionRow } from '../store/rows.js';
import { murmur3 } from './murmur3.js';

type CsrfStep = 'login' | 'consent' | 'device';

const SESSION = 'ory_hydra_session_dev';
const EXPIRY_ATTRIBUTES = 'Expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0';
/** Cookies are as long as Hydra's, so that header limits apply in the same way. */
const MIN_CONTENT_BYTES = 132;
/** The largest date that JavaScript can represent, in milliseconds since 1970. */
const END_OF_TIME_MS = 8.64e15;

/** The name depends on the client, so a second tab of the same client overwrites the cookie. A device request has no client yet. */
function toCsrfName(step: CsrfStep, clientId: string): string {
  return step === 'device' ? 'ory_hydra_device_csrf_dev' : `ory_hydra_${step}_csrf_dev_${murmur3(clientId)}`;
}

export function setCsrf(core: Core, exchange: Exchange, { step, clientId, value }: CsrfValue): void {
  const name = toCsrfName(step, clientId);
  setCookie(core, exchange, { name, content: { csrf: value }, seconds: core.settings.requestTtlSeconds });
}

export interface CsrfValue {
  step: CsrfStep;
  clientId: string;
  value: string;
}

/**
 * @throws OAuthError if the browser does not have the cookie of the challenge: the challenge was issued to another browser, or a later
 * request of the same client has replaced the cookie
 */
export function requireCsrf(core: Core, exchange: Exchange, { step, clientId, value }: CsrfValue): void {
  const name = toCsrfName(step, clientId);
  const cookie = exchange.cookie(name);
  if (cookie === undefined) throw toForbiddenError('No CSRF value available in the session cookie.');
  const content = core.seal.open(`cookie ${name}`, cookie) as { csrf: string } | undefined;
  if (!content) throw toForbiddenError('CSRF session cookie could not be decoded.');
  if (content.csrf !== value) {
    throw toForbiddenError('The CSRF value from the token does not match the CSRF value from the data store.');
  }
}

/** @returns the remembered session of this browser; null if the browser has none or the session has expired */
export function findSession(core: Core, exchange: Exchange): SessionRow | null {
  const session = core.store.sessions.get(toSessionId(core, exchange));
  return session && session.expiresAt > core.nowSeconds() ? session : null;
}

export function setSessionCookie(core: Core, exchange: Exchange, session: { id: string; seconds: number }): void {
  setCookie(core, exchange, { name: SESSION, content: { sid: session.id }, seconds: session.seconds });
}

/** Tells the browser to delete the session cookie, even if the request has none. @returns the session id in the cookie, or '' */
export function deleteSessionCookie(core: Core, exchange: Exchange): string {
  const id = toSessionId(core, exchange);
  const value = core.seal.seal(`cookie ${SESSION}`, { sid: '' }, MIN_CONTENT_BYTES);
  exchange.addCookie(`${SESSION}=${value}; Path=/; ${EXPIRY_ATTRIBUTES}; ${toAttributes(core)}`);
  return id;
}

function toSessionId(core: Core, exchange: Exchange): string {
  const content = core.seal.open(`cookie ${SESSION}`, exchange.cookie(SESSION) ?? '') as { sid: string } | undefined;
  return content?.sid ?? '';
}

interface CookieParts {
  name: string;
  content: object;
  seconds: number;
}

function setCookie(core: Core, exchange: Exchange, { name, content, seconds }: CookieParts): void {
  const expires = new Date(Math.min(core.nowMs() + seconds * 1000, END_OF_TIME_MS)).toUTCString();
  const value = core.seal.seal(`cookie ${name}`, content, MIN_CONTENT_BYTES);
  exchange.addCookie(`${name}=${value}; Path=/; Expires=${expires}; Max-Age=${Math.floor(seconds)}; ${toAttributes(core)}`);
}

function toAttributes(core: Core): string {
  return core.settings.issuer.startsWith('https:') ? 'HttpOnly; Secure; SameSite=Lax' : 'HttpOnly; SameSite=Lax';
}

function toForbiddenError(hint: string): OAuthError {
  return OAuthError.create('request_forbidden', hint);
}
