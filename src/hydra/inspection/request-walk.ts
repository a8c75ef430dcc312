/**
 * Performs one authorization request and one logout at Hydra like a browser, with a temporary client and a made-up
 * person, and records the pages to which Hydra redirects. No account is used; client, session and consents are always
 * removed afterwards.
 */
import { createHash } from 'node:crypto';
import { Configuration, OAuth2Api } from '@ory/client';
import type { AxiosInstance } from 'axios' with { 'resolution-mode': 'require' };
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { connectionTo } from '../admin-connection.js';
import { UpstreamError } from '../hydra.errors.js';
import { OryHydraAdapter } from '../ory-hydra.adapter.js';
import { toUpstreamError } from '../upstream-failure.js';
import { WalkEnded, WalkingBrowser } from './walking-browser.js';
import type { Hop, SeenCookie } from './walking-browser.js';

/** Pages configured in Hydra. */
export type UpstreamPage = 'login' | 'registration' | 'consent' | 'logout' | 'error' | 'postLogout';

export interface RequestWalk {
  /** Addresses without query; an absent page was not seen. */
  pages: Partial<Record<UpstreamPage, string>>;
  cookies: readonly SeenCookie[];
  /** Why the walk ended early; a phrase. */
  trouble: string | null;
  /** Id of the client if it could not be removed. */
  leftBehind: string | null;
}

/** Reserved name (RFC 2606); nothing is sent there. */
const NOWHERE = 'https://foyer-doctor.invalid';
const REMEMBER_SECONDS = 60;

export class RequestWalker {
  readonly #oauth2: OAuth2Api;
  readonly #hydra: OryHydraAdapter;
  readonly #browser: WalkingBrowser;
  readonly #pages: RequestWalk['pages'] = {};
  readonly #clientId = `foyer-doctor-${randomToken(6)}`;
  readonly #subject = `foyer-doctor-${randomToken(6)}`;

  constructor(private readonly settings: Config['hydra']) {
    const connection: AxiosInstance = connectionTo(settings);
    this.#oauth2 = new OAuth2Api(new Configuration({ basePath: settings.adminUrl }), undefined, connection);
    this.#hydra = new OryHydraAdapter(settings);
    this.#browser = new WalkingBrowser(new URL(settings.publicUrl).origin, settings.timeoutMs);
  }

  /** Works once per instance. */
  async walk(): Promise<RequestWalk> {
    const cleaning = { leftBehind: null as string | null };
    const trouble = await this.#walkPages()
      .then(() => null, troubleOf)
      .finally(async () => (cleaning.leftBehind = await this.#cleanUp()));
    return { pages: this.#pages, cookies: this.#browser.seen, trouble, ...cleaning };
  }

  async #walkPages(): Promise<void> {
    await this.#createClient();
    this.#note('error', await this.#browser.go(this.#authorizationUrl({ client_id: `${this.#clientId}-unknown` })));
    this.#note('postLogout', await this.#browser.go(this.#publicUrl('/oauth2/sessions/logout')));
    this.#note('registration', await this.#browser.go(this.#authorizationUrl({ prompt: 'registration' })));
    const challenge = this.#expectPage('login', await this.#browser.go(this.#authorizationUrl({})));
    const accepted = await this.#hydra.acceptLogin(challenge, {
      subject: this.#subject,
      acr: '0',
      amr: [],
      // A logout needs a remembered session.
      remember: true,
      rememberForSeconds: REMEMBER_SECONDS,
    });
    this.#expectPage('consent', await this.#browser.go(accepted));
    const logout = this.#expectPage('logout', await this.#browser.go(this.#publicUrl('/oauth2/sessions/logout')));
    const left = await this.#browser.go(await this.#hydra.acceptLogout(logout));
    this.#note('postLogout', left);
  }

  async #createClient(): Promise<void> {
    const oAuth2Client = {
      client_id: this.#clientId,
      client_name: 'Foyer doctor, removed after its walk',
      redirect_uris: [NOWHERE],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'openid',
      token_endpoint_auth_method: 'none',
    };
    await this.#oauth2.createOAuth2Client({ oAuth2Client }).catch((error: unknown) => {
      throw toUpstreamError(error);
    });
  }

  /** @returns id of the client if it still exists */
  async #cleanUp(): Promise<string | null> {
    await this.#hydra.endLoginSessions(this.#subject).catch(() => undefined);
    await this.#hydra.revokeConsents(this.#subject).catch(() => undefined);
    try {
      await this.#oauth2.deleteOAuth2Client({ id: this.#clientId });
      return null;
    } catch {
      const mayBeThere = await this.#hydra.getClient(this.#clientId).catch(() => null);
      return mayBeThere === null ? null : this.#clientId;
    }
  }

  #authorizationUrl(more: Record<string, string>): string {
    const parameters = {
      client_id: this.#clientId,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: NOWHERE,
      state: randomToken(),
      code_challenge: createHash('sha256').update(randomToken()).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    };
    return this.#publicUrl(`/oauth2/auth?${new URLSearchParams(parameters).toString()}`);
  }

  #publicUrl(path: string): string {
    return `${this.settings.publicUrl.replace(/\/$/, '')}${path}`;
  }

  /** Records only redirects of Hydra's own: not those to the client, not those back to itself with a verifier. */
  #note(page: UpstreamPage, { location }: Hop): void {
    if (location === null || location.origin === NOWHERE || location.pathname.startsWith('/oauth2/auth')) return;
    this.#pages[page] = `${location.origin}${location.pathname}`;
  }

  /** @returns the challenge in the redirect */
  #expectPage(page: 'login' | 'consent' | 'logout', hop: Hop): string {
    const challenge = hop.location?.searchParams.get(`${page}_challenge`) ?? null;
    if (challenge === null) throw new WalkEnded(`instead of the ${page} page came ${describe(hop)}`);
    this.#note(page, hop);
    return challenge;
  }
}

/** Errors of neither Hydra nor the walk are defects here. */
function troubleOf(error: unknown): string {
  if (error instanceof WalkEnded || error instanceof UpstreamError) return error.message;
  throw error;
}

function describe({ status, location }: Hop): string {
  if (location === null) return `an answer with status ${status}`;
  const error = location.searchParams.get('error');
  return `a redirect to ${location.origin}${location.pathname}${error === null ? '' : ` with the error ${error}`}`;
}
