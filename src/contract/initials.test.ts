import { describe, expect, it } from '@jest/globals';
import { toInitials } from './initials.js';

describe('toInitials', () => {
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
  ])('returns, for %j, %j', (name, expected) => expect(toInitials(name)).toBe(expected));
});
