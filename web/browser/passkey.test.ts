/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { offerPasskey } from './passkey.js';

const REQUEST = { challenge: '_-8', rpId: 'foyer.example', timeout: 300_000, userVerification: 'required' };
const bytes = (...values: number[]) => new Uint8Array(values).buffer;

interface PendingRequest {
  options: CredentialRequestOptions;
  answer: (credential: object | null) => void;
  refuse: (name: string) => void;
}

let requests: PendingRequest[];
let submissions: { action: string; fields: Record<string, unknown> }[];

function fakeBrowser(api: object | null): void {
  const get = (options: CredentialRequestOptions) =>
    new Promise((answer, reject) => {
      const refuse = (name: string) => reject(new DOMException('no details', name));
      options.signal?.addEventListener('abort', () => refuse('AbortError'));
      requests.push({ options, answer, refuse });
    });
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } });
  Object.assign(window, { isSecureContext: true, ...(api && { PublicKeyCredential: api }) });
}

/** @returns the button of the login page */
function showPage(): HTMLButtonElement {
  document.body.innerHTML = `<form action="/login/native">
    <input name="_xsrf" value="x"><input name="username" value="maria"><input name="password" value="secret">
    <input type="checkbox" name="remember" value="true" checked><button type="button">Passkey</button></form>`;
  return document.querySelector('button')!;
}

const settle = async () => {
  for (let index = 0; index < 10; index++) await Promise.resolve();
};

beforeEach(() => {
  requests = [];
  submissions = [];
  HTMLFormElement.prototype.submit = function (this: HTMLFormElement) {
    submissions.push({ action: this.getAttribute('action') ?? '', fields: Object.fromEntries(new FormData(this)) });
  };
});
afterEach(() => {
  Reflect.deleteProperty(window, 'PublicKeyCredential');
});

const AUTOFILL_API = { isConditionalMediationAvailable: async () => true };
const CREDENTIAL = {
  id: 'AQ',
  response: { authenticatorData: bytes(1), clientDataJSON: bytes(2), signature: bytes(0xff, 0xef), userHandle: bytes(3) },
};

describe('a sign-in with a passkey', () => {
  it('is offered as autofill, and posts all fields of the form except the password', async () => {
    fakeBrowser(AUTOFILL_API);
    offerPasskey(showPage(), { request: REQUEST }, () => undefined);
    await settle();
    const [firstRequest] = requests;
    expect(firstRequest?.options).toMatchObject({
      mediation: 'conditional',
      publicKey: { rpId: 'foyer.example', timeout: 300_000, userVerification: 'required' },
    });
    expect([...(firstRequest!.options.publicKey!.challenge as Uint8Array)]).toEqual([0xff, 0xef]);
    firstRequest?.answer(CREDENTIAL);
    await settle();
    expect(submissions).toHaveLength(1);
    const { passkey, ...fields } = submissions[0]!.fields;
    expect([submissions[0]!.action, fields]).toEqual(['/login/passkey', { _xsrf: 'x', username: 'maria', remember: 'true' }]);
    expect(JSON.parse(passkey as string)).toEqual({
      id: 'AQ',
      rawId: 'AQ',
      type: 'public-key',
      response: { authenticatorData: 'AQ', clientDataJSON: 'Ag', signature: '_-8', userHandle: 'Aw' },
    });
  });

  it('has one request at a time: the button ends the autofill, which starts again after a refusal', async () => {
    fakeBrowser(AUTOFILL_API);
    const onRefusal = jest.fn();
    const press = offerPasskey(showPage(), { request: REQUEST }, onRefusal);
    await settle();
    press();
    await settle();
    expect(requests.map(({ options }) => [options.mediation, options.signal?.aborted])).toEqual([
      ['conditional', true],
      ['optional', false],
    ]);
    expect(onRefusal).not.toHaveBeenCalled();
    requests[1]?.refuse('NotAllowedError');
    await settle();
    expect(onRefusal).toHaveBeenCalledTimes(1);
    expect(requests[2]?.options).toMatchObject({ mediation: 'conditional' });
    expect([submissions, document.querySelector('input[name=username]')]).toEqual([
      [],
      expect.objectContaining({ value: 'maria' }),
    ]);
  });

  it('does not abort the request of a button that is pressed before the browser reports whether it has autofill', async () => {
    fakeBrowser(AUTOFILL_API);
    const press = offerPasskey(showPage(), { request: REQUEST }, () => undefined);
    press();
    await settle();
    expect(requests.map(({ options }) => [options.mediation, options.signal?.aborted])).toEqual([['optional', false]]);
    requests[0]?.refuse('NotAllowedError');
    await settle();
    expect(requests[1]?.options).toMatchObject({ mediation: 'conditional' });
  });

  it('requests a passkey again after a second press, and does not report the end of the first request', async () => {
    fakeBrowser({});
    const onRefusal = jest.fn();
    const press = offerPasskey(showPage(), { request: REQUEST }, onRefusal);
    press();
    press();
    await settle();
    expect(requests.map(({ options }) => options.signal?.aborted)).toEqual([true, false]);
    expect(onRefusal).not.toHaveBeenCalled();
  });

  it('is not offered without WebAuthn, and not as autofill if the browser does not support that', async () => {
    fakeBrowser(null);
    const button = showPage();
    offerPasskey(button, { request: REQUEST }, () => undefined);
    expect(button.hidden).toBe(true);
    fakeBrowser({ isConditionalMediationAvailable: async () => false });
    const otherButton = showPage();
    offerPasskey(otherButton, { request: REQUEST }, () => undefined);
    await settle();
    expect([otherButton.hidden, requests]).toEqual([false, []]);
  });

  it('tells the authenticator to forget a passkey that no account has', async () => {
    const signalUnknownCredential = jest.fn(async (_credential: object) => undefined);
    fakeBrowser({ signalUnknownCredential });
    offerPasskey(showPage(), { request: REQUEST, unknown: 'AAEC' }, () => undefined);
    expect(signalUnknownCredential).toHaveBeenCalledWith({ rpId: 'foyer.example', credentialId: 'AAEC' });
  });
});
