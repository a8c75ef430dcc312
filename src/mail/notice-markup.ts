/** Builds the HTML of a mail, and escapes all text. The HTML loads nothing but the logo of the installation and what `MAIL_LAYOUT` adds. */
import { measureContrast, chooseInk } from '../contract/colour.js';
import { toInitials } from '../contract/initials.js';
import type { Language } from '../../locales/languages.js';
import type { Config } from '../config/config.js';
import { DEFAULT_LAYOUT, fillLayout, addPreheader } from './mail-layout.js';
import { createMailPhrase } from './notice-phrases.js';

/** `large`: a value that the reader types, perhaps on another device. */
export type Fact = readonly [name: string, value: string, size?: 'large'];

/** In HTML a button, whose address is repeated at the end of the mail; in plain text a label with the address below it. */
export interface MailLink {
  text: string;
  url: string;
}

/** The texts of a mail, from which plain text and HTML are built. */
export interface NoticeWords {
  language: Language;
  subject: string;
  appName: string;
  /** The text that a mailbox shows beside the subject, such as a code or advice to the reader. */
  preheader: string;
  event: string;
  /** The main link of the mail. */
  link?: MailLink;
  /** The link that secures the account. */
  notMe?: MailLink;
  facts: readonly Fact[];
  advice: readonly string[];
  footer: string;
}

/** The look of mails, from the settings of the installation. */
export type MailLook = Pick<Config['app'], 'logoUrl' | 'logoDarkUrl' | 'brandColour' | 'mailLayout'>;

/** The default brand colour of the pages (`web/styles/tokens.css`). */
const OWN_BRAND = '#14513f';

const SUBJECT_STYLE = 'margin:0 0 20px;font-size:22px;line-height:1.3;font-weight:600;overflow-wrap:anywhere';
const TEXT_STYLE = 'margin:0 0 16px';
const QUIET_STYLE = 'margin:0 0 12px;font-size:14px;color:#665f56';
const FACTS_STYLE = 'width:100%;margin:4px 0 20px;background:#f9f7f4;border-radius:10px';
const NAME_STYLE = 'width:30%;padding:8px 12px;font-size:14px;font-weight:400;color:#665f56;vertical-align:baseline';
const VALUE_STYLE = 'padding:8px 12px;font-weight:600;overflow-wrap:anywhere;word-break:break-word;vertical-align:baseline';
const LARGE_STYLE = 'font-size:32px;line-height:1.3;letter-spacing:.14em;font-family:ui-monospace,Menlo,Consolas,monospace';
const EDGE_COLOUR = '#8c857b';
const SECOND_BUTTON_STYLE = `border:1px solid ${EDGE_COLOUR};color:#1f1c18`;
const ADDRESS_STYLE = 'overflow-wrap:anywhere;word-break:break-all';
const TILE_STYLE =
  'display:inline-block;width:32px;line-height:32px;border-radius:8px;font-size:18px;font-weight:700;text-align:center;vertical-align:middle';
const APP_NAME_STYLE = 'font-size:18px;vertical-align:middle';

export function buildMarkup(words: NoticeWords, look: MailLook = {}): string {
  const { language, subject, appName, footer } = words;
  const accent = look.brandColour ?? OWN_BRAND;
  const html = fillLayout(look.mailLayout ?? DEFAULT_LAYOUT, {
    language: language.locale,
    direction: language.dir,
    subject: escapeText(subject),
    app: escapeText(appName),
    header: buildHeader(appName, look, accent),
    content: buildContent(words, accent),
    footer: escapeText(footer),
    accent,
    on_accent: chooseInk(accent),
  });
  return addPreheader(html, escapeText(words.preheader));
}

/**
 * Builds the logo. The first letter and the name of the installation replace a logo that is missing, or that most mail clients do not
 * show, such as an SVG. Clients that do not support `picture` ignore the dark logo.
 */
function buildHeader(appName: string, { logoUrl, logoDarkUrl }: MailLook, accent: string): string {
  const name = escapeText(appName);
  if (logoUrl === undefined || !isPicture(logoUrl)) {
    return `${buildTile(appName, accent)}<strong class="plain" style="${APP_NAME_STYLE}">${name}</strong>`;
  }
  const style = 'display:block;height:32px;width:auto;max-width:240px;border:0;font-size:18px;font-weight:600';
  const image = `<img src="${escapeText(logoUrl)}" alt="${name}" height="32" style="${style}">`;
  if (logoDarkUrl === undefined || !isPicture(logoDarkUrl)) return image;
  return `<picture><source media="(prefers-color-scheme: dark)" srcset="${escapeText(logoDarkUrl)}">${image}</picture>`;
}

/** The first letter or digit of the name, in place of a logo. Empty for a name without letters and digits. */
function buildTile(appName: string, accent: string): string {
  const [letter] = toInitials(appName);
  return letter === undefined
    ? ''
    : `<span aria-hidden="true" style="${TILE_STYLE};${toAccentStyle(accent)}">${letter}</span>&ensp;`;
}

function isPicture(url: string): boolean {
  const { protocol, pathname } = new URL(url);
  return protocol === 'https:' && !/\.svgz?$/i.test(pathname);
}

/** A colour with little contrast to the white card gets the border colour of the second button. */
function toAccentStyle(accent: string): string {
  const edge = measureContrast(accent, '#ffffff') < 3 ? EDGE_COLOUR : accent;
  return `background:${accent};border:1px solid ${edge};color:${chooseInk(accent)}`;
}

function buildContent({ language, subject, event, link, notMe, facts, advice }: NoticeWords, accent: string): string {
  const links = [link, notMe].flatMap((each) => each ?? []);
  return [
    `<h1 style="${SUBJECT_STYLE}">${escapeText(subject)}</h1>`,
    buildParagraph(event, TEXT_STYLE),
    ...(link ? [buildButton(link, toAccentStyle(accent), 'first')] : []),
    ...(notMe ? [buildButton(notMe, SECOND_BUTTON_STYLE, 'second')] : []),
    ...(facts.length > 0 ? [buildFacts(facts, language)] : []),
    ...advice.map((text) => buildParagraph(text, QUIET_STYLE, 'quiet')),
    ...(links.length > 0 ? [buildAddresses(links, language)] : []),
  ].join('\n');
}

/** The alignment is left or right, because some mail clients do not support `text-align:start`. */
function buildFacts(facts: readonly Fact[], { dir }: Pick<Language, 'dir'>): string {
  const align = `text-align:${dir === 'rtl' ? 'right' : 'left'}`;
  const rows = facts.map(
    ([name, value, size]) =>
      `<tr><th scope="row" class="quiet" style="${NAME_STYLE};${align}">${escapeText(name)}</th><td style="${VALUE_STYLE};${align}${size ? `;${LARGE_STYLE}` : ''}"><bdi>${escapeText(value)}</bdi></td></tr>`,
  );
  return `<table class="facts" cellpadding="0" cellspacing="0" border="0" style="${FACTS_STYLE}">${rows.join('')}</table>`;
}

function buildParagraph(text: string, style: string, className?: string): string {
  return `<p${className === undefined ? '' : ` class="${className}"`} style="${style}">${escapeText(text)}</p>`;
}

function buildButton({ text, url }: MailLink, colourStyle: string, className: 'first' | 'second'): string {
  const style = `display:inline-block;padding:12px 20px;border-radius:8px;font-weight:600;text-decoration:none;${colourStyle}`;
  return `<p style="margin:8px 0 16px"><a href="${escapeText(url)}" class="${className}" style="${style}">${escapeText(text)}</a></p>`;
}

/** The addresses, for clients that show no buttons and for readers who want to see where a button leads. */
function buildAddresses(links: readonly MailLink[], language: Language): string {
  const phrase = createMailPhrase(language);
  const lines = links.map(({ text, url }) => {
    const address = `<span dir="ltr" style="${ADDRESS_STYLE}">${escapeText(url)}</span>`;
    return escapeText(phrase('mail.fact', { name: text, value: '\n' })).replace('\n', () => address);
  });
  return `<p class="quiet" style="${QUIET_STYLE}">${[escapeText(phrase('mail.link_addresses')), ...lines].join('<br>')}</p>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
