/** What a controller answers: a page or a redirect. Only `outcome.interceptor.ts` turns it into a response. */
import type { PageContent } from '../../contract/page-state.js';

/** What the link of a mail, or of a contact person, opens. */
export type LinkedForm = 'password' | 'factors';

/** A change of the browser's own cookies. Nothing else may set one. */
export interface CookieChange {
  /** The browser's new id; ends what was bound to the old one. */
  browser?: { id: string; maxAgeSeconds?: number };
  /** A device that somebody signed in with. */
  device?: string;
  /** Secret of the account area's session; null takes the cookie away. */
  session?: string | null;
  /** Sealed address of the request that waits. */
  resume?: string;
  /** Handle of what a provider answers by a form of its own. */
  answer?: string;
  /** Token of a link, taken off the address; null takes the cookie away. */
  link?: { form: LinkedForm; token: string | null };
}

export interface PageOutcome {
  readonly kind: 'page';
  readonly content: PageContent;
  readonly status: number;
  /** Address at which a GET shows the same page again, for the language links; the current one when absent. */
  readonly self?: string;
  /** Languages that the waiting request asks for, most wanted first (I18-2). */
  readonly uiLocales: readonly string[];
  /** Link back to the app, already checked (GEN-6). */
  readonly returnTo?: { url: string; name: string };
  readonly retryAfterSeconds?: number;
  readonly cookies: CookieChange;
}

export interface RedirectOutcome {
  readonly kind: 'redirect';
  readonly url: string;
  readonly cookies: CookieChange;
}

export type Outcome = PageOutcome | RedirectOutcome;

export type PageOptions = Partial<Omit<PageOutcome, 'kind' | 'content'>>;

export function page(content: PageContent, options: PageOptions = {}): PageOutcome {
  return { kind: 'page', content, status: 200, uiLocales: [], cookies: {}, ...options };
}

/**
 * Always 303: after a POST any other status may send the password again (RFC 9700, section 4.12).
 * @param url a path of this product, or an address that the caller has checked
 */
export function redirect(url: string, cookies: CookieChange = {}): RedirectOutcome {
  return { kind: 'redirect', url, cookies };
}

/** Thrown where an answer is known before a controller is asked, or deep inside one. The filter sends it. */
export class ThrownOutcome extends Error {
  constructor(readonly outcome: Outcome) {
    super('Another answer takes the place of this one');
    this.name = 'ThrownOutcome';
  }
}

export function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && 'kind' in value && (value.kind === 'page' || value.kind === 'redirect');
}
