/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { signalPasskeys } from './signals.js';
import { passkeyCreation } from './support.js';

const PASSKEYS = { rp_id: 'foyer.example', user_id: 'aGFuZGxl', accepted: ['b25l'], name: 'maria', display_name: 'Maria' };

function browserWith(api: object): void {
  Object.assign(window, { isSecureContext: true, PublicKeyCredential: Object.assign(() => undefined, api) });
}

afterEach(() => {
  Object.assign(window, { isSecureContext: true });
  Reflect.deleteProperty(window, 'PublicKeyCredential');
});

const capable = (can: object) => ({ getClientCapabilities: () => Promise.resolve(can) });
const olderBrowser = (here: boolean) => ({ isUserVerifyingPlatformAuthenticatorAvailable: () => Promise.resolve(here) });

describe('making a passkey', () => {
  it.each([
    [capable({ userVerifyingPlatformAuthenticator: true, conditionalCreate: true }), 'unasked'],
    [capable({ userVerifyingPlatformAuthenticator: true, conditionalCreate: false }), 'asked'],
    [capable({ userVerifyingPlatformAuthenticator: true }), 'asked'],
    [capable({ userVerifyingPlatformAuthenticator: false, conditionalCreate: true }), null],
    [{ ...capable({}), ...olderBrowser(true) }, 'asked'],
    [olderBrowser(true), 'asked'],
    [olderBrowser(false), null],
    [{}, null],
    [{ getClientCapabilities: () => Promise.reject(new Error('no')) }, null],
  ])('is what the browser says it can do: %#', async (api, expected) => {
    browserWith(api);
    expect(await passkeyCreation()).toBe(expected);
  });

  it('is not possible on plain http, nor in a browser without passkeys', async () => {
    expect(await passkeyCreation()).toBeNull();
    browserWith(olderBrowser(true));
    Object.assign(window, { isSecureContext: false });
    expect(await passkeyCreation()).toBeNull();
  });
});

describe('the browser', () => {
  it('receives the passkeys and the names of the account', async () => {
    const signals: unknown[] = [];
    const tell = (what: unknown) => {
      signals.push(what);
      return Promise.resolve();
    };
    browserWith({ signalAllAcceptedCredentials: tell, signalCurrentUserDetails: tell });
    await signalPasskeys(PASSKEYS);
    const account = { rpId: 'foyer.example', userId: 'aGFuZGxl' };
    expect(signals).toEqual([
      { ...account, allAcceptedCredentialIds: ['b25l'] },
      { ...account, name: 'maria', displayName: 'Maria' },
    ]);
  });

  it('gets no signal that it does not support, and may reject one', async () => {
    await expect(signalPasskeys(PASSKEYS)).resolves.toBeUndefined();
    browserWith({ signalAllAcceptedCredentials: () => Promise.reject(new Error('no')) });
    await expect(signalPasskeys(PASSKEYS)).resolves.toBeUndefined();
  });
});
