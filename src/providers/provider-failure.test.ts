import { describe, expect, it } from '@jest/globals';
import * as oidc from 'openid-client';
import { toPortError } from './provider-failure.js';
import { ProviderRefused } from './provider.errors.js';

const ISSUER = 'https://id.example';

/** Redeems a code at a provider whose token endpoint answers with this ID token. */
async function findFailure(idToken: string): Promise<unknown> {
  const configuration = new oidc.Configuration({ issuer: ISSUER, token_endpoint: `${ISSUER}/token` }, 'foyer', 'secret');
  const answer = { access_token: 'access', token_type: 'bearer', id_token: idToken };
  configuration[oidc.customFetch] = () => Promise.resolve(Response.json(answer));
  const callback = new URL('https://foyer.example/callback?code=code&state=state');
  return oidc.authorizationCodeGrant(configuration, callback, { expectedState: 'state' }).catch((error: unknown) => error);
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

describe('a failure of a provider', () => {
  it.each([
    ['header', `${encode('Maria Muster')}.${encode('{}')}.c2ln`],
    ['payload', `${encode('{"alg":"RS256"}')}.${encode('Maria Muster')}.c2ln`],
  ])('[S-73c] contains no text of an ID token whose %s is not JSON', async (_part, idToken) => {
    const failure = toPortError(await findFailure(idToken));
    expect(failure).toBeInstanceOf(ProviderRefused);
    expect(failure.message).toMatch(/failed to parse JWT/);
    expect(failure.message).not.toMatch(/Maria/);
  });

  it('[S-73c] that is an answer without valid JSON contains no text of the answer', async () => {
    const failure = toPortError(await new Response('Maria Muster').json().catch((error: unknown) => error));
    expect(failure.message).toBe('the answer is not valid');
  });
});
