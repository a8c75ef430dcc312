/**
 * Every route states its protection; without a statement it is refused (ASVS 8.3.1). Every POST also proves that it comes
 * from a page of this product in this browser: the anti-forgery value, and no cross-site origin.
 */
import { Injectable, SetMetadata } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FIELDS } from '../contract/form-fields.js';
import { Fault } from './faults.js';
import { PublicOrigin } from './public-origin.js';
import type { VisitedRequest } from './visit.js';
import { Xsrf } from './xsrf.js';

const ACCESS = 'foyer:access';

type Access = 'public';

/** Anyone may call it: the steps of a flow and the health probes. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata<string, Access>(ACCESS, 'public');

@Injectable()
export class AccessGuard implements CanActivate {
  readonly #reflector: Reflector;
  readonly #xsrf: Xsrf;
  readonly #origin: PublicOrigin;

  constructor(reflector: Reflector, xsrf: Xsrf, origin: PublicOrigin) {
    this.#reflector = reflector;
    this.#xsrf = xsrf;
    this.#origin = origin;
  }

  canActivate(context: ExecutionContext): boolean {
    const access = this.#reflector.getAllAndOverride<Access | undefined>(ACCESS, [context.getHandler(), context.getClass()]);
    if (access === undefined) throw new Fault('forbidden', 'This route does not state its protection');
    const request = context.switchToHttp().getRequest<VisitedRequest>();
    if (request.method === 'POST') this.#requireOwnForm(request);
    return true;
  }

  #requireOwnForm(request: VisitedRequest): void {
    const { visit } = request;
    const form: unknown = (request.body as Record<string, unknown> | undefined)?.[FIELDS.xsrf];
    if (typeof form === 'string' && !this.#isForeign(request) && this.#xsrf.verify(visit.browser, form)) {
      request.visit = { ...visit, form };
      return;
    }
    throw new Fault('forbidden', 'A form without the anti-forgery value of this browser');
  }

  /** The second lock (Fetch Metadata): says no even where the value leaked. Old browsers send neither header. */
  #isForeign({ headers }: VisitedRequest): boolean {
    const site = headers['sec-fetch-site'];
    if (site === 'cross-site' || site === 'same-site') return true;
    const { origin } = headers;
    return origin !== undefined && origin !== 'null' && !this.#origin.is(origin);
  }
}
