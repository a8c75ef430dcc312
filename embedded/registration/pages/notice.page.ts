/** Pages that end a registration without a result. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases } from '../phrases.js';
import { buildFrame } from './frame.js';

export function buildNoticePage(language: SiteLanguage, notice: 'stale' | 'broken'): Html {
  const phrases = findPhrases(language);
  return buildFrame(
    language,
    phrases[notice],
    html`<h1>${phrases[notice]}</h1>
      <p>${phrases[`${notice}Text`]}</p>`,
  );
}
