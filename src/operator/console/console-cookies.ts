/** The two cookies of the console: the session, and the sign-in that waits for its callback. */
import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { defined } from '../../config/defined.js';
import { Keys } from '../../config/keys.js';
import type { SignInAttempt } from './console-client.js';

const OPAQUE_ID = /^[A-Za-z0-9_-]{43}$/;
/** How long a person may take to sign in. */
const SIGN_IN_SECONDS = 1800;

export interface WaitingSignIn {
  attempt: SignInAttempt;
  returnTo: string;
  /** Whether the sign-in provides a new proof for the session in this browser. */
  isProof: boolean;
  /** Whether the person has to sign in although the browser is signed in at Foyer. */
  isAgain: boolean;
  /** Milliseconds since the epoch. */
  begunAt: number;
}

@Injectable()
export class ConsoleCookies {
  readonly #isSecure: boolean;
  readonly #sessionName: string;
  readonly #signInName: string;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'console'>,
    private readonly keys: Keys,
  ) {
    this.#isSecure = config.console?.url.startsWith('https:') ?? true;
    this.#sessionName = this.#isSecure ? '__Host-foyer-console' : 'foyer-console';
    this.#signInName = `${this.#sessionName}-sign-in`;
  }

  /** @returns the secret of the session, or null */
  readSession(header: string | undefined): string | null {
    const value = parseCookie(header ?? '')[this.#sessionName];
    return value !== undefined && OPAQUE_ID.test(value) ? value : null;
  }

  /** @param now milliseconds since the epoch @returns null for a missing, forged or expired cookie */
  readSignIn(header: string | undefined, now: number): WaitingSignIn | null {
    const sealedSignIn = parseCookie(header ?? '')[this.#signInName];
    const text = sealedSignIn === undefined ? null : this.keys.open('console-sign-in', sealedSignIn);
    if (text === null) return null;
    const signIn = JSON.parse(text) as WaitingSignIn;
    return now - signIn.begunAt < SIGN_IN_SECONDS * 1000 ? signIn : null;
  }

  /** @param secret null removes the cookie @returns the line for `Set-Cookie` */
  writeSession(secret: string | null): string {
    // The cookie has no expiry, because the server limits the time of the session.
    return this.#write(this.#sessionName, secret ?? '', secret === null ? 0 : undefined);
  }

  /** @param signIn null removes the cookie @returns the line for `Set-Cookie` */
  writeSignIn(signIn: WaitingSignIn | null): string {
    const sealedSignIn = signIn === null ? '' : this.keys.seal('console-sign-in', JSON.stringify(signIn));
    return this.#write(this.#signInName, sealedSignIn, signIn === null ? 0 : SIGN_IN_SECONDS);
  }

  /** `Lax`, because Hydra's origin redirects to the callback. Calls of the API also need a header (`console-access.ts`). */
  #write(name: string, value: string, maxAge: number | undefined): string {
    return stringifySetCookie(name, value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#isSecure,
      ...defined({ maxAge }),
    });
  }
}
