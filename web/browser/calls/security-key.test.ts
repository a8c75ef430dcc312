/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createCredential, getAssertion } from './security-key.js';

const CREATION = {
  rp: { id: 'foyer.example', name: 'Foyer' },
  user: { id: 'aWQ', name: 'maria.musterfrau', displayName: 'Maria Musterfrau' },
  challenge: 'Y2hhbGxlbmdl',
  pubKeyCredParams: [-7, -35, -36].map((alg) => ({ alg, type: 'public-key' })),
  timeout: 60_000,
  attestation: 'direct',
  excludeCredentials: [{ id: 'b2xk', type: 'public-key' }],
  authenticatorSelection: {
    authenticatorAttachment: 'cross-platform',
    residentKey: 'discouraged',
    userVerification: 'discouraged',
  },
};
const REQUEST = { challenge: 'Y2hhbGxlbmdl', timeout: 30_000, allowCredentials: [{ id: 'b2xk', type: 'public-key' }] };

let requests: unknown[];

function fakeCredentials(answer: () => Promise<unknown>): void {
  const ask = (options: unknown) => {
    requests.push(options);
    return answer();
  };
  Object.assign(window, { isSecureContext: true, PublicKeyCredential: () => undefined });
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create: ask, get: ask } });
}

const failWith = (name: string) => fakeCredentials(() => Promise.reject(new DOMException('no details', name)));

beforeEach(() => {
  requests = [];
});
afterEach(() => {
  Object.assign(window, { isSecureContext: true });
  Reflect.deleteProperty(window, 'PublicKeyCredential');
});

describe('a security key', () => {
  it('[FID-1] receives the options of a registration unchanged', async () => {
    failWith('NotAllowedError');
    await createCredential(CREATION);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      publicKey: {
        timeout: 60_000,
        attestation: 'direct',
        pubKeyCredParams: [{ alg: -7 }, { alg: -35 }, { alg: -36 }],
        authenticatorSelection: CREATION.authenticatorSelection,
        excludeCredentials: [{ type: 'public-key' }],
      },
    });
  });

  it('[FID-2] receives the options of an assertion unchanged', async () => {
    failWith('NotAllowedError');
    await getAssertion(REQUEST);
    expect(requests[0]).toMatchObject({ publicKey: { timeout: 30_000, allowCredentials: [{ type: 'public-key' }] } });
  });

  it.each([
    ['NotAllowedError', 'not-allowed'],
    ['InvalidStateError', 'invalid-state'],
    ['AbortError', 'aborted'],
    ['NotSupportedError', 'not-supported'],
    ['SecurityError', 'security'],
    ['UnknownError', 'key-failed'],
  ])('[MAN-12] reports %s as %s', async (name, code) => {
    failWith(name);
    expect(await createCredential(CREATION)).toEqual({ kind: 'failed', code });
    expect(await getAssertion(REQUEST)).toEqual({ kind: 'failed', code });
  });

  it('cannot be used without a secure context or without WebAuthn', async () => {
    Object.assign(window, { isSecureContext: false });
    expect(await getAssertion(REQUEST)).toEqual({ kind: 'failed', code: 'security' });
    Object.assign(window, { isSecureContext: true });
    expect(await getAssertion(REQUEST)).toEqual({ kind: 'failed', code: 'not-supported' });
  });
});
