/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const listFormActions = () => [...document.querySelectorAll('form')].map((form) => form.getAttribute('action'));

describe('the steps of a registration', () => {
  it('[JOI-3] show the fields of the settings, with their faults', async () => {
    await showFixture('registration-step-attributes');
    expect(listFormActions()).toEqual(['/register/details']);
    expect(screen.getByLabelText('Kundennummer (optional)').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByLabelText('Filiale').tagName).toBe('SELECT');
    expect(screen.getByLabelText('Given name').getAttribute('autocomplete')).toBe('given-name');
    expect(screen.getByLabelText('Newsletter').getAttribute('type')).toBe('checkbox');
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain('/login?');
  });

  it('[JOI-4] say the same for every address', async () => {
    await showFixture('registration-step-code');
    expect(listFormActions()).toEqual(['/register/code', '/register/code/again']);
    expect(document.body.textContent).toContain('If an account with this address exists already, the e‑mail says so instead.');
  });

  it('[JOI-8] name what is wrong with a password', async () => {
    await showFixture('registration-step-weak');
    expect(listFormActions()).toEqual(['/register/password']);
    expect(screen.getByRole('alert').dataset['code']).toBe('password-strength');
  });

  it('[JOI-20] say that an operator decides, and what waits', async () => {
    await showFixture('registration-step-approval');
    expect(document.body.textContent).toContain('Every new account has to be approved.');
    cleanup();
    await showFixture('registration-step-password-approval');
    expect(screen.getByRole('button', { name: 'Send request' }).getAttribute('type')).toBe('submit');
    cleanup();
    await showFixture('registration-step-waits');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your request is waiting for approval');
    expect(listFormActions()).toEqual([]);
    expect(document.body.textContent).toContain('nele@example.org');
  });

  it('[JOI-29] say that no further application can wait for a decision', async () => {
    await showFixture('registration-step-full');
    expect(screen.getByRole('alert').dataset['code']).toBe('full');
  });

  it('[JOI-7] name the wait', async () => {
    await showFixture('registration-step-limited');
    expect(screen.getByRole('alert').textContent).toMatch(/4\sminutes/);
  });
});

describe('the work before a mail', () => {
  it('[JOI-48] is replaced without script with a wait, whose length the page states', async () => {
    await showFixture('registration-step-work');
    expect(document.querySelector('.without-script')?.textContent).toContain('Seconds to wait: 20');
    expect(document.querySelector<HTMLInputElement>('input[name=work]')?.value).toBe('AAEC');
    expect(screen.getByRole('status').textContent).toBe('');
  });

  it('[JOI-46] is announced while the browser does it', async () => {
    await showFixture('registration-step-work-again');
    expect(screen.getByRole('alert').dataset['code']).toBe('work');
    fireEvent.submit(document.querySelector('form[action="/register/details"]')!);
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('solving a small task'));
  });

  it('[JOI-46] is not mentioned where none is required', async () => {
    await showFixture('registration-step-missing');
    expect(document.querySelector('input[name=work]')).toBeNull();
  });
});

describe('a passkey in place of the password', () => {
  const toBytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0)).buffer;
  const createPasskey = () =>
    Promise.resolve({
      id: 'bmV3',
      rawId: toBytes('new'),
      type: 'public-key',
      response: { attestationObject: toBytes('attestation'), clientDataJSON: toBytes('{}') },
      getClientExtensionResults: () => ({}),
    });

  function fakeCredentials(create: () => Promise<unknown>): void {
    Object.assign(window, { isSecureContext: true, PublicKeyCredential: () => undefined });
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } });
  }

  const findButton = () => screen.queryByRole('button', { name: 'Create a passkey instead' });

  afterEach(() => {
    Reflect.deleteProperty(window, 'PublicKeyCredential');
  });

  it('[JOI-40] is not offered in a browser that cannot create one', async () => {
    await showFixture('registration-step-passkey');
    await waitFor(() => expect(findButton()).toBeNull());
    expect(listFormActions()).toEqual(['/register/password']);
  });

  it('[JOI-40] is sent with the fields of the form', async () => {
    const submissions: Record<string, string>[] = [];
    const originalSubmit = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'submit');
    HTMLFormElement.prototype.submit = function (this: HTMLFormElement) {
      submissions.push(Object.fromEntries([...new FormData(this)].map(([name, value]) => [name, value as string])));
    };
    fakeCredentials(createPasskey);
    await showFixture('registration-step-passkey');
    fireEvent.click(findButton()!);
    await waitFor(() => expect(submissions).toHaveLength(1));
    expect(Object.keys(submissions[0] ?? {}).toSorted()).toEqual(['_xsrf', 'credential', 'login_challenge']);
    expect(JSON.parse(submissions[0]?.['credential'] ?? '')).toMatchObject({ id: 'bmV3', type: 'public-key' });
    if (originalSubmit) Object.defineProperty(HTMLFormElement.prototype, 'submit', originalSubmit);
  });

  it('[JOI-42] can be tried again after the browser created none, and the page says so', async () => {
    fakeCredentials(() => Promise.reject(new DOMException('no', 'NotAllowedError')));
    await showFixture('registration-step-passkey');
    fireEvent.click(findButton()!);
    expect((await screen.findByRole('alert')).textContent).toContain('Please try again, or choose a password.');
    expect(findButton()).not.toBeNull();
  });

  it('[JOI-42] has an error if the server refused the credential', async () => {
    await showFixture('registration-step-passkey-refused');
    expect(screen.getByRole('alert').dataset['code']).toBe('passkey');
  });
});
