import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { requireKnownMethod, requireVerifier } from './pkce.js';

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const codeChallenge = { challenge, challengeMethod: 'S256' };

describe('PKCE', () => {
  it('accepts the verifier that belongs to the challenge', () => {
    expect(() => requireVerifier(codeChallenge, verifier)).not.toThrow();
    expect(() => requireVerifier({ challenge: '', challengeMethod: '' }, '')).not.toThrow();
  });

  it.each([
    ['a missing verifier', ''],
    ['a wrong verifier', 'w'.repeat(43)],
    ['a short verifier', 'v'],
    ['a long verifier', 'v'.repeat(129)],
    ['a verifier with other characters', 'ä'.repeat(43)],
  ])('refuses %s', (_, otherVerifier) => {
    expect(() => requireVerifier(codeChallenge, otherVerifier)).toThrow(expect.objectContaining({ code: 'invalid_grant' }));
  });

  it('refuses a verifier without a challenge', () => {
    expect(() => requireVerifier({ challenge: '', challengeMethod: '' }, verifier)).toThrow(
      expect.objectContaining({ code: 'invalid_grant' }),
    );
  });

  it.each(['', 'plain', 'S512'])('refuses the method %j', (challengeMethod) => {
    expect(() => requireKnownMethod({ challenge: verifier, challengeMethod })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});
