import { describe, expect, it } from '@jest/globals';
import { chooseLanguage } from './language.js';

describe('chooseLanguage', () => {
  it.each([
    ['de', 'en', 'de'],
    [undefined, 'de-AT,en;q=0.5', 'de'],
    [undefined, 'fr, en;q=0.4, de;q=0.8', 'de'],
    [undefined, 'de;q=0, en;q=0.1', 'en'],
    [undefined, 'den, *', 'en'],
    [undefined, undefined, 'en'],
    ['xx', 'de', 'de'],
  ] as const)('with the choice %s and Accept-Language %s, it returns %s', (chosenLanguage, acceptLanguage, language) => {
    expect(chooseLanguage(chosenLanguage, acceptLanguage)).toBe(language);
  });
});
