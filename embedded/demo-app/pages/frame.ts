/** The layout of every page of the demo app. */
import { buildDocument } from '../../site/document.js';
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases } from '../phrases.js';

export interface Frame {
  title: string;
  content: Html;
  /** Shown next to the language switch. */
  aside?: Html;
  /** Further elements of the head. */
  head?: Html;
  /** The page that the language switch leads back to; by default the home page. */
  path?: '/tv';
}

export function buildFrame(language: SiteLanguage, { title, content, aside, head, path }: Frame): Html {
  const phrases = findPhrases(language);
  const otherLanguage = language === 'de' ? 'en' : 'de';
  const backParameter = path === undefined ? '' : `&back=${path}`;
  return buildDocument(language, {
    title: `${title} · Beispielportal`,
    stylesheet: '/portal.css',
    head: html`<link rel="icon" href="/logo.svg" type="image/svg+xml" />${head}`,
    body: html`<a class="skip" href="#content">${phrases.skip}</a>
      <header class="bar">
        <a class="brand" href="/"><img src="/logo.svg" alt="" width="32" height="32" /> Beispielportal</a>
        <span class="badge">${phrases.demo}</span>
        <nav class="tools">
          <a href="/language?to=${otherLanguage}${backParameter}" lang="${otherLanguage}" hreflang="${otherLanguage}"
            >${phrases.otherLanguage}</a
          >
          ${aside}
        </nav>
      </header>
      <main id="content">${content}</main>
      <footer class="foot">
        <p>${phrases.footer} <a href="/tv">${phrases.televisionLink}</a> <a href="/privacy">${phrases.privacyLink}</a></p>
      </footer>`,
  });
}
