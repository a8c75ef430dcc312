import { describe, expect, it } from '@jest/globals';
import { parseAssertion, parseRegistration } from './credential-json.js';

const REGISTRATION = {
  id: 'abc',
  rawId: 'abc',
  type: 'public-key',
  response: { attestationObject: 'AAAA', clientDataJSON: 'BBBB', transports: ['usb', 'magic', 7] },
};
const ASSERTION = {
  id: 'abc',
  rawId: 'abc',
  type: 'public-key',
  response: { authenticatorData: 'AAAA', clientDataJSON: 'BBBB', signature: 'CCCC', userHandle: null },
};

describe('the response of a browser', () => {
  it('[RPC-4] is parsed from an object or its JSON, with known members only', () => {
    const registration = parseRegistration({ ...REGISTRATION, extra: 1 });
    expect(registration).toEqual({
      id: 'abc',
      rawId: 'abc',
      type: 'public-key',
      clientExtensionResults: {},
      response: { attestationObject: 'AAAA', clientDataJSON: 'BBBB', transports: ['usb'] },
    });
    expect(parseRegistration(JSON.stringify(REGISTRATION))).toEqual(registration);
    expect(parseAssertion(ASSERTION)?.response).toEqual({ authenticatorData: 'AAAA', clientDataJSON: 'BBBB', signature: 'CCCC' });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a list', [REGISTRATION]],
    ['broken JSON', '{"id":'],
    ['deep JSON', '['.repeat(60_000)],
    ['no response', { ...REGISTRATION, response: undefined }],
    ['a list of responses', { ...REGISTRATION, response: [REGISTRATION.response] }],
    ['two different ids', { ...REGISTRATION, rawId: 'abd' }],
    ['an id with padding', { ...REGISTRATION, id: 'abc=', rawId: 'abc=' }],
    ['an id that is not a string', { ...REGISTRATION, id: 1, rawId: 1 }],
    ['another type', { ...REGISTRATION, type: 'password' }],
    ['plain base64', { ...REGISTRATION, response: { ...REGISTRATION.response, attestationObject: 'AA+/' } }],
    ['a megabyte', { ...REGISTRATION, response: { ...REGISTRATION.response, attestationObject: 'A'.repeat(1_000_000) } }],
    ['a megabyte of JSON', JSON.stringify({ ...REGISTRATION, extra: 'x'.repeat(1_000_000) })],
  ])('[RPC-4] is not parsed as a registration if it is or has %s', (_, input) => {
    expect(parseRegistration(input)).toBeNull();
  });

  it.each([
    ['no signature', { ...ASSERTION, response: { ...ASSERTION.response, signature: '' } }],
    ['a user handle that is not a string', { ...ASSERTION, response: { ...ASSERTION.response, userHandle: {} } }],
    ['a registration', REGISTRATION],
  ])('[MFV-4] is not parsed as an assertion if it is or has %s', (_, input) => {
    expect(parseAssertion(input)).toBeNull();
  });
});
