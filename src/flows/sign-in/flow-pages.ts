/** Values that pages of flows need: the anti-forgery value, return tickets, addresses of requests, and page options. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { hasOwnLook } from '../../config/look-settings.js';
import type { PageOptions } from '../../gateway/page/outcome.js';
import { ReturnTickets, type PresentedChallenge } from '../../gateway/page/return-tickets.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { Xsrf } from '../../gateway/security/xsrf.js';
import { AuthorizationRequest } from '../../hydra/authorization-request.js';
import { findReturnUrl } from '../../hydra/client-links.js';
import type { ClientProfile } from '../../hydra/client-profile.js';
import { HydraPort } from '../../hydra/hydra.port.js';

/** Parameter of the authorization request with the address for "back to the app" (GEN-6). */
const RETURN_PARAMETER = 'return_to_url';

/** Stands for the challenge in the ticket of a device code, which belongs to no login request yet. */
const DEVICE_TICKET = 'device';

const toDeviceEndChallenge = (clientId: string): string => `device-end ${clientId}`;

export type { PresentedChallenge } from '../../gateway/page/return-tickets.js';

/** Common part of login and consent requests. */
export interface WaitingRequest {
  challenge: string;
  requestUrl: string;
  uiLocales: readonly string[];
  client: ClientProfile;
}

/** The way back into a waiting sign-in from a page outside of it, such as the password reset. */
export interface ReturnLink {
  url: string;
  /** The same address as a return ticket. */
  ticket: string;
  uiLocales: readonly string[];
  /** Login hint of the request. */
  username: string;
}

@Injectable()
export class FlowPages {
  /** Parsed addresses by request, because several parts of one page need the same address. */
  readonly #parsedRequests = new WeakMap<WaitingRequest, AuthorizationRequest | null>();

  constructor(
    private readonly xsrf: Xsrf,
    private readonly tickets: ReturnTickets,
    private readonly hydra: HydraPort,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  xsrfToken(context: RequestContext): string {
    return this.xsrf.issue(context.browser);
  }

  authorizationRequest(waitingRequest: WaitingRequest): AuthorizationRequest | null {
    let parsedRequest = this.#parsedRequests.get(waitingRequest);
    if (parsedRequest === undefined) {
      parsedRequest = AuthorizationRequest.parse(waitingRequest.requestUrl, this.config.hydra.publicUrl);
      this.#parsedRequests.set(waitingRequest, parsedRequest);
    }
    return parsedRequest;
  }

  /** @returns the return ticket; empty if the address of the request cannot be trusted */
  ticket(waitingRequest: WaitingRequest): string {
    const authorizationRequest = this.authorizationRequest(waitingRequest);
    return authorizationRequest ? this.tickets.issue(authorizationRequest.href, waitingRequest.challenge) : '';
  }

  restartUrl(presentedChallenge: PresentedChallenge, context: RequestContext): string | null {
    return this.tickets.restartUrl(presentedChallenge, context);
  }

  /** Address of Hydra that leads to the page on which the code of a device is entered. @param userCode the code to fill in */
  deviceUrl(userCode: string | null): string {
    return AuthorizationRequest.buildDeviceRequest(this.config.hydra.publicUrl, userCode).href;
  }

  /** Seals the device code that this browser has entered. The login screen or the consent page of its request replaces the ticket. */
  deviceTicket(userCode: string): string {
    return this.tickets.issue(this.deviceUrl(userCode), DEVICE_TICKET);
  }

  /** Issues a ticket which states that a device of this client got its access in this browser. */
  deviceEndTicket(clientId: string): string {
    return this.tickets.issue(this.deviceUrl(null), toDeviceEndChallenge(clientId));
  }

  /** Whether a device of this client got its access in this browser, and no ticket of another request has replaced `deviceEndTicket`. */
  hasGivenDeviceAccess(clientId: string, { resume }: RequestContext): boolean {
    return this.tickets.openForChallenge(resume, toDeviceEndChallenge(clientId)) !== null;
  }

  /** @returns a device request with the code that this browser has entered; any other request unchanged */
  addEnteredCode(request: AuthorizationRequest, { resume }: RequestContext): AuthorizationRequest {
    const ticketUrl = request.isDevice ? this.tickets.openForChallenge(resume, DEVICE_TICKET) : null;
    const userCode = AuthorizationRequest.parse(ticketUrl ?? '', this.config.hydra.publicUrl)?.parameter('user_code');
    return userCode === undefined ? request : request.withUserCode(userCode);
  }

  /** Like `restartUrl`, for a challenge that may belong to another browser. If it does, names of people are left out. */
  buildRestartUrl(waitingRequest: WaitingRequest, context: RequestContext): string | null {
    return this.restartUrl(waitingRequest, context) ?? this.authorizationRequest(waitingRequest)?.withoutNames() ?? null;
  }

  /** @returns the way back to a stored address of a request; null unless the address belongs to Hydra */
  toReturnLink(requestUrl: string | null): ReturnLink | null {
    const authorizationRequest = AuthorizationRequest.parse(requestUrl ?? '', this.config.hydra.publicUrl);
    if (!authorizationRequest) return null;
    const uiLocales = (authorizationRequest.parameter('ui_locales') ?? '').split(' ').filter(Boolean);
    return {
      url: authorizationRequest.href,
      ticket: this.tickets.issue(authorizationRequest.href, ''),
      uiLocales,
      username: authorizationRequest.parameter('login_hint') ?? '',
    };
  }

  /**
   * Address that rejects, without Hydra, a request whose challenge can no longer be used (CON-5).
   * @returns undefined unless Hydra knows the client, and the client has registered the redirect URI of the request
   */
  async refusalUrl(requestUrl: string | null): Promise<string | undefined> {
    const request = AuthorizationRequest.parse(requestUrl ?? '', this.config.hydra.publicUrl);
    const client = await this.#findClient(request?.parameter('client_id') ?? '');
    return client ? request?.buildRefusalUrl(client) : undefined;
  }

  pageOptions(waitingRequest: WaitingRequest): PageOptions {
    const requestedUrl = this.authorizationRequest(waitingRequest)?.parameter(RETURN_PARAMETER);
    const url = findReturnUrl(waitingRequest.client, requestedUrl, this.config.app.returnOrigins);
    return {
      uiLocales: waitingRequest.uiLocales,
      ...toLookOptions(waitingRequest.client),
      ...(url === undefined ? {} : { returnTo: { url, name: waitingRequest.client.name } }),
    };
  }

  /**
   * Options of a page that has only the address of the request. The client is read from Hydra only if it has its own look; if Hydra
   * does not answer, the page has the look of the installation.
   */
  async buildOptions(returnLink: ReturnLink | null): Promise<PageOptions> {
    if (!returnLink) return {};
    const { uiLocales, url } = returnLink;
    const id = new URL(url).searchParams.get('client_id') ?? '';
    if (id === '' || !hasOwnLook(this.config.app, id)) return { uiLocales };
    return { uiLocales, ...toLookOptions(await this.#findClient(id)) };
  }

  /** @returns null for an unknown client, and if Hydra does not answer */
  async #findClient(id: string): Promise<ClientProfile | null> {
    return id === '' ? null : this.hydra.getClient(id).catch(() => null);
  }
}

export function toLookOptions(client: ClientProfile | null | undefined): Pick<PageOptions, 'look'> {
  return client?.look === undefined ? {} : { look: client.look };
}
