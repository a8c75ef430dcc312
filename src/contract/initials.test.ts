import { describe, expect, it } from '@jest/globals';
import { initials } from './initials.js';

describe('initials', () => {
  it.each([
    ['Maria Musterfrau', 'MM'],
    ['maria.musterfrau', 'MM'],
    ['Maria von der Musterfrau', 'MM'],
    ['maria', 'M'],
    ['maria@portal.example', 'M'],
    ['@maria', 'M'],
    ['Ärztin Öz', 'ÄÖ'],
    ['山田 太郎', '山太'],
    ['𝒜lice Bo', '𝒜B'],
    ['…', ''],
  ])('of %s are %s', (name, expected) => expect(initials(name)).toBe(expected));
});
