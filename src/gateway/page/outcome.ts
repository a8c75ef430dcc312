/** The outcomes that a controller returns: pages, redirects and files. `responder.ts` writes them as responses. */
import type { Brand } from '../../config/look-settings.js';
import type { PageContent } from '../../contract/page-state.js';
import type { OpenedRequestsChange } from '../security/opened-request-cookies.js';

/** A form that a link opens; the link was mailed or handed out. `support`: the page for the help desk, which a mailed code opens. */
export type LinkedForm = 'password' | 'factors' | 'support' | 'invitation';

/**
 * A change of the browser's cookies. In addition, `responder.ts` sets the id of a browser that has none, and the language
 * that was chosen with a link; no other code of the gateway sets cookies.
 */
export interface CookieChange {
  /** New id of the browser. The code that sets it has moved or ended everything that belonged to the old id. */
  browser?: { id: string; maxAgeSeconds?: number };
  /** Proves that a session at Hydra belongs to this browser (`session-binding.ts`); null removes the cookie. */
  browserSession?: { value: string; maxAgeSeconds?: number } | null;
  /** Sealed result of a logout, for the page that Hydra redirects to; null removes the cookie. */
  logout?: string | null;
  /** Id of the device on which a person signed in. */
  device?: string;
  /** Secrets of a trusted browser, one for each account, the newest first. */
  trusted?: { secrets: readonly string[]; maxAgeSeconds: number };
  /** Marks of accounts to which a passkey was offered in this browser, the newest first. */
  offered?: readonly string[];
  /** Secret of the manage session; null removes the cookie. */
  manageSession?: string | null;
  /** Sealed address of the waiting authorization request. */
  resume?: string;
  /** Handle of a provider transaction with a form_post callback. */
  answer?: string;
  /** Handles of registration tickets, the newest first. */
  registrations?: readonly string[];
  /**
   * Token of a link, removed from the address, or for `support` a secret of the page for the help desk; null removes the cookie.
   */
  link?: { form: LinkedForm; token: string | null };
  /** The cookie of a login, consent or device request that this browser opens for the first time, and old cookies to remove. */
  opened?: OpenedRequestsChange;
  /** Sealed state of a sign-up; null removes the cookie. */
  signUp?: string | null;
  /** Secret of a proof or consent decision that waits for its request to start again; null removes the cookie. */
  carried?: string | null;
}

export interface PageOutcome {
  readonly kind: 'page';
  readonly content: PageContent;
  readonly status: number;
  /** Address at which a GET shows the same page, for the language links and after a refused form; default: the current one. */
  readonly self?: string;
  /** Languages of the waiting request, most preferred first (I18-2). */
  readonly uiLocales: readonly string[];
  /** Validated link back to the app (GEN-6). */
  readonly returnTo?: { url: string; name: string };
  /** The look of the app whose request waits, in place of the installation's. */
  readonly look?: Brand;
  readonly retryAfterSeconds?: number;
  readonly cookies: CookieChange;
}

export interface RedirectOutcome {
  readonly kind: 'redirect';
  readonly url: string;
  readonly cookies: CookieChange;
}

/** A file that the browser saves. */
export interface FileOutcome {
  readonly kind: 'file';
  /** ASCII without quotes. */
  readonly name: string;
  /** Written as JSON. */
  readonly value: object;
  readonly cookies: CookieChange;
}

export type Outcome = PageOutcome | RedirectOutcome | FileOutcome;

const OUTCOME_KINDS: readonly unknown[] = ['page', 'redirect', 'file'] satisfies Outcome['kind'][];

export type PageOptions = Partial<Omit<PageOutcome, 'kind' | 'content'>>;

export function page(content: PageContent, options: PageOptions = {}): PageOutcome {
  return { kind: 'page', content, status: 200, uiLocales: [], cookies: {}, ...options };
}

/**
 * Sent with 303, because with another status the browser may send the password of a POST again (RFC 9700, section 4.12). If the address
 * does not fit into the headers, a page that the browser immediately leaves is sent instead.
 * @param url a path of this product, or a validated address
 */
export function redirect(url: string, cookies: CookieChange = {}): RedirectOutcome {
  return { kind: 'redirect', url, cookies };
}

export function file(name: string, value: object): FileOutcome {
  return { kind: 'file', name, value, cookies: {} };
}

/** Thrown in a guard or a service to answer with this outcome instead of the controller's. The filter sends it. */
export class ThrownOutcome extends Error {
  constructor(readonly outcome: Outcome) {
    super('Another outcome replaces the outcome of the controller');
    this.name = 'ThrownOutcome';
  }
}

export function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && 'kind' in value && OUTCOME_KINDS.includes(value.kind);
}
