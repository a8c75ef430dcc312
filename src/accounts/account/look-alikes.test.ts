import { describe, expect, it } from '@jest/globals';
import { plainSkeletonsOf, skeletonsOf } from './look-alikes.js';

const lookAlike = (one: string, other: string): boolean => skeletonsOf(one).some((look) => skeletonsOf(other).includes(look));

describe('usernames', () => {
  it.each([
    ['maria', 'mаriа'],
    ['ace.pop98', 'асе.рор98'],
    ['paypal', 'paypa1'],
    ['PayPal', 'PayPaI'],
    ['anna0', 'annao'],
    ['corner', 'comer'],
    ['admin', 'аdmіn'],
    ['admin', 'ᴀᴅᴍɪɴ'],
    ['lara', 'ʟara'],
    ['Ärger', 'ärger'],
  ])('[VAL-5] %s looks like %s', (one, other) => {
    expect(lookAlike(one, other)).toBe(true);
  });

  it.each([
    ['maria', 'mario'],
    ['paypal', 'paypai'],
    ['anna', 'änna'],
    ['max.1', 'max.2'],
    ['müller', 'muller'],
    ['жанна', 'ганна'],
  ])('[VAL-5] %s does not look like %s', (one, other) => {
    expect(lookAlike(one, other)).toBe(false);
  });

  it('[VAL-5] look alike without their separators where they are reserved', () => {
    expect(plainSkeletonsOf('Ad-m.1n')).toEqual(plainSkeletonsOf('adm1n'));
  });

  it.each(['ADMlN', 'Admln', 'adm1n'])('[VAL-5] %s looks like admin where that is reserved', (name) => {
    expect(plainSkeletonsOf(name)).toEqual(expect.arrayContaining([...plainSkeletonsOf('admin')]));
  });
});
