import { describe, expect, it } from '@jest/globals';
import { AuthorizationRequest } from './authorization-request.js';
import { FakeHydra } from './fake-hydra.js';
import { countsGrants, skipsConsent } from './trusted-client.js';

const UPSTREAM = 'http://localhost:4444';
const hydra = new FakeHydra(UPSTREAM);

function asked(parameters: Record<string, string>): AuthorizationRequest | null {
  return AuthorizationRequest.parse(hydra.requestUrl(parameters), UPSTREAM);
}

const passes = (redirect_uri: string, isPublic = true): boolean =>
  skipsConsent(hydra.client({ skipConsent: true, isPublic, redirectUris: [redirect_uri] }), asked({ redirect_uri }));

describe('[CON-8] a client that is trusted', () => {
  it.each(['https://app.example/callback', 'http://localhost:1/', 'http://127.0.0.1:9/', 'http://[::1]:9/'])(
    'passes without a secret at %s',
    (address) => expect(passes(address)).toBe(true),
  );

  it.each(['com.example.app:/callback', 'myapp://localhost/', 'http://app.example/', 'http://localhost.evil.example/', 'none'])(
    'is asked about without a secret at %s, and passes with one',
    (address) => expect([passes(address), passes(address, false)]).toEqual([false, true]),
  );

  it('is judged by all of its addresses where the request names none', () => {
    const client = hydra.client({ skipConsent: true, isPublic: true, redirectUris: ['https://app.example/', 'app:/'] });
    expect([skipsConsent(client, asked({})), skipsConsent(client, asked({ redirect_uri: '' }))]).toEqual([false, false]);
    const web = { ...client, redirectUris: ['https://app.example/'] };
    expect([skipsConsent(web, asked({})), skipsConsent({ ...web, redirectUris: [] }, asked({}))]).toEqual([true, false]);
  });

  it('[S-144] is asked about at an address that is not its own, and where the request cannot be read', () => {
    const client = hydra.client({ skipConsent: true, isPublic: true, redirectUris: ['https://app.example/', 'app:/'] });
    expect(skipsConsent(client, asked({ redirect_uri: 'https://app.example/' }))).toBe(true);
    for (const request of [
      asked({ redirect_uri: 'https://any.example/' }),
      asked({ redirect_uri: 'https://app.example/', request_uri: 'https://app.example/request' }),
      asked({ redirect_uri: 'https://app.example/', request: 'x' }),
      null,
    ]) {
      for (const isPublic of [true, false]) {
        const isOther = request?.parameter('redirect_uri') === 'https://any.example/' && !isPublic;
        expect([skipsConsent({ ...client, isPublic }, request), countsGrants({ ...client, isPublic }, request)]).toEqual([
          isOther,
          isOther,
        ]);
      }
    }
  });

  it('is asked about when the request wants it, and where it is not trusted', () => {
    const client = hydra.client({ skipConsent: true });
    expect(skipsConsent(client, asked({ prompt: 'login consent' }))).toBe(false);
    expect(skipsConsent({ ...client, skipConsent: false }, asked({}))).toBe(false);
  });
});
