import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/** Custom properties of a sheet, with blanks as one. */
function toTokens(path: string): Map<string, string> {
  const sheet = readFileSync(new URL(path, import.meta.url), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  return new Map(
    [...sheet.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.replaceAll(/\s+/g, ' ')]),
  );
}

describe('the sheet of the sites beside the gateway', () => {
  it('has the tokens of the product, but for the accent', () => {
    const product = toTokens('../../web/styles/tokens.css');
    const own = [...toTokens('site.css')].filter(([name]) => !name.includes('accent'));
    expect(own.length).toBeGreaterThan(25);
    expect(own).toEqual(own.map(([name]) => [name, product.get(name)]));
  });
});
