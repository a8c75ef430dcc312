import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/** @returns the custom properties of a stylesheet, with each run of whitespace as one space */
function toTokens(path: string): Map<string, string> {
  const sheet = readFileSync(new URL(path, import.meta.url), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  return new Map(
    [...sheet.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.replaceAll(/\s+/g, ' ')]),
  );
}

describe('the stylesheet of the embedded sites', () => {
  it('gives its tokens the values of the product, except for the accent colours', () => {
    const productTokens = toTokens('../../web/styles/tokens.css');
    const ownTokens = [...toTokens('site.css')].filter(([name]) => !name.includes('accent'));
    expect(ownTokens.length).toBeGreaterThan(25);
    expect(ownTokens).toEqual(ownTokens.map(([name]) => [name, productTokens.get(name)]));
  });
});
