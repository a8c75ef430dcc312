import { describe, expect, it } from '@jest/globals';
import { installFakeServer } from '../../fixtures/fake-server.js';
import { MfaCalls } from './mfa-calls.js';

const createCalls = () => new MfaCalls({ token: 'mfa token', xsrf_token: 'own browser' }, '/mfa/verify?login_challenge=c');

describe('calls of the second step', () => {
  it('[MFV-4] contain the token, the anti-forgery value and JSON', async () => {
    const server = installFakeServer({ body: { token: 'proof' } });
    expect(await createCalls().verify('totp', { code: '492817' })).toEqual({ kind: 'answered', body: { token: 'proof' } });
    expect(server.calls).toEqual([
      {
        method: 'POST',
        path: '/mfa/verify-totp',
        headers: {
          accept: 'application/json',
          authorization: 'Bearer mfa token',
          'x-xsrftoken': 'own browser',
          'content-type': 'application/json',
        },
        body: { code: '492817' },
      },
    ]);
  });

  it('[MFV-4] request a challenge without a body, and send the response of the key unchanged', async () => {
    const server = installFakeServer({ body: { publicKey: {} } }, { body: { token: 'proof' } });
    await createCalls().init('fido2');
    await createCalls().verify('fido2', { id: 'id', rawId: 'id', type: 'public-key', response: {} });
    expect(server.calls.map(({ path, body }) => [path, body])).toEqual([
      ['/mfa/init-fido2', undefined],
      ['/mfa/verify-fido2', { id: 'id', rawId: 'id', type: 'public-key', response: {} }],
    ]);
  });

  it('[ERR-2] open the step again when the sign-in has ended', async () => {
    const server = installFakeServer({ status: 401, body: { error: 'unauthorized' } });
    void createCalls().verify('totp', { code: '492817' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.addresses).toEqual(['/mfa/verify?login_challenge=c']);
  });

  it('[LOG-14] open the step again when another tab has signed in, except after the first request for a challenge, which the page would repeat forever', async () => {
    const refusal = { status: 403, body: { error: 'forbidden' } };
    const server = installFakeServer(refusal, refusal, refusal);
    const calls = createCalls();
    expect(await calls.init('fido2')).toEqual({ kind: 'failed', code: 'forbidden' });
    expect(server.addresses).toEqual([]);
    void calls.init('fido2');
    void createCalls().verify('totp', { code: '492817' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.addresses).toEqual(['/mfa/verify?login_challenge=c', '/mfa/verify?login_challenge=c']);
  });
});
