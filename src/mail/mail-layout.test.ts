import { describe, expect, it } from '@jest/globals';
import { MAIL_SAMPLES } from '../../test/support/mail-samples.js';
import { mailLayout } from '../config/mail-kinds.js';
import { DEFAULT_LAYOUT, fillLayout } from './mail-layout.js';
import { buildMarkup, type MailLook, type NoticeWords } from './notice-markup.js';
import { SHIPPED } from '../../locales/languages.js';

const WORDS: NoticeWords = {
  language: SHIPPED.get('en'),
  subject: 'Set a new password',
  appName: 'Foyer',
  preheader: 'It works once.',
  event: 'Somebody asked for a new password.',
  link: { text: 'Set it', url: 'https://foyer.example/' },
  facts: [],
  advice: [],
  footer: 'Do not reply.',
};

describe('a layout of an installation', () => {
  it('may be the default layout', () => expect(mailLayout.read(DEFAULT_LAYOUT)).toEqual({ value: DEFAULT_LAYOUT }));

  it('surrounds the content, and keeps placeholders that occur in values', () => {
    const values = { ...WORDS, appName: '{{content}} <b>' };
    const html = buildMarkup(values, { mailLayout: '<i>{{app}}</i>{{content}}<hr>{{footer}}' });
    expect(html).toContain('<i>{{content}} &lt;b&gt;</i><h1');
    expect(html.match(/<h1/g)).toHaveLength(1);
  });

  it('keeps unknown placeholders', () => {
    const emptyValues = { language: '', direction: '', subject: '', app: '', header: '', content: '', footer: '', accent: '' };
    expect(fillLayout('{{other}}', { ...emptyValues, on_accent: '' })).toBe('{{other}}');
  });
});

/** @returns the hidden text at the start of the body, without the filler after it */
function toPreheader(html: string): string | undefined {
  return /<body[^>]*><div style="display:none;[^"]*">(.*?)(?:&zwnj;&nbsp;)+<\/div>/s.exec(html)?.[1];
}

describe('the preheader', () => {
  it('comes before the name of the installation, escaped', () => {
    expect(toPreheader(buildMarkup({ ...WORDS, preheader: 'It <works> once.' }))).toBe('It &lt;works&gt; once.');
  });

  it('is added to a layout of an installation too, and keeps its placeholders', () => {
    const words = { ...WORDS, preheader: '$& {{content}}' };
    const html = buildMarkup(words, { mailLayout: '<html><BODY class="a">{{app}} {{content}}{{footer}}</BODY></html>' });
    expect(html).toContain('<BODY class="a"><div style="display:none;');
    expect(html).toContain('>$&amp; {{content}}&zwnj;');
    expect(buildMarkup(words, { mailLayout: '{{content}}{{footer}}' })).toMatch(/^<div style="display:none;/);
  });

  it.each(MAIL_SAMPLES)('$name: occurs in the text and in the HTML of the mail too', ({ mail }) => {
    for (const locale of SHIPPED.locales) {
      const { subject, text, html } = mail(locale);
      const preheader = toPreheader(html) ?? '';
      // A code comes before the sentence about it.
      const parts = preheader.split(' · ');
      expect([preheader.length > 20, parts.filter((part) => !text.includes(unescapeText(part)))]).toEqual([true, []]);
      expect(parts.filter((part) => html.split(part).length < 3)).toEqual([]);
      expect(preheader).not.toBe(subject);
    }
  });
});

function unescapeText(markup: string): string {
  return markup.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

describe('every mail', () => {
  it.each(MAIL_SAMPLES)('[S-22] $name: has no secret in the subject, and none but a code in the preheader', ({ mail }) => {
    for (const locale of SHIPPED.locales) {
      const { subject, html } = mail(locale);
      expect(subject).not.toMatch(/\d{6}|[\w-]{43}/);
      expect(toPreheader(html)).not.toMatch(/[\w-]{43}|https?:/);
    }
  });

  it.each(MAIL_SAMPLES)('$name: shows each address once, after everything else, and one button for it', ({ mail }) => {
    for (const locale of SHIPPED.locales) {
      const { text, html } = mail(locale);
      const content = html.slice(html.indexOf('<div role="main">'), html.indexOf('<div role="contentinfo">'));
      const buttons = [...content.matchAll(/<a href="([^"]+)"/g)].map(([, url]) => url ?? '');
      expect(
        buttons.filter((url) => content.split(`>${url}<`).length !== 2 || text.split(unescapeText(url)).length !== 2),
      ).toEqual([]);
      const [, end = ''] = content.split(SHIPPED.get(locale).phrases['mail.link_addresses']);
      expect(buttons.filter((url) => !end.includes(`<span dir="ltr"`) || !end.includes(`>${url}</span>`))).toEqual([]);
      expect(end).not.toMatch(/<p\b|<a\b|<table\b/);
    }
  });

  it.each(MAIL_SAMPLES)('$name: begins with what happened, without a greeting, and has the buttons below', ({ mail }) => {
    for (const locale of SHIPPED.locales) {
      const { text, html } = mail(locale);
      const [first = '', ...rest] = text.split('\n\n');
      expect([first.split(' ').length > 5, /[.:]$/.test(first)]).toEqual([true, true]);
      expect(first.charAt(0)).toBe(first.charAt(0).toLocaleUpperCase(locale));
      const urls = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, url]) => unescapeText(url ?? ''));
      expect(urls.filter((url, index) => !rest[index]?.endsWith(`\n${url}`))).toEqual([]);
      const [, beforeButtons = ''] = /<\/h1>(.*?)<a href/s.exec(html) ?? [];
      expect(beforeButtons.split('</p>').length - 1).toBe(urls.length === 0 ? 0 : 1);
      // Some mails to people without an account have no facts.
      const facts = html.indexOf('<table class="facts"');
      expect(html.lastIndexOf('<a href')).toBeLessThan(facts === -1 ? html.length : facts);
    }
  });
});

describe('facts', () => {
  const facts = [
    ['Time', '21 November'],
    ['Network', '203.0.113.x'],
  ] as const;

  it('are a table of two columns, in the direction of the language', () => {
    const findTable = (tag: string) =>
      /<table class="facts"[^>]*>(.*?)<\/table>/s.exec(buildMarkup({ ...WORDS, language: SHIPPED.get(tag), facts }))?.[1] ?? '';
    const cells = findTable('en').replaceAll(/ (?:class|style)="[^"]*"/g, '');
    expect(cells).toBe(
      facts.map(([name, value]) => `<tr><th scope="row">${name}</th><td><bdi>${value}</bdi></td></tr>`).join(''),
    );
    expect(
      [findTable('en').match(/text-align:left/g), findTable('ar').match(/text-align:right/g)].map((matches) => matches?.length),
    ).toEqual([4, 4]);
  });
});

describe('the letter in place of a logo', () => {
  const findTile = (appName: string, look: MailLook = {}) =>
    /<span aria-hidden="true" style="([^"]*)">(.*?)<\/span>/.exec(buildMarkup({ ...WORDS, appName }, look))?.slice(1);

  it('is the first letter of the name, on the brand colour', () => {
    const [style, letter] = findTile('meridian Konten', { brandColour: '#ffd24a' }) ?? [];
    expect(letter).toBe('M');
    expect(style).toContain('background:#ffd24a;border:1px solid #8c857b;color:#000000');
    expect(findTile('بوابة')?.[1]).toBe('ب');
  });

  it('is missing beside a logo, unless it is an SVG, and if the name has no letter', () => {
    expect(findTile('Meridian', { logoUrl: 'https://foyer.example/logo.png' })).toBeUndefined();
    expect(findTile('Meridian', { logoUrl: 'https://foyer.example/logo.svg' })?.[1]).toBe('M');
    expect(findTile('<&>')).toBeUndefined();
  });
});

describe('the look of a mail', () => {
  it.each([
    ['https://foyer.example/logo.png', '<img src="https://foyer.example/logo.png" alt="Foyer"'],
    ['https://foyer.example/logo.svg', '<strong class="plain"'],
    ['http://foyer.example/logo.png', '<strong class="plain"'],
    ['data:image/png;base64,AA', '<strong class="plain"'],
  ])('shows the logo %s as %s', (logoUrl, markup) => expect(buildMarkup(WORDS, { logoUrl })).toContain(markup));

  it('[LKS-2] has a dark logo for mail clients that choose a picture by theme, unless the dark logo is an SVG', () => {
    const [logoUrl, logoDarkUrl] = ['https://foyer.example/logo.png', 'https://foyer.example/dark.png'];
    expect(buildMarkup(WORDS, { logoUrl, logoDarkUrl })).toContain(
      `<picture><source media="(prefers-color-scheme: dark)" srcset="${logoDarkUrl}"><img src="${logoUrl}"`,
    );
    expect(buildMarkup(WORDS, { logoUrl, logoDarkUrl: 'https://foyer.example/dark.svg' })).not.toContain('<picture>');
  });

  it('[S-22] has readable text on the brand colour', () => {
    const findButtonStyle = (brandColour: string) =>
      /class="first" style="([^"]*)"/.exec(buildMarkup(WORDS, { brandColour }))?.[1];
    expect(findButtonStyle('#ffd24a')).toContain('background:#ffd24a;border:1px solid #8c857b;color:#000000');
    expect(findButtonStyle('#14213d')).toContain('background:#14213d;border:1px solid #14213d;color:#ffffff');
  });
});
