/** Adds the common state of all pages: language, product name, footer, language links, link back to the app. */
import { Inject, Injectable } from '@nestjs/common';
import { LANGUAGE_KEYS } from '../../contract/form-fields.js';
import { findNearestLocale, type Locale } from '../../contract/locale.js';
import type { AppState, FooterLink, LanguageLink, PageState } from '../../contract/page-state.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { detectLanguage } from '../http/language.js';
import type { PageOutcome } from './outcome.js';
import type { RequestContext } from '../http/request-context.js';

@Injectable()
export class PageComposer {
  readonly #config: Pick<Config, 'app' | 'language'>;

  constructor(@Inject(CONFIG) config: Pick<Config, 'app' | 'language'>) {
    this.#config = config;
  }

  compose(context: RequestContext, outcome: PageOutcome): PageState {
    const hints = { ...context.language, uiLocales: outcome.uiLocales };
    const { locale, source } = detectLanguage(hints, this.#config.language);
    return { ...outcome.content, locale, locale_source: source, app: this.#buildAppState(context, outcome, locale) };
  }

  #buildAppState(context: RequestContext, outcome: PageOutcome, locale: Locale): AppState {
    const { app, language } = this.#config;
    return {
      name: app.name,
      login_address: app.loginAddress,
      footer_links: app.footer.flatMap((address) => toFooterLinks(address, locale)),
      // If only the header of the browser is used, a language link could change nothing (I18-3).
      ...(language.detection === 'browser'
        ? {}
        : { language_links: toLanguageLinks(outcome.self ?? context.url, language.offered) }),
      ...(outcome.returnTo ? { return_to_url: outcome.returnTo.url, return_to_name: outcome.returnTo.name } : {}),
      ...toLogos(app),
      ...defined({ home_url: app.homeUrl }),
    };
  }
}

/** A page with a fixed theme has the logo of that theme only. */
function toLogos({ logoUrl, logoDarkUrl, theme }: Config['app']): Pick<AppState, 'logo_url' | 'logo_dark_url'> {
  if (logoUrl === undefined) return {};
  if (logoDarkUrl === undefined || theme === 'light') return { logo_url: logoUrl };
  return { logo_url: theme === 'dark' ? logoDarkUrl : logoUrl, logo_dark_url: logoDarkUrl };
}

function toFooterLinks({ id, urls }: Config['app']['footer'][number], locale: Locale): FooterLink[] {
  const languages = Object.keys(urls);
  const nearest = findNearestLocale(locale, languages);
  const language = nearest ?? ['en', 'de', ...languages].find((candidate) => urls[candidate] !== undefined);
  const url = language && urls[language];
  if (language === undefined || url === undefined) return [];
  return [
    { id, url, german_only: language === 'de' && nearest === undefined, ...(nearest === undefined ? { locale: language } : {}) },
  ];
}

/** @param self path and query; a relative reference, so that a forged Host header has no effect */
function toLanguageLinks(self: string, offered: Config['language']['offered']): LanguageLink[] {
  const [path = '/', query = ''] = self.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  return offered.all().map(({ locale, name, dir }) => {
    parameters.set(LANGUAGE_KEYS.query, locale);
    return { locale, url: `/${path.replace(/^[/\\]+/, '')}?${parameters.toString()}`, name, dir };
  });
}
