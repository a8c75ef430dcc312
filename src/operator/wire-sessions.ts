/** Answers of the operator API about sessions and trusted browsers. */
import type { UpstreamOutcome } from './wire.js';

/** A browser session at the upstream, or a session of the account area. */
export interface SessionAnswer {
  id: string;
  kind: 'sign_in' | 'account_area';
  began_at: string;
  /** Account area only; precise to the minute. */
  seen_at: string | null;
  expires_at: string;
  /** Methods of authentication; sign-ins only. */
  acr: string | null;
  amr: string[];
  /** The app that the person signed in to, or whose access token opened the account area. */
  client_id: string | null;
  /** Where the sign-in came from. */
  address: string | null;
  /** Browser and system in words, as the browser names itself: `Firefox, Windows`. */
  browser: string | null;
}

/** Sessions of a person. */
export interface SessionListAnswer {
  /** Newest first. */
  sessions: SessionAnswer[];
}

/** What was ended. */
export interface SessionsAnswer {
  /** Number of ended sessions. */
  ended: number;
  upstream: UpstreamOutcome;
}

/** A browser in which a person is not asked for a second factor. */
export interface TrustedBrowserAnswer {
  id: string;
  /** Browser and system in words, as the browser names itself: `Firefox, Windows`. */
  browser: string | null;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}

/** Browsers in which a person is not asked for a second factor. */
export interface TrustedBrowserListAnswer {
  /** Newest first. */
  trusted_browsers: TrustedBrowserAnswer[];
}

/** What was ended. */
export interface TrustedBrowsersEndedAnswer {
  /** Number of browsers. */
  ended: number;
}
