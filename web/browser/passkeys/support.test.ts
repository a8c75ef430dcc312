/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { signalPasskeys } from './signals.js';
import { findPasskeyCreation } from './support.js';

const PASSKEYS = { rp_id: 'foyer.example', user_id: 'aGFuZGxl', accepted: ['b25l'], name: 'maria', display_name: 'Maria' };

function fakeBrowser(api: object): void {
  Object.assign(window, { isSecureContext: true, PublicKeyCredential: Object.assign(() => undefined, api) });
}

afterEach(() => {
  Object.assign(window, { isSecureContext: true });
  Reflect.deleteProperty(window, 'PublicKeyCredential');
});

const buildApi = (capabilities: object) => ({ getClientCapabilities: () => Promise.resolve(capabilities) });
const buildOlderApi = (isPossible: boolean) => ({
  isUserVerifyingPlatformAuthenticatorAvailable: () => Promise.resolve(isPossible),
});

describe('the creation of a passkey', () => {
  it.each([
    [buildApi({ userVerifyingPlatformAuthenticator: true, conditionalCreate: true }), 'unasked'],
    [buildApi({ userVerifyingPlatformAuthenticator: true, conditionalCreate: false }), 'asked'],
    [buildApi({ userVerifyingPlatformAuthenticator: true }), 'asked'],
    [buildApi({ userVerifyingPlatformAuthenticator: false, conditionalCreate: true }), null],
    [{ ...buildApi({}), ...buildOlderApi(true) }, 'asked'],
    [buildOlderApi(true), 'asked'],
    [buildOlderApi(false), null],
    [{}, null],
    [{ getClientCapabilities: () => Promise.reject(new Error('no')) }, null],
  ])('depends on the capabilities that the browser reports (%#)', async (api, expected) => {
    fakeBrowser(api);
    expect(await findPasskeyCreation()).toBe(expected);
  });

  it('is not possible over plain http, nor in a browser without passkeys', async () => {
    expect(await findPasskeyCreation()).toBeNull();
    fakeBrowser(buildOlderApi(true));
    Object.assign(window, { isSecureContext: false });
    expect(await findPasskeyCreation()).toBeNull();
  });
});

describe('the browser', () => {
  it('receives the passkeys and the names of the account', async () => {
    const signals: unknown[] = [];
    const receiveSignal = (signal: unknown) => {
      signals.push(signal);
      return Promise.resolve();
    };
    fakeBrowser({ signalAllAcceptedCredentials: receiveSignal, signalCurrentUserDetails: receiveSignal });
    await signalPasskeys(PASSKEYS);
    const account = { rpId: 'foyer.example', userId: 'aGFuZGxl' };
    expect(signals).toEqual([
      { ...account, allAcceptedCredentialIds: ['b25l'] },
      { ...account, name: 'maria', displayName: 'Maria' },
    ]);
  });

  it('receives no signal that it does not support, and may reject a signal', async () => {
    await expect(signalPasskeys(PASSKEYS)).resolves.toBeUndefined();
    fakeBrowser({ signalAllAcceptedCredentials: () => Promise.reject(new Error('no')) });
    await expect(signalPasskeys(PASSKEYS)).resolves.toBeUndefined();
  });
});
