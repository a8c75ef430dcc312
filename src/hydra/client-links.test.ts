import { describe, expect, it } from '@jest/globals';
import { toSafeLogo, findReturnUrl, toWebUrl } from './client-links.js';
import type { ClientProfile } from './client-profile.js';

const client: ClientProfile = {
  id: 'app',
  name: 'App',
  redirectUris: ['https://ok.example/callback', 'myapp:/callback'],
  postLogoutRedirectUris: ['https://bye.example/'],
  isPublic: true,
  skipConsent: false,
  skipLogoutConsent: false,
  foyer: { confirmSession: false, returnUrls: ['https://more.example/'] },
};

const HOSTILE = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https://ok.example@evil.example',
  'https://a@b@evil.example',
  'https://ok.example.evil.example',
  'https://evil.example#ok.example',
  'https://ok.example%2eevil.example',
  '%2f%2fevil.example',
  'http://ok.example',
  'https://ok.example:444/',
  'http://localhost',
  'http://[::1]',
  'https://оk.example/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\tjavascript:alert(1)',
  ' https://ok.example/',
  'https://ok.example/\u0000',
  'https://ok.example/\r\nX: y',
  'data:text/html,x',
  'vbscript:x',
  'myapp:/anywhere',
  'null',
  '',
  `https://ok.example/${'x'.repeat(20_000)}`,
];

describe('findReturnUrl', () => {
  it.each(HOSTILE)('[GEN-6] leaves out %.60j', (url) => {
    expect(findReturnUrl(client, url, [])).toBeUndefined();
  });

  it.each(['https://ok.example/start?x=1', 'https://bye.example/', 'https://more.example/a', 'https://listed.example/x'])(
    '[GEN-6] accepts %s',
    (url) => {
      expect(findReturnUrl(client, url, ['https://listed.example'])).toBe(url);
    },
  );

  it('[GEN-6] falls back to the client’s own address, under the same rule', () => {
    expect(findReturnUrl({ ...client, clientUri: 'https://ok.example/home' }, 'https://evil.example', [])).toBe(
      'https://ok.example/home',
    );
    expect(findReturnUrl({ ...client, clientUri: 'https://evil.example/' }, undefined, [])).toBeUndefined();
  });
});

describe('toWebUrl', () => {
  it('returns an https address in normal form, unless it contains a username', () => {
    expect(toWebUrl('HTTPS://Ok.Example/Policy')).toBe('https://ok.example/Policy');
    expect(toWebUrl('https://user:secret@ok.example/')).toBeUndefined();
  });
});

describe('toSafeLogo', () => {
  it.each([
    'http://ok.example/logo.png',
    'http://localhost.evil.example/l.png',
    'javascript:x',
    'data:text/html,<script>',
    'data:image/svg+xmlx,',
  ])('leaves out %s', (logoUri) => {
    expect(toSafeLogo(logoUri)).toBeUndefined();
  });

  it.each([
    'https://ok.example/logo.png',
    'http://localhost:5555/logo.svg',
    'data:image/png;base64,AAAA',
    'data:image/svg+xml,%3Csvg/%3E',
  ])('returns %s', (logoUri) => {
    expect(toSafeLogo(logoUri)).toBe(logoUri);
  });
});
