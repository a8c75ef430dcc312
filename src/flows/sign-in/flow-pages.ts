/** What every page of a flow needs of the edge: the anti-forgery value, the ticket, the way back into the request. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { PageOptions } from '../../gateway/page/outcome.js';
import { ReturnTickets } from '../../gateway/page/return-tickets.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { Xsrf } from '../../gateway/security/xsrf.js';
import { AuthorizationRequest } from '../../hydra/authorization-request.js';
import { returnUrl } from '../../hydra/client-links.js';
import type { ClientProfile } from '../../hydra/client-profile.js';

/** Parameter of the authorization request that names where "back to the app" leads (GEN-6). */
const RETURN_PARAMETER = 'return_to_url';

/** What login and consent requests have in common. */
export interface WaitingRequest {
  challenge: string;
  requestUrl: string;
  uiLocales: readonly string[];
  client: ClientProfile;
}

/** A challenge as a form or an address brought it, with the form's ticket where there was one. */
export interface PresentedChallenge {
  challenge: string;
  ticket?: string | undefined;
}

/** The sign-in that waits while somebody is elsewhere. */
export interface ReturnLink {
  url: string;
  /** The same, sealed. */
  ticket: string;
  uiLocales: readonly string[];
  /** As the request names the person. */
  username: string;
}

@Injectable()
export class FlowPages {
  constructor(
    private readonly xsrf: Xsrf,
    private readonly tickets: ReturnTickets,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  xsrfToken(context: RequestContext): string {
    return this.xsrf.issue(context.browser);
  }

  asked({ requestUrl }: WaitingRequest): AuthorizationRequest | null {
    return AuthorizationRequest.parse(requestUrl, this.config.hydra.publicUrl);
  }

  /** @returns the sealed way back into the request; empty where the request's address cannot be trusted */
  ticket(waiting: WaitingRequest): string {
    const asked = this.asked(waiting);
    return asked ? this.tickets.issue(asked.href, waiting.challenge) : '';
  }

  /** The way back for a challenge that has died: from the form's ticket, else from what the browser kept. */
  restartUrl({ challenge, ticket }: PresentedChallenge, context: RequestContext): string | null {
    return this.tickets.open(ticket) ?? this.tickets.openFor(context.resume, challenge);
  }

  /** A way back that was kept elsewhere for a while, if it still leads to the upstream. */
  waitingFor(requestUrl: string | null): ReturnLink | null {
    const asked = AuthorizationRequest.parse(requestUrl ?? '', this.config.hydra.publicUrl);
    if (!asked) return null;
    const uiLocales = (asked.parameter('ui_locales') ?? '').split(' ').filter(Boolean);
    return {
      url: asked.href,
      ticket: this.tickets.issue(asked.href, ''),
      uiLocales,
      username: asked.parameter('login_hint') ?? '',
    };
  }

  /** Where a refusal leads without the upstream, for a request whose challenge has died (CON-5). */
  refusalUrl(requestUrl: string | null): string | undefined {
    return AuthorizationRequest.parse(requestUrl ?? '', this.config.hydra.publicUrl)?.refusalUrl();
  }

  pageOptions(waiting: WaitingRequest): PageOptions {
    const wanted = this.asked(waiting)?.parameter(RETURN_PARAMETER);
    const url = returnUrl(waiting.client, wanted, this.config.app.returnOrigins);
    return { uiLocales: waiting.uiLocales, ...(url === undefined ? {} : { returnTo: { url, name: waiting.client.name } }) };
  }
}
