import { describe, expect, it } from '@jest/globals';
import { checkPassword, type PasswordContext } from './policy.js';
import { isCommonPassword } from './common-passwords.js';

const PLAIN_POLICY = { minLength: 6, requireLower: false, requireUpper: false, requireDigit: false };

function findFaults(password: string, context: Partial<PasswordContext> = {}): string[] {
  return checkPassword(password, { policy: PLAIN_POLICY, username: 'anna.schmidt', appName: 'Foyer', ...context });
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
  ])('accepts %j', (password) => {
    expect(findFaults(password)).toEqual([]);
  });

  it('counts code points in NFC, accepts six of them and refuses five', () => {
    expect(findFaults('kx9p2w')).toEqual([]);
    expect(findFaults('kx9p2')).toEqual(['too-short']);
    expect(findFaults('😀🎈🌵🚲🧭')).toEqual(['too-short']);
    expect(findFaults('kx9pe\u0301')).toEqual(['too-short']);
    expect(findFaults('kx9p2w', { policy: { ...PLAIN_POLICY, minLength: 7 } })).toEqual(['too-short']);
  });

  it('accepts 256 characters of up to 1024 bytes, and refuses one more', () => {
    expect(findFaults('kx9p'.repeat(64))).toEqual([]);
    expect(findFaults(`${'kx9p'.repeat(64)}!`)).toEqual(['too-long']);
    expect(findFaults('😀🎈🌵🚲'.repeat(64))).toEqual([]);
    expect(findFaults(`${'😀🎈🌵🚲'.repeat(64)}!`)).toEqual(['too-long']);
    expect(findFaults('x'.repeat(10_000_000))).toEqual(['too-long']);
  });

  it('refuses an empty password, control characters and lone surrogates', () => {
    expect(findFaults('')).toEqual(['empty']);
    expect(findFaults('kx9p2w\u0000')).toEqual(['characters']);
    expect(findFaults('kx9p2w\n')).toEqual(['characters']);
    expect(findFaults('kx9p2w\uD800')).toEqual(['characters']);
  });

  it('requires lower case, upper case and digits if the settings require them', () => {
    const policy = { minLength: 6, requireLower: true, requireUpper: true, requireDigit: true };
    expect(findFaults('???---', { policy })).toEqual(['lower-missing', 'upper-missing', 'digit-missing']);
    expect(findFaults('äÄ9wqp', { policy })).toEqual([]);
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
  ])('refuses the common password %j', (password) => {
    expect(findFaults(password)).toContain('common');
  });

  it.each([
    ['anna.schmidt', ['username']],
    ['ANNA.SCHMIDT1', ['username']],
    ['12anna.schmidt!', ['username']],
    ['tdimhcs.anna', ['username']],
    ['foyer1', ['app-name']],
    ['Foyer2026', ['app-name']],
    ['anna.schmidt faehrt rad', []],
  ])('compares %j with the username and the app name: %j', (password, expected) => {
    expect(findFaults(password)).toEqual(expected);
  });

  it('compares the password with app names of several words, without letters, or empty', () => {
    expect(findFaults('meinportal', { appName: 'Mein Portal' })).toEqual(['app-name']);
    expect(findFaults('kx9p2w', { appName: '' })).toEqual([]);
    expect(findFaults('kx9p2w', { appName: '2026' })).toEqual([]);
    expect(findFaults('83-74 92', { appName: '2026' })).toEqual([]);
    expect(findFaults('20 26', { appName: '2026' })).toContain('app-name');
    expect(findFaults('6202', { appName: '2026' })).toContain('app-name');
  });

  it('decides whether a text that is far longer than any password is common', () => {
    for (const unit of ['a', '1', '!', 'ab', '😀']) expect(isCommonPassword(unit.repeat(50_000))).toBe(true);
    expect(isCommonPassword(`${'ab1!'.repeat(50_000)}x`)).toBe(false);
  });
});
