/**
 * The OpenID Connect client of the demo app: code flow with PKCE, state and nonce, refresh, userinfo, logout.
 * It stores nothing about people.
 */
import * as oidc from 'openid-client';
import { Issuer, type IssuerSettings } from './issuer.js';
import { ProtocolFailure, translateErrors } from './protocol-errors.js';
import { readTokens, type TokenSet } from './token-set.js';

export interface RelyingPartySettings extends IssuerSettings {
  clientSecret: string;
  /** Origin under which the browser reaches the demo app. */
  baseUrl: string;
}

/** Optional parameters of the authorization request, by name. */
export type SignInOptions = Readonly<Record<string, string>>;

/** A sign-in that waits for its callback. */
export interface SignInAttempt {
  /** The requested scopes, separated by spaces. */
  scope: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  maxAgeSeconds?: number;
}

export class RelyingParty {
  readonly #issuer: Issuer;

  constructor(readonly settings: RelyingPartySettings) {
    this.#issuer = new Issuer(settings);
  }

  /** @returns where to send the browser, and what to store until the callback */
  async begin(scope: string, options: SignInOptions): Promise<{ url: URL; attempt: SignInAttempt }> {
    const issuer = await this.#issuer.discover();
    const attempt: SignInAttempt = {
      scope,
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
    };
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

  /**
   * @throws OAuthError for an OAuth error, ProtocolFailure for an invalid answer, IssuerUnreachable without an answer or for a status
   * of 500 and above
   */
  async finish(callback: URL, attempt: SignInAttempt): Promise<TokenSet> {
    const issuer = await this.#issuer.discover();
    const answer = await translateErrors(
      oidc.authorizationCodeGrant(issuer, callback, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.codeVerifier,
        idTokenExpected: true,
        ...(attempt.maxAgeSeconds === undefined ? {} : { maxAge: attempt.maxAgeSeconds }),
      }),
    );
    return readTokens(answer, { scopes: attempt.scope.split(' ') });
  }

  /** @returns `previousTokens` with the renewed values; a refresh may omit the ID token (OpenID Connect Core, 12.2) */
  async refresh(previousTokens: TokenSet): Promise<TokenSet> {
    if (previousTokens.refreshToken === undefined) throw new ProtocolFailure('There is no refresh token.');
    const issuer = await this.#issuer.discover();
    return readTokens(await translateErrors(oidc.refreshTokenGrant(issuer, previousTokens.refreshToken)), previousTokens);
  }

  async fetchUserinfo(tokens: TokenSet): Promise<Readonly<Record<string, unknown>>> {
    const issuer = await this.#issuer.discover();
    return translateErrors(oidc.fetchUserInfo(issuer, tokens.accessToken, tokens.claims.sub));
  }

  /**
   * Builds the address of a logout request (OpenID Connect RP-Initiated Logout 1.0, section 2).
   * @throws ProtocolFailure if the issuer has no such address, IssuerUnreachable
   */
  async buildEndSessionUrl(tokens: TokenSet, state: string): Promise<URL> {
    const issuer = await this.#issuer.discover();
    if (issuer.serverMetadata().end_session_endpoint === undefined) {
      throw new ProtocolFailure('The discovery document of the issuer has no end_session_endpoint.');
    }
    return oidc.buildEndSessionUrl(issuer, {
      id_token_hint: tokens.idToken,
      post_logout_redirect_uri: `${this.settings.baseUrl}/signed-out`,
      state,
    });
  }

  /** @throws ProtocolFailure, IssuerUnreachable */
  async getIssuerMetadata(): Promise<{ issuer: string; jwksUri: string }> {
    const { issuer, jwks_uri: jwksUri } = (await this.#issuer.discover()).serverMetadata();
    if (jwksUri === undefined) throw new ProtocolFailure('The discovery document of the issuer has no jwks_uri.');
    return { issuer, jwksUri };
  }
}
