import { describe, expect, it } from '@jest/globals';
import {
  SyntheticKey,
  type AssertionDeviation,
  type KeyAlgorithm,
  type RegistrationDeviation,
} from '../../test/support/synthetic-key.js';
import { randomToken } from '../config/keys.js';
import { parseAssertion, parseRegistration } from '../webauthn/credential-json.js';
import {
  verifyPasskeyAssertion,
  buildCreationOptions,
  isCopied,
  verifyPasskeyRegistration,
  buildRequestOptions,
  type PasskeyParty,
  type RegisteredPasskey,
} from './ceremony.js';

const ORIGIN = 'https://login.ok.example';
const RELATED_ORIGIN = 'https://ok.test';
const PARTY: PasskeyParty = { id: 'ok.example', name: 'Foyer', origins: [ORIGIN, RELATED_ORIGIN] };
const VERIFIED_FLAGS = ['up', 'uv'] as const;

const newKey = (algorithm: KeyAlgorithm = -7): SyntheticKey =>
  new SyntheticKey({ origin: ORIGIN, rpId: PARTY.id, algorithm, counter: 3 });

async function verifyNewPasskey(
  key: SyntheticKey,
  deviation: RegistrationDeviation = {},
  unasked = false,
): Promise<RegisteredPasskey | null> {
  const challenge = randomToken();
  const response = parseRegistration(key.register(challenge, { flags: VERIFIED_FLAGS, format: 'none', ...deviation }));
  if (!response) throw new Error('The response cannot be parsed.');
  return verifyPasskeyRegistration(PARTY, { challenge, unasked }, response);
}

async function registerPasskey(key: SyntheticKey, deviation: RegistrationDeviation = {}): Promise<RegisteredPasskey['passkey']> {
  const registration = await verifyNewPasskey(key, deviation);
  if (!registration) throw new Error('The passkey was refused.');
  return registration.passkey;
}

async function assertPasskey(key: SyntheticKey, passkey: RegisteredPasskey['passkey'], deviation: AssertionDeviation = {}) {
  const challenge = randomToken();
  const response = parseAssertion(key.assert(challenge, { flags: VERIFIED_FLAGS, ...deviation }));
  if (!response) throw new Error('The response cannot be parsed.');
  return verifyPasskeyAssertion(PARTY, { challenge, passkey }, response);
}

describe('the options for the browser', () => {
  it('request a new discoverable credential and the verification of the user', async () => {
    const passkey = { ...(await registerPasskey(newKey())), name: '', id: 'x', createdAt: new Date(0), lastUsedAt: null };
    const account = { username: 'anna', displayName: 'Anna Acker' };
    const options = await buildCreationOptions(PARTY, { account, handle: 'AAEC', challenge: 'AwQF', passkeys: [passkey] });
    expect(options).toMatchObject({
      rp: { id: 'ok.example', name: 'Foyer' },
      user: { id: 'AAEC', name: 'anna', displayName: 'Anna Acker' },
      challenge: 'AwQF',
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      timeout: 300_000,
      attestation: 'none',
      excludeCredentials: [{ id: passkey.credentialId, type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    });
    expect(options.authenticatorSelection).not.toHaveProperty('authenticatorAttachment');
  });

  it('name no credential at a sign-in', () => {
    const options = { challenge: 'AAEC', rpId: 'ok.example', timeout: 300_000, userVerification: 'required' };
    expect(buildRequestOptions(PARTY, 'AAEC')).toEqual(options);
  });
});

describe('a passkey', () => {
  it.each([
    [['up', 'uv'], ['hwk', 'pop', 'user', 'pin', 'mfa'], false],
    [['up', 'uv', 'be'], ['swk', 'pop', 'user', 'pin', 'mfa'], false],
    [['up', 'uv', 'be', 'bs'], ['swk', 'pop', 'user', 'pin', 'mfa'], true],
  ] as const)('with the flags %j proves %j, and its backup state is %p', async (flags, methods, backedUp) => {
    const key = newKey();
    const registration = await verifyNewPasskey(key, { flags });
    expect(registration).toMatchObject({ methods, passkey: { backedUp, userVerified: true, algorithm: -7 } });
    const passkey = await registerPasskey(key, { flags });
    expect(await assertPasskey(key, passkey, { flags })).toEqual({ counter: 4, backedUp, methods });
  });

  it.each([-8, -7, -257] as const)('can be registered with algorithm %d, and later verified', async (algorithm) => {
    const key = newKey(algorithm);
    const passkey = await registerPasskey(key);
    expect(passkey).toMatchObject({ credentialId: key.id, algorithm, counter: 3 });
    expect(await assertPasskey(key, passkey)).not.toBeNull();
    expect(await assertPasskey(key, passkey, { hasWrongSignature: true })).toBeNull();
  });

  it('can be registered and used at a related origin', async () => {
    const key = newKey();
    const passkey = await registerPasskey(key, { origin: RELATED_ORIGIN });
    expect(await assertPasskey(key, passkey, { origin: RELATED_ORIGIN })).not.toBeNull();
  });
});

const INVALID: [string, RegistrationDeviation & AssertionDeviation][] = [
  ['no user verification', { flags: ['up'] }],
  ['no user presence', { flags: ['uv'] }],
  ['a backup of a credential that cannot be backed up', { flags: ['up', 'uv', 'bs'] }],
  ['another origin', { origin: 'https://evil.example' }],
  ['a sibling of the origin', { origin: 'https://other.ok.example' }],
  ['the id of the relying party as an origin', { origin: 'https://ok.example' }],
  ['the origin over http', { origin: 'http://login.ok.example' }],
  ['another port', { origin: `${ORIGIN}:8443` }],
  ['another relying party', { rpId: 'login.ok.example' }],
  ['another challenge', { challenge: randomToken() }],
  ['a page in a frame of another origin', { crossOrigin: true }],
  ['another top origin', { topOrigin: 'https://evil.example' }],
];

describe('a registration', () => {
  it.each<[string, RegistrationDeviation]>([
    ...INVALID,
    ['the type of the other ceremony', { type: 'webauthn.get' }],
    ['an algorithm that was not offered', { coseAlgorithm: -35 }],
    ['an attestation format that is not accepted', { format: 'fido-u2f' }],
    ['bytes after the attestation', { extraBytes: new Uint8Array([0]) }],
    ['an id that is too long', { id: Buffer.alloc(1024, 7).toString('base64url') }],
  ])('is refused with %s', async (_, deviation) => {
    const key = newKey();
    expect(await verifyNewPasskey(key, deviation)).toBeNull();
    expect(await verifyNewPasskey(key)).not.toBeNull();
  });
});

describe('a registration without asking the person', () => {
  it('is accepted without the presence and the verification of the user', async () => {
    const key = newKey();
    expect(await verifyNewPasskey(key, { flags: [] })).toBeNull();
    expect(await verifyNewPasskey(key, { flags: [] }, true)).toMatchObject({ passkey: { userVerified: false } });
  });
});

describe('an assertion', () => {
  it.each<[string, AssertionDeviation]>([
    ...INVALID,
    ['a signature with one wrong bit', { hasWrongSignature: true }],
    ["another key's signature", { signer: newKey() }],
    ['the type of the other ceremony', { type: 'webauthn.create' }],
    ['a credential that has become eligible for backup', { flags: ['up', 'uv', 'be'] }],
  ])('is refused with %s', async (_, deviation) => {
    const key = newKey();
    const passkey = await registerPasskey(key);
    expect(await assertPasskey(key, passkey, deviation)).toBeNull();
    expect(await assertPasskey(key, passkey)).not.toBeNull();
  });

  it('is refused if the passkey is no longer eligible for backup, and accepted if only its backup state has changed', async () => {
    const key = newKey();
    const passkey = await registerPasskey(key, { flags: ['up', 'uv', 'be'] });
    expect(await assertPasskey(key, passkey)).toBeNull();
    expect(await assertPasskey(key, passkey, { flags: ['up', 'uv', 'be', 'bs'] })).toMatchObject({ backedUp: true });
  });

  it.each([
    [5, 4, false],
    [4, 4, true],
    [3, 4, true],
    [0, 4, true],
    [0, 0, false],
    [1, 0, false],
  ])('with the counter %d after the counter %d may come from a copy: %p', (counter, storedCounter, expected) => {
    expect(isCopied(counter, storedCounter)).toBe(expected);
  });
});
