/** The layout of every page of the demo providers. */
import { html } from '../../site/html.js';
import type { Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { phrasesOf } from '../phrases.js';

export function frame(language: SiteLanguage, title: string, content: Html): Html {
  const phrases = phrasesOf(language);
  return html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} · ${phrases.title}</title>
      <link rel="stylesheet" href="/stand-in.css" />
    </head>
    <body>
      <header>
        <a class="name" href="/">${phrases.title}</a>
        <p>${phrases.about}</p>
      </header>
      <main>${content}</main>
    </body>
  </html> `;
}
