import { describe, expect, it } from '@jest/globals';
import { AuthorizationRequest } from './authorization-request.js';
import { FakeHydra } from './fake-hydra.js';
import { countsGrants, skipsConsent } from './trusted-client.js';

const UPSTREAM = 'http://localhost:4444';
const hydra = new FakeHydra(UPSTREAM);

function parseRequest(parameters: Record<string, string>): AuthorizationRequest | null {
  return AuthorizationRequest.parse(hydra.requestUrl(parameters), UPSTREAM);
}

const canSkip = (redirect_uri: string, isPublic = true): boolean =>
  skipsConsent(hydra.client({ skipConsent: true, isPublic, redirectUris: [redirect_uri] }), parseRequest({ redirect_uri }));

describe('[CON-8] a client that is trusted', () => {
  it.each(['https://app.example/callback', 'http://localhost:1/', 'http://127.0.0.1:9/', 'http://[::1]:9/'])(
    'needs no consent screen at %s, even without a secret',
    (address) => expect(canSkip(address)).toBe(true),
  );

  it.each(['com.example.app:/callback', 'myapp://localhost/', 'http://app.example/', 'http://localhost.evil.example/', 'none'])(
    'needs a consent screen at %s without a secret, but not with a secret',
    (address) => expect([canSkip(address), canSkip(address, false)]).toEqual([false, true]),
  );

  it('is judged by all of its redirect URIs if the request names no redirect URI', () => {
    const client = hydra.client({ skipConsent: true, isPublic: true, redirectUris: ['https://app.example/', 'app:/'] });
    expect([skipsConsent(client, parseRequest({})), skipsConsent(client, parseRequest({ redirect_uri: '' }))]).toEqual([
      false,
      false,
    ]);
    const webClient = { ...client, redirectUris: ['https://app.example/'] };
    expect([
      skipsConsent(webClient, parseRequest({})),
      skipsConsent({ ...webClient, redirectUris: [] }, parseRequest({})),
    ]).toEqual([true, false]);
  });

  it('[S-144] needs a consent screen if the request cannot be read, and without a secret at an unregistered address', () => {
    const client = hydra.client({ skipConsent: true, isPublic: true, redirectUris: ['https://app.example/', 'app:/'] });
    expect(skipsConsent(client, parseRequest({ redirect_uri: 'https://app.example/' }))).toBe(true);
    for (const request of [
      parseRequest({ redirect_uri: 'https://any.example/' }),
      parseRequest({ redirect_uri: 'https://app.example/', request_uri: 'https://app.example/request' }),
      parseRequest({ redirect_uri: 'https://app.example/', request: 'x' }),
      null,
    ]) {
      for (const isPublic of [true, false]) {
        const expected = request?.parameter('redirect_uri') === 'https://any.example/' && !isPublic;
        expect([skipsConsent({ ...client, isPublic }, request), countsGrants({ ...client, isPublic }, request)]).toEqual([
          expected,
          expected,
        ]);
      }
    }
  });

  it('needs a consent screen if the request requires one, and without `skip_consent`', () => {
    const client = hydra.client({ skipConsent: true });
    expect(skipsConsent(client, parseRequest({ prompt: 'login consent' }))).toBe(false);
    expect(skipsConsent({ ...client, skipConsent: false }, parseRequest({}))).toBe(false);
  });
});
