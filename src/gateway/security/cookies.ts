/**
 * Reads and sets the browser's cookies. On https their names start with `__Host-`, which binds them to this host and
 * path (RFC 6265bis). No name equals one of Hydra's: on one host both products see each other's cookies.
 */
import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { CookieChange, LinkedForm } from '../page/outcome.js';

const OPAQUE_ID = /^[A-Za-z0-9_-]{43}$/;
const DEVICE_SECONDS = 180 * 24 * 3600;
/** How long a person may be at a provider. */
const ANSWER_SECONDS = 600;
/** How long a form of a link stays usable; the link opens it again. */
const LINK_SECONDS = 1800;
const LINKS: Readonly<Record<LinkedForm, string>> = { password: '-password-link', factors: '-factors-link' };
/** Browsers drop cookies above 4096 bytes, name and attributes included. */
const RESUME_LIMIT = 3500;

export interface BrowserCookies {
  browser: string | null;
  device: string | null;
  session: string | null;
  resume: string | null;
  answer: string | null;
  links: Readonly<Record<LinkedForm, string | null>>;
  language: string | null;
}

@Injectable()
export class Cookies {
  readonly #prefix: string;
  readonly #secure: boolean;

  constructor(@Inject(CONFIG) config: Pick<Config, 'publicUrl'>) {
    this.#secure = config.publicUrl.startsWith('https:');
    this.#prefix = this.#secure ? '__Host-foyer' : 'foyer';
  }

  read(header: string | undefined): BrowserCookies {
    const jar = parseCookie(header ?? '');
    const opaque = (value: string | undefined): string | null => (value !== undefined && OPAQUE_ID.test(value) ? value : null);
    return {
      browser: opaque(jar[this.#prefix]),
      device: opaque(jar[`${this.#prefix}-device`]),
      session: opaque(jar[`${this.#prefix}-manage`]),
      resume: jar[`${this.#prefix}-resume`] ?? null,
      answer: opaque(jar[`${this.#prefix}-answer`]),
      links: {
        password: opaque(jar[`${this.#prefix}${LINKS.password}`]),
        factors: opaque(jar[`${this.#prefix}${LINKS.factors}`]),
      },
      language: jar['i18next'] ?? null,
    };
  }

  /** @returns the `Set-Cookie` lines of a change */
  write({ browser, device, session, resume, answer, link }: CookieChange): string[] {
    const lines: string[] = [];
    if (browser) lines.push(this.#line('', browser.id, browser.maxAgeSeconds));
    if (device !== undefined) lines.push(this.#line('-device', device, DEVICE_SECONDS));
    // A session cookie; the server's limits are shorter.
    if (session !== undefined) lines.push(session === null ? this.#line('-manage', '', 0) : this.#line('-manage', session));
    if (resume !== undefined && resume.length <= RESUME_LIMIT) lines.push(this.#line('-resume', resume));
    if (answer !== undefined) lines.push(this.#answerLine(answer));
    if (link !== undefined) lines.push(this.#line(LINKS[link.form], link.token ?? '', link.token === null ? 0 : LINK_SECONDS));
    return lines;
  }

  /** The language that a person chose with a link, readable by script (specification, section 9). */
  writeLanguage(locale: string): string {
    return stringifySetCookie('i18next', locale, { path: '/', sameSite: 'lax', maxAge: 365 * 24 * 3600, secure: this.#secure });
  }

  /** The only cookie that is sent cross-site: a handle without meaning in another browser (docs/security.md D9). */
  #answerLine(handle: string): string {
    return stringifySetCookie(`${this.#prefix}-answer`, handle, {
      path: '/',
      httpOnly: true,
      sameSite: 'none',
      // Browsers require it with `SameSite=None`, and accept it over http on localhost.
      secure: true,
      maxAge: ANSWER_SECONDS,
    });
  }

  #line(suffix: string, value: string, maxAge?: number): string {
    return stringifySetCookie(`${this.#prefix}${suffix}`, value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#secure,
      ...(maxAge === undefined ? {} : { maxAge }),
    });
  }
}
