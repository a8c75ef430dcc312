import { describe, expect, it } from '@jest/globals';
import { AuthorizationRequest } from './authorization-request.js';
import { FakeHydra } from './fake-hydra.js';
import { skipsQuestion } from './trusted-client.js';

const UPSTREAM = 'http://localhost:4444';
const hydra = new FakeHydra(UPSTREAM);

function asked(parameters: Record<string, string>): AuthorizationRequest | null {
  return AuthorizationRequest.parse(hydra.requestUrl(parameters), UPSTREAM);
}

const passes = (redirect_uri: string, isPublic = true): boolean =>
  skipsQuestion(hydra.client({ skipConsent: true, isPublic }), asked({ redirect_uri }));

describe('[CON-8] a client that is trusted', () => {
  it.each(['https://app.example/callback', 'http://localhost:1/', 'http://127.0.0.1:9/', 'http://[::1]:9/'])(
    'passes without a secret at %s',
    (address) => expect(passes(address)).toBe(true),
  );

  it.each(['com.example.app:/callback', 'myapp://localhost/', 'http://app.example/', 'http://localhost.evil.example/', 'none'])(
    'is asked about without a secret at %s, and passes with one',
    (address) => expect([passes(address), passes(address, false)]).toEqual([false, true]),
  );

  it('is judged by all of its addresses where the request names none that can be read', () => {
    const client = hydra.client({ skipConsent: true, isPublic: true, redirectUris: ['https://app.example/', 'app:/'] });
    expect([skipsQuestion(client, null), skipsQuestion(client, asked({}))]).toEqual([false, false]);
    const web = { ...client, redirectUris: ['https://app.example/'] };
    expect([skipsQuestion(web, null), skipsQuestion(web, asked({}))]).toEqual([true, true]);
  });

  it('is asked about when the request wants it, and where it is not trusted', () => {
    const client = hydra.client({ skipConsent: true });
    expect(skipsQuestion(client, asked({ prompt: 'login consent' }))).toBe(false);
    expect(skipsQuestion({ ...client, skipConsent: false }, asked({}))).toBe(false);
  });
});
