/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { offerPasskey } from './passkey.js';

const REQUEST = { challenge: '_-8', rpId: 'foyer.example', timeout: 300_000, userVerification: 'required' };
const bytes = (...values: number[]) => new Uint8Array(values).buffer;

interface Asked {
  options: CredentialRequestOptions;
  answer: (credential: object | null) => void;
  refuse: (name: string) => void;
}

let asked: Asked[];
let posted: { action: string; fields: Record<string, unknown> }[];

function browserWith(capable: object | null): void {
  const get = (options: CredentialRequestOptions) =>
    new Promise((answer, reject) => {
      const refuse = (name: string) => reject(new DOMException('says nothing', name));
      options.signal?.addEventListener('abort', () => refuse('AbortError'));
      asked.push({ options, answer, refuse });
    });
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } });
  Object.assign(window, { isSecureContext: true, ...(capable && { PublicKeyCredential: capable }) });
}

function page(): HTMLButtonElement {
  document.body.innerHTML = `<form action="/login/native">
    <input name="_xsrf" value="x"><input name="username" value="maria"><input name="password" value="secret">
    <input type="checkbox" name="remember" value="true" checked><button type="button">Passkey</button></form>`;
  return document.querySelector('button')!;
}

const settle = async () => {
  for (let index = 0; index < 10; index++) await Promise.resolve();
};

beforeEach(() => {
  asked = [];
  posted = [];
  HTMLFormElement.prototype.submit = function (this: HTMLFormElement) {
    posted.push({ action: this.getAttribute('action') ?? '', fields: Object.fromEntries(new FormData(this)) });
  };
});
afterEach(() => {
  Reflect.deleteProperty(window, 'PublicKeyCredential');
});

const CAPABLE = { isConditionalMediationAvailable: async () => true };
const CREDENTIAL = {
  id: 'AQ',
  response: { authenticatorData: bytes(1), clientDataJSON: bytes(2), signature: bytes(0xff, 0xef), userHandle: bytes(3) },
};

describe('a sign-in with a passkey', () => {
  it('is offered as autofill, and posts what was entered without the password', async () => {
    browserWith(CAPABLE);
    offerPasskey(page(), { request: REQUEST }, () => undefined);
    await settle();
    const [first] = asked;
    expect(first?.options).toMatchObject({
      mediation: 'conditional',
      publicKey: { rpId: 'foyer.example', timeout: 300_000, userVerification: 'required' },
    });
    expect([...(first?.options.publicKey?.challenge as Uint8Array)]).toEqual([0xff, 0xef]);
    first?.answer(CREDENTIAL);
    await settle();
    expect(posted).toHaveLength(1);
    const { passkey, ...fields } = posted[0]!.fields;
    expect([posted[0]!.action, fields]).toEqual(['/login/passkey', { _xsrf: 'x', username: 'maria', remember: 'true' }]);
    expect(JSON.parse(passkey as string)).toEqual({
      id: 'AQ',
      rawId: 'AQ',
      type: 'public-key',
      response: { authenticatorData: 'AQ', clientDataJSON: 'Ag', signature: '_-8', userHandle: 'Aw' },
    });
  });

  it('asks once at a time: the button ends the autofill, which comes back after a refusal', async () => {
    browserWith(CAPABLE);
    const refused = jest.fn();
    const press = offerPasskey(page(), { request: REQUEST }, refused);
    await settle();
    press();
    await settle();
    expect(asked.map(({ options }) => [options.mediation, options.signal?.aborted])).toEqual([
      ['conditional', true],
      ['optional', false],
    ]);
    expect(refused).not.toHaveBeenCalled();
    asked[1]?.refuse('NotAllowedError');
    await settle();
    expect(refused).toHaveBeenCalledTimes(1);
    expect(asked[2]?.options).toMatchObject({ mediation: 'conditional' });
    expect([posted, document.querySelector('input[name=username]')]).toEqual([[], expect.objectContaining({ value: 'maria' })]);
  });

  it('asks again after a second press, and says nothing of the first', async () => {
    browserWith({});
    const refused = jest.fn();
    const press = offerPasskey(page(), { request: REQUEST }, refused);
    press();
    press();
    await settle();
    expect(asked.map(({ options }) => options.signal?.aborted)).toEqual([true, false]);
    expect(refused).not.toHaveBeenCalled();
  });

  it('is not offered by a browser that cannot, nor as autofill by one that has none', async () => {
    browserWith(null);
    const button = page();
    offerPasskey(button, { request: REQUEST }, () => undefined);
    expect(button.hidden).toBe(true);
    browserWith({ isConditionalMediationAvailable: async () => false });
    const other = page();
    offerPasskey(other, { request: REQUEST }, () => undefined);
    await settle();
    expect([other.hidden, asked]).toEqual([false, []]);
  });

  it('lets the authenticator forget what nobody has', async () => {
    const signalUnknownCredential = jest.fn(async (_unknown: object) => undefined);
    browserWith({ signalUnknownCredential });
    offerPasskey(page(), { request: REQUEST, unknown: 'AAEC' }, () => undefined);
    expect(signalUnknownCredential).toHaveBeenCalledWith({ rpId: 'foyer.example', credentialId: 'AAEC' });
  });
});
