/** The layout of every page of the demo providers. */
import { buildDocument } from '../../site/document.js';
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases } from '../phrases.js';

export function buildFrame(language: SiteLanguage, title: string, content: Html): Html {
  const phrases = findPhrases(language);
  return buildDocument(language, {
    title: `${title} · ${phrases.title}`,
    stylesheet: '/demo-providers.css',
    body: html`<header class="bar">
        <a class="brand" href="/">${phrases.title}</a>
        <span class="badge">${phrases.demo}</span>
        <p>${phrases.about}</p>
      </header>
      <main>${content}</main>`,
  });
}
