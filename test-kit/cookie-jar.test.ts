import { describe, expect, it } from '@jest/globals';
import { CookieJar, readSetCookie } from './cookie-jar.js';

describe('a Secure cookie', () => {
  it.each([
    ['https://id.example', 'a=1'],
    ['http://id.example', ''],
    ['http://localhost:3000', 'a=1'],
    ['http://app.localhost', 'a=1'],
    ['http://127.0.0.1', 'a=1'],
    ['http://[::1]:3000', 'a=1'],
    ['http://localhost.example', ''],
    ['http://127.0.0.1.example', ''],
  ])('is sent only over TLS or to this machine, as by browsers: %s', (address, header) => {
    const url = new URL(address);
    const jar = new CookieJar();
    jar.keep(url, [readSetCookie('a=1; Path=/; Secure; SameSite=None')]);
    expect(jar.header(url)).toBe(header);
  });
});
