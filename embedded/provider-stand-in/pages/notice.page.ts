/** Requests that are answered here, because they must not go back to whoever is said to have sent them. */
import { html } from '../../site/html.js';
import type { Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import type { Dialect } from '../dialect.js';
import { phrasesOf } from '../phrases.js';
import { frame } from './frame.js';

/** @param word what is wrong, as the protocol calls it */
export function noticePage(language: SiteLanguage, dialect: Dialect, word: string): Html {
  const phrases = phrasesOf(language);
  return frame(
    language,
    phrases.notice,
    html`<h1>${phrases.notice}</h1>
      <p>${phrases.noticeText(dialect.title)} <code>${word}</code></p>
      <p><a href="/">${phrases.back}</a></p>`,
  );
}

/** A page that is not there, and whatever else went wrong. */
export function faultPage(language: SiteLanguage): Html {
  const phrases = phrasesOf(language);
  return frame(
    language,
    phrases.fault,
    html`<h1>${phrases.fault}</h1>
      <p><a href="/">${phrases.back}</a></p>`,
  );
}
