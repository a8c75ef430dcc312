import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../config/load-config.js';
import { detectLanguage } from './language.js';

const SETTINGS = loadConfig({}).config.language;

const NO_HINTS = { query: null, uiLocales: [], cookie: null, accept: '' };

describe('detectLanguage', () => {
  it('[I18-1] [I18-2] falls back to English', () => {
    expect(detectLanguage(NO_HINTS, SETTINGS)).toEqual({ locale: 'en', source: 'default' });
    const unknownHints = { query: 'xx', uiLocales: ['fr'], cookie: 'it', accept: 'es,*;q=0.1' };
    expect(detectLanguage(unknownHints, SETTINGS)).toEqual({ locale: 'en', source: 'default' });
  });

  it('[I18-2] prefers the query, then ui_locales, the cookie and the header', () => {
    const hints = { query: 'de', uiLocales: ['en'], cookie: 'de', accept: 'en' };
    expect(detectLanguage(hints, SETTINGS)).toEqual({ locale: 'de', source: 'query' });
    expect(detectLanguage({ ...hints, query: null }, SETTINGS)).toEqual({ locale: 'en', source: 'ui_locales' });
    expect(detectLanguage({ ...hints, query: null, uiLocales: [] }, SETTINGS)).toEqual({ locale: 'de', source: 'cookie' });
    expect(detectLanguage({ ...NO_HINTS, accept: 'de' }, SETTINGS)).toEqual({ locale: 'de', source: 'header' });
  });

  it('[I18-3] reads only the header if the setting is `browser`', () => {
    const hints = { query: 'de', uiLocales: ['de'], cookie: 'de', accept: 'en' };
    expect(detectLanguage(hints, { ...SETTINGS, detection: 'browser' })).toEqual({ locale: 'en', source: 'header' });
  });

  it.each([
    ['fr, de-AT;q=0.8, en;q=0.9', 'en'],
    ['de-CH', 'de'],
    ['fr-CA, en-ZA', 'en'],
    ['DE', 'de'],
    ['de;q=0, en;q=0.1', 'en'],
    ['en;q=abc, de;q=0.1', 'de'],
  ])('finds, for the header "%s", the offered language with the greatest weight: %s', (accept, locale) => {
    expect(detectLanguage({ ...NO_HINTS, accept }, SETTINGS).locale).toBe(locale);
  });

  it('does not read a language at the end of a header that is too long', () => {
    expect(detectLanguage({ ...NO_HINTS, accept: `${'x,'.repeat(100_000)}de` }, SETTINGS).locale).toBe('en');
  });
});
