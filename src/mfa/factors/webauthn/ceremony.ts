/**
 * The two ceremonies of WebAuthn for security keys (Level 3, sections 7.1 and 7.2): builds the options for the browser and
 * verifies its response.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Account } from '../../../accounts/account/account.js';
import type { Amr } from '../../../contract/authentication.js';
import { toBytes, loadLibrary, toMethods, verifyAssertion, verifyRegistration } from '../../../webauthn/verified-credential.js';
import type { NewSecurityKey, SecurityKey } from './security-keys.records.js';

/** ES256, ES384, ES512 (FID-1). They are always passed, because the library's default depends on the runtime. */
const ALGORITHMS = [-7, -35, -36];
const REGISTRATION_TIMEOUT_MS = 60_000;
const ASSERTION_TIMEOUT_MS = 30_000;
/** Attestation formats of roaming keys. Other formats have long certificate chains, for which Foyer has no policy. */
const FORMATS = ['none', 'packed', 'fido-u2f'];

export interface RelyingParty {
  id: string;
  name: string;
  /** The origin exactly as the browser sends it. */
  origin: string;
}

export interface RegisteredKey {
  key: Omit<NewSecurityKey, 'name'>;
  methods: readonly Amr[];
}

export interface RegistrationRequest {
  account: Account;
  challenge: string;
  keys: readonly SecurityKey[];
}

/** The options for a registration (FID-1, FID-3). */
export async function buildRegistrationOptions(
  party: RelyingParty,
  { account, challenge, keys }: RegistrationRequest,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: toUserId(account.id),
    userName: account.username,
    userDisplayName: account.displayName,
    challenge: toBytes(challenge),
    timeout: REGISTRATION_TIMEOUT_MS,
    attestationType: 'direct',
    excludeCredentials: keys.map(toDescriptor),
    authenticatorSelection: {
      authenticatorAttachment: 'cross-platform',
      residentKey: 'discouraged',
      userVerification: 'discouraged',
    },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** The options for an assertion (FID-2). */
export async function buildAssertionOptions(
  party: RelyingParty,
  challenge: string,
  { keys, verifiesUser = false }: { keys: readonly SecurityKey[]; verifiesUser?: boolean | undefined },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: keys.map(toDescriptor),
    challenge: toBytes(challenge),
    timeout: ASSERTION_TIMEOUT_MS,
    userVerification: verifiesUser ? 'required' : 'discouraged',
  });
}

/** @returns the key without a name; null if the response is invalid */
export async function verifyKeyRegistration(
  { id: rpId, origin }: RelyingParty,
  challenge: string,
  response: RegistrationResponseJSON,
): Promise<RegisteredKey | null> {
  const expectedValues = { challenge, rpId, origins: [origin], verifiesUser: false, formats: FORMATS, algorithms: ALGORITHMS };
  const registration = await verifyRegistration(expectedValues, response);
  if (!registration) return null;
  const { backedUp: _, aaguid: __, userVerified, ...key } = registration;
  return { key, methods: toMethods({ ...key, userVerified }) };
}

/** @returns null if the response is invalid. The new counter still has to be compared with the stored one */
export async function verifyKeyAssertion(
  { id: rpId, origin }: RelyingParty,
  { challenge, key }: { challenge: string; key: SecurityKey },
  response: AuthenticationResponseJSON,
): Promise<{ counter: number; methods: readonly Amr[] } | null> {
  const assertion = await verifyAssertion({ challenge, rpId, origins: [origin], verifiesUser: false, credential: key }, response);
  return assertion && { counter: assertion.counter, methods: toMethods(assertion) };
}

/**
 * The user handle: stable, and derived only from the id of the account, so it reveals nothing about the person (WebAuthn, section
 * 14.6.1).
 */
export function toUserHandle(accountId: string): string {
  return Buffer.from(toUserId(accountId)).toString('base64url');
}

function toUserId(accountId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(accountId.replaceAll('-', ''), 'hex'));
}

function toDescriptor({ credentialId, transports }: SecurityKey): { id: string; transports: string[] } {
  return { id: credentialId, transports };
}
