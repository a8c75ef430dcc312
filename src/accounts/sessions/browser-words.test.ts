import { describe, expect, it } from '@jest/globals';
import { toBrowserWords } from './browser-words.js';

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('browser words', () => {
  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox, Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${KHTML} Chrome/141.0.0.0 Safari/537.36`, 'Chrome, Linux'],
    [`Mozilla/5.0 (Windows NT 10.0) ${KHTML} Chrome/141.0 Safari/537.36 Edg/141.0`, 'Microsoft Edge, Windows'],
    [
      `Mozilla/5.0 (Linux; Android 14) ${KHTML} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
      'Samsung Internet for Android, Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari, macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari, iOS',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148',
      'Chrome, iOS',
    ],
    ['curl/8.5.0', null],
    ['Your account is locked: call 0900 123456 or open https://evil.example/unlock now/1 ', null],
    ['Your account is locked (Windows NT 10.0) call us/1 ', 'Windows'],
    ['', null],
    [`${'x'.repeat(500)} Firefox/1`, null],
  ])('describe the User-Agent %p as %p', (userAgent, words) => {
    expect(toBrowserWords(userAgent)).toBe(words);
  });
});
