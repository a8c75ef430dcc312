/** Verifies the logout token that the issuer sends (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
import { createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose';
import type { RelyingParty } from './relying-party.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MAX_AGE_SECONDS = 300;

export interface LogoutTarget {
  sid: string | undefined;
  sub: string | undefined;
}

type KeySet = ReturnType<typeof createRemoteJWKSet>;

export class LogoutTokens {
  readonly #keySets = new Map<string, KeySet>();

  constructor(private readonly relyingParty: RelyingParty) {}

  /**
   * @throws if the token is not from the issuer, not for this client, expired, older than `MAX_AGE_SECONDS`, without an `iat` or
   * with one in the future, not a logout token, or names nobody; also if the issuer's metadata or keys cannot be fetched
   */
  async verify(token: string): Promise<LogoutTarget> {
    const { issuer, jwksUri } = await this.relyingParty.getIssuerMetadata();
    const { payload } = await jwtVerify(token, this.#getKeySet(jwksUri), {
      issuer,
      audience: this.relyingParty.settings.clientId,
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: 30,
    });
    return readTarget(payload);
  }

  /** Reuses the key set of an address, because a key set caches the keys that it has fetched. */
  #getKeySet(uri: string): KeySet {
    const keySet = this.#keySets.get(uri) ?? createRemoteJWKSet(new URL(uri), { timeoutDuration: 5000 });
    this.#keySets.set(uri, keySet);
    return keySet;
  }
}

function readTarget({ events, nonce, sid, sub }: JWTPayload): LogoutTarget {
  const isLogout = typeof events === 'object' && events !== null && EVENT in events;
  // A logout token has no nonce (section 2.4), so that nobody can use it as an ID token.
  if (!isLogout || nonce !== undefined) throw new Error('This is not a logout token.');
  if (typeof sid !== 'string' && typeof sub !== 'string')
    throw new Error('The logout token names neither a session nor a person.');
  return { sid: typeof sid === 'string' ? sid : undefined, sub: typeof sub === 'string' ? sub : undefined };
}
