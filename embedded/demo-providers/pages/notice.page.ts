/** The error pages of the demo providers. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import type { Dialect } from '../dialect.js';
import { findPhrases } from '../phrases.js';
import { buildFrame } from './frame.js';

/**
 * Shows an error that is not sent to the client, for example because the redirect address is not registered.
 * @param code an error code of OAuth, or one that only the demo providers have
 */
export function buildNoticePage(language: SiteLanguage, dialect: Dialect, code: string): Html {
  const phrases = findPhrases(language);
  return buildFrame(
    language,
    phrases.notice,
    html`<section class="card choice">
      <h1>${phrases.notice}</h1>
      <p>${phrases.noticeText(dialect.title)} <code>${code}</code></p>
      <p><a class="button" href="/">${phrases.back}</a></p>
    </section>`,
  );
}

/** The page for unknown addresses and unexpected errors. */
export function buildErrorPage(language: SiteLanguage): Html {
  const phrases = findPhrases(language);
  return buildFrame(
    language,
    phrases.error,
    html`<section class="card choice">
      <h1>${phrases.error}</h1>
      <p><a class="button" href="/">${phrases.back}</a></p>
    </section>`,
  );
}
