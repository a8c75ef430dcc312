import { describe, expect, it } from '@jest/globals';
import { chooseText, findNearestLocale } from './locale.js';

describe('findNearestLocale', () => {
  it.each([
    ['fr-CA', ['en', 'fr'], 'fr'],
    ['pt-BR', ['en', 'pt-PT', 'pt-BR'], 'pt-BR'],
    ['pt-AO', ['pt-BR', 'pt'], 'pt'],
    ['pt', ['en', 'pt-BR'], 'pt-BR'],
    ['zh-Hant-TW', ['zh', 'zh-Hant'], 'zh-Hant'],
    ['DE', ['de'], 'de'],
    ['de-de-1996', ['de-DE'], 'de-DE'],
    ['e', ['en'], undefined],
    ['', ['en'], undefined],
    ['*', ['en'], undefined],
    ['__proto__', ['en'], undefined],
    [`de-${'x'.repeat(61)}`, ['de'], 'de'],
    [`de-${'x'.repeat(62)}`, ['de'], undefined],
  ])('[I18-6] for %j among %j returns %j', (tag, offered, expected) => {
    expect(findNearestLocale(tag, offered)).toBe(expected);
  });
});

describe('chooseText', () => {
  it('[I18-6] chooses the nearest language, then English, then any language', () => {
    const texts = { fr: 'un', en: 'one' };
    expect([chooseText(texts, 'fr-CA'), chooseText(texts, 'de'), chooseText({ it: 'uno' }, 'de')]).toEqual(['un', 'one', 'uno']);
    expect([chooseText({}, 'de'), chooseText(undefined, 'de'), chooseText(texts, 'toString')]).toEqual([
      undefined,
      undefined,
      'one',
    ]);
  });
});
