/** The layout of every page of the registration service. */
import { html } from '../../site/html.js';
import type { Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { phrasesOf } from '../phrases.js';

export function frame(language: SiteLanguage, title: string, content: Html): Html {
  const { name, demo, footer } = phrasesOf(language);
  return html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} · ${name}</title>
      <link rel="stylesheet" href="/registration.css" />
    </head>
    <body>
      <header><strong>${name}</strong> <span class="badge">${demo}</span></header>
      <main>${content}</main>
      <footer><p>${footer}</p></footer>
    </body>
  </html> `;
}
