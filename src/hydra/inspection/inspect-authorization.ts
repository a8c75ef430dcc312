/**
 * Performs authorization requests and logouts at Hydra like a browser, with a temporary client and a made-up person, and records
 * the pages to which Hydra redirects. No account is used; client, session and consents are removed afterwards, also after an error.
 */
import type { Config } from '../../config/config.js';
import { UpstreamError } from '../hydra.errors.js';
import { OryHydraAdapter } from '../ory-hydra.adapter.js';
import { REDIRECT_URI, TemporaryClient } from './temporary-client.js';
import { InspectionStopped, InspectionBrowser, type Hop, type SeenCookie } from './inspection-browser.js';

/** Pages configured in Hydra. */
export type UpstreamPage = 'login' | 'registration' | 'consent' | 'logout' | 'error' | 'postLogout';

export interface AuthorizationInspection {
  /** Addresses without query; an absent page was not seen. */
  pages: Partial<Record<UpstreamPage, string>>;
  cookies: readonly SeenCookie[];
  /** A phrase that states why the inspection ended early; null if it did not. */
  trouble: string | null;
  /** Id of the client if Hydra reports that it still exists. */
  remainingClientId: string | null;
}

const REMEMBER_SECONDS = 60;

export class AuthorizationInspector {
  readonly #hydra: OryHydraAdapter;
  readonly #client: TemporaryClient;
  readonly #browser: InspectionBrowser;
  readonly #pages: AuthorizationInspection['pages'] = {};

  constructor(settings: Config['hydra']) {
    this.#hydra = new OryHydraAdapter(settings);
    this.#client = new TemporaryClient(settings, this.#hydra);
    this.#browser = new InspectionBrowser(new URL(settings.publicUrl).origin, settings.timeoutMs);
  }

  /** Must be called only once for each instance. */
  async inspect(): Promise<AuthorizationInspection> {
    let trouble: string | null = null;
    let remainingClientId: string | null;
    try {
      await this.#recordPages();
    } catch (error) {
      trouble = findTrouble(error);
    } finally {
      remainingClientId = await this.#client.remove();
    }
    return { pages: this.#pages, cookies: this.#browser.seenCookies, trouble, remainingClientId };
  }

  async #recordPages(): Promise<void> {
    await this.#client.create();
    this.#note('error', await this.#browser.go(this.#client.authorizationUrl({ client_id: `${this.#client.id}-unknown` })));
    this.#note('postLogout', await this.#browser.go(this.#client.publicUrl('/oauth2/sessions/logout')));
    this.#note('registration', await this.#browser.go(this.#client.authorizationUrl({ prompt: 'registration' })));
    const challenge = this.#expectPage('login', await this.#browser.go(this.#client.authorizationUrl({})));
    const redirectUrl = await this.#hydra.acceptLogin(challenge, {
      ...this.#client.madeUpLogin,
      // A logout needs a remembered session.
      remember: true,
      rememberForSeconds: REMEMBER_SECONDS,
    });
    this.#expectPage('consent', await this.#browser.go(redirectUrl));
    const logout = this.#expectPage('logout', await this.#browser.go(this.#client.publicUrl('/oauth2/sessions/logout')));
    const end = await this.#browser.go(await this.#hydra.acceptLogout(logout));
    this.#note('postLogout', end);
  }

  /** Records redirects to pages, but neither redirects to the client nor redirects back to Hydra. */
  #note(page: UpstreamPage, { location }: Hop): void {
    if (location === null || location.origin === REDIRECT_URI || isAtHydra(location)) return;
    this.#pages[page] = `${location.origin}${location.pathname}`;
  }

  /** @returns the challenge in the redirect */
  #expectPage(page: 'login' | 'consent' | 'logout', hop: Hop): string {
    const challenge = getChallenge(hop, page);
    this.#note(page, hop);
    return challenge;
  }
}

/** Compares only the ends, because the public address of Hydra can have a path of its own. */
function isAtHydra({ pathname }: URL): boolean {
  return pathname.endsWith('/oauth2/auth') || pathname.endsWith('/oauth2/sessions/logout');
}

/** @throws InspectionStopped */
export function getChallenge(hop: Hop, page: 'login' | 'consent' | 'logout' | 'device'): string {
  const challenge = hop.location?.searchParams.get(`${page}_challenge`) ?? null;
  if (challenge === null)
    throw new InspectionStopped(`Hydra answered with ${describeHop(hop)} instead of a redirect to the ${page} page`);
  return challenge;
}

/** @returns why an inspection stopped. @throws an error that is neither `InspectionStopped` nor `UpstreamError`, because it is a defect */
export function findTrouble(error: unknown): string {
  if (error instanceof InspectionStopped || error instanceof UpstreamError) return error.message;
  throw error;
}

export function describeHop({ status, location }: Hop): string {
  if (location === null) return `status ${status}`;
  const error = location.searchParams.get('error');
  return `a redirect to ${location.origin}${location.pathname}${error === null ? '' : ` with the error ${error}`}`;
}
