import { describe, expect, it } from '@jest/globals';
import { toKeyName } from './key-name.js';

describe('the name of a security key or passkey', () => {
  it.each([
    ['  Blue key ', 'Blue key'],
    ['Schlüssel 🔑', 'Schlüssel 🔑'],
    ['a\r\nb\u0000c', 'a b c'],
    ['safe\u202Eelif', 'safe elif'],
    ['\uD800', ''],
    ['', ''],
    ['🔑'.repeat(80), '🔑'.repeat(60)],
    ['x'.repeat(1_000_000), 'x'.repeat(60)],
    // Becomes two characters in NFC.
    ['\u0958'.repeat(60), '\u0915\u093C'.repeat(30)],
  ])('is cleaned to one line of printable text (case %#)', (input, name) => {
    expect(toKeyName(input)).toBe(name);
  });
});
