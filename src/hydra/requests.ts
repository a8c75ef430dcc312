/**
 * Converts Hydra's response bodies. Pure; throws `UpstreamUnavailable` if a body does not follow the protocol, and
 * `ClientUnreadable` for requests of a client whose registration limits sign-ins in a way that cannot be read.
 */
import { isDeviceRequest } from './authorization-request.js';
import { webUrl } from './client-links.js';
import type { ClientProfile } from './client-profile.js';
import { readClientSettings } from './client-settings.js';
import { ClientUnreadable } from './hydra.errors.js';
import type { AccessToken, ConsentRequest, LoginRequest, LogoutRequest } from './hydra.port.js';
import { toObject, flag, optionalObject, optionalText, plainText, text, texts, type Wire } from './wire.js';
import { defined } from '../config/defined.js';

export function readLoginRequest(body: unknown): LoginRequest {
  const wire = toObject(body, 'a login request');
  const context = optionalObject(wire['oidc_context']);
  const loginHint = optionalText(context, 'login_hint');
  const idTokenHint = readIdTokenHint(optionalObject(context['id_token_hint_claims']));
  const client = readRequestingClient(wire);
  const requestUrl = text(wire, 'request_url');
  return {
    challenge: text(wire, 'challenge'),
    skip: flag(wire, 'skip'),
    subject: optionalText(wire, 'subject') ?? '',
    sessionId: optionalText(wire, 'session_id') ?? '',
    requestUrl,
    requestedScope: texts(wire, 'requested_scope'),
    uiLocales: readValues(context, 'ui_locales'),
    // Hydra passes on nothing that a device sends, and the address does not come from the device.
    acrValues: isDeviceRequest(requestUrl) ? (client.foyer.deviceAcrValues ?? []) : readValues(context, 'acr_values'),
    client,
    ...(loginHint === undefined ? {} : { loginHint: plainText(loginHint) }),
    ...defined({ idTokenHint }),
  };
}

/**
 * Hydra writes a list in a request object as Go renders it, split at the blanks: `[a`, `b]`. It writes a number as
 * `%!s(float64=2)` (docs/hydra-behaviour.md B.2).
 */
function readValues(context: Wire, name: string): string[] {
  const values = texts(context, name).map((value) => value.replace(/^\[+|\]+$/g, '').replace(/^%!s\(\w+=(.*)\)$/, '$1'));
  return values.filter((value) => value !== '');
}

function readIdTokenHint(claims: Wire): LoginRequest['idTokenHint'] {
  const subject = optionalText(claims, 'sub');
  const username = optionalText(claims, 'preferred_username');
  return subject === undefined ? undefined : { subject, ...defined({ username }) };
}

export function readConsentRequest(body: unknown): ConsentRequest {
  const wire = toObject(body, 'a consent request');
  return {
    challenge: text(wire, 'challenge'),
    flowId: optionalText(wire, 'login_challenge') ?? '',
    loginSessionId: optionalText(wire, 'login_session_id') ?? '',
    skip: flag(wire, 'skip'),
    subject: text(wire, 'subject'),
    requestUrl: text(wire, 'request_url'),
    requestedScope: texts(wire, 'requested_scope'),
    requestedAudience: texts(wire, 'requested_access_token_audience'),
    acr: optionalText(wire, 'acr') ?? '',
    amr: texts(wire, 'amr'),
    uiLocales: readValues(optionalObject(wire['oidc_context']), 'ui_locales'),
    client: readRequestingClient(wire),
  };
}

export function readLogoutRequest(body: unknown): LogoutRequest {
  const wire = toObject(body, 'a logout request');
  const client = wire['client'] ? readClient(toObject(wire['client'], 'a client')) : undefined;
  const returnTo = client && postLogoutUrl(optionalText(wire, 'request_url') ?? '', client);
  return {
    challenge: text(wire, 'challenge'),
    subject: optionalText(wire, 'subject') ?? '',
    sessionId: optionalText(wire, 'sid') ?? '',
    // Unless Hydra denies it, an app requested the logout: the session must then belong to this browser.
    rpInitiated: wire['rp_initiated'] !== false,
    ...defined({ client }),
    ...defined({ returnTo }),
  };
}

/** OpenID Connect RP-Initiated Logout 1.0, sections 2 and 3. @param requestUrl relative, as Hydra stores it */
function postLogoutUrl(requestUrl: string, { postLogoutRedirectUris }: ClientProfile): string | undefined {
  const query = new URLSearchParams(requestUrl.split('?').slice(1).join('?'));
  const target = webUrl(query.get('post_logout_redirect_uri') ?? undefined);
  if (target === undefined || !postLogoutRedirectUris.some((uri) => webUrl(uri) === target)) return undefined;
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
  const use = optionalText(wire, 'token_use');
  const [expires, issued] = [wire['exp'], wire['iat']];
  if (!flag(wire, 'active') || use !== 'access_token' || typeof issued !== 'number' || issued <= 0) return null;
  return {
    subject: optionalText(wire, 'sub') ?? '',
    clientId: text(wire, 'client_id'),
    scopes: (optionalText(wire, 'scope') ?? '').split(' ').filter(Boolean),
    audience: readAudience(wire['aud']),
    issuedAt: new Date(issued * 1000),
    expiresAt: typeof expires === 'number' && expires > 0 ? new Date(expires * 1000) : null,
  };
}

/** Reads a text or a list (RFC 7662, section 2.2). Any other value becomes one unknown audience, never an empty list. */
function readAudience(given: unknown): string[] {
  return [given ?? []].flat().map(String);
}

/** RFC 7591, section 2: separated by spaces. */
export function readClientScopes(wire: Wire): string[] {
  return (optionalText(wire, 'scope') ?? '').split(' ').filter((scope) => scope !== '');
}

/** @throws ClientUnreadable */
function readRequestingClient(request: Wire): ClientProfile {
  const wire = toObject(request['client'], 'a client');
  const refused = readClientSettings(wire).faults.find(({ isRefused }) => isRefused);
  if (refused) throw new ClientUnreadable(text(wire, 'client_id'), refused);
  return readClient(wire);
}

export function readClient(wire: Wire): ClientProfile {
  const id = text(wire, 'client_id');
  const foyer = readClientSettings(wire).settings;
  const logo = optionalText(optionalObject(optionalObject(wire['metadata'])['foyer']), 'logo') ?? optionalText(wire, 'logo_uri');
  const clientUri = optionalText(wire, 'client_uri');
  const policyUri = optionalText(wire, 'policy_uri');
  const tosUri = optionalText(wire, 'tos_uri');
  const createdAt = readCreatedAt(wire);
  return {
    id,
    name: plainText(optionalText(wire, 'client_name') ?? ''),
    redirectUris: texts(wire, 'redirect_uris'),
    postLogoutRedirectUris: texts(wire, 'post_logout_redirect_uris'),
    // Unless Hydra says otherwise, the client has no secret.
    isPublic: (optionalText(wire, 'token_endpoint_auth_method') ?? 'none') === 'none',
    skipConsent: flag(wire, 'skip_consent'),
    // null and absent mean "ask" (docs/hydra-behaviour.md B.6).
    skipLogoutConsent: flag(wire, 'skip_logout_consent'),
    foyer,
    ...defined({ createdAt }),
    ...defined({ logoUri: logo }),
    ...defined({ clientUri }),
    ...defined({ policyUri }),
    ...defined({ tosUri }),
  };
}

/** Servers write the year 1 for an unknown time. */
function readCreatedAt(wire: Wire): string | undefined {
  const time = Date.parse(optionalText(wire, 'created_at') ?? '');
  return time > 0 ? new Date(time).toISOString() : undefined;
}
