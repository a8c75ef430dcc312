/** The HTML of a mail. It loads nothing but the logo of the installation. All text is escaped here. */
import { contrast, inkOn } from '../contract/colour.js';
import type { Language } from '../../locales/languages.js';
import type { Config } from '../config/config.js';
import { DEFAULT_LAYOUT, inLayout } from './mail-layout.js';

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

/** Of the installation. */
export type MailLook = Pick<Config['app'], 'logoUrl' | 'logoDarkUrl' | 'brandColour' | 'mailLayout'>;

/** That of the pages (`web/styles/tokens.css`). */
const OWN_BRAND = '#14513f';

const SUBJECT = 'margin:0 0 20px;font-size:22px;line-height:1.3;font-weight:600;overflow-wrap:anywhere';
const TEXT = 'margin:0 0 16px';
const QUIET = 'margin:0 0 12px;font-size:14px;color:#665f56';
const FACTS = 'width:100%;margin:4px 0 20px;background:#f9f7f4;border-radius:10px';
/** Stacked: two columns do not fit on a phone. */
const FACT = 'padding:8px 16px;overflow-wrap:anywhere;word-break:break-word';
const NAME = 'font-size:14px;color:#665f56';
const LARGE = 'font-size:32px;line-height:1.3;letter-spacing:.14em;font-family:ui-monospace,Menlo,Consolas,monospace';
const EDGE = '#8c857b';
const SECOND = `border:1px solid ${EDGE};color:#1f1c18`;
const ADDRESS = `${QUIET};overflow-wrap:anywhere;word-break:break-all`;

export function noticeMarkup(words: NoticeWords, look: MailLook = {}): string {
  const { language, subject, appName, footer } = words;
  const accent = look.brandColour ?? OWN_BRAND;
  return inLayout(look.mailLayout ?? DEFAULT_LAYOUT, {
    language: language.locale,
    direction: language.dir,
    subject: escaped(subject),
    app: escaped(appName),
    header: headerMarkup(appName, look),
    content: contentMarkup(words, accent),
    footer: escaped(footer),
    accent,
    on_accent: inkOn(accent),
  });
}

/**
 * Mail clients show no SVG; without a picture they show its text. The dark one is for those that know `picture`: others pass
 * over it.
 */
function headerMarkup(appName: string, { logoUrl, logoDarkUrl }: MailLook): string {
  const name = escaped(appName);
  if (logoUrl === undefined || !isPicture(logoUrl)) return `<strong class="plain" style="font-size:18px">${name}</strong>`;
  const style = 'display:block;height:32px;width:auto;max-width:240px;border:0;font-size:18px;font-weight:600';
  const image = `<img src="${escaped(logoUrl)}" alt="${name}" height="32" style="${style}">`;
  if (logoDarkUrl === undefined || !isPicture(logoDarkUrl)) return image;
  return `<picture><source media="(prefers-color-scheme: dark)" srcset="${escaped(logoDarkUrl)}">${image}</picture>`;
}

function isPicture(url: string): boolean {
  const { protocol, pathname } = new URL(url);
  return protocol === 'https:' && !/\.svgz?$/i.test(pathname);
}

/** A colour that hardly differs from the white card has the edge of the other buttons. */
function buttonStyle(accent: string): string {
  const edge = contrast(accent, '#ffffff') < 3 ? EDGE : accent;
  return `background:${accent};border:1px solid ${edge};color:${inkOn(accent)}`;
}

function contentMarkup({ subject, greeting, event, link, facts, advice }: NoticeWords, accent: string): string {
  return [
    `<h1 style="${SUBJECT}">${escaped(subject)}</h1>`,
    paragraph(greeting, TEXT),
    paragraph(event, TEXT),
    ...(link ? [linkMarkup(link, buttonStyle(accent), 'first')] : []),
    ...(facts.length > 0 ? [factsMarkup(facts)] : []),
    ...advice.map((part) => (typeof part === 'string' ? paragraph(part, QUIET, 'quiet') : linkMarkup(part, SECOND, 'second'))),
  ].join('\n');
}

/** Paragraphs: a client without styles writes a blank line between them. */
function factsMarkup(facts: readonly Fact[]): string {
  const rows = facts.map(
    ([name, value, size]) =>
      `<tr><td style="${FACT}"><p style="margin:0"><span class="quiet" style="${NAME}">${escaped(name)}</span><br><strong${size ? ` style="${LARGE}"` : ''}><bdi>${escaped(value)}</bdi></strong></p></td></tr>`,
  );
  return `<table role="presentation" class="facts" cellpadding="0" cellspacing="0" border="0" style="${FACTS}">${rows.join('')}</table>`;
}

function paragraph(text: string, style: string, name?: string): string {
  return `<p${name === undefined ? '' : ` class="${name}"`} style="${style}">${escaped(text)}</p>`;
}

function linkMarkup({ text, url }: MailLink, colours: string, name: 'first' | 'second'): string {
  const href = escaped(url);
  const style = `display:inline-block;padding:12px 20px;border-radius:8px;font-weight:600;text-decoration:none;${colours}`;
  return [
    `<p style="margin:8px 0 12px"><a href="${href}" class="${name}" style="${style}">${escaped(text)}</a></p>`,
    `<p class="quiet" style="${ADDRESS}"><span dir="ltr">${href}</span></p>`,
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
