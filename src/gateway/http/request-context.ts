/**
 * The request context: what flows may use of a request, its headers and its cookies. Flows get neither the request itself nor the
 * response. `request-context.middleware.ts` creates the context.
 */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Locale } from '../../contract/locale.js';
import type { LinkedForm } from '../page/outcome.js';
import type { OpenedRequest } from '../security/opened-request-cookies.js';

export interface RequestContext {
  readonly requestId: string;
  /** Address of the client, after the configured number of trusted proxies. */
  readonly address: string;
  /** The `User-Agent` header. A client can send any text in it. */
  readonly userAgent: string;
  /** Id of this browser (cookie). New if the request had none. */
  readonly browser: string;
  /** Whether the browser has an id: the request contained it, or is a cross-site provider callback, which never does (`access.guard.ts`). */
  readonly isKnownBrowser: boolean;
  /** `Sec-Fetch-Site`: every current browser sends it to an HTTPS address, and scripts can neither set nor remove it. */
  readonly fetchSite: string | null;
  /** Id of this device, kept after logouts (cookie); null if absent. */
  readonly device: string | null;
  /** Secrets of a trusted browser, one for each account, the newest first (cookie). */
  readonly trustedBrowserSecrets: readonly string[];
  /** Marks of accounts to which a passkey was offered in this browser (cookie). */
  readonly passkeyOfferMarks: readonly string[];
  /** Secret of the manage session (cookie); null if absent. */
  readonly manageSession: string | null;
  /** Cookie of the session at Hydra (`session-binding.ts`); null if absent. */
  readonly browserSession: string | null;
  /** Sealed result of the last logout of this browser; null if absent. */
  readonly logout: string | null;
  readonly path: string;
  /** Path and query, unchanged. */
  readonly url: string;
  readonly language: { readonly query: string | null; readonly cookie: string | null; readonly accept: string };
  /** The language of the page; undefined if no hint names an offered language. @param uiLocales languages that the waiting app requests */
  readonly findLocale: (uiLocales: readonly string[]) => Locale | undefined;
  /** Sealed address of the authorization request that this browser started last. */
  readonly resume: string | null;
  /** Handle of a provider transaction, for a callback without other cookies. */
  readonly providerTransaction: string | null;
  /** Handles of the registration tickets of this browser, the newest first (cookie). */
  readonly registrations: readonly string[];
  /**
   * Tokens of links that this browser opened, removed from their addresses; `support`: a secret of the page for the help desk
   * (cookies).
   */
  readonly links: Readonly<Record<LinkedForm, string | null>>;
  /** Login, consent and device requests that this browser opened, the newest last. The cookies are not authenticated. */
  readonly openedRequests: readonly OpenedRequest[];
  /** Sealed state of a sign-up in this browser (cookie); null if absent. */
  readonly signUp: string | null;
  /** Secret of a carried proof or of a decision carried from an older tab (cookie); null if absent. */
  readonly carriedSecret: string | null;
  /**
   * The verified anti-forgery value of a form; null for other requests, and for a form without a valid value
   * (`AcceptsOutdatedForm`).
   */
  readonly xsrf: string | null;
  /** The browser id for which the page of the form was made. It is an earlier id if another tab has signed in since. */
  readonly formBrowser: string;
  /**
   * Identifies this submission: its answer is repeated only to a request with the same value (`answers.ts`). It is the anti-forgery
   * value of the form, unless a flow sets another one: the `state` of a provider, the handle of a registration, the secret of a carried
   * proof, or the anti-forgery value together with another field of the form (`bindAnswer`). If it is null, the answer is never repeated.
   */
  readonly submission: string | null;
  /** The anti-forgery value of a same-origin form that does not belong to this browser id. It was not verified. */
  readonly outdatedXsrf: string | null;
}

export interface Person {
  actor: 'person';
  address: string;
  requestId: string;
  locale: Locale | undefined;
}

/** The person for the audit log, with the language of mails about the request. @param uiLocales see `findLocale` */
export function toPerson({ address, requestId, findLocale }: RequestContext, uiLocales: readonly string[] = []): Person {
  return { actor: 'person', address, requestId, locale: findLocale(uiLocales) };
}

export interface ContextualRequest extends Request {
  context: RequestContext;
}

export const CurrentRequestContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestContext => context.switchToHttp().getRequest<ContextualRequest>().context,
);
