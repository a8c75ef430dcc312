/**
 * The layout of a mail: everything around its content. `MAIL_LAYOUT` replaces it. The default uses tables and inline styles, because
 * Outlook and Gmail support little else, and a media query for dark colours, which clients without dark themes ignore.
 */
import type { LayoutValue } from '../config/mail-kinds.js';

const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The colours of a dark theme; the light colours are inline. */
const DARK_STYLES = [
  '.page{background:#151412!important;color:#f1eee8!important}',
  '.card{background:#1e1c1a!important;border-color:#37332e!important}',
  '.facts{background:#262421!important}',
  '.quiet{color:#aea79c!important}',
  '.plain{color:#f1eee8!important}',
  '.second{border-color:#857d73!important;color:#f1eee8!important}',
].join('');

export const DEFAULT_LAYOUT = `<!doctype html>
<html lang="{{language}}" dir="{{direction}}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>{{subject}}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${DARK_STYLES}}</style></head>
<body class="page" style="margin:0;padding:0;background:#f4f2ee;color:#1f1c18;font-family:${FONT};font-size:16px;line-height:1.5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px">
<tr><td style="padding:0 8px 16px"><div role="banner"><p style="margin:0">{{header}}</p></div></td></tr>
<tr><td class="card" style="padding:28px 24px;background:#ffffff;border:1px solid #e5e1da;border-radius:14px">
<div role="main">{{content}}</div></td></tr>
<tr><td class="quiet" style="padding:20px 8px 0;font-size:14px;color:#665f56"><div role="contentinfo">{{footer}}</div></td></tr>
</table></td></tr></table></body></html>
`;

/** Fills the preview line, so that mailboxes do not show the text after the preheader there. */
const FILLER = '&zwnj;&nbsp;'.repeat(80);
const HIDDEN_STYLE = 'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all';

/**
 * Inserts a preheader at the start of the body. Mailboxes show the first words of a mail beside its subject; the mail itself hides
 * the preheader.
 * @param preheader markup
 */
export function addPreheader(html: string, preheader: string): string {
  const hiddenMarkup = `<div style="${HIDDEN_STYLE}">${preheader}${FILLER}</div>`;
  return /<body\b/i.test(html) ? html.replace(/<body\b[^>]*>/i, (body) => body + hiddenMarkup) : hiddenMarkup + html;
}

/** Replaces the placeholders of a layout. Placeholders in an inserted value are not replaced, nor are unknown placeholders. */
export function fillLayout(layout: string, values: Readonly<Record<LayoutValue, string>>): string {
  const textsByName: Readonly<Record<string, string | undefined>> = values;
  return layout.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => textsByName[name] ?? placeholder);
}
