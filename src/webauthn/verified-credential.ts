/**
 * Verifies the responses of the two ceremonies (WebAuthn Level 3, sections 7.1 and 7.2) for every kind of credential. This
 * module stores nothing, and an invalid response does not make it throw.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Amr } from '../contract/authentication.js';
import { parseClientData } from './client-data.js';

/** Loads the library at the first ceremony, because it takes 6 MB of memory. */
export const loadLibrary = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

interface ExpectedValues {
  /** Base64url. */
  challenge: string;
  rpId: string;
  /** Origins exactly as browsers send them. */
  origins: readonly string[];
  verifiesUser: boolean;
}

export interface ExpectedRegistration extends ExpectedValues {
  formats: readonly string[];
  algorithms: readonly number[];
  /** The person need not be present, because the browser may create the credential without asking. */
  mayBeAbsent?: boolean;
}

export interface ExpectedAssertion extends ExpectedValues {
  credential: { credentialId: string; publicKey: Uint8Array; backupEligible: boolean };
}

export interface RegisteredCredential {
  /** Base64url. */
  credentialId: string;
  /** COSE key. */
  publicKey: Uint8Array<ArrayBuffer>;
  /** COSE algorithm. */
  algorithm: number;
  counter: number;
  /** The credential may be synced to other devices. */
  backupEligible: boolean;
  backedUp: boolean;
  userVerified: boolean;
  transports: string[];
  aaguid: string;
}

export type AssertedCredential = Pick<RegisteredCredential, 'counter' | 'backupEligible' | 'backedUp' | 'userVerified'>;

/** @returns null if the response is invalid */
export async function verifyRegistration(
  { challenge, rpId, origins, verifiesUser, formats, algorithms, mayBeAbsent = false }: ExpectedRegistration,
  response: RegistrationResponseJSON,
): Promise<RegisteredCredential | null> {
  if (parseClientData(response.response.clientDataJSON)?.isOwnFrame !== true) return null;
  try {
    if (!(await hasAttestation(response.response.attestationObject, formats))) return null;
    const { verifyRegistrationResponse } = await loadLibrary();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserPresence: !mayBeAbsent,
      requireUserVerification: verifiesUser,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!verified) return null;
    const { credential, credentialDeviceType, credentialBackedUp: backedUp, userVerified, aaguid } = registrationInfo;
    if (credential.id !== response.id || !isCredentialId(credential.id)) return null;
    const algorithm = await findAlgorithm(credential.publicKey);
    if (algorithm === null) return null;
    return {
      credentialId: credential.id,
      publicKey: credential.publicKey,
      algorithm,
      counter: credential.counter,
      backupEligible: credentialDeviceType === 'multiDevice',
      backedUp,
      userVerified,
      transports: response.response.transports ?? [],
      aaguid,
    };
  } catch {
    return null;
  }
}

/** @returns null if the response is invalid. The new counter still has to be compared with the stored one */
export async function verifyAssertion(
  { challenge, rpId, origins, verifiesUser, credential }: ExpectedAssertion,
  response: AuthenticationResponseJSON,
): Promise<AssertedCredential | null> {
  if (parseClientData(response.response.clientDataJSON)?.isOwnFrame !== true) return null;
  try {
    const { verifyAuthenticationResponse } = await loadLibrary();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: verifiesUser,
      // With 0, the library accepts every counter. The factor or the passkey sign-in detects a counter that does not increase.
      credential: { id: credential.credentialId, publicKey: new Uint8Array(credential.publicKey), counter: 0 },
    });
    if (!verified) return null;
    const { credentialDeviceType, credentialBackedUp: backedUp, newCounter: counter, userVerified } = authenticationInfo;
    const backupEligible = credentialDeviceType === 'multiDevice';
    // Whether a credential may be backed up never changes (WebAuthn Level 3, section 6.1.3).
    return backupEligible === credential.backupEligible ? { counter, backupEligible, backedUp, userVerified } : null;
  } catch {
    return null;
  }
}

/** In bytes (WebAuthn Level 3, section 4, "Credential ID"). */
const MAX_CREDENTIAL_ID_LENGTH = 1023;

function isCredentialId(id: string): boolean {
  return toBytes(id).length <= MAX_CREDENTIAL_ID_LENGTH;
}

/** Whether the attestation object is one CBOR map without trailing bytes, in one of the formats. @throws errors of the decoder */
async function hasAttestation(encodedText: string, formats: readonly string[]): Promise<boolean> {
  const { isoCBOR } = await loadHelpers();
  const bytes = toBytes(encodedText);
  const attestationObject = isoCBOR.decodeFirst<unknown>(new Uint8Array(bytes));
  if (!(attestationObject instanceof Map)) return false;
  return (
    formats.includes(String(attestationObject.get('fmt'))) && isoCBOR.encode(attestationObject as never).length === bytes.length
  );
}

/** @returns the COSE algorithm of a COSE key; null if the key names none */
async function findAlgorithm(publicKey: Uint8Array<ArrayBuffer>): Promise<number | null> {
  const { cose, decodeCredentialPublicKey } = await loadHelpers();
  const algorithm = decodeCredentialPublicKey(publicKey).get(cose.COSEKEYS.alg);
  return typeof algorithm === 'number' ? algorithm : null;
}

/**
 * The methods that a key proves (RFC 8176, section 2, and OpenID Connect EAP ACR Values 1.0). `swk`: the key may be backed up, so
 * it is not bound to one device. `user`: the ceremony tests user presence, except a registration with `mayBeAbsent`, whose methods
 * are not used as a proof. `pin`: WebAuthn does not reveal whether the user was verified by a PIN or a biometric check.
 */
export function toMethods({ backupEligible, userVerified }: { backupEligible: boolean; userVerified: boolean }): readonly Amr[] {
  return [backupEligible ? 'swk' : 'hwk', 'pop', 'user', ...(userVerified ? (['pin'] as const) : [])];
}

export function toBytes(encodedText: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(encodedText, 'base64url'));
}
