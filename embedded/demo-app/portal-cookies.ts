/**
 * The demo app's cookies: its session, the browser that started a sign-in, the television, and the chosen language. All
 * ports of a host share cookies, so the names are unique to this app.
 */
import { stringifySetCookie } from 'cookie';
import { chooseLanguage, isSiteLanguage, type SiteLanguage } from '../site/language.js';
import type { SiteRequest } from '../site/read-request.js';

const SESSION = 'beispielportal';
const BROWSER = 'beispielportal-browser';
const TELEVISION = 'beispielportal-tv';
const LANGUAGE = 'beispielportal-language';
const YEAR_SECONDS = 365 * 24 * 3600;

export class PortalCookies {
  constructor(private readonly secure: boolean) {}

  readSession(request: SiteRequest): string | undefined {
    return request.cookies[SESSION];
  }

  readBrowser(request: SiteRequest): string | undefined {
    return request.cookies[BROWSER];
  }

  readTelevision(request: SiteRequest): string | undefined {
    return request.cookies[TELEVISION];
  }

  readLanguage(request: SiteRequest): SiteLanguage {
    return chooseLanguage(request.cookies[LANGUAGE], request.headers['accept-language']);
  }

  /**
   * @returns undefined unless the person chose a language; a chosen language is also requested for a sign-in whose address names no
   * language
   */
  readChosenLanguage(request: SiteRequest): SiteLanguage | undefined {
    const language = request.cookies[LANGUAGE];
    return isSiteLanguage(language) ? language : undefined;
  }

  writeSession(id: string): string {
    return this.#serialize(SESSION, id);
  }

  clearSession(): string {
    return this.#serialize(SESSION, '', 0);
  }

  writeBrowser(id: string): string {
    return this.#serialize(BROWSER, id);
  }

  writeTelevision(id: string): string {
    return this.#serialize(TELEVISION, id);
  }

  writeLanguage(language: SiteLanguage): string {
    return this.#serialize(LANGUAGE, language, YEAR_SECONDS);
  }

  #serialize(name: string, value: string, maxAge?: number): string {
    return stringifySetCookie(name, value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.secure,
      ...(maxAge === undefined ? {} : { maxAge }),
    });
  }
}
