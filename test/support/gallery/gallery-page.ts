/** The document of the gallery: a searchable list, the choices, and a frame. Its script is `gallery-client.js`. */
import { html, type HtmlPart } from '../../../embedded/site/html.js';

export interface GalleryEntry {
  name: string;
  /** Path of the page with script; null for a mail. */
  path: string | null;
}

interface Choices {
  entries: readonly GalleryEntry[];
  locales: readonly string[];
  looks: readonly string[];
}

/** The values that are selected at first, if they are not the first ones of their lists. */
const SELECTED = ['en', '390'];
const WIDTHS = ['320', '390', '768', '1280'];

export function galleryPage({ entries, locales, looks }: Choices): string {
  const choice = (name: string, label: string, values: readonly string[]): HtmlPart =>
    html`<label
      >${label}
      <select name="${name}">
        ${values.map((value) => html`<option ${SELECTED.includes(value) && 'selected'}>${value}</option>`)}
      </select></label
    >`;
  const listItem = ({ name, path }: GalleryEntry): HtmlPart =>
    html`<li><a href="#${name}" data-name="${name}" data-path="${path ?? ''}">${name}</a> <span class="found"></span></li>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Gallery</title>
        <link rel="stylesheet" href="/gallery/gallery.css" />
        <script type="module" src="/gallery/client.js"></script>
      </head>
      <body>
        <nav aria-label="States">
          <h1>Gallery</h1>
          <label>Search <input type="search" name="search" autocomplete="off" /></label>
          <p role="status"></p>
          <ul>
            ${entries.map(listItem)}
          </ul>
        </nav>
        <main>
          <form>
            ${choice('locale', 'Language', locales)} ${choice('theme', 'Theme', ['system', 'light', 'dark'])}
            ${choice('look', 'Look', looks)} ${choice('width', 'Width', WIDTHS)} ${choice('script', 'Script', ['off', 'on'])}
            <button type="button" name="check">Check accessibility</button>
            <button type="button" name="check-all">Check all listed states</button>
          </form>
          <div class="stage"><iframe title="The chosen state"></iframe></div>
          <pre class="text" hidden></pre>
          <div class="violations" role="status"></div>
        </main>
      </body>
    </html>`.text;
}
