/** The routes of the television, which work without script. `televisions.ts` polls, `pages/television.page.ts` renders. */
import type { SiteRequest } from '../site/read-request.js';
import { page, redirect, type Reply } from '../site/reply.js';
import type { Routes } from '../site/route-table.js';
import { NoDeviceAuthorization } from './device-client.js';
import { buildTelevisionPage, type TelevisionScreen } from './pages/television.page.js';
import type { PortalCookies } from './portal-cookies.js';
import { IssuerUnreachable, ProtocolFailure, OAuthError } from './protocol-errors.js';
import { TooManyTelevisions, type Television, type Televisions } from './televisions.js';

const PATH = '/tv';

export class TelevisionRoutes {
  /** @param contentPolicy of the pages; it allows the script that the page of a waiting television loads */
  constructor(
    private readonly televisions: Televisions,
    private readonly cookies: PortalCookies,
    private readonly contentPolicy: string,
  ) {}

  routes(): Routes {
    return {
      [`GET ${PATH}`]: (request) => this.#show(request),
      [`POST ${PATH}/code`]: (request) => this.#guard(request, () => this.#start(request)),
      [`POST ${PATH}/sign-out`]: (request) => this.#guard(request, () => this.#signOut(request)),
    };
  }

  async #show(request: SiteRequest): Promise<Reply> {
    const state = await this.#find(request)?.updateState();
    return this.#buildPage(request, state ?? { name: 'off' });
  }

  async #start(request: SiteRequest): Promise<Reply> {
    const state = await this.#find(request)?.updateState();
    if (state?.name === 'signed_in') return redirect(PATH);
    const id = await this.televisions.start(this.cookies.readTelevision(request));
    return redirect(PATH, [this.cookies.writeTelevision(id)]);
  }

  async #signOut(request: SiteRequest): Promise<Reply> {
    await this.televisions.signOut(this.cookies.readTelevision(request) ?? '');
    return redirect(PATH);
  }

  #find(request: SiteRequest): Television | null {
    return this.televisions.find(this.cookies.readTelevision(request));
  }

  async #guard(request: SiteRequest, act: () => Promise<Reply>): Promise<Reply> {
    try {
      return await act();
    } catch (error) {
      const [screen, status] = toErrorScreen(error) ?? [];
      if (!screen) throw error;
      return this.#buildPage(request, { name: screen }, status);
    }
  }

  async #buildPage(request: SiteRequest, screen: TelevisionScreen, status = 200): Promise<Reply> {
    const reply = page(await buildTelevisionPage(this.cookies.readLanguage(request), screen), status);
    return { ...reply, headers: { ...reply.headers, 'content-security-policy': this.contentPolicy } };
  }
}

function toErrorScreen(error: unknown): [screen: 'unsupported' | 'busy' | 'unreachable' | 'failed', status: number] | null {
  if (error instanceof NoDeviceAuthorization) return ['unsupported', 501];
  if (error instanceof TooManyTelevisions) return ['busy', 503];
  if (error instanceof IssuerUnreachable) return ['unreachable', 503];
  if (error instanceof OAuthError || error instanceof ProtocolFailure) return ['failed', 400];
  return null;
}
