import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../config/load-config.js';
import { detectLanguage } from './language.js';

const FULL = loadConfig({}).config.language;

const nothing = { query: null, uiLocales: [], cookie: null, accept: '' };

describe('detectLanguage', () => {
  it('[I18-1] [I18-2] falls back to English', () => {
    expect(detectLanguage(nothing, FULL)).toEqual({ locale: 'en', source: 'default' });
    expect(detectLanguage({ ...nothing, query: 'xx', uiLocales: ['fr'], cookie: 'it', accept: 'es,*;q=0.1' }, FULL)).toEqual({
      locale: 'en',
      source: 'default',
    });
  });

  it('[I18-2] prefers the query, then ui_locales, the cookie and the header', () => {
    const all = { query: 'de', uiLocales: ['en'], cookie: 'de', accept: 'en' };
    expect(detectLanguage(all, FULL)).toEqual({ locale: 'de', source: 'query' });
    expect(detectLanguage({ ...all, query: null }, FULL)).toEqual({ locale: 'en', source: 'ui_locales' });
    expect(detectLanguage({ ...all, query: null, uiLocales: [] }, FULL)).toEqual({ locale: 'de', source: 'cookie' });
    expect(detectLanguage({ ...nothing, accept: 'de' }, FULL)).toEqual({ locale: 'de', source: 'header' });
  });

  it('[I18-3] reads only the header if the setting is `browser`', () => {
    const all = { query: 'de', uiLocales: ['de'], cookie: 'de', accept: 'en' };
    expect(detectLanguage(all, { ...FULL, detection: 'browser' })).toEqual({ locale: 'en', source: 'header' });
  });

  it.each([
    ['fr, de-AT;q=0.8, en;q=0.9', 'en'],
    ['de-CH', 'de'],
    ['fr-CA, en-ZA', 'en'],
    ['DE', 'de'],
    ['de;q=0, en;q=0.1', 'en'],
    ['en;q=abc, de;q=0.1', 'de'],
    [`${'x,'.repeat(100_000)}de`, 'en'],
  ])('finds, for the header "%.40s", the offered language with the greatest weight: %s', (accept, locale) => {
    expect(detectLanguage({ ...nothing, accept }, FULL).locale).toBe(locale);
  });
});
