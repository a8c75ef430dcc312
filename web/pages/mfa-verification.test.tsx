/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { installFakeServer } from '../fixtures/fake-server.js';
import { showFixture } from '../fixtures/show-fixture.js';

let submissions: Record<string, FormDataEntryValue>[];

beforeEach(() => {
  jest.useFakeTimers();
  submissions = [];
  HTMLFormElement.prototype.submit = function submit(this: HTMLFormElement) {
    submissions.push(Object.fromEntries(new FormData(this)));
  };
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const passTime = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const findCodeField = () => screen.getByLabelText<HTMLInputElement>('Six-digit code');
const toForm = (element: HTMLElement) => element.closest('form') ?? document.createElement('form');
const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent;
const findHref = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href') ?? '';

async function typeCode(value: string): Promise<void> {
  fireEvent.change(findCodeField(), { target: { value } });
  fireEvent.submit(toForm(findCodeField()));
  await passTime(0);
}

describe('the second step with a code', () => {
  it('[MFV-1] [MFV-3] names the account, and asks directly for the only factor', async () => {
    await showFixture('mfa-totp');
    expect(readHeading()).toBe('Enter the code');
    expect(document.querySelector('.account-chip')?.textContent).toContain('maria.musterfrau');
    expect(findHref('Not you?')).toBe('/login/restart?ticket=sealed');
    expect(document.activeElement).toBe(findCodeField());
    expect([findCodeField().autocomplete, findCodeField().inputMode]).toEqual(['one-time-code', 'numeric']);
    expect(screen.queryByRole('link', { name: 'Use the security key' })).toBeNull();
  });

  it('[GEN-9] is a plain form with all fields that the server needs', async () => {
    await showFixture('mfa-totp');
    const form = toForm(findCodeField());
    expect([form.getAttribute('action'), form.method]).toEqual(['/mfa/verify', 'post']);
    expect([...new FormData(form).keys()]).toEqual(['login_challenge', '_xsrf', 'ticket', 'method', 'code']);
  });

  it('[MFV-5] [VAL-4] posts the factor token 100 ms after the answer, without the code', async () => {
    const server = installFakeServer({ body: { token: 'proof' } });
    await showFixture('mfa-totp');
    await typeCode(' 492 817 ');
    expect(server.calls[0]).toMatchObject({ path: '/mfa/verify-totp', body: { code: '492817' } });
    await passTime(99);
    expect(submissions).toEqual([]);
    await passTime(1);
    expect(submissions).toHaveLength(1);
    expect(Object.keys(submissions[0] ?? {})).toEqual(['login_challenge', '_xsrf', 'ticket', 'mfa_token']);
    expect(submissions[0]?.['mfa_token']).toBe('proof');
  });

  it.each(['٤٩٢ ٨١٧', '۴۹۲۸۱۷'])('[VAL-4] accepts the digits of an Arabic keyboard in %j', async (typedCode) => {
    const server = installFakeServer({ body: { token: 'proof' } });
    await showFixture('mfa-totp');
    fireEvent.input(findCodeField(), { target: { value: typedCode }, data: typedCode.at(-1), inputType: 'insertText' });
    await passTime(0);
    expect(server.calls).toMatchObject([{ path: '/mfa/verify-totp', body: { code: '492817' } }]);
  });

  it('[MFV-9] sends the code when the sixth digit is typed, only once and never after an error', async () => {
    const server = installFakeServer({ status: 422, body: { error: 'invalid verification code' } }, { body: { token: 'proof' } });
    await showFixture('mfa-totp');
    expect(screen.getByText('The code is sent as soon as you’ve entered the sixth digit.').id).toBe(
      findCodeField().getAttribute('aria-describedby'),
    );
    const inputCode = (value: string, event: object = { data: value.at(-1), inputType: 'insertText' }) =>
      fireEvent.input(findCodeField(), { target: { value }, ...event });
    inputCode('49281');
    // Password managers and the tests of apps fill in the whole code in one step and press the button themselves.
    inputCode('492817', {});
    inputCode('492817', { data: '492817', inputType: 'insertText' });
    await passTime(0);
    expect(server.calls).toHaveLength(0);
    inputCode('492 817');
    inputCode('492 817 ');
    await passTime(0);
    expect(server.calls).toHaveLength(1);
    expect(screen.queryByText(/as soon as you’ve entered/)).toBeNull();
    inputCode('123456', { inputType: 'insertFromPaste' });
    await passTime(1_000);
    expect(server.calls).toHaveLength(1);
  });

  it.each(['mfa-totp-invalid', 'mfa-enrol-totp'])(
    '[MFV-9] does not send a code without the button after an error or during a set-up (%s)',
    async (name) => {
      const server = installFakeServer({ body: { token: 'proof' } });
      await showFixture(name);
      fireEvent.input(findCodeField(), { target: { value: '492817' }, inputType: 'insertFromPaste' });
      await passTime(1_000);
      expect(server.calls).toHaveLength(0);
      expect(screen.queryByText(/as soon as you’ve entered/)).toBeNull();
    },
  );

  it('[MFV-5] stays busy until the next page opens, and is sent once', async () => {
    const server = installFakeServer({ body: { token: 'proof' } });
    await showFixture('mfa-totp');
    await typeCode('492817');
    fireEvent.submit(toForm(findCodeField()));
    await passTime(5_000);
    expect(findCodeField().readOnly).toBe(true);
    expect(server.calls).toHaveLength(1);
    expect(submissions).toHaveLength(1);
  });

  it('[ERR-1] [ERR-2] states each time that a code is wrong, and accepts another code', async () => {
    const wrongCode = { status: 422, body: { error: 'invalid verification code' } };
    installFakeServer(wrongCode, wrongCode, { body: { token: 'proof' } });
    await showFixture('mfa-totp');
    document.title = 'Enter the code · Foyer';
    for (const guess of ['111111', '222222']) {
      await typeCode(guess);
      const alert = screen.getByRole('alert');
      expect(alert.querySelector('strong')?.textContent).toBe('The TOTP code is invalid');
      expect(alert.dataset['code']).toBe('invalid verification code');
      // The wrong code is selected, so that the next code replaces it. The alert is directly above the field.
      expect(document.activeElement).toBe(findCodeField());
      expect([findCodeField().selectionStart, findCodeField().selectionEnd]).toEqual([0, 6]);
      expect(alert.nextElementSibling?.contains(findCodeField())).toBe(true);
      expect(findCodeField().getAttribute('aria-describedby')).toBe(alert.id);
      expect(document.title).toBe('Error: Enter the code · Foyer');
    }
    await typeCode('492817');
    await passTime(100);
    expect(submissions).toHaveLength(1);
  });

  it('[VAL-4] accepts only six digits, also in groups, and explains this in the language of the page', async () => {
    await showFixture('mfa-totp', 'de');
    const field = screen.getByLabelText<HTMLInputElement>('Sechsstelliger Code');
    for (const [value, isAccepted] of [
      ['', false],
      ['12345', false],
      ['12345a', false],
      ['1234567', false],
      ['123 456', true],
    ] as const) {
      fireEvent.input(field, { target: { value } });
      act(() => {
        expect([value, field.checkValidity()]).toEqual([value, isAccepted]);
      });
      expect(field.closest('.field')?.querySelector('.error')?.textContent ?? null).toBe(
        isAccepted ? null : 'Bitte geben Sie die sechs Ziffern ein, die Ihre App zeigt.',
      );
    }
  });

  it('opens the step again if the sign-in has ended meanwhile', async () => {
    const server = installFakeServer({ status: 401, body: { error: 'unauthorized' } });
    await showFixture('mfa-totp');
    await typeCode('492817');
    expect(server.addresses).toEqual([expect.stringMatching(/^\/mfa\/verify\?login_challenge=.{1200}&method=totp$/)]);
  });

  it('[GEN-9] accepts a recovery code with a plain form', async () => {
    await showFixture('mfa-recovery');
    const field = screen.getByLabelText<HTMLInputElement>('Recovery code');
    expect(new FormData(toForm(field)).get('method')).toBe('recovery');
    expect(fireEvent.submit(toForm(field))).toBe(true);
    cleanup();
    await showFixture('mfa-recovery-invalid');
    expect(screen.getByRole('alert').dataset['code']).toBe('invalid verification code');
    expect(screen.getByRole('alert').textContent).toContain('The recovery code is invalid');
  });
});

describe('the pages of the second step', () => {
  it('[MFV-3] let a person with several factors choose', async () => {
    await showFixture('mfa-choose');
    expect(findHref(/^Authenticator app/)).toMatch(/&method=totp$/);
    expect(findHref(/^Security key/)).toMatch(/&method=fido2$/);
    expect(findHref('Use a recovery code')).toMatch(/&method=recovery$/);
  });

  it('[MFV-2] warn that the person has no factor, name the app that requires one, and offer kinds to set up', async () => {
    await showFixture('mfa-enrol');
    expect(document.querySelector('.heading')?.textContent).toContain('Versicherungsportal Nordwest asks for a second step');
    expect(document.querySelector('.alert.warning')?.textContent).toContain('No second factor yet');
    expect(findHref(/^Set up an authenticator app/)).toMatch(/&setup=totp$/);
    expect(findHref(/^Set up a security key/)).toMatch(/&setup=fido2$/);
  });

  it.each([
    ['mfa-challenge-missing', 'challenge', 'Login-Challenge is empty or invalid!'],
    ['mfa-challenge-expired', 'challenge', 'Login-Challenge is empty or invalid!'],
    ['mfa-closed', 'closed', 'Too many wrong codes'],
  ])('explain why the sign-in has ended, without a form (%s: %s)', async (fixture, errorCode, message) => {
    await showFixture(fixture);
    const alert = screen.getByRole('alert');
    expect(alert.dataset['code']).toBe(errorCode);
    expect(alert.textContent).toContain(message);
    expect(alert.querySelector('a.btn')).not.toBeNull();
    expect(document.querySelector('form')).toBeNull();
  });

  it('state how long to wait', async () => {
    await showFixture('mfa-totp-limited-alone');
    expect(screen.getByRole('alert').textContent).toBe('Too many attemptsPlease try again in 2\u00a0minutes.');
  });

  it.each(['mfa-totp-limited', 'mfa-email-limited', 'mfa-recovery-limited'])(
    '[MFV-8] state that only this factor is limited, if the person has others (%s)',
    async (name) => {
      await showFixture(name);
      expect(screen.getByRole('alert').textContent).toContain('you can use another way below');
      expect(document.querySelectorAll('a.btn.quiet').length).toBeGreaterThan(0);
    },
  );

  it('[MFV-8] state the same after a limited RPC call', async () => {
    installFakeServer({ status: 429, body: { error: 'too many requests', retry_after: 30 } });
    await showFixture('mfa-totp-other-ways');
    await typeCode('492817');
    expect(screen.getByRole('alert').textContent).toContain('you can use another way below');
    cleanup();
    installFakeServer({ status: 429, body: { error: 'too many requests', retry_after: 30 } });
    await showFixture('mfa-key');
    await passTime(0);
    expect(screen.getByRole('alert').textContent).toContain('you can use another way below');
  });
});

describe('the enrolment during a sign-in', () => {
  const codes = ['aaaa-bbbb', 'cccc-dddd'];

  it('[MFV-2] shows the secret, asks for a code, shows recovery codes, and continues with the factor token', async () => {
    const setup = { qr_code: 'iVBO', secret: 'ABCDEFGH', otpauth_url: 'otpauth://totp/x' };
    const server = installFakeServer({ body: setup }, { body: { recovery_codes: codes, token: 'proof' } });
    await showFixture('mfa-enrol-totp-begins');
    await passTime(0);
    expect(screen.getByText('ABCD EFGH')).toBeTruthy();
    await typeCode('492 817');
    expect(server.calls.map(({ path, body }) => [path, body])).toEqual([
      ['/api/v1/rpc/user/manage/mfa-init-totp', undefined],
      ['/api/v1/rpc/user/manage/mfa-verify-totp', { code: '492817' }],
    ]);
    expect(readHeading()).toBe('Save your recovery codes');
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(expect.arrayContaining(codes));
    await passTime(5_000);
    expect(submissions).toEqual([]);
    const form = toForm(screen.getByRole('button', { name: 'I’ve saved my codes' }));
    expect(form.getAttribute('action')).toBe('/mfa/verify');
    expect(new FormData(form).get('mfa_token')).toBe('proof');
    expect(new FormData(form).get('code')).toBe('aaaa-bbbb');
  });

  it('[MFV-5] posts the factor token without a click if there are no recovery codes to show', async () => {
    const setup = { qr_code: 'iVBO', secret: 'ABCDEFGH', otpauth_url: 'otpauth://totp/x' };
    installFakeServer({ body: setup }, { body: { token: 'proof' } });
    await showFixture('mfa-enrol-totp-begins');
    await passTime(0);
    await typeCode('492817');
    await passTime(100);
    expect(submissions[0]?.['mfa_token']).toBe('proof');
  });

  it('[GEN-9] begins and confirms with plain forms without script', async () => {
    installFakeServer();
    await showFixture('mfa-enrol-totp-begins');
    const beginForm = toForm(screen.getByRole('button', { name: 'Show the QR code' }));
    expect(beginForm.getAttribute('action')).toBe('/mfa/enrol-totp');
    expect([...new FormData(beginForm).keys()]).toEqual(['login_challenge', '_xsrf', 'ticket']);
    expect(findCodeField().disabled).toBe(true);
    cleanup();
    await showFixture('mfa-enrol-totp');
    expect(toForm(findCodeField()).getAttribute('action')).toBe('/mfa/enrol-totp');
    expect(findCodeField().disabled).toBe(false);
  });

  it('shows recovery codes after a plain form, and posts the factor token', async () => {
    await showFixture('mfa-codes');
    expect(document.querySelectorAll('.codes li')).toHaveLength(10);
    expect(screen.getByRole('link', { name: 'Save as a file' }).getAttribute('href')).toMatch(
      /^data:text\/plain.*k7tq-m2xh-9fcd/,
    );
    expect(new FormData(document.querySelector('form') ?? undefined).get('mfa_token')).toHaveLength(43);
  });
});

describe('the code by e-mail as a factor', () => {
  it('[MFV-3] names the address, and offers to send a code', async () => {
    const page = await showFixture('mfa-email');
    expect(page.textContent).toContain('We’ll send a code to m•••u@beispiel.example.');
    expect(screen.getByRole('button', { name: 'Send the code' })).toBeTruthy();
  });

  it.each([
    ['mfa-email-no-address', 'Your account has no e\u2011mail address'],
    ['mfa-email-unavailable', 'This kind of factor can’t be used here'],
    ['manage-email-no-address', 'Your account has no e\u2011mail address'],
  ])('[ERR-2] explains why no code can be sent, and does not offer to send one (%s)', async (fixture, reason) => {
    const page = await showFixture(fixture);
    expect(page.textContent).toContain(reason);
    expect(page.textContent).not.toMatch(/We’ll send a code to \./);
    expect(screen.queryByRole('button', { name: 'Send the code' })).toBeNull();
  });
});

describe('the checkbox to trust the browser', () => {
  const findBox = () => screen.queryByRole('checkbox', { name: /^Don’t ask again in this browser for (30\u00a0days|one day)$/ });

  it.each(['mfa-totp-trust', 'mfa-email-trust', 'mfa-key-trust'])(
    'is above the links to other factors, in the form of the factor (%s)',
    async (name) => {
      if (name === 'mfa-key-trust') installFakeServer({ body: {} });
      await showFixture(name);
      const checkbox = findBox();
      if (!checkbox) throw new Error('There is no checkbox.');
      const otherLink = screen.getByRole('link', { name: 'Use a recovery code' });
      expect(checkbox.compareDocumentPosition(otherLink) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
      expect(new FormData(toForm(checkbox)).get('trust_browser')).toBeNull();
      fireEvent.click(checkbox);
      await passTime(200);
      expect(findBox()).toBe(checkbox);
      expect(new FormData(toForm(checkbox)).get('trust_browser')).toBe('true');
    },
  );

  it('stays ticked after a wrong code, and is not shown with a recovery code or if trust is not offered', async () => {
    await showFixture('mfa-totp-trust-invalid');
    expect((findBox() as HTMLInputElement | null)?.checked).toBe(true);
    cleanup();
    for (const name of ['mfa-totp', 'mfa-recovery']) {
      await showFixture(name);
      expect(findBox()).toBeNull();
      cleanup();
    }
  });
});
