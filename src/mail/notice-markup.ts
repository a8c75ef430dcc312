/**
 * A notice as HTML. It loads nothing and sets no colours except lines in the text colour, so it is readable in light
 * and dark mail clients. All text is escaped here.
 */
import type { Language } from '../../locales/languages.js';

/** `large`: a value that the reader types on another device. */
export type Fact = readonly [name: string, value: string, size?: 'large'];

/** A button; its address is shown too. */
export interface MailLink {
  text: string;
  url: string;
}

/** The texts of a mail, before plain text or HTML is made of them. */
export interface NoticeWords {
  language: Language;
  subject: string;
  appName: string;
  greeting: string;
  event: string;
  /** The link of a requested mail. */
  link?: MailLink;
  facts: readonly Fact[];
  advice: readonly (string | MailLink)[];
  footer: string;
}

const BODY = 'margin:0;padding:24px 16px;font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const COLUMN = 'max-width:560px;margin:0 auto;font-size:16px;line-height:1.5';
const SUBJECT = 'margin:0 0 24px;font-size:20px;line-height:1.3;font-weight:600;hyphens:auto;overflow-wrap:anywhere';
/** Stacked: two columns do not fit on a phone. */
const FACTS = {
  ltr: 'margin:0 0 24px;padding:2px 0 2px 16px;border-left:3px solid',
  rtl: 'margin:0 0 24px;padding:2px 16px 2px 0;border-right:3px solid',
};
const FACT = 'margin:8px 0;overflow-wrap:anywhere';
const NAME = 'font-size:14px;opacity:.75';
const LARGE = 'font-size:28px;line-height:1.3;letter-spacing:.12em';
/** In the text colour of the mail client. */
const BUTTON =
  'display:inline-block;padding:12px 20px;border:2px solid;border-radius:8px;font-weight:600;text-decoration:none;color:inherit';
const FOOTER = 'margin:24px 0 0;padding:16px 0 0;border-top:1px solid;font-size:14px;opacity:.75';

export function noticeMarkup({ language, subject, appName, greeting, event, link, facts, advice, footer }: NoticeWords): string {
  const rows = facts.map(
    ([name, value, size]) =>
      `<p style="${FACT}"><span style="${NAME}">${escaped(name)}</span><br><strong${size ? ` style="${LARGE}"` : ''}><bdi>${escaped(value)}</bdi></strong></p>`,
  );
  return [
    `<!doctype html>`,
    `<html lang="${language.locale}" dir="${language.dir}">`,
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">`,
    `<style>:root{color-scheme:light dark;supported-color-schemes:light dark}</style>`,
    `<title>${escaped(subject)}</title></head>`,
    `<body style="${BODY}"><div dir="${language.dir}" style="${COLUMN}">`,
    `<p style="margin:0 0 24px;opacity:.75">${escaped(appName)}</p>`,
    `<h1 style="${SUBJECT}">${escaped(subject)}</h1>`,
    ...[greeting, event].map(paragraph),
    ...(link ? [linkMarkup(link)] : []),
    `<div style="${FACTS[language.dir]}">${rows.join('')}</div>`,
    ...advice.map((part) => (typeof part === 'string' ? paragraph(part) : linkMarkup(part))),
    `<p style="${FOOTER}">${escaped(footer)}</p>`,
    `</div></body></html>`,
  ].join('\n');
}

const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escaped(text)}</p>`;

function linkMarkup({ text, url }: MailLink): string {
  const href = escaped(url);
  return [
    `<p style="margin:0 0 16px"><a href="${href}" style="${BUTTON}">${escaped(text)}</a></p>`,
    `<p style="margin:0 0 16px;font-size:14px;overflow-wrap:anywhere"><span dir="ltr">${href}</span></p>`,
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
