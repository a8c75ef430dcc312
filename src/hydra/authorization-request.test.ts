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

  it('[HNT-5] restarts with the password asked, whatever was asked before', () => {
    expect(parse('prompt=none&state=12345678')?.askingForLogin()).toBe(
      `${UPSTREAM}/oauth2/auth?client_id=a&prompt=login&state=12345678&foyer_prompt=login`,
    );
  });

  it.each([
    ['', null],
    ['prompt=consent', null],
    ['prompt=login', 0],
    ['prompt=login%20consent&max_age=60', 0],
    ['max_age=60', 60],
    ['max_age=x', null],
    ['max_age=-1', null],
  ])('[LOG-13] reads from "%s" how old the authentication may be', (query, seconds) => {
    expect(parse(query)?.maxAgeSeconds()).toBe(seconds);
  });

  it("[LOG-13] tells its own prompt=login from the client's", () => {
    const again = (query: string) => parse(new URL(parse(query)?.askingForLogin() ?? '').search.slice(1))?.maxAgeSeconds();
    expect([again('prompt=none'), again('max_age=60'), again('prompt=login')]).toEqual([null, 60, 0]);
    expect(parse(new URL(parse('prompt=login')!.askingForRegistration()).search.slice(1))?.maxAgeSeconds()).toBe(0);
  });

  it('drops select_account alone', () => {
    expect(parse('prompt=select_account%20consent')?.withAccountSelected()).toContain('prompt=consent');
    expect(parse('prompt=select_account')?.withAccountSelected()).not.toContain('prompt');
  });

  describe('with a request object', () => {
    const object = (members: object) => new UnsecuredJWT({ iss: 'a', aud: UPSTREAM, ...members }).encode();

    it('[LOG-13] [HNT-1] reads what Hydra obeys', () => {
      const request = parse(`max_age=60&prompt=consent&request=${object({ prompt: 'login', max_age: '0' })}`);
      expect([request?.hasPrompt('login'), request?.hasPrompt('consent'), request?.maxAgeSeconds()]).toEqual([true, false, 0]);
      expect(parse(`request=${object({ prompt: 'none' })}`)?.canStartAgain()).toBe(false);
    });

    it('[HNT-5] restarts as a plain request, because Hydra prefers the prompt of the object', () => {
      const request = parse(`scope=openid&request=${object({ scope: 'id', prompt: 'consent', state: '12345678', max_age: 9 })}`);
      const restarted = new URL(request?.askingForLogin() ?? '').searchParams;
      expect(Object.fromEntries(restarted)).toEqual({
        client_id: 'a',
        scope: 'openid id',
        prompt: 'login consent',
        state: '12345678',
        max_age: '9',
        foyer_prompt: 'login',
      });
    });

    it.each(['', 'x', 'a.b.c'])('leaves one alone that is none: "%s"', (text) => {
      expect(parse(`prompt=login&request=${text}`)?.href).toBe(
        `${UPSTREAM}/oauth2/auth?client_id=a&prompt=login&request=${text}`,
      );
    });
  });
});
