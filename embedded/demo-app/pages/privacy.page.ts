/** The page that the client's `policy_uri` names. */
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases } from '../phrases.js';
import { buildFrame } from './frame.js';

export function buildPrivacyPage(language: SiteLanguage): Html {
  const { privacy } = findPhrases(language);
  const content = html`<section class="card notice">
    <h1>${privacy.title}</h1>
    ${privacy.text.map((paragraph) => html`<p>${paragraph}</p>`)}
  </section>`;
  return buildFrame(language, { title: privacy.title, content });
}
