/**
 * Converts Hydra's response bodies, without side effects. Throws `UpstreamUnavailable` if a body does not follow the protocol, and
 * `ClientUnreadable` for login and consent requests of a client whose registration limits sign-ins in a way that cannot be read.
 */
import { isDeviceRequest } from './authorization-request.js';
import { toWebUrl } from './client-links.js';
import type { ClientProfile } from './client-profile.js';
import { readClientSettings } from './client-settings.js';
import { ClientUnreadable } from './hydra.errors.js';
import type { AccessToken, ConsentRequest, LoginRequest, LogoutRequest } from './hydra.port.js';
import {
  toObject,
  readFlag,
  toObjectOrEmpty,
  readOptionalText,
  removeInvisible,
  readText,
  readTexts,
  type Wire,
} from './wire.js';
import { defined } from '../config/defined.js';

export function readLoginRequest(body: unknown): LoginRequest {
  const wire = toObject(body, 'a login request');
  const context = toObjectOrEmpty(wire['oidc_context']);
  const loginHint = readOptionalText(context, 'login_hint');
  const idTokenHint = readIdTokenHint(toObjectOrEmpty(context['id_token_hint_claims']));
  const client = readRequestingClient(wire);
  const requestUrl = readText(wire, 'request_url');
  return {
    challenge: readText(wire, 'challenge'),
    skip: readFlag(wire, 'skip'),
    subject: readOptionalText(wire, 'subject') ?? '',
    sessionId: readOptionalText(wire, 'session_id') ?? '',
    requestUrl,
    requestedScope: readTexts(wire, 'requested_scope'),
    uiLocales: readValues(context, 'ui_locales'),
    // Hydra does not pass on the `acr_values` that a device sends, and anybody may have written the address.
    acrValues: isDeviceRequest(requestUrl) ? (client.foyer.deviceAcrValues ?? []) : readValues(context, 'acr_values'),
    client,
    ...(loginHint === undefined ? {} : { loginHint: removeInvisible(loginHint) }),
    ...defined({ idTokenHint }),
  };
}

/**
 * Hydra writes a list in a request object as Go renders it, split at the spaces: `[a`, `b]`. It writes a number as
 * `%!s(float64=2)` (docs/hydra-behaviour.md B.2).
 */
function readValues(context: Wire, name: string): string[] {
  const values = readTexts(context, name).map((value) => value.replace(/^\[+|\]+$/g, '').replace(/^%!s\(\w+=(.*)\)$/, '$1'));
  return values.filter((value) => value !== '');
}

function readIdTokenHint(claims: Wire): LoginRequest['idTokenHint'] {
  const subject = readOptionalText(claims, 'sub');
  const username = readOptionalText(claims, 'preferred_username');
  return subject === undefined ? undefined : { subject, ...defined({ username }) };
}

export function readConsentRequest(body: unknown): ConsentRequest {
  const wire = toObject(body, 'a consent request');
  return {
    challenge: readText(wire, 'challenge'),
    flowId: readOptionalText(wire, 'login_challenge') ?? '',
    loginSessionId: readOptionalText(wire, 'login_session_id') ?? '',
    skip: readFlag(wire, 'skip'),
    subject: readText(wire, 'subject'),
    requestUrl: readText(wire, 'request_url'),
    requestedScope: readTexts(wire, 'requested_scope'),
    requestedAudience: readTexts(wire, 'requested_access_token_audience'),
    acr: readOptionalText(wire, 'acr') ?? '',
    amr: readTexts(wire, 'amr'),
    uiLocales: readValues(toObjectOrEmpty(wire['oidc_context']), 'ui_locales'),
    client: readRequestingClient(wire),
  };
}

export function readLogoutRequest(body: unknown): LogoutRequest {
  const wire = toObject(body, 'a logout request');
  const client = wire['client'] ? readClient(toObject(wire['client'], 'a client')) : undefined;
  const returnTo = client && findPostLogoutUrl(readOptionalText(wire, 'request_url') ?? '', client);
  return {
    challenge: readText(wire, 'challenge'),
    subject: readOptionalText(wire, 'subject') ?? '',
    sessionId: readOptionalText(wire, 'sid') ?? '',
    // Unless Hydra denies it, an app requested the logout: the session must then belong to this browser.
    rpInitiated: wire['rp_initiated'] !== false,
    ...defined({ client }),
    ...defined({ returnTo }),
  };
}

/**
 * Finds the registered address to which the browser returns (OpenID Connect RP-Initiated Logout 1.0, sections 2 and 3).
 * @param requestUrl relative, as Hydra stores it
 */
function findPostLogoutUrl(requestUrl: string, { postLogoutRedirectUris }: ClientProfile): string | undefined {
  const query = new URLSearchParams(requestUrl.split('?').slice(1).join('?'));
  const target = toWebUrl(query.get('post_logout_redirect_uri') ?? undefined);
  if (target === undefined || !postLogoutRedirectUris.some((uri) => toWebUrl(uri) === target)) return undefined;
  const url = new URL(target);
  const state = query.get('state');
  if (state !== null && state !== '') url.searchParams.set('state', state);
  return url.href;
}

/**
 * Accepts only access tokens, so that a refresh token in an address opens nothing. Refuses a token without a time of issue,
 * because it may be older than the end of the person's access.
 */
export function readAccessToken(body: unknown): AccessToken | null {
  const wire = toObject(body, 'an introspection');
  const use = readOptionalText(wire, 'token_use');
  const [expiry, issueTime] = [wire['exp'], wire['iat']];
  if (!readFlag(wire, 'active') || use !== 'access_token' || typeof issueTime !== 'number' || issueTime <= 0) return null;
  return {
    subject: readOptionalText(wire, 'sub') ?? '',
    clientId: readText(wire, 'client_id'),
    scopes: (readOptionalText(wire, 'scope') ?? '').split(' ').filter(Boolean),
    audience: readAudience(wire['aud']),
    issuedAt: new Date(issueTime * 1000),
    expiresAt: typeof expiry === 'number' && expiry > 0 ? new Date(expiry * 1000) : null,
  };
}

/** Reads a text or a list (RFC 7662, section 2.2). An absent value becomes an empty list, any other value one unknown audience. */
function readAudience(value: unknown): string[] {
  return [value ?? []].flat().map(String);
}

/** Reads the scopes, which are separated by spaces (RFC 7591, section 2). */
export function readClientScopes(wire: Wire): string[] {
  return (readOptionalText(wire, 'scope') ?? '').split(' ').filter((scope) => scope !== '');
}

/** @throws ClientUnreadable */
function readRequestingClient(request: Wire): ClientProfile {
  const wire = toObject(request['client'], 'a client');
  const refusedFault = readClientSettings(wire).faults.find(({ isRefused }) => isRefused);
  if (refusedFault) throw new ClientUnreadable(readText(wire, 'client_id'), refusedFault);
  return readClient(wire);
}

export function readClient(wire: Wire): ClientProfile {
  const id = readText(wire, 'client_id');
  const foyer = readClientSettings(wire).settings;
  const logo =
    readOptionalText(toObjectOrEmpty(toObjectOrEmpty(wire['metadata'])['foyer']), 'logo') ?? readOptionalText(wire, 'logo_uri');
  const clientUri = readOptionalText(wire, 'client_uri');
  const policyUri = readOptionalText(wire, 'policy_uri');
  const tosUri = readOptionalText(wire, 'tos_uri');
  const createdAt = readCreatedAt(wire);
  return {
    id,
    name: removeInvisible(readOptionalText(wire, 'client_name') ?? ''),
    redirectUris: readTexts(wire, 'redirect_uris'),
    postLogoutRedirectUris: readTexts(wire, 'post_logout_redirect_uris'),
    // Unless Hydra reports a method, the client is treated as one without a secret.
    isPublic: (readOptionalText(wire, 'token_endpoint_auth_method') ?? 'none') === 'none',
    skipConsent: readFlag(wire, 'skip_consent'),
    // null and absent mean "ask" (docs/hydra-behaviour.md B.6).
    skipLogoutConsent: readFlag(wire, 'skip_logout_consent'),
    foyer,
    ...defined({ createdAt }),
    ...defined({ logoUri: logo }),
    ...defined({ clientUri }),
    ...defined({ policyUri }),
    ...defined({ tosUri }),
  };
}

/** @returns undefined for an unknown time, which may be written as the year 1 */
function readCreatedAt(wire: Wire): string | undefined {
  const time = Date.parse(readOptionalText(wire, 'created_at') ?? '');
  return time > 0 ? new Date(time).toISOString() : undefined;
}
