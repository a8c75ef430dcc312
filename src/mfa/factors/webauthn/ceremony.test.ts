import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../../accounts/account/account.js';
import type { SecurityKey } from './security-keys.records.js';
import { randomToken } from '../../../config/keys.js';
import {
  SyntheticKey,
  type AssertionDeviation,
  type KeyAlgorithm,
  type RegistrationDeviation,
} from '../../../../test/support/synthetic-key.js';
import { parseAssertion, parseRegistration } from '../../../webauthn/credential-json.js';
import {
  verifyKeyAssertion,
  buildAssertionOptions,
  verifyKeyRegistration,
  buildRegistrationOptions,
  type RelyingParty,
} from './ceremony.js';

const PARTY: RelyingParty = { id: 'ok.example', name: 'Foyer', origin: 'https://ok.example' };
const ACCOUNT: Account = {
  id: '01234567-89ab-4def-8123-456789abcdef',
  username: 'anna',
  displayName: 'Anna Acker',
  emailVerified: false,
  groups: [],
  attributes: {},
  status: 'active',
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

const createKey = (algorithm: KeyAlgorithm = -7): SyntheticKey =>
  new SyntheticKey({ origin: PARTY.origin, rpId: PARTY.id, algorithm, counter: 3 });

async function registerKey(key: SyntheticKey, deviation: RegistrationDeviation = {}): ReturnType<typeof verifyKeyRegistration> {
  const challenge = randomToken();
  const response = parseRegistration(key.register(challenge, deviation));
  if (!response) throw new Error('The response cannot be parsed.');
  return verifyKeyRegistration(PARTY, challenge, response);
}

async function register(key: SyntheticKey, deviation: RegistrationDeviation = {}): Promise<SecurityKey> {
  const registration = await registerKey(key, deviation);
  if (!registration) throw new Error('The key was refused.');
  return { ...registration.key, id: 'x', name: '', createdAt: new Date(0), lastUsedAt: null };
}

async function assertKey(key: SyntheticKey, record: SecurityKey, deviation: AssertionDeviation = {}): Promise<number | null> {
  const challenge = randomToken();
  const response = parseAssertion(key.assert(challenge, deviation));
  if (!response) throw new Error('The response cannot be parsed.');
  return (await verifyKeyAssertion(PARTY, { challenge, key: record }, response))?.counter ?? null;
}

describe('the options for the browser', () => {
  it('[FID-1] [FID-3] request a roaming key with exactly the constants of the specification', async () => {
    const record = await register(createKey());
    expect(await buildRegistrationOptions(PARTY, { account: ACCOUNT, challenge: 'AAEC', keys: [record] })).toMatchObject({
      rp: { id: 'ok.example', name: 'Foyer' },
      user: { id: 'ASNFZ4mrTe-BI0VniavN7w', name: 'anna', displayName: 'Anna Acker' },
      challenge: 'AAEC',
      pubKeyCredParams: [-7, -35, -36].map((alg) => ({ alg, type: 'public-key' })),
      timeout: 60_000,
      attestation: 'direct',
      excludeCredentials: [{ id: record.credentialId, type: 'public-key' }],
      authenticatorSelection: {
        authenticatorAttachment: 'cross-platform',
        residentKey: 'discouraged',
        requireResidentKey: false,
        userVerification: 'discouraged',
      },
    });
  });

  it('[FID-2] request an assertion of a registered key within half a minute', async () => {
    const record = await register(createKey());
    expect(await buildAssertionOptions(PARTY, 'AAEC', { keys: [record] })).toMatchObject({
      rpId: 'ok.example',
      challenge: 'AAEC',
      timeout: 30_000,
      userVerification: 'discouraged',
      allowCredentials: [{ id: record.credentialId, type: 'public-key', transports: ['usb', 'nfc'] }],
    });
  });

  it('[MFV-7] require user verification if the request needs it', async () => {
    const options = await buildAssertionOptions(PARTY, 'AAEC', { keys: [await register(createKey())], verifiesUser: true });
    expect(options.userVerification).toBe('required');
  });
});

describe('the methods that a key proves', () => {
  it.each([
    [['up'], ['hwk', 'pop', 'user']],
    [
      ['up', 'uv'],
      ['hwk', 'pop', 'user', 'pin'],
    ],
    [
      ['up', 'be'],
      ['swk', 'pop', 'user'],
    ],
    [
      ['up', 'uv', 'be', 'bs'],
      ['swk', 'pop', 'user', 'pin'],
    ],
  ] as const)('[MFV-7] with the flags %j are %j', async (flags, methods) => {
    const key = createKey();
    expect((await registerKey(key, { flags }))?.methods).toEqual(methods);
    const record = await register(key, { flags });
    const challenge = randomToken();
    const response = parseAssertion(key.assert(challenge, { flags }));
    expect(response && (await verifyKeyAssertion(PARTY, { challenge, key: record }, response))?.methods).toEqual(methods);
  });
});

describe('registering a key', () => {
  it.each([
    [-7, 'packed'],
    [-7, 'none'],
    [-35, 'packed'],
    [-35, 'none'],
    [-36, 'packed'],
    [-36, 'none'],
  ] as const)('[FID-1] accepts algorithm %d with attestation %s, and later a signature of the key', async (algorithm, format) => {
    const key = createKey(algorithm);
    const record = await register(key, { format });
    expect(record).toMatchObject({ credentialId: key.id, algorithm, counter: 3, backupEligible: false });
    expect(await assertKey(key, record)).toBe(4);
  });

  const REFUSED_REGISTRATIONS: [string, RegistrationDeviation][] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin with a suffix', { origin: 'https://ok.example.evil' }],
    ['a subdomain of the origin', { origin: 'https://other.ok.example' }],
    ['the origin over http', { origin: 'http://ok.example' }],
    ['another port', { origin: 'https://ok.example:8443' }],
    ['an opaque origin', { origin: 'null' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: randomToken() }],
    ['the type of the other ceremony', { type: 'webauthn.get' }],
    ['a page in a frame of another origin', { crossOrigin: true }],
    ['a crossOrigin that is not a boolean', { crossOrigin: 'no' }],
    ['another top origin', { topOrigin: 'https://evil.example' }],
    ['no user presence', { flags: [] }],
    ['a backup of a credential that cannot be backed up', { flags: ['up', 'bs'] }],
    ['an algorithm that was not offered', { coseAlgorithm: -257 }],
    ['a format that roaming keys do not have', { format: 'tpm' }],
    ['an unknown format', { format: 'nonsense' }],
    ['bytes after the attestation', { extraBytes: new Uint8Array([0]) }],
    ['an id that is too long', { id: Buffer.alloc(1024, 7).toString('base64url') }],
  ];

  it.each(REFUSED_REGISTRATIONS)('[FID-1] refuses %s', async (_, deviation) => {
    const key = createKey();
    expect(await registerKey(key, deviation)).toBeNull();
    expect(await registerKey(key)).not.toBeNull();
  });

  it('refuses a response whose id is not the id of the key', async () => {
    const challenge = randomToken();
    const answer = createKey().register(challenge);
    const otherId = randomToken();
    const response = parseRegistration({ ...answer, id: otherId, rawId: otherId });
    expect(response && (await verifyKeyRegistration(PARTY, challenge, response))).toBeNull();
  });

  it.each([
    ['garbage', Buffer.from('garbage').toString('base64url')],
    ['nested arrays', Buffer.alloc(40_000, 0x81).toString('base64url')],
    ['a map that never ends', Buffer.from([0xbf, 0x61]).toString('base64url')],
    ['a number', Buffer.from([0x01]).toString('base64url')],
    ['a string that claims gigabytes', Buffer.from([0x5b, 0, 0, 0, 1, 0, 0, 0, 0]).toString('base64url')],
  ])('[FID-1] refuses %s as an attestation object and does not throw', async (_, attestationObject) => {
    const challenge = randomToken();
    const answer = createKey().register(challenge);
    const response = parseRegistration({ ...answer, response: { ...answer.response, attestationObject } });
    expect(response && (await verifyKeyRegistration(PARTY, challenge, response))).toBeNull();
  });
});

describe('verifying an assertion', () => {
  const REFUSED_ASSERTIONS: [string, AssertionDeviation][] = [
    ['a signature with one wrong bit', { hasWrongSignature: true }],
    ["another key's signature", { signer: createKey() }],
    ['another origin', { origin: 'https://evil.example' }],
    ['the origin with a suffix', { origin: 'https://ok.example.evil' }],
    ['the origin over http', { origin: 'http://ok.example' }],
    ['another port', { origin: 'https://ok.example:8443' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: randomToken() }],
    ['the type of the other ceremony', { type: 'webauthn.create' }],
    ['a page in a frame of another origin', { crossOrigin: true }],
    ['a page in a frame with another top origin', { crossOrigin: true, topOrigin: 'https://evil.example' }],
    ['another top origin', { topOrigin: 'https://evil.example' }],
    ['no user presence', { flags: [] }],
    ['a backup of a credential that cannot be backed up', { flags: ['up', 'bs'] }],
    ['a credential that has become eligible for backup', { flags: ['up', 'be'] }],
  ];

  it.each(REFUSED_ASSERTIONS)('[MFV-4] refuses %s', async (_, deviation) => {
    const key = createKey();
    const record = await register(key);
    expect(await assertKey(key, record, deviation)).toBeNull();
    expect(await assertKey(key, record)).not.toBeNull();
  });

  it('[MFV-4] refuses a credential that is no longer eligible for backup', async () => {
    const key = createKey();
    const record = await register(key, { flags: ['up', 'be'] });
    expect(await assertKey(key, record)).toBeNull();
    expect(await assertKey(key, record, { flags: ['up', 'be', 'bs'] })).toBe(5);
  });
});
