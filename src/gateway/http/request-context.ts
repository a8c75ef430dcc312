/**
 * What the gateway knows of one request, and all that a flow may know of it: no headers, no cookies, no response. Made by
 * `request-context.middleware.ts`.
 */
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { LinkedForm } from '../page/outcome.js';

export interface RequestContext {
  readonly requestId: string;
  /** The peer's address, behind as many trusted proxies as configured. */
  readonly address: string;
  /** Opaque id of this browser (cookie). New where the browser sent none. */
  readonly browser: string;
  /** The browser sent its id itself. */
  readonly isKnownBrowser: boolean;
  /** Opaque id of this device, kept across logouts (cookie); null where it sent none. */
  readonly device: string | null;
  /** Secret of the account area's session (cookie); null where the browser sent none. */
  readonly session: string | null;
  readonly path: string;
  /** Path and query, as it came. */
  readonly url: string;
  readonly language: { readonly query: string | null; readonly cookie: string | null; readonly accept: string };
  /** Sealed address of the request that this browser last began. */
  readonly resume: string | null;
  /** Handle of what a provider is asked, for answers that bring no other cookie. */
  readonly answer: string | null;
  /** Tokens of links that this browser opened, off their addresses. */
  readonly links: Readonly<Record<LinkedForm, string | null>>;
  /** The anti-forgery text that the form sent, once it has been verified; null for anything that is no form. */
  readonly form: string | null;
}

export interface ContextualRequest extends Request {
  context: RequestContext;
}

export const CurrentRequestContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestContext => context.switchToHttp().getRequest<ContextualRequest>().context,
);
