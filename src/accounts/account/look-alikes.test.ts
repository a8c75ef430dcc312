import { describe, expect, it } from '@jest/globals';
import { toPlainSkeletons, toSkeletons } from './look-alikes.js';

const areLookAlikes = (one: string, other: string): boolean =>
  toSkeletons(one).some((skeleton) => toSkeletons(other).includes(skeleton));

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
    expect(areLookAlikes(one, other)).toBe(true);
  });

  it.each([
    ['maria', 'mario'],
    ['paypal', 'paypai'],
    ['anna', 'änna'],
    ['max.1', 'max.2'],
    ['müller', 'muller'],
    ['жанна', 'ганна'],
  ])('[VAL-5] %s does not look like %s', (one, other) => {
    expect(areLookAlikes(one, other)).toBe(false);
  });

  it('[VAL-5] a name with separators looks like the reserved name without them', () => {
    expect(toPlainSkeletons('Ad-m.1n')).toEqual(toPlainSkeletons('adm1n'));
  });

  it.each(['ADMlN', 'Admln', 'adm1n'])('[VAL-5] %s looks like admin if admin is reserved', (name) => {
    expect(toPlainSkeletons(name)).toEqual(expect.arrayContaining([...toPlainSkeletons('admin')]));
  });
});
