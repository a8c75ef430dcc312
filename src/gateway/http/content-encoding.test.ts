import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { negotiateEncodings, compress } from './content-encoding.js';

describe('negotiateEncodings', () => {
  it.each([
    [undefined, ['identity']],
    ['gzip, deflate, br', ['br', 'gzip', 'identity']],
    ['br;q=0, gzip;q=0.5', ['gzip', 'identity']],
    ['br;q=0.0', ['identity']],
    ['BR', ['br', 'identity']],
    ['abr, gzipped', ['identity']],
    ['gzip;q=1.0,br;q=0.001', ['br', 'gzip', 'identity']],
    ['*', ['br', 'gzip', 'identity']],
    ['*;q=0, gzip', ['gzip', 'identity']],
    ['br;q=abc, gzip;q=', ['gzip', 'identity']],
    ['"; , ;=;,;q=1,\t,', ['identity']],
  ])('accepts, for the header %j, the encodings %j', (header, encodings) => {
    expect(negotiateEncodings(header)).toEqual(encodings);
  });
});

describe('compress', () => {
  it('returns bytes that decompress to the same text', () => {
    const text = 'Grüße '.repeat(1000);
    expect(brotliDecompressSync(compress(text, 'br')).toString()).toBe(text);
    expect(gunzipSync(compress(text, 'gzip')).toString()).toBe(text);
    expect(compress(text, 'identity').toString()).toBe(text);
  });
});
