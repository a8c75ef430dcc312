/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

/** `mediation` is newer than the types of the DOM. */
type CreationOptions = CredentialCreationOptions & { mediation?: string };

let requests: CreationOptions[];
let submissions: Record<string, string>[];
const originalSubmit = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'submit');

/** @param answers the answers of the browser, one for each request; further requests are refused */
function fakeCredentials(...answers: (() => Promise<unknown>)[]): void {
  const create = (options: CreationOptions) => {
    requests.push(options);
    return (answers.shift() ?? refusePasskey)();
  };
  Object.assign(window, { isSecureContext: true, PublicKeyCredential: () => undefined });
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } });
}

const refusePasskey = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
const toBytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer;
const createPasskey = () =>
  Promise.resolve({
    id: 'bmV3',
    rawId: toBytes('new'),
    type: 'public-key',
    response: { attestationObject: toBytes('attestation'), clientDataJSON: toBytes('{}') },
    getClientExtensionResults: () => ({}),
  });

beforeEach(() => {
  requests = [];
  submissions = [];
  HTMLFormElement.prototype.submit = function (this: HTMLFormElement) {
    submissions.push(Object.fromEntries([...new FormData(this)].map(([name, value]) => [name, value as string])));
  };
});
afterEach(() => {
  cleanup();
  if (originalSubmit) Object.defineProperty(HTMLFormElement.prototype, 'submit', originalSubmit);
  Reflect.deleteProperty(window, 'PublicKeyCredential');
});

const pressCreate = () => fireEvent.click(screen.getByRole('button', { name: 'Set up a passkey' }));

describe('the offer of a passkey', () => {
  it('explains passkeys, and has two ways to skip the offer', async () => {
    await showFixture('passkey-offer');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Sign in without a password next time?');
    expect(document.querySelectorAll('.bullets li')).toHaveLength(2);
    const laterButton = screen.getByRole('button', { name: 'Not now' });
    const neverButton = screen.getByRole('button', { name: 'Don’t offer it again' });
    expect([laterButton.closest('form')?.getAttribute('action'), laterButton.getAttribute('formaction')]).toEqual([
      '/passkey/offer',
      null,
    ]);
    expect(neverButton.getAttribute('formaction')).toBe('/passkey/refuse');
    expect(requests).toEqual([]);
  });

  it('sends the credential of the browser, with the session of the set-up', async () => {
    fakeCredentials(createPasskey);
    await showFixture('passkey-offer');
    pressCreate();
    await waitFor(() => expect(submissions).toHaveLength(1));
    expect(Object.keys(submissions[0] ?? {}).sort()).toEqual([
      '_xsrf',
      'credential',
      'login_challenge',
      'setup_session',
      'ticket',
    ]);
    expect(JSON.parse(submissions[0]?.['credential'] ?? '')).toMatchObject({ id: 'bmV3', type: 'public-key' });
    expect(requests.map(({ mediation }) => mediation)).toEqual([undefined]);
  });

  it('continues without a passkey if the browser refuses or waits too long', async () => {
    fakeCredentials(refusePasskey);
    await showFixture('passkey-offer');
    pressCreate();
    await waitFor(() => expect(submissions).toHaveLength(1));
    expect(submissions[0]).not.toHaveProperty('credential');
  });

  it('requests only one passkey at a time from the browser', async () => {
    fakeCredentials(() => new Promise(() => undefined));
    await showFixture('passkey-offer');
    pressCreate();
    const busyButton = await screen.findByRole('button', { name: 'Your browser is asking' });
    fireEvent.click(busyButton);
    await waitFor(() => expect(requests).toHaveLength(1));
  });

  it('needs a press of the button only if the password manager does not create a passkey without asking', async () => {
    fakeCredentials(createPasskey);
    await showFixture('passkey-offer-unasked');
    await waitFor(() => expect(submissions).toHaveLength(1));
    expect(requests.map(({ mediation }) => mediation)).toEqual(['conditional']);
    cleanup();
    fakeCredentials(refusePasskey, createPasskey);
    await showFixture('passkey-offer-unasked');
    fireEvent.click(await screen.findByRole('button', { name: 'Set up a passkey' }));
    await waitFor(() => expect(submissions).toHaveLength(2));
    expect(requests.map(({ mediation }) => mediation)).toEqual(['conditional', 'conditional', undefined]);
  });

  it('does not show an attempt without asking, and the button can start another attempt meanwhile', async () => {
    fakeCredentials(() => new Promise(() => undefined), createPasskey);
    await showFixture('passkey-offer-unasked');
    await waitFor(() => expect(requests).toHaveLength(1));
    pressCreate();
    await waitFor(() => expect(submissions).toHaveLength(1));
    expect(requests.map(({ mediation }) => mediation)).toEqual(['conditional', undefined]);
  });

  it('states in both languages that the server did not accept the passkey, and offers to continue', async () => {
    await showFixture('passkey-offer-refused');
    expect(screen.getByRole('alert').dataset['code']).toBe('refused');
    expect(document.querySelector('.bullets')).toBeNull();
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Continue']);
    cleanup();
    await showFixture('passkey-offer-refused', 'de');
    expect(screen.getByRole('alert').textContent).toContain('Sie sind trotzdem angemeldet');
  });
});
