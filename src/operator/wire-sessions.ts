/** Answers of the operator API about sessions and trusted browsers. */
import type { UpstreamOutcome } from './wire.js';

/** A session that began with a sign-in, or a session of the account area. */
export interface SessionAnswer {
  id: string;
  kind: 'sign_in' | 'account_area';
  began_at: string;
  /** Last use of an account area session, to the minute; null for a sign-in. */
  seen_at: string | null;
  expires_at: string;
  /** Authentication context class of a sign-in; null for the account area. */
  acr: string | null;
  /** Authentication methods of a sign-in; empty for the account area. */
  amr: string[];
  /** Client to which the person signed in, or whose access token opened the account area. */
  client_id: string | null;
  /** IP address of the browser. */
  address: string | null;
  /** Browser and operating system as the browser reports them, such as `Firefox, Windows`. */
  browser: string | null;
}

/** The sessions of a person. */
export interface SessionListAnswer {
  /** Newest first. */
  sessions: SessionAnswer[];
}

/** The result of ending sessions. */
export interface SessionsAnswer {
  /** Number of ended sessions. */
  ended: number;
  upstream: UpstreamOutcome;
}

/** A trusted browser, in which a person is not asked for a second factor. */
export interface TrustedBrowserAnswer {
  id: string;
  /** Browser and operating system as the browser reports them, such as `Firefox, Windows`. */
  browser: string | null;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}

/** The trusted browsers of a person. */
export interface TrustedBrowserListAnswer {
  /** Newest first. */
  trusted_browsers: TrustedBrowserAnswer[];
}

/** The result of ending the trust in browsers. */
export interface TrustedBrowsersEndedAnswer {
  /** Number of browsers that are no longer trusted. */
  ended: number;
}
