/** The HTML document around every page of the embedded sites. */
import { html, type Html } from './html.js';
import type { SiteLanguage } from './language.js';

export interface SiteDocument {
  title: string;
  /** Path of the site's stylesheet. */
  stylesheet: string;
  /** Further elements of the head. */
  head?: Html | undefined;
  body: Html;
}

export function buildDocument(language: SiteLanguage, { title, stylesheet, head, body }: SiteDocument): Html {
  return html`<html lang="${language}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title}</title>
      <link rel="stylesheet" href="${stylesheet}" />
      ${head}
    </head>
    <body>
      ${body}
    </body>
  </html> `;
}
