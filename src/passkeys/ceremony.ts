/**
 * The two ceremonies of passkeys (WebAuthn Level 3, sections 7.1 and 7.2): builds the options for the browser and verifies its
 * response. The authenticator has to verify its user in both, except when the browser may create a passkey without asking the
 * person.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Config } from '../config/config.js';
import type { Amr } from '../contract/authentication.js';
import { loadLibrary, toBytes, toMethods, verifyAssertion, verifyRegistration } from '../webauthn/verified-credential.js';
import type { NewPasskey, Passkey } from './passkeys.js';

/**
 * Ed25519, ES256, RS256: the algorithms of common authenticators. They are always passed, because the default of the library
 * depends on the runtime.
 */
const ALGORITHMS = [-8, -7, -257];
const REGISTRATION_TIMEOUT_MS = 300_000;
const ASSERTION_TIMEOUT_MS = 300_000;
/** Attestation formats. No attestation is requested, but an authenticator may sign with the new key itself (`packed`). */
const FORMATS = ['none', 'packed'];

export interface PasskeyParty {
  id: string;
  name: string;
  /** Origins exactly as browsers send them: Foyer's own, and related ones (WebAuthn Level 3, section 5.11). */
  origins: readonly string[];
}

export interface RegistrationRequest {
  account: { username: string; displayName: string };
  /** User handle and challenge are base64url. */
  handle: string;
  challenge: string;
  passkeys: readonly Passkey[];
  /**
   * The browser may create the passkey without asking the person (`mediation: 'conditional'`, section 5.1.3), who need not be
   * present.
   */
  unasked?: boolean;
}

export interface RegisteredPasskey {
  passkey: Omit<NewPasskey, 'name'>;
  /** The methods that the registration proves. Not to be used as a proof if the request was `unasked`. */
  methods: readonly Amr[];
}

export interface AssertedPasskey {
  counter: number;
  backedUp: boolean;
  methods: readonly Amr[];
}

export function toParty({ publicUrl, app, passkeys }: Pick<Config, 'publicUrl' | 'app' | 'passkeys'>): PasskeyParty {
  return { id: passkeys.rpId, name: app.name, origins: [new URL(publicUrl).origin, ...passkeys.origins] };
}

export async function buildCreationOptions(
  party: PasskeyParty,
  { account, handle, challenge, passkeys, unasked = false }: RegistrationRequest,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: toBytes(handle),
    userName: account.username,
    userDisplayName: account.displayName,
    challenge: toBytes(challenge),
    timeout: REGISTRATION_TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: passkeys.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: unasked ? 'preferred' : 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * @param passkeys the passkeys of a known account. Empty at a sign-in: the browser offers the passkeys that it has, and the options
 * do not reveal who has a passkey
 */
export function buildRequestOptions(
  party: PasskeyParty,
  challenge: string,
  passkeys: readonly Passkey[] = [],
): PublicKeyCredentialRequestOptionsJSON {
  return {
    challenge,
    rpId: party.id,
    timeout: ASSERTION_TIMEOUT_MS,
    userVerification: 'required',
    ...(passkeys.length > 0
      ? {
          allowCredentials: passkeys.map((passkey) => ({
            ...toDescriptor(passkey),
            type: 'public-key' as const,
            transports: passkey.transports as 'usb'[],
          })),
        }
      : {}),
  };
}

/** @returns the passkey without a name; null if the response is invalid */
export async function verifyPasskeyRegistration(
  { id: rpId, origins }: PasskeyParty,
  { challenge, unasked = false }: Pick<RegistrationRequest, 'challenge' | 'unasked'>,
  response: RegistrationResponseJSON,
): Promise<RegisteredPasskey | null> {
  const expectedValues = { challenge, rpId, origins, formats: FORMATS, algorithms: ALGORITHMS };
  const passkey = await verifyRegistration({ ...expectedValues, verifiesUser: !unasked, mayBeAbsent: unasked }, response);
  return passkey && { passkey, methods: toPasskeyMethods(passkey) };
}

/** @returns null if the response is invalid. The new counter still has to be compared with the stored one */
export async function verifyPasskeyAssertion(
  { id: rpId, origins }: PasskeyParty,
  { challenge, passkey }: { challenge: string; passkey: Pick<Passkey, 'credentialId' | 'publicKey' | 'backupEligible'> },
  response: AuthenticationResponseJSON,
): Promise<AssertedPasskey | null> {
  const assertion = await verifyAssertion({ challenge, rpId, origins, verifiesUser: true, credential: passkey }, response);
  return assertion && { counter: assertion.counter, backedUp: assertion.backedUp, methods: toPasskeyMethods(assertion) };
}

/** A passkey proves two factors (`mfa`): the authenticator, and the knowledge or biometric of its user. */
function toPasskeyMethods(credential: Parameters<typeof toMethods>[0]): readonly Amr[] {
  return [...toMethods(credential), 'mfa'];
}

/** Whether the passkey may have been copied, because its counter does not increase (WebAuthn Level 3, section 6.1.1). */
export function isCopied(counter: number, storedCounter: number): boolean {
  return counter <= storedCounter && (counter > 0 || storedCounter > 0);
}

function toDescriptor({ credentialId, transports }: Pick<Passkey, 'credentialId' | 'transports'>): {
  id: string;
  transports: string[];
} {
  return { id: credentialId, transports };
}
