/**
 * One provider that is not an OpenID provider (OAuth 2.0, RFC 6749, with PKCE, RFC 7636). The access token is used only to ask who the
 * person is and which addresses the person has, and is not kept. Such a provider never reports when the person authenticated.
 */
import * as oidc from 'openid-client';
import type { Clock } from '../config/clock.js';
import type { ProviderSettings } from '../config/config.js';
import { isObject } from '../config/settings-kinds.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { toDisplayLabel } from './display-label.js';
import { buildGuardedFetch } from './guarded-fetch.js';
import type {
  ExternalIdentity,
  ProviderProfile,
  ProviderRequest,
  ProviderStart,
  ProviderTransaction,
} from './identity-providers.port.js';
import type { OAuthEndpoints, OAuthKind } from './oauth-kinds.js';
import { describeIdentity, type ClaimSet } from './provided-person.js';
import { ProviderRefused } from './provider.errors.js';

const MAX_CALLBACK_LENGTH = 8192;

export class OAuthProvider {
  readonly profile: ProviderProfile;
  readonly #endpoints: OAuthEndpoints;
  readonly #configuration: oidc.Configuration;
  readonly #fetch: oidc.CustomFetch;
  readonly #secret: string;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly kind: OAuthKind,
    private readonly parts: { clock: Clock; timeoutMs: number; telemetry: Telemetry },
  ) {
    const { id, name, issuer, clientId, credential, domains = [] } = settings;
    if (credential.kind !== 'secret') throw new Error(`The provider ${id} needs a client secret.`);
    this.profile = { id, name, brand: null, responseMode: 'query', domains };
    this.#secret = credential.secret;
    this.#endpoints = kind.buildEndpoints(issuer);
    this.#fetch = buildGuardedFetch({ ...parts, provider: id, acceptsLists: true });
    const { authorization, token } = this.#endpoints;
    const metadata = { issuer, authorization_endpoint: authorization, token_endpoint: token };
    const auth = kind.clientAuth === 'basic' ? buildBasicAuth(clientId, this.#secret) : oidc.ClientSecretPost(this.#secret);
    this.#configuration = new oidc.Configuration(metadata, clientId, {}, auth);
    this.#configuration[oidc.customFetch] = async (url, options) => toStandardAnswer(await this.#fetch(url, options), kind);
    if (issuer.startsWith('http:')) oidc.allowInsecureRequests(this.#configuration);
  }

  findIssuer(issuerName?: string): string | null {
    const { issuer } = this.settings;
    return issuerName === undefined || issuerName === issuer ? issuer : null;
  }

  async begin(request: ProviderRequest): Promise<ProviderStart> {
    const { redirectUri, state, provider } = request;
    const codeVerifier = oidc.randomPKCECodeVerifier();
    const begunAt = Math.floor(this.parts.clock.now().getTime() / 1000);
    const url = oidc.buildAuthorizationUrl(this.#configuration, {
      ...this.kind.buildParameters?.(request),
      scope: this.settings.scopes.join(' '),
      redirect_uri: redirectUri,
      state,
      // A provider without PKCE ignores the parameters (RFC 6749, section 3.1).
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, transaction: { provider, redirectUri, state, nonce: '', codeVerifier, begunAt } };
  }

  async finish(
    { redirectUri, state, codeVerifier }: ProviderTransaction,
    parameters: URLSearchParams,
  ): Promise<ExternalIdentity> {
    const query = new URLSearchParams(parameters);
    // These providers have no issuer that could be compared; each has its own redirect URI, which prevents mix-up attacks.
    query.delete('iss');
    if (query.toString().length > MAX_CALLBACK_LENGTH) throw new ProviderRefused('the callback is too long');
    const callback = new URL(`${redirectUri}?${query.toString()}`);
    const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
    const { access_token: accessToken } = await oidc.authorizationCodeGrant(this.#configuration, callback, checks);
    const user = await this.#askUser(accessToken);
    const claims = { ...this.kind.toClaims(user, await this.#askEmails(accessToken)), user };
    return {
      provider: this.settings.id,
      issuer: this.settings.issuer,
      subject: claims.sub,
      label: toDisplayLabel(claims.name) ?? toDisplayLabel(claims.preferred_username),
      authTime: null,
      isProvenNow: false,
      ...describeIdentity([claims], claims.sub, this.settings),
    };
  }

  /** @throws ProviderRefused, ProviderUnavailable */
  async #askUser(accessToken: string): Promise<ClaimSet> {
    const url = new URL(this.#endpoints.user);
    url.search = new URLSearchParams(this.kind.buildUserParameters?.(accessToken, this.#secret)).toString();
    const answer = await this.#ask(url.href, accessToken);
    const user: unknown = answer.status === 200 ? await answer.json() : null;
    if (!isObject(user)) throw new ProviderRefused(`the user API answers ${answer.status} and describes no person`);
    return user;
  }

  /** @returns null if no address is needed, or if there is no endpoint for addresses or it refuses the call @throws ProviderUnavailable */
  async #askEmails(accessToken: string): Promise<unknown> {
    const { emails } = this.#endpoints;
    const { provision, require, offersConnection } = this.settings;
    if (emails === undefined || (!provision && !require && !offersConnection)) return null;
    const answer = await this.#ask(emails, accessToken);
    return answer.status === 200 ? answer.json() : null;
  }

  #ask(url: string, accessToken: string): Promise<Response> {
    // GitHub refuses requests without a user agent.
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json', 'user-agent': 'foyer' };
    return this.#fetch(url, { method: 'GET', headers, body: null, redirect: 'manual' });
  }
}

/** Sends id and secret without the encoding that RFC 6749 (section 2.3.1) requires, because these providers do not decode them. */
function buildBasicAuth(id: string, secret: string): oidc.ClientAuth {
  const credentials = Buffer.from(`${id}:${secret}`).toString('base64');
  // The fourth parameter is the headers of the request.
  return (...request) => request[3].set('authorization', `Basic ${credentials}`);
}

/**
 * Turns errors into those of OAuth 2.0 (RFC 6749, section 5.2): GitHub reports an error with the status 200, and Facebook reports it as
 * an object with a number.
 */
async function toStandardAnswer(answer: Response, { errors = {} }: OAuthKind): Promise<Response> {
  const text = await answer.text();
  const { error } = readObject(text);
  if (error === undefined) return new Response(text, answer);
  const code = isObject(error) ? error['code'] : error;
  const standardCode =
    typeof code === 'string' || typeof code === 'number' ? new Map(Object.entries(errors)).get(String(code)) : undefined;
  const reportedError = standardCode ?? (typeof error === 'string' ? error : 'invalid_request');
  return new Response(JSON.stringify({ error: reportedError }), { status: 400, headers: { 'content-type': 'application/json' } });
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
