import { describe, expect, it } from '@jest/globals';
import { checkPassword, type PasswordContext } from './policy.js';
import { isCommonPassword } from './common-passwords.js';

const PLAIN = { minLength: 6, requireLower: false, requireUpper: false, requireDigit: false };

function faults(password: string, context: Partial<PasswordContext> = {}): string[] {
  return checkPassword(password, { policy: PLAIN, username: 'anna.schmidt', appName: 'Foyer', ...context });
}

describe('[VAL-1] password policy', () => {
  it.each([
    ['Gartenzaun gelb'],
    ['k7pq2x'],
    ['日本語のパス'],
    ['correct horse battery staple'],
    ['  pa ss  '],
    ['😀🎈🌵🚲🧭🪁'],
    ['mond.Kaffee.Tür'],
  ])('takes %j', (password) => {
    expect(faults(password)).toEqual([]);
  });

  it('counts code points in NFC: six are enough, five are not', () => {
    expect(faults('kx9p2w')).toEqual([]);
    expect(faults('kx9p2')).toEqual(['too-short']);
    expect(faults('😀🎈🌵🚲🧭')).toEqual(['too-short']);
    expect(faults('kx9pe\u0301')).toEqual(['too-short']);
    expect(faults('kx9p2w', { policy: { ...PLAIN, minLength: 7 } })).toEqual(['too-short']);
  });

  it('takes 256 characters of up to 1024 bytes and not one more', () => {
    expect(faults('kx9p'.repeat(64))).toEqual([]);
    expect(faults(`${'kx9p'.repeat(64)}!`)).toEqual(['too-long']);
    expect(faults('😀🎈🌵🚲'.repeat(64))).toEqual([]);
    expect(faults(`${'😀🎈🌵🚲'.repeat(64)}!`)).toEqual(['too-long']);
    expect(faults('x'.repeat(10_000_000))).toEqual(['too-long']);
  });

  it('refuses nothing, control characters and broken text', () => {
    expect(faults('')).toEqual(['empty']);
    expect(faults('kx9p2w\u0000')).toEqual(['characters']);
    expect(faults('kx9p2w\n')).toEqual(['characters']);
    expect(faults('kx9p2w\uD800')).toEqual(['characters']);
  });

  it('requires kinds of characters only if the settings do', () => {
    const policy = { minLength: 6, requireLower: true, requireUpper: true, requireDigit: true };
    expect(faults('???---', { policy })).toEqual(['lower-missing', 'upper-missing', 'digit-missing']);
    expect(faults('äÄ9wqp', { policy })).toEqual([]);
  });

  it.each([
    ['password'],
    ['Passwort1'],
    ['PASSWORT123!'],
    ['p@ssw0rd'],
    ['P455w0rt'],
    ['geheim'],
    ['Sommer2026!'],
    ['hallo123'],
    ['schatzschatz'],
    ['Prinzessin'],
    ['Mäuschen1'],
    ['München1860'],
    ['fcbayern'],
    ['123456'],
    ['1234567890'],
    ['111111'],
    ['abcabcabc'],
    ['qwertz123'],
    ['1q2w3e4r'],
    ['iloveyou!!'],
    ['Willkommen01'],
    ['ｐａｓｓｗｏｒｄ'],
  ])('refuses the common %j', (password) => {
    expect(faults(password)).toContain('common');
  });

  it.each([
    ['anna.schmidt', ['username']],
    ['ANNA.SCHMIDT1', ['username']],
    ['12anna.schmidt!', ['username']],
    ['tdimhcs.anna', ['username']],
    ['foyer1', ['app-name']],
    ['Foyer2026', ['app-name']],
    ['anna.schmidt faehrt rad', []],
  ])('judges %j by the names that it stands beside', (password, expected) => {
    expect(faults(password)).toEqual(expected);
  });

  it('compares with app names of several words, and with none', () => {
    expect(faults('meinportal', { appName: 'Mein Portal' })).toEqual(['app-name']);
    expect(faults('kx9p2w', { appName: '' })).toEqual([]);
    expect(faults('kx9p2w', { appName: '2026' })).toEqual([]);
  });

  it('ends for a text far longer than any password, with a work that grows as the text does', () => {
    for (const unit of ['a', '1', '!', 'ab', '😀']) expect(isCommonPassword(unit.repeat(50_000))).toBe(true);
    expect(isCommonPassword(`${'ab1!'.repeat(50_000)}x`)).toBe(false);
  });
});
