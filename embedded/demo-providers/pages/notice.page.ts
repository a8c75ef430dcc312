/** The error pages of the demo providers. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import type { Dialect } from '../dialect.js';
import { findPhrases } from '../phrases.js';
import { buildFrame } from './frame.js';

/**
 * Shows an error that is not sent to the client, because the redirect address of the request is not trusted.
 * @param code the error code of the protocol
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
