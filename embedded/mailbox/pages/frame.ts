/** The layout of every page of the mailbox. */
import { buildDocument } from '../../site/document.js';
import { html, type Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { findPhrases } from '../phrases.js';

export function buildFrame(language: SiteLanguage, title: string, content: Html): Html {
  const phrases = findPhrases(language);
  return buildDocument(language, {
    title,
    stylesheet: '/mailbox.css',
    head: html`<script src="/mailbox.js" type="module"></script>`,
    body: html`<header class="bar">
        <a class="brand" href="/">${phrases.title}</a>
        <span class="badge">${phrases.demo}</span>
        <p>${phrases.about}</p>
      </header>
      <main>${content}</main>`,
  });
}

export function buildNoticePage(language: SiteLanguage, text: string): Html {
  const { title, back } = findPhrases(language);
  return buildFrame(
    language,
    title,
    html`<h1>${text}</h1>
      <p class="actions"><a class="button" href="/">${back}</a></p>`,
  );
}
