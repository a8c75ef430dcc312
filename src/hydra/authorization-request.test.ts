import { describe, expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { AuthorizationRequest } from './authorization-request.js';

const UPSTREAM = 'https://auth.example';
const parse = (query: string) => AuthorizationRequest.parse(`${UPSTREAM}/oauth2/auth?client_id=a&${query}`, UPSTREAM);

describe('AuthorizationRequest', () => {
  it.each([
    '',
    'garbage',
    '/oauth2/auth',
    'https://evil.example/oauth2/auth',
    'http://auth.example/oauth2/auth',
    'https://auth.example.evil/',
  ])('does not trust %s', (url) => {
    expect(AuthorizationRequest.parse(url, UPSTREAM)).toBeNull();
  });

  it('reads prompt as a list', () => {
    expect(parse('prompt=login%20consent')?.hasPrompt('consent')).toBe(true);
    expect(parse('prompt=nonesuch')?.hasPrompt('none')).toBe(false);
  });

  it('[HNT-5] replaces prompt=none with prompt=login', () => {
    expect(parse('prompt=none&state=12345678')?.withLoginPrompt()).toBe(
      `${UPSTREAM}/oauth2/auth?client_id=a&prompt=login&state=12345678&foyer_prompt=login`,
    );
  });

  it.each([
    ['', null],
    ['prompt=consent', null],
    ['prompt=login', 0],
    ['prompt=login%20consent&max_age=60', 0],
    ['max_age=60', 60],
    ['max_age=x', 0],
    ['max_age=-1', 0],
    ['max_age=', null],
  ])('[LOG-13] reads from "%s" how old the authentication may be', (query, seconds) => {
    expect(parse(query)?.maxAgeSeconds()).toBe(seconds);
  });

  it("[LOG-13] distinguishes its own prompt=login from the client's", () => {
    const parseAgain = (query: string) =>
      AuthorizationRequest.parse(parse(query)?.withLoginPrompt() ?? '', UPSTREAM)?.maxAgeSeconds();
    expect([parseAgain('prompt=none'), parseAgain('max_age=60'), parseAgain('prompt=login')]).toEqual([null, 60, 0]);
    expect(AuthorizationRequest.parse(parse('prompt=login')!.withRegistrationPrompt(), UPSTREAM)?.maxAgeSeconds()).toBe(0);
  });

  it('removes select_account and nothing else', () => {
    expect(parse('prompt=select_account%20consent')?.withAccountSelected()).toContain('prompt=consent');
    expect(parse('prompt=select_account')?.withAccountSelected()).not.toContain('prompt');
  });

  describe('with a request object', () => {
    const encodeObject = (members: object) => new UnsecuredJWT({ iss: 'a', aud: UPSTREAM, ...members }).encode();

    it('[LOG-13] [HNT-1] reads the object that Hydra obeys, and the limits in the address too', () => {
      const request = parse(`scope=openid&max_age=60&prompt=consent&request=${encodeObject({ prompt: 'login', max_age: '90' })}`);
      expect([request?.hasPrompt('login'), request?.hasPrompt('consent')]).toEqual([true, true]);
      expect(parse(`scope=openid&max_age=60&request=${encodeObject({ max_age: 90 })}`)?.maxAgeSeconds()).toBe(60);
      expect(parse(`scope=openid&max_age=60&request=${encodeObject({ max_age: 'x' })}`)?.maxAgeSeconds()).toBe(0);
      expect(parse(`scope=openid&request=${encodeObject({ prompt: 'none' })}`)?.canStartAgain()).toBe(false);
      expect(parse(`scope=openid&prompt=none&request=${encodeObject({ prompt: '' })}`)?.hasPrompt('none')).toBe(false);
      expect(parse(`scope=openid&prompt=consent&request=${encodeObject({ prompt: '' })}`)?.hasPrompt('consent')).toBe(true);
      expect(parse(`scope=openid&request=${encodeObject({ prompt: ['login', 'consent'] })}`)?.hasPrompt('consent')).toBe(true);
    });

    it('[LOG-13] ignores the mark of Foyer in the object or beside it', () => {
      for (const query of [
        `request=${encodeObject({ prompt: 'login', foyer_prompt: 'login' })}`,
        `foyer_prompt=login&request=${encodeObject({ prompt: 'login' })}`,
      ]) {
        expect(parse(`scope=openid&${query}`)?.maxAgeSeconds()).toBe(0);
      }
    });

    it('[HNT-5] restarts as a plain request, because Hydra prefers the prompt of the object', () => {
      const request = parse(
        `scope=openid&request=${encodeObject({ scope: 'id', prompt: 'consent', state: '12345678', max_age: 9 })}`,
      );
      const parameters = new URL(request?.withLoginPrompt() ?? '').searchParams;
      expect([request?.isUnclear, Object.fromEntries(parameters)]).toEqual([
        false,
        {
          client_id: 'a',
          scope: 'openid id',
          prompt: 'login consent',
          state: '12345678',
          max_age: '9',
          foyer_prompt: 'login',
        },
      ]);
    });

    it.each(['', 'scope=openid.x&', 'scope=offline&scope=openid&', 'scope=openid&request_uri=https://app.example/request&'])(
      '[S-144] reads nothing from an object that Hydra does not read: "%s"',
      (query) => {
        const request = parse(
          `${query}prompt=consent&max_age=9&request=${encodeObject({ prompt: 'none', redirect_uri: 'https://evil.example/' })}`,
        );
        expect([request?.hasPrompt('none'), request?.hasPrompt('consent'), request?.parameter('redirect_uri')]).toEqual([
          false,
          true,
          undefined,
        ]);
        expect([request?.isUnclear, request?.maxAgeSeconds(), request?.withoutNames()]).toEqual([true, 0, null]);
      },
    );

    it.each(['x', 'a.b.c'])('[S-144] does not change an unreadable object: "%s"', (text) => {
      const request = parse(`scope=openid&prompt=login&request=${text}`);
      expect(request?.href).toBe(`${UPSTREAM}/oauth2/auth?client_id=a&scope=openid&prompt=login&request=${text}`);
      expect(request?.isUnclear).toBe(true);
    });
  });

  it.each([
    'redirect_uri=https://a.example/&redirect_uri=app:/',
    'prompt=consent&prompt=none',
    'max_age=0&max_age=9',
    'redirect_uri=https://a.example/;&redirect_uri=app:/',
    'prompt=consent%zz&prompt=none',
    'scope=id#&prompt=consent',
    'request_uri=https://app.example/request',
    'request_uri=',
  ])('[S-144] reports that Hydra may read "%s" differently', (query) => {
    const request = parse(query);
    expect([request?.isUnclear, request?.maxAgeSeconds()]).toEqual([true, 0]);
  });

  it('reports that Hydra reads an ordinary request the same way', () => {
    const query =
      'scope=openid+id&ui_locales=de&redirect_uri=https%3A%2F%2Fa.example%2F%3Fb%3D1%3B2%23c&audience=a&audience=b&request=';
    expect(parse(query)?.isUnclear).toBe(false);
  });

  describe('[S-144] [CON-5] the refusal address', () => {
    const redirectUris = ['https://a.example/callback', 'http://127.0.0.1/callback', 'app:/callback'];
    const buildRefusalUrl = (query: string) =>
      parse(`response_type=code&state=12345678&${query}`)?.buildRefusalUrl({ redirectUris });

    it('is a registered redirect URI with an error', () => {
      expect(buildRefusalUrl('redirect_uri=https://a.example/callback')).toBe(
        'https://a.example/callback?error=access_denied&state=12345678',
      );
      expect(buildRefusalUrl('redirect_uri=http://127.0.0.1:99/callback')).toBe(
        'http://127.0.0.1:99/callback?error=access_denied&state=12345678',
      );
    });

    it.each([
      'redirect_uri=https://evil.example/callback',
      'redirect_uri=https://a.example/callback/',
      'redirect_uri=https://A.example/callback',
      'redirect_uri=http://127.0.0.1:99/other',
      'redirect_uri=http://x@127.0.0.1/callback',
      'redirect_uri=http://localhost/callback',
      'redirect_uri=app:/callback',
      'redirect_uri=https://a.example/callback&request_uri=https://a.example/request',
      'redirect_uri=https://a.example/callback&redirect_uri=app:/callback',
      'redirect_uri=https://a.example/callback&response_mode=form_post',
      '',
    ])('is absent for any other request: "%s"', (query) => {
      expect(buildRefusalUrl(query)).toBeUndefined();
    });
  });
});
