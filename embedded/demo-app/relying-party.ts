/**
 * The OpenID Connect client of the demo app: code flow with PKCE, state and nonce, refresh, userinfo, logout.
 * Discovery runs on first use, so the start order does not matter. Stores nothing about people.
 */
import * as oidc from 'openid-client';
import { IssuerUnreachable, ProtocolFailure, inOurWords } from './protocol-errors.js';

export interface RelyingPartySettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Origin under which the browser reaches the demo app. */
  baseUrl: string;
}

/** Optional parameters of the authorization request. Names and values as in OpenID Connect Core, 3.1.2.1. */
export type SignInOptions = Readonly<Record<string, string>>;

/** A sign-in that waits for its callback. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
  maxAgeSeconds?: number;
}

export interface TokenSet {
  idToken: string;
  claims: Readonly<Record<string, unknown>> & { sub: string; sid?: string };
  accessToken: string;
  refreshToken?: string;
  scopes: readonly string[];
  /** Milliseconds since 1970. */
  expiresAt?: number;
}

const TIMEOUT_SECONDS = 10;

export class RelyingParty {
  #found: Promise<oidc.Configuration> | undefined;

  constructor(readonly settings: RelyingPartySettings) {}

  /** @returns where to send the browser, and what to store until the callback */
  async begin(scope: string, options: SignInOptions): Promise<{ url: URL; attempt: SignInAttempt }> {
    const issuer = await this.#issuer();
    const attempt = { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier: oidc.randomPKCECodeVerifier() };
    const url = oidc.buildAuthorizationUrl(issuer, {
      ...options,
      scope,
      redirect_uri: `${this.settings.baseUrl}/callback`,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
    const maxAge = options['max_age'];
    return { url, attempt: maxAge === undefined ? attempt : { ...attempt, maxAgeSeconds: Number(maxAge) } };
  }

  /** @throws SignInRefused for an error answer, ProtocolFailure for an invalid answer */
  async finish(callback: URL, attempt: SignInAttempt): Promise<TokenSet> {
    const issuer = await this.#issuer();
    const answer = await inOurWords(
      oidc.authorizationCodeGrant(issuer, callback, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.codeVerifier,
        idTokenExpected: true,
        ...(attempt.maxAgeSeconds === undefined ? {} : { maxAge: attempt.maxAgeSeconds }),
      }),
    );
    return readTokens(answer, null);
  }

  /** @returns `before` with the renewed values; a refresh may omit the ID token (Core, 12.2) */
  async refresh(before: TokenSet): Promise<TokenSet> {
    if (before.refreshToken === undefined) throw new ProtocolFailure('There is no refresh token.');
    const issuer = await this.#issuer();
    return readTokens(await inOurWords(oidc.refreshTokenGrant(issuer, before.refreshToken)), before);
  }

  async userinfo(tokens: TokenSet): Promise<Readonly<Record<string, unknown>>> {
    const issuer = await this.#issuer();
    return inOurWords(oidc.fetchUserInfo(issuer, tokens.accessToken, tokens.claims.sub));
  }

  /** OpenID Connect RP-Initiated Logout 1.0, section 2. */
  async endSessionUrl(tokens: TokenSet, state: string): Promise<URL> {
    return oidc.buildEndSessionUrl(await this.#issuer(), {
      id_token_hint: tokens.idToken,
      post_logout_redirect_uri: `${this.settings.baseUrl}/signed-out`,
      state,
    });
  }

  async keySetUrl(): Promise<{ issuer: string; jwksUri: string }> {
    const { issuer, jwks_uri: jwksUri } = (await this.#issuer()).serverMetadata();
    if (jwksUri === undefined) throw new ProtocolFailure('The issuer names no keys.');
    return { issuer, jwksUri };
  }

  /** A failed discovery is not cached, so that the next request tries again. */
  #issuer(): Promise<oidc.Configuration> {
    this.#found ??= this.#discover().catch((error: unknown) => {
      this.#found = undefined;
      throw new IssuerUnreachable(this.settings.issuer, { cause: error });
    });
    return this.#found;
  }

  #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    // Without TLS the token endpoint's answer is not authenticated, so the ID token's signature is always verified.
    const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
    return oidc.discovery(new URL(issuer), clientId, clientSecret, oidc.ClientSecretBasic(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute: [...insecure, oidc.enableNonRepudiationChecks],
    });
  }
}

type TokenAnswer = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

function readTokens(answer: TokenAnswer, before: TokenSet | null): TokenSet {
  const idToken = answer.id_token ?? before?.idToken;
  const claims = (answer.claims() as TokenSet['claims'] | undefined) ?? before?.claims;
  if (idToken === undefined || claims === undefined) throw new ProtocolFailure('The answer holds no ID token.');
  const refreshToken = answer.refresh_token ?? before?.refreshToken;
  const seconds = answer.expiresIn();
  return {
    idToken,
    claims,
    accessToken: answer.access_token,
    scopes: answer.scope === undefined ? (before?.scopes ?? []) : answer.scope.split(' ').filter(Boolean),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(seconds === undefined ? {} : { expiresAt: Date.now() + seconds * 1000 }),
  };
}
