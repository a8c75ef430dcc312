/**
 * A confidential or public client of the upstream that sends raw requests, because the contract suite asserts what a
 * library would hide (order of parameters, missing members, error bodies).
 */
import { decodeJwt, type JWTPayload } from 'jose';
import { exchange, expectStatus, toJson, type Answer } from './upstream-answer.js';
import type { TokenAnswer } from './upstream-wire.js';

/** A parameter that is undefined removes the default one. */
export type Parameters = Record<string, string | undefined>;

export interface OAuthRegistration {
  readonly clientId: string;
  /** A client without a secret is public and sends its id in the form. */
  readonly clientSecret?: string;
  readonly redirectUri: string;
}

export class OAuthClient {
  constructor(
    private readonly publicUrl: string,
    readonly registration: OAuthRegistration,
  ) {}

  get id(): string {
    return this.registration.clientId;
  }

  /** An authorization code request; by default it requests a refresh token too. */
  authorizationUrl(parameters: Parameters = {}): string {
    return this.#url('/oauth2/auth', {
      client_id: this.id,
      response_type: 'code',
      scope: 'openid offline',
      redirect_uri: this.registration.redirectUri,
      state: 'state-12345678',
      ...parameters,
    });
  }

  logoutUrl(parameters: Parameters = {}): string {
    return this.#url('/oauth2/sessions/logout', parameters);
  }

  async redeem(code: string): Promise<TokenAnswer> {
    return toJson(expectStatus(await this.tryRedeem(code), 200));
  }

  tryRedeem(code: string, more: Record<string, string> = {}): Promise<Answer> {
    const { redirectUri } = this.registration;
    return this.post('/oauth2/token', { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...more });
  }

  refresh(refreshToken: string): Promise<Answer> {
    return this.post('/oauth2/token', { grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  revoke(token: string): Promise<Answer> {
    return this.post('/oauth2/revoke', { token });
  }

  userinfo(accessToken: string): Promise<Answer> {
    return exchange(`${this.publicUrl}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } });
  }

  /** Client authentication by RFC 6749 section 2.3.1: Basic with a secret, otherwise client_id in the form. */
  post(path: string, form: Record<string, string>): Promise<Answer> {
    const { clientId, clientSecret } = this.registration;
    const body = new URLSearchParams(clientSecret === undefined ? { ...form, client_id: clientId } : form);
    const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret ?? '')}`).toString('base64');
    const headers: Record<string, string> = clientSecret === undefined ? {} : { authorization: `Basic ${basic}` };
    return exchange(`${this.publicUrl}${path}`, { method: 'POST', body, headers });
  }

  #url(path: string, parameters: Parameters): string {
    const url = new URL(`${this.publicUrl}${path}`);
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }
}

/** Claims without signature verification; one row of the suite verifies signatures with the published keys. */
export function idClaims(tokens: TokenAnswer): JWTPayload {
  if (tokens.id_token === undefined) throw new Error('the token answer carries no id_token');
  return decodeJwt(tokens.id_token);
}
