import { describe, expect, it } from '@jest/globals';
import { chooseRedirectUri, isPrivateRedirect } from './redirect-uris.js';

const invalidRequest = expect.objectContaining({ code: 'invalid_request' });

describe('chooseRedirectUri', () => {
  it('uses the only registered address when the request names none', () => {
    expect(chooseRedirectUri(['https://a.example/cb'], '')).toBe('https://a.example/cb');
    expect(() => chooseRedirectUri(['https://a.example/cb', 'https://b.example/cb'], '')).toThrow(invalidRequest);
    expect(() => chooseRedirectUri([], '')).toThrow(invalidRequest);
  });

  it.each([
    'https://a.example/cb/',
    'https://a.example/cb?x=1',
    'https://a.example/cb#x',
    'https://a.example:443/cb',
    'https://a.example.evil.example/cb',
    'https://a.example@evil.example/cb',
    'HTTPS://a.example/cb',
    '::',
  ])('refuses %s for https://a.example/cb', (requestedUri) => {
    expect(() => chooseRedirectUri(['https://a.example/cb'], requestedUri)).toThrow(invalidRequest);
  });

  it('lets an app on a loopback address choose its port, but nothing else', () => {
    const registeredUris = ['http://127.0.0.1/cb', 'http://[::1]:80/cb'];
    expect(chooseRedirectUri(registeredUris, 'http://127.0.0.1:7777/cb')).toBe('http://127.0.0.1:7777/cb');
    expect(chooseRedirectUri(registeredUris, 'http://[::1]:9/cb')).toBe('http://[::1]:9/cb');
    for (const otherUri of [
      'http://127.0.0.2:7777/cb',
      'http://127.0.0.1:7777/c',
      'https://127.0.0.1:7/cb',
      'http://127.0.0.1.evil.example/cb',
    ]) {
      expect(() => chooseRedirectUri(registeredUris, otherUri)).toThrow(invalidRequest);
    }
    expect(() => chooseRedirectUri(['http://localhost/cb'], 'http://localhost:7/cb')).toThrow(invalidRequest);
  });
});

describe('isPrivateRedirect', () => {
  it.each([
    ['https://a.example/cb', true],
    ['http://localhost:5555/cb', true],
    ['http://app.localhost/cb', true],
    ['http://127.0.0.1/cb', true],
    ['http://a.example/cb', false],
    ['http://localhost.evil.example/cb', false],
    ['com.example.app:/cb', false],
  ])('of %s is %s', (uri, expected) => {
    expect(isPrivateRedirect(uri)).toBe(expected);
  });
});
