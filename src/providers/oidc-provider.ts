/**
 * One OpenID provider: starts authorization requests and verifies callbacks. Its `Dialect` describes the differences from OpenID
 * Connect. Caches published metadata and keys, but no personal data.
 */
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import type { Clock } from '../config/clock.js';
import type { ProviderSettings } from '../config/config.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { buildClientCredential, type ClientCredential } from './client-credential.js';
import type { Dialect } from './dialect.js';
import { toDialect } from './dialects.js';
import { buildGuardedFetch } from './guarded-fetch.js';
import { CLOCK_TOLERANCE_SECONDS, requireStrictToken } from './id-token-checks.js';
import type {
  ExternalIdentity,
  ProviderRequest,
  ProviderProfile,
  ProviderStart,
  ProviderTransaction,
} from './identity-providers.port.js';
import { describeIdentity, hasClaim, listNeededClaims, type ClaimSet } from './provided-person.js';
import { KeyCache } from './key-cache.js';
import { ProviderMetadata } from './provider-metadata.js';
import { ProviderRefused } from './provider.errors.js';

const MAX_CALLBACK_LENGTH = 32_768;

type TokenAnswer = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

export class OidcProvider {
  readonly profile: ProviderProfile;
  readonly #dialect: Dialect;
  readonly #fetch: oidc.CustomFetch;
  readonly #metadata: ProviderMetadata;
  readonly #credential: ClientCredential;
  readonly #keys: KeyCache;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly clock: Clock,
    { timeoutMs, telemetry }: { timeoutMs: number; telemetry: Telemetry },
  ) {
    this.#dialect = toDialect(settings);
    this.#fetch = buildGuardedFetch({ timeoutMs, telemetry, provider: settings.id });
    this.#metadata = new ProviderMetadata(this.#dialect.metadata, this.#fetch, clock);
    this.#credential = buildClientCredential(settings, clock);
    this.#keys = new KeyCache(clock);
    const { brand, responseMode } = this.#dialect;
    this.profile = { id: settings.id, name: settings.name, brand, responseMode, domains: settings.domains ?? [] };
  }

  findIssuer(issuerName?: string): string | null {
    const { issuer } = this.settings;
    if (this.#dialect.findIssuer) return this.#dialect.findIssuer(issuerName);
    return issuerName === undefined || issuerName === issuer ? issuer : null;
  }

  async begin(request: ProviderRequest): Promise<ProviderStart> {
    const { redirectUri, state, provider } = request;
    const configuration = await this.#configure(await this.#metadata.get(), this.#fetch);
    const transaction: ProviderTransaction = {
      provider,
      redirectUri,
      state,
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
      begunAt: Math.floor(this.clock.now().getTime() / 1000),
    };
    const url = oidc.buildAuthorizationUrl(configuration, {
      ...this.#dialect.buildParameters(request),
      ...(this.profile.responseMode === 'query' ? {} : { response_mode: this.profile.responseMode }),
      scope: this.settings.scopes.join(' '),
      redirect_uri: redirectUri,
      state,
      nonce: transaction.nonce,
      // PKCE is used even if the metadata does not list it: an incomplete document must not disable it.
      code_challenge: await oidc.calculatePKCECodeChallenge(transaction.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, transaction };
  }

  async finish(transaction: ProviderTransaction, parameters: URLSearchParams): Promise<ExternalIdentity> {
    const query = parameters.toString();
    if (query.length > MAX_CALLBACK_LENGTH) throw new ProviderRefused('the callback is too long');
    const callback = new URL(`${transaction.redirectUri}?${query}`);
    const metadata = await this.#metadata.get();
    const answer = metadata.issuer.includes('{')
      ? await this.#exchangeAmongTenants(metadata, transaction, callback)
      : await this.#exchange({ metadata, transaction, callback, fetch: this.#fetch });
    const claims = this.#requireClaims(answer);
    const { iss, sub, auth_time: authTime } = claims;
    const claimSets = await this.#collectClaims(metadata, claims, answer.access_token);
    return {
      provider: this.settings.id,
      issuer: iss,
      subject: sub,
      label: this.#dialect.toLabel(claims, parameters),
      authTime: authTime === undefined || authTime === 0 ? null : new Date(authTime * 1000),
      isProvenNow: isAfter(authTime, transaction.begunAt),
      ...describeIdentity(claimSets, sub, this.settings),
    };
  }

  /**
   * Collects the claims of the ID token and, only if a needed claim is missing there, the claims of userinfo for the same subject
   * (OpenID Connect Core, section 5.3.2).
   */
  async #collectClaims(metadata: oidc.ServerMetadata, claims: oidc.IDToken, accessToken: string): Promise<readonly ClaimSet[]> {
    const isComplete = listNeededClaims(this.settings).every((name) => hasClaim(claims, name));
    if (isComplete || metadata.userinfo_endpoint === undefined) return [claims];
    const configuration = await this.#configure(metadata, this.#fetch);
    return [claims, await oidc.fetchUserInfo(configuration, accessToken, claims.sub)];
  }

  #requireClaims(answer: TokenAnswer): oidc.IDToken {
    const { id_token: idToken, access_token: accessToken } = answer;
    const claims = answer.claims();
    if (idToken === undefined || claims === undefined) throw new ProviderRefused('the token response has no ID token');
    const nowSeconds = this.clock.now().getTime() / 1000;
    requireStrictToken({ idToken, claims, accessToken, clientId: this.settings.clientId, nowSeconds });
    return claims;
  }

  async #exchange({ metadata, transaction, callback, fetch }: Exchange): Promise<TokenAnswer> {
    const configuration = await this.#configure(metadata, fetch);
    try {
      return await oidc.authorizationCodeGrant(configuration, callback, {
        expectedState: transaction.state,
        expectedNonce: transaction.nonce,
        pkceCodeVerifier: transaction.codeVerifier,
        idTokenExpected: true,
      });
    } finally {
      this.#keys.store(configuration);
    }
  }

  /**
   * The tenant is known only from the ID token, but the library needs the issuer before it verifies the token. Therefore the first
   * exchange only stores the token response. The tenant is read from that response, which is then verified against the tenant's
   * issuer.
   */
  async #exchangeAmongTenants(
    metadata: oidc.ServerMetadata,
    transaction: ProviderTransaction,
    callback: URL,
  ): Promise<TokenAnswer> {
    let tokenResponse: Response | undefined;
    const storeResponse: oidc.CustomFetch = async (url, options) => {
      const response = await this.#fetch(url, options);
      if (url !== metadata.token_endpoint || response.status !== 200) return response;
      tokenResponse = response;
      throw new ProviderRefused('the token response is kept');
    };
    // The issuer is not known yet; the parameter of RFC 9207 is checked in the second verification.
    const callbackWithoutIssuer = new URL(callback);
    callbackWithoutIssuer.searchParams.delete('iss');
    const { authorization_response_iss_parameter_supported: _issuerParameter, ...metadataWithoutIssuer } = metadata;
    const attempt = this.#exchange({
      metadata: metadataWithoutIssuer,
      transaction,
      callback: callbackWithoutIssuer,
      fetch: storeResponse,
    });
    const failure = await attempt.then(
      () => new ProviderRefused('the token response has no ID token'),
      (error: unknown) => error,
    );
    if (!tokenResponse) throw failure;
    const issuer = this.#dialect.getIssuer?.(await readUnverifiedClaims(tokenResponse.clone())) ?? metadata.issuer;
    const storedResponse = tokenResponse;
    const replay: oidc.CustomFetch = (url, options) =>
      url === metadata.token_endpoint ? Promise.resolve(storedResponse) : this.#fetch(url, options);
    return this.#exchange({ metadata: { ...metadata, issuer }, transaction, callback, fetch: replay });
  }

  async #configure(metadata: oidc.ServerMetadata, fetch: oidc.CustomFetch): Promise<oidc.Configuration> {
    const client = { [oidc.clockSkew]: Math.round(this.clock.skewMs / 1000), [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const credential = await this.#credential(metadata);
    const configuration = new oidc.Configuration(metadata, this.settings.clientId, client, credential);
    configuration[oidc.customFetch] = fetch;
    // Verifies the signature of the ID token as well, because TLS alone does not prove who issued it.
    oidc.enableNonRepudiationChecks(configuration);
    if (this.settings.issuer.startsWith('http:')) oidc.allowInsecureRequests(configuration);
    this.#keys.restore(configuration);
    return configuration;
  }
}

interface Exchange {
  metadata: oidc.ServerMetadata;
  transaction: ProviderTransaction;
  callback: URL;
  fetch: oidc.CustomFetch;
}

function isAfter(authTime: number | undefined, begunAt: number | undefined): boolean {
  return authTime !== undefined && begunAt !== undefined && authTime >= begunAt - CLOCK_TOLERANCE_SECONDS;
}

async function readUnverifiedClaims(answer: Response): Promise<Readonly<Record<string, unknown>>> {
  const { id_token: idToken } = (await answer.json()) as { id_token?: unknown };
  try {
    return decodeJwt<Record<string, unknown>>(String(idToken));
  } catch {
    throw new ProviderRefused('the ID token cannot be decoded');
  }
}
