/** The layout of every page of the mailbox. */
import { html } from '../../site/html.js';
import type { Html } from '../../site/html.js';
import type { SiteLanguage } from '../../site/language.js';
import { phrasesOf } from '../phrases.js';

export function frame(language: SiteLanguage, title: string, content: Html): Html {
  return html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title}</title>
      <link rel="stylesheet" href="/mailbox.css" />
    </head>
    <body>
      <header>
        <a class="name" href="/">${phrasesOf(language).title}</a>
        <p>${phrasesOf(language).about}</p>
      </header>
      <main>${content}</main>
    </body>
  </html> `;
}

export function noticePage(language: SiteLanguage, text: string): Html {
  const { title, back } = phrasesOf(language);
  return frame(
    language,
    title,
    html`<h1>${text}</h1>
      <p><a href="/">${back}</a></p>`,
  );
}
