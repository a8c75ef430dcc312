/**
 * Pending sign-ins and sessions of the demo app, in memory. The number of each is limited; the oldest is dropped. After a restart
 * the session at Hydra remains, so one click signs a person in again.
 */
import { randomBytes } from 'node:crypto';
import type { SignInAttempt } from './relying-party.js';
import type { TokenSet } from './token-set.js';

const LIMIT = 1000;

export interface Session {
  readonly id: string;
  tokens: TokenSet;
  userinfo: Readonly<Record<string, unknown>> | null;
  /** A refresh in progress. */
  renewal?: Promise<TokenSet>;
  /** The `state` of a logout in progress; a return without this `state` does not sign the person out. */
  logoutState?: string;
}

export interface PendingSignIn {
  /** Id of the browser that started the sign-in; callbacks in another browser are refused (login CSRF). */
  readonly browser: string;
  readonly attempt: SignInAttempt;
  /** The page that opens after the sign-in. */
  readonly nextPath: '/' | '/account';
  /**
   * Set by the first callback. A second callback (double click, reload) waits for the same result. Deleted if the issuer is
   * unreachable, so that a later callback tries again.
   */
  result?: Promise<Session>;
}

export class PortalSessions {
  readonly #pendingSignIns = new Map<string, PendingSignIn>();
  readonly #sessions = new Map<string, Session>();

  keepSignIn(signIn: PendingSignIn): void {
    keep(this.#pendingSignIns, signIn.attempt.state, signIn);
  }

  findSignIn(state: string, browser: string | undefined): PendingSignIn | null {
    const signIn = this.#pendingSignIns.get(state);
    return signIn && signIn.browser === browser ? signIn : null;
  }

  /** A new session gets a new id, so that an id planted by an attacker is useless (session fixation). */
  begin(tokens: TokenSet, userinfo: Session['userinfo']): Session {
    const session: Session = { id: createId(), tokens, userinfo };
    keep(this.#sessions, session.id, session);
    return session;
  }

  find(id: string | undefined): Session | null {
    return (id === undefined ? undefined : this.#sessions.get(id)) ?? null;
  }

  end(id: string): void {
    this.#sessions.delete(id);
  }

  /**
   * Back-channel logout: one session of the issuer, or all sessions of a person (OpenID Connect Back-Channel Logout
   * 1.0, 2.7).
   */
  endMatching({ sid, sub }: { sid: string | undefined; sub: string | undefined }): void {
    for (const [id, { tokens }] of this.#sessions) {
      const matches = sid === undefined ? tokens.claims.sub === sub : tokens.claims.sid === sid;
      if (matches) this.#sessions.delete(id);
    }
  }
}

/** @returns 256 random bits, base64url */
export function createId(): string {
  return randomBytes(32).toString('base64url');
}

/** Adds an entry and deletes the oldest one if the map is full. */
export function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldestKey] = map.keys();
  if (map.size > LIMIT && oldestKey !== undefined) map.delete(oldestKey);
}
