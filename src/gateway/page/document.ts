/**
 * Writes the HTML document around a rendered page. The state is an attribute of the page root (GEN-1), so the content security
 * policy needs no exception for inline scripts.
 */
import type { Config } from '../../config/config.js';
import type { TextDirection } from '../../contract/locale.js';
import type { PageState } from '../../contract/page-state.js';
import type { PageAssets, PageIcon } from './assets.js';
import type { RenderedPage } from './page-renderer.js';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text or the value of a quoted attribute. @param apostrophe the escaped apostrophe, which React writes differently */
export function escapeHtml(text: string, apostrophe = '&#39;'): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? apostrophe);
}

type Language = ReturnType<Config['language']['offered']['get']>;

export interface DocumentParts {
  state: PageState;
  renderedPage: RenderedPage;
  assets: PageAssets;
  theme: 'system' | 'light' | 'dark';
  dir: TextDirection;
  /** After a refused form: the address that shows the page again without sending the form. */
  self?: string;
}

export function buildDocument({ state, renderedPage, assets, theme, dir, self }: DocumentParts): string {
  const fixedTheme = theme === 'system' ? '' : ` data-theme="${theme}"`;
  const selfAttribute = self === undefined ? '' : ` data-self="${escapeHtml(self)}"`;
  return [
    `<!doctype html><html lang="${state.locale}" dir="${dir}"${fixedTheme}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}">`,
    ...buildThemeColours(theme),
    '<meta name="robots" content="noindex">',
    `<title>${escapeHtml(renderedPage.title)}</title>`,
    ...assets.styles.map((url) => `<link rel="stylesheet" href="${escapeHtml(url)}">`),
    ...assets.icons.map(buildIconLink),
    ...assets.preloads.map((url) => `<link rel="modulepreload" href="${url}">`),
    ...assets.scripts.map((url) => `<script type="module" src="${url}"></script>`),
    `</head><body><div id="root" class="${escapeHtml(renderedPage.rootClass)}" data-state="${escapeHtml(JSON.stringify(state))}" data-phrases="${escapeHtml(JSON.stringify(assets.phrases))}"${selfAttribute}>`,
    renderedPage.markup,
    '</div></body></html>',
  ].join('');
}

/**
 * Writes a page that the browser immediately leaves for another address. The page has a link, because a browser can be set to ignore the
 * refresh.
 */
export function buildRefreshDocument(url: string, { locale, dir, phrases }: Language, theme: DocumentParts['theme']): string {
  const href = escapeHtml(url);
  return [
    `<!doctype html><html lang="${locale}" dir="${dir}"><head><meta charset="utf-8">`,
    `<meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}">`,
    `<meta http-equiv="refresh" content="0;url=${href}"><title>${escapeHtml(phrases['app.one_moment'])}</title>`,
    `</head><body><a href="${href}">${escapeHtml(phrases['passkey_offer.go_on'])}</a></body></html>`,
  ].join('');
}

/** The colours of the browser's own bars, equal to the surface of the pages (`web/styles/tokens.css`). */
export const THEME_COLOURS = { light: '#ffffff', dark: '#1e1c1a' } as const;

function buildThemeColours(theme: DocumentParts['theme']): string[] {
  if (theme !== 'system') return [`<meta name="theme-color" content="${THEME_COLOURS[theme]}">`];
  return Object.entries(THEME_COLOURS).map(
    ([scheme, colour]) => `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colour}">`,
  );
}

/** The link to an SVG names its type, so that a browser that cannot draw SVG takes another icon. */
function buildIconLink({ rel, url }: PageIcon): string {
  const type = /^data:image\/svg|^[^?#]*\.svg(?:[?#]|$)/i.test(url) ? ' type="image/svg+xml"' : '';
  return `<link rel="${rel}"${type} href="${escapeHtml(url)}">`;
}
