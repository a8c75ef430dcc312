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

  it('surrounds the content, and placeholders in values stay', () => {
    const values = { ...WORDS, appName: '{{content}} <b>' };
    const html = buildMarkup(values, { mailLayout: '<i>{{app}}</i>{{content}}<hr>{{footer}}' });
    expect(html).toContain('<i>{{content}} &lt;b&gt;</i><h1');
    expect(html.match(/<h1/g)).toHaveLength(1);
  });

  it('keeps unknown placeholders', () => {
    const none = { language: '', direction: '', subject: '', app: '', header: '', content: '', footer: '', accent: '' };
    expect(fillLayout('{{other}}', { ...none, on_accent: '' })).toBe('{{other}}');
  });
});

/** The hidden text before everything else, without what fills the line after it. */
function toPreheader(html: string): string | undefined {
  return /<body[^>]*><div style="display:none;[^"]*">(.*?)(?:&zwnj;&nbsp;)+<\/div>/s.exec(html)?.[1];
}

describe('what a mailbox shows beside the subject', () => {
  it('stands before the name of the installation, escaped', () => {
    expect(toPreheader(buildMarkup({ ...WORDS, preheader: 'It <works> once.' }))).toBe('It &lt;works&gt; once.');
  });

  it('is in a layout of an installation too, and its placeholders stay', () => {
    const words = { ...WORDS, preheader: '$& {{content}}' };
    const html = buildMarkup(words, { mailLayout: '<html><BODY class="a">{{app}} {{content}}{{footer}}</BODY></html>' });
    expect(html).toContain('<BODY class="a"><div style="display:none;');
    expect(html).toContain('>$&amp; {{content}}&zwnj;');
    expect(buildMarkup(words, { mailLayout: '{{content}}{{footer}}' })).toMatch(/^<div style="display:none;/);
  });

  it.each(MAIL_SAMPLES)('$name: is said in the mail too, in both parts', ({ mail }) => {
    for (const locale of SHIPPED.locales) {
      const { subject, text, html } = mail(locale);
      const preheader = toPreheader(html) ?? '';
      // A code stands before the sentence about it.
      const parts = preheader.split(' · ');
      expect([preheader.length > 20, parts.filter((part) => !text.includes(unescape(part)))]).toEqual([true, []]);
      expect(parts.filter((part) => html.split(part).length < 3)).toEqual([]);
      expect(preheader).not.toBe(subject);
    }
  });
});

function unescape(markup: string): string {
  return markup.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

describe('every mail', () => {
  it.each(MAIL_SAMPLES)('[S-22] $name: nothing secret in the subject or beside it, but a code', ({ mail }) => {
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
      expect(buttons.filter((url) => content.split(`>${url}<`).length !== 2 || text.split(unescape(url)).length !== 2)).toEqual(
        [],
      );
      const [, end = ''] = content.split(SHIPPED.get(locale).phrases['mail.link_addresses']);
      expect(buttons.filter((url) => !end.includes(`<span dir="ltr"`) || !end.includes(`>${url}</span>`))).toEqual([]);
      expect(end).not.toMatch(/<p\b|<a\b|<table\b/);
    }
  });

  it.each(MAIL_SAMPLES)('$name: greets nobody, and begins with what happened, and the buttons below it', ({ mail }) => {
    for (const locale of SHIPPED.locales) {
      const { text, html } = mail(locale);
      const [first = '', ...rest] = text.split('\n\n');
      expect([first.split(' ').length > 5, /[.:]$/.test(first)]).toEqual([true, true]);
      expect(first.charAt(0)).toBe(first.charAt(0).toLocaleUpperCase(locale));
      const urls = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, url]) => unescape(url ?? ''));
      expect(urls.filter((url, index) => !rest[index]?.endsWith(`\n${url}`))).toEqual([]);
      const [, beforeButtons = ''] = /<\/h1>(.*?)<a href/s.exec(html) ?? [];
      expect(beforeButtons.split('</p>').length - 1).toBe(urls.length === 0 ? 0 : 1);
      expect(html.lastIndexOf('<a href')).toBeLessThan(html.indexOf('<table class="facts"'));
    }
  });
});

describe('facts', () => {
  const facts = [
    ['Time', '21 November'],
    ['Network', '203.0.113.x'],
  ] as const;

  it('are a table of two columns, in the direction of the language', () => {
    const table = (tag: string) =>
      /<table class="facts"[^>]*>(.*?)<\/table>/s.exec(buildMarkup({ ...WORDS, language: SHIPPED.get(tag), facts }))?.[1] ?? '';
    const cells = table('en').replaceAll(/ (?:class|style)="[^"]*"/g, '');
    expect(cells).toBe(
      facts.map(([name, value]) => `<tr><th scope="row">${name}</th><td><bdi>${value}</bdi></td></tr>`).join(''),
    );
    expect([table('en').match(/text-align:left/g), table('ar').match(/text-align:right/g)].map((all) => all?.length)).toEqual([
      4, 4,
    ]);
  });
});

describe('the letter in place of a logo', () => {
  const tile = (appName: string, look: MailLook = {}) =>
    /<span aria-hidden="true" style="([^"]*)">(.*?)<\/span>/.exec(buildMarkup({ ...WORDS, appName }, look))?.slice(1);

  it('is the first one of the name, on the colour of the brand', () => {
    const [style, letter] = tile('meridian Konten', { brandColour: '#ffd24a' }) ?? [];
    expect(letter).toBe('M');
    expect(style).toContain('background:#ffd24a;border:1px solid #8c857b;color:#000000');
    expect(tile('بوابة')?.[1]).toBe('ب');
  });

  it('is missing beside a logo, and where a name has no letter', () => {
    expect(tile('Meridian', { logoUrl: 'https://foyer.example/logo.png' })).toBeUndefined();
    expect(tile('Meridian', { logoUrl: 'https://foyer.example/logo.svg' })?.[1]).toBe('M');
    expect(tile('<&>')).toBeUndefined();
  });
});

describe('the look', () => {
  it.each([
    ['https://foyer.example/logo.png', '<img src="https://foyer.example/logo.png" alt="Foyer"'],
    ['https://foyer.example/logo.svg', '<strong class="plain"'],
    ['http://foyer.example/logo.png', '<strong class="plain"'],
    ['data:image/png;base64,AA', '<strong class="plain"'],
  ])('logo %s: %s', (logoUrl, markup) => expect(buildMarkup(WORDS, { logoUrl })).toContain(markup));

  it('[LKS-2] the dark logo is for mail clients that show a picture by theme, and no SVG either', () => {
    const [logoUrl, dark] = ['https://foyer.example/logo.png', 'https://foyer.example/dark.png'];
    expect(buildMarkup(WORDS, { logoUrl, logoDarkUrl: dark })).toContain(
      `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}"><img src="${logoUrl}"`,
    );
    expect(buildMarkup(WORDS, { logoUrl, logoDarkUrl: 'https://foyer.example/dark.svg' })).not.toContain('<picture>');
  });

  it('[S-22] the text on the colour of the brand can be read', () => {
    const button = (brandColour: string) => /class="first" style="([^"]*)"/.exec(buildMarkup(WORDS, { brandColour }))?.[1];
    expect(button('#ffd24a')).toContain('background:#ffd24a;border:1px solid #8c857b;color:#000000');
    expect(button('#14213d')).toContain('background:#14213d;border:1px solid #14213d;color:#ffffff');
  });
});
