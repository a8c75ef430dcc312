/** The layout of every page of the registration service. */
import { buildDocument } from '../../site/document.js';
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases } from '../phrases.js';

export function buildFrame(language: SiteLanguage, title: string, content: Html): Html {
  const { name, demo, footer } = findPhrases(language);
  return buildDocument(language, {
    title: `${title} · ${name}`,
    stylesheet: '/registration.css',
    body: html`<header class="bar"><span class="brand">${name}</span> <span class="badge">${demo}</span></header>
      <main><section class="card">${content}</section></main>
      <footer class="foot"><p>${footer}</p></footer>`,
  });
}
