/**
 * Reads and sets the browser's cookies. On https all names except `i18next` start with `__Host-`, which binds the cookies to this host
 * (RFC 6265bis). No name equals the name of a cookie of Hydra, because on one host both products see each other's cookies.
 */
import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { CookieChange, LinkedForm } from '../page/outcome.js';
import { toOpenedRequestCookie, readOpenedRequests, type OpenedRequest } from './opened-request-cookies.js';

const OPAQUE_ID = /^[A-Za-z0-9_-]{43}$/;
const DEVICE_SECONDS = 180 * 24 * 3600;
/** How long a person may take to sign in at a provider. */
const ANSWER_SECONDS = 600;
/** How long the page after a logout can be reloaded. */
const LOGOUT_SECONDS = 600;
/** How long a proof or consent decision waits for its request to start again; the server's limit is the same. */
const CARRIED_SECONDS = 60;
/** How long a person may be at the registration service; the server's limit is the same. */
const REGISTRATION_SECONDS = 3600;
/** In how many tabs a person may be at the registration service. */
const MAX_REGISTRATIONS = 5;
/** As long as the server stores a sign-in; Hydra accepts a challenge for 30 minutes by default. */
const OPENED_SECONDS = 24 * 3600;
/** How long a form of a link stays usable; the link opens it again. */
const LINK_SECONDS = 1800;
const LINK_SUFFIXES: Readonly<Record<LinkedForm, string>> = {
  password: '-password-link',
  factors: '-factors-link',
  support: '-support',
  invitation: '-invitation',
};
/** How long a person may take to create an account; the server's limit is the same. */
const SIGN_UP_SECONDS = 1800;
/** For how many accounts one browser may be trusted. */
const MAX_TRUSTED = 5;
/** For how many accounts a browser remembers that a passkey was offered. */
const MAX_OFFERED = 5;
/** As long as browsers keep a cookie (RFC 6265bis). */
const OFFERED_SECONDS = 400 * 24 * 3600;

export interface BrowserCookies {
  browser: string | null;
  device: string | null;
  trustedBrowserSecrets: readonly string[];
  passkeyOfferMarks: readonly string[];
  manageSession: string | null;
  browserSession: string | null;
  logout: string | null;
  resume: string | null;
  providerTransaction: string | null;
  registrations: readonly string[];
  links: Readonly<Record<LinkedForm, string | null>>;
  openedRequests: readonly OpenedRequest[];
  signUp: string | null;
  carriedSecret: string | null;
  language: string | null;
}

@Injectable()
export class Cookies {
  readonly #prefix: string;
  readonly #isSecure: boolean;

  constructor(@Inject(CONFIG) config: Pick<Config, 'publicUrl'>) {
    this.#isSecure = config.publicUrl.startsWith('https:');
    this.#prefix = this.#isSecure ? '__Host-foyer' : 'foyer';
  }

  read(header: string | undefined): BrowserCookies {
    const jar = parseCookie(header ?? '');
    const toOpaqueId = (value: string | undefined): string | null =>
      value !== undefined && OPAQUE_ID.test(value) ? value : null;
    return {
      browser: toOpaqueId(jar[this.#prefix]),
      device: toOpaqueId(jar[`${this.#prefix}-device`]),
      trustedBrowserSecrets: toOpaqueIds(jar[`${this.#prefix}-trusted`], MAX_TRUSTED),
      passkeyOfferMarks: toOpaqueIds(jar[`${this.#prefix}-offered`], MAX_OFFERED),
      manageSession: toOpaqueId(jar[`${this.#prefix}-manage`]),
      browserSession: toOpaqueId(jar[`${this.#prefix}-session`]),
      logout: jar[`${this.#prefix}-logout`] || null,
      resume: jar[`${this.#prefix}-resume`] ?? null,
      providerTransaction: toOpaqueId(jar[`${this.#prefix}-answer`]),
      registrations: toOpaqueIds(jar[`${this.#prefix}-registrations`], MAX_REGISTRATIONS),
      links: {
        password: toOpaqueId(jar[`${this.#prefix}${LINK_SUFFIXES.password}`]),
        factors: toOpaqueId(jar[`${this.#prefix}${LINK_SUFFIXES.factors}`]),
        support: toOpaqueId(jar[`${this.#prefix}${LINK_SUFFIXES.support}`]),
        invitation: toOpaqueId(jar[`${this.#prefix}${LINK_SUFFIXES.invitation}`]),
      },
      openedRequests: readOpenedRequests(jar, this.#prefix),
      signUp: jar[`${this.#prefix}-sign-up`] || null,
      carriedSecret: toOpaqueId(jar[`${this.#prefix}-carried`]),
      language: jar['i18next'] ?? null,
    };
  }

  /** @returns the `Set-Cookie` lines of a change */
  write(change: CookieChange): string[] {
    const { browser, browserSession, logout, device, trusted, offered, manageSession, resume, answer, registrations } = change;
    const { link, opened, signUp, carried } = change;
    const lines: string[] = [];
    const push = (suffix: string, value: string | null | undefined, seconds?: number): void => {
      if (value !== undefined) lines.push(this.#writeLine(suffix, value ?? '', value === null ? 0 : seconds));
    };
    push('', browser?.id, browser?.maxAgeSeconds);
    if (browserSession !== undefined) lines.push(this.#writeSessionLine(browserSession));
    push('-logout', logout, LOGOUT_SECONDS);
    push('-device', device, DEVICE_SECONDS);
    if (trusted !== undefined) push('-trusted', trusted.secrets.slice(0, MAX_TRUSTED).join('.'), trusted.maxAgeSeconds);
    if (offered !== undefined) push('-offered', offered.slice(0, MAX_OFFERED).join('.'), OFFERED_SECONDS);
    // A session cookie, because the server limits the manage session.
    push('-manage', manageSession);
    push('-resume', resume);
    if (answer !== undefined) lines.push(this.#writeAnswerLine(answer));
    push('-registrations', registrations?.slice(0, MAX_REGISTRATIONS).join('.'), REGISTRATION_SECONDS);
    if (link !== undefined) push(LINK_SUFFIXES[link.form], link.token, LINK_SECONDS);
    push('-sign-up', signUp, SIGN_UP_SECONDS);
    push('-carried', carried, CARRIED_SECONDS);
    if (opened !== undefined)
      lines.push(this.#writeRequestLine(opened.add), ...opened.drop.map((request) => this.#writeRequestLine(request, 0)));
    return lines;
  }

  /** @returns the `Set-Cookie` line of the language that a person chose with a link, readable by script (specification, section 9) */
  writeLanguage(locale: string): string {
    return stringifySetCookie('i18next', locale, { path: '/', sameSite: 'lax', maxAge: 365 * 24 * 3600, secure: this.#isSecure });
  }

  /**
   * Sent wherever Hydra's own session cookie is sent (`SameSite=None` on https): an app of another site may continue a
   * session in a frame with `prompt=none`. It authenticates no form.
   */
  #writeSessionLine(browserSession: NonNullable<CookieChange['browserSession']> | null): string {
    const { value, maxAgeSeconds } = browserSession ?? { value: '', maxAgeSeconds: 0 };
    return stringifySetCookie(`${this.#prefix}-session`, value, {
      path: '/',
      httpOnly: true,
      sameSite: this.#isSecure ? 'none' : 'lax',
      secure: this.#isSecure,
      ...defined({ maxAge: maxAgeSeconds }),
    });
  }

  /** Sent cross-site, also on http: the handle means nothing in another browser (docs/security.md D9). */
  #writeAnswerLine(handle: string): string {
    return stringifySetCookie(`${this.#prefix}-answer`, handle, {
      path: '/',
      httpOnly: true,
      sameSite: 'none',
      // Browsers require `Secure` with `SameSite=None`, and accept it over http on localhost.
      secure: true,
      maxAge: ANSWER_SECONDS,
    });
  }

  #writeRequestLine(request: OpenedRequest, maxAge = OPENED_SECONDS): string {
    const { suffix, value } = toOpenedRequestCookie(request);
    return this.#writeLine(suffix, maxAge === 0 ? '' : value, maxAge);
  }

  #writeLine(suffix: string, value: string, maxAge?: number): string {
    return stringifySetCookie(`${this.#prefix}${suffix}`, value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#isSecure,
      ...defined({ maxAge }),
    });
  }
}

function toOpaqueIds(value: string | undefined, limit: number): string[] {
  const ids = value?.split('.', limit) ?? [];
  return ids.filter((id) => OPAQUE_ID.test(id));
}
