/**
 * The HTML document around a rendered page. The state is an attribute of the page root (GEN-1), so the content security
 * policy needs no exception for inline scripts.
 */
import type { TextDirection } from '../../contract/locale.js';
import type { PageState } from '../../contract/page-state.js';
import type { PageAssets } from './assets.js';
import type { RenderedPage } from './page-renderer.js';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** For texts and quoted attributes. @param apostrophe React writes it differently */
export function escapeHtml(text: string, apostrophe = '&#39;'): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? apostrophe);
}

export interface DocumentParts {
  state: PageState;
  rendered: RenderedPage;
  assets: PageAssets;
  theme: 'system' | 'light' | 'dark';
  dir: TextDirection;
  /** After a refused form: the address that shows the page again without sending the form. */
  self?: string;
}

export function documentOf({ state, rendered, assets, theme, dir, self }: DocumentParts): string {
  const fixedTheme = theme === 'system' ? '' : ` data-theme="${theme}"`;
  const goesBackTo = self === undefined ? '' : ` data-self="${escapeHtml(self)}"`;
  return [
    `<!doctype html><html lang="${state.locale}" dir="${dir}"${fixedTheme}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}">`,
    '<meta name="robots" content="noindex">',
    `<title>${escapeHtml(rendered.title)}</title>`,
    ...assets.styles.map((url) => `<link rel="stylesheet" href="${url}">`),
    ...assets.icons.map((url) => `<link rel="icon" href="${url}">`),
    ...assets.preloads.map((url) => `<link rel="modulepreload" href="${url}">`),
    ...assets.scripts.map((url) => `<script type="module" src="${url}"></script>`),
    `</head><body><div id="root" class="${escapeHtml(rendered.rootClass)}" data-state="${escapeHtml(JSON.stringify(state))}" data-phrases="${escapeHtml(JSON.stringify(assets.phrases))}"${goesBackTo}>`,
    rendered.markup,
    '</div></body></html>',
  ].join('');
}
