/**
 * Every route declares its protection; a route without a declaration is refused (ASVS 8.3.1). A form, except the callback of a provider,
 * must come from this origin. It must also contain the anti-forgery value of the same browser, except on routes with `AcceptsOutdatedForm`.
 */
import {
  Injectable,
  SetMetadata,
  UseInterceptors,
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { MANAGE_QUERY, CALL_HEADERS, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { ManageSessions, type ManageHttpRequest } from './manage-sessions.port.js';
import { CallFailed } from '../http/calls.js';
import { Fault } from '../http/faults.js';
import { SingleChangeInterceptor } from '../http/single-change.interceptor.js';
import { ThrownOutcome, redirect } from '../page/outcome.js';
import { PublicOrigin } from './public-origin.js';
import type { ContextualRequest } from '../http/request-context.js';
import { Xsrf } from './xsrf.js';

const ACCESS = 'foyer:access';
const ACCEPTS_OUTDATED = 'foyer:accepts-outdated-form';

type Access = 'public' | 'provider-answer' | 'manage-session' | 'mfa-call' | 'rpc-call' | 'rpc-call-or-enrolment';

const declareAccess = (access: Access): MethodDecorator & ClassDecorator => SetMetadata<string, Access>(ACCESS, access);

/** Open to everyone, such as the steps of a flow and health probes. */
export const Public = (): MethodDecorator & ClassDecorator => declareAccess('public');
/**
 * A form_post callback of a provider: the only route that accepts a cross-site POST. Its handle and state authenticate
 * it; it has no effect until the browser returns with its own cookies.
 */
export const ProviderAnswer = (): MethodDecorator => declareAccess('provider-answer');
/**
 * With `Public`, for a form whose anti-forgery value may be outdated because the id of the browser has changed, or whose browser refuses
 * cookies. Such a request is unverified (`context.xsrf` is null): unless `SignIns.restoreForm` finds that the form was made for an earlier id
 * of this browser, the route must change nothing and may only lead back to a page.
 */
export const AcceptsOutdatedForm = (): MethodDecorator => SetMetadata(ACCEPTS_OUTDATED, true);
/** A page of the account area: requires a manage session, otherwise redirects to the error page (MAN-1). */
export const InManageSession = (): MethodDecorator & ClassDecorator => declareAccess('manage-session');
/**
 * An RPC call of a sign-in's second step: the anti-forgery value is in a header, and the bearer token identifies
 * the sign-in.
 */
export const MfaCall = (): MethodDecorator & ClassDecorator => declareAccess('mfa-call');
/**
 * An RPC call of the account area, for a class or for its methods; `enrolment` also admits the set-up of a first factor
 * during a sign-in.
 */
export const RpcCall = (addition?: 'enrolment'): MethodDecorator & ClassDecorator =>
  applyDecorators(declareAccess(addition ? 'rpc-call-or-enrolment' : 'rpc-call'), UseInterceptors(SingleChangeInterceptor));

/** After an outdated form of the account area: the overview, which reports that nothing was changed. */
const UNCHANGED_OVERVIEW = `${PATHS.manage}?${MANAGE_QUERY.status}=form-stale`;

@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly xsrf: Xsrf,
    private readonly origin: PublicOrigin,
    private readonly sessions: ManageSessions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [context.getHandler(), context.getClass()]);
    const request = context.switchToHttp().getRequest<ManageHttpRequest>();
    switch (access) {
      case 'public': {
        const mayBeOutdated = this.reflector.get<boolean | undefined>(ACCEPTS_OUTDATED, context.getHandler()) ?? false;
        if (this.#admitOwnForm(request)) return true;
        if (!mayBeOutdated) throw createFormFault();
        if (this.#isOutdated(request)) request.context = { ...request.context, outdatedXsrf: String(readFormValue(request)) };
        else if (!this.#isWithoutCookies(request)) throw createFormFault();
        return true;
      }
      case 'provider-answer':
        // The browser has an id, which this cross-site request does not contain and which no new id may replace.
        request.context = { ...request.context, isKnownBrowser: true };
        return true;
      case 'manage-session':
        if (!this.#admitOwnForm(request)) {
          if (!this.#isOutdated(request)) throw createFormFault();
          await this.#requireManageSession(request);
          throw new ThrownOutcome(redirect(UNCHANGED_OVERVIEW));
        }
        request.session = await this.#requireManageSession(request);
        return true;
      case 'mfa-call':
        this.#requireOwnCall(request);
        return true;
      case 'rpc-call':
      case 'rpc-call-or-enrolment':
        this.#requireCall(request, access === 'rpc-call-or-enrolment');
        await this.#refreshSession(request, context.switchToHttp().getResponse());
        return true;
      default:
        throw new Fault('forbidden', 'The route does not declare its protection');
    }
  }

  /**
   * Whether a refused form is a same-origin form of a known browser, with an anti-forgery value that does not belong to this browser id.
   * `restoreForm` checks the earlier ids.
   */
  #isOutdated(request: ContextualRequest): boolean {
    if (!request.context.isKnownBrowser || !this.#isSameOrigin(request)) return false;
    const form = readFormValue(request);
    return typeof form === 'string' && form !== '';
  }

  /** Whether this is a same-origin form of a browser that refuses cookies. The page then states that cookies are required. */
  #isWithoutCookies(request: ContextualRequest): boolean {
    return !request.context.isKnownBrowser && this.#isSameOrigin(request);
  }

  #isSameOrigin(request: ContextualRequest): boolean {
    const { headers } = request;
    return !this.#isForeign(request) && (headers['sec-fetch-site'] === 'same-origin' || (headers.origin ?? 'null') !== 'null');
  }

  /**
   * @returns whether the request is not a form, or is a form of this origin with the anti-forgery value of this browser, which is then put
   * into the context
   */
  #admitOwnForm(request: ContextualRequest): boolean {
    if (request.method !== 'POST') return true;
    const { context } = request;
    const form = readFormValue(request);
    if (typeof form !== 'string' || this.#isForeign(request) || !this.xsrf.verify(context.browser, form)) return false;
    request.context = { ...context, xsrf: form, submission: form };
    return true;
  }

  #requireOwnCall(request: ContextualRequest): void {
    const value = request.headers[CALL_HEADERS.xsrf];
    if (!this.#isForeign(request) && this.xsrf.verify(request.context.browser, value)) return;
    throw new Fault('forbidden', 'The call comes from another origin or does not have the anti-forgery value of this browser');
  }

  /** `rpcAccess` has verified the token; this method checks the origin, and what the session allows. */
  #requireCall(request: ManageHttpRequest, mayEnrol: boolean): void {
    if (this.#isForeign(request)) throw new Fault('forbidden', 'The call comes from another origin');
    if (!request.session) throw new Fault('unauthorized', 'The call has no valid token');
    if (request.session.scope === 'enrol' && !mayEnrol) throw new CallFailed('forbidden');
  }

  /** The body can arrive long after `rpcAccess` admitted the call; the session may have ended meanwhile. */
  async #refreshSession(request: ManageHttpRequest, response: Response): Promise<void> {
    if (request.method === 'GET' || !request.session) return;
    const session = await this.sessions.findAdmitted(request.session.sessionId);
    if (!session) {
      response.removeHeader(CALL_HEADERS.nextToken);
      response.setHeader('WWW-Authenticate', 'Bearer');
      throw new Fault('unauthorized', 'The session of the call has ended');
    }
    request.session = session;
  }

  async #requireManageSession(request: ManageHttpRequest): Promise<NonNullable<ManageHttpRequest['session']>> {
    const session = await this.sessions.findByCookie(request.context);
    if (session?.scope === 'manage') return session;
    throw new ThrownOutcome(redirect(`${PATHS.manageError}unauthorized`));
  }

  /**
   * Second check: recognises requests of other origins, which are refused even if the anti-forgery value leaked. Old browsers send neither
   * `Sec-Fetch-Site` nor `Origin`.
   */
  #isForeign({ headers }: ContextualRequest): boolean {
    const site = headers['sec-fetch-site'];
    if (site === 'cross-site' || site === 'same-site') return true;
    const { origin } = headers;
    return origin !== undefined && origin !== 'null' && !this.origin.equals(origin);
  }
}

function createFormFault(): Fault {
  return new Fault('forbidden', 'The form comes from another origin or does not have the anti-forgery value of this browser');
}

function readFormValue({ body }: ContextualRequest): unknown {
  return (body as Record<string, unknown> | undefined)?.[FIELDS.xsrf];
}
