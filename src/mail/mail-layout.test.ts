import { describe, expect, it } from '@jest/globals';
import { mailLayout } from '../config/mail-kinds.js';
import { DEFAULT_LAYOUT, inLayout } from './mail-layout.js';
import { noticeMarkup } from './notice-markup.js';
import type { NoticeWords } from './notice-markup.js';
import { SHIPPED } from '../../locales/languages.js';

const WORDS: NoticeWords = {
  language: SHIPPED.of('en'),
  subject: 'Set a new password',
  appName: 'Foyer',
  greeting: 'Hello,',
  event: 'Somebody asked for a new password.',
  link: { text: 'Set it', url: 'https://foyer.example/' },
  facts: [],
  advice: [],
  footer: 'Do not reply.',
};

describe('a layout of an installation', () => {
  it('may be the own one', () => expect(mailLayout.read(DEFAULT_LAYOUT)).toEqual({ value: DEFAULT_LAYOUT }));

  it('surrounds the content, and no value is looked at twice', () => {
    const values = { ...WORDS, appName: '{{content}} <b>' };
    const html = noticeMarkup(values, { mailLayout: '<i>{{app}}</i>{{content}}<hr>{{footer}}' });
    expect(html).toContain('<i>{{content}} &lt;b&gt;</i><h1');
    expect(html.match(/<h1/g)).toHaveLength(1);
  });

  it('keeps what it does not know', () => {
    const none = { language: '', direction: '', subject: '', app: '', header: '', content: '', footer: '', accent: '' };
    expect(inLayout('{{other}}', { ...none, on_accent: '' })).toBe('{{other}}');
  });
});

describe('the look', () => {
  it.each([
    ['https://foyer.example/logo.png', '<img src="https://foyer.example/logo.png" alt="Foyer"'],
    ['https://foyer.example/logo.svg', '<strong class="plain"'],
    ['http://foyer.example/logo.png', '<strong class="plain"'],
    ['data:image/png;base64,AA', '<strong class="plain"'],
  ])('logo %s: %s', (logoUrl, markup) => expect(noticeMarkup(WORDS, { logoUrl })).toContain(markup));

  it('[LKS-2] the dark logo is for mail clients that show a picture by theme, and no SVG either', () => {
    const [logoUrl, dark] = ['https://foyer.example/logo.png', 'https://foyer.example/dark.png'];
    expect(noticeMarkup(WORDS, { logoUrl, logoDarkUrl: dark })).toContain(
      `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}"><img src="${logoUrl}"`,
    );
    expect(noticeMarkup(WORDS, { logoUrl, logoDarkUrl: 'https://foyer.example/dark.svg' })).not.toContain('<picture>');
  });

  it('[S-22] the text on the colour of the brand can be read', () => {
    const button = (brandColour: string) => /class="first" style="([^"]*)"/.exec(noticeMarkup(WORDS, { brandColour }))?.[1];
    expect(button('#ffd24a')).toContain('background:#ffd24a;border:1px solid #8c857b;color:#000000');
    expect(button('#14213d')).toContain('background:#14213d;border:1px solid #14213d;color:#ffffff');
  });
});
