/**
 * Verifies the responses of the two ceremonies (WebAuthn Level 3, sections 7.1 and 7.2) for every kind of credential. It stores
 * nothing and never throws.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Amr } from '../contract/authentication.js';
import { parseClientData } from './client-data.js';

/** Loaded for the first ceremony: they take 6 MB, and most processes see no key. */
export const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

interface Expected {
  /** Base64url. */
  challenge: string;
  rpId: string;
  /** Exactly as browsers send them. */
  origins: readonly string[];
  verifiesUser: boolean;
}

export interface ExpectedRegistration extends Expected {
  formats: readonly string[];
  algorithms: readonly number[];
  /** Only if a browser may make the credential without a question. */
  mayBeAbsent?: boolean;
}

export interface ExpectedAssertion extends Expected {
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
  /** It may be on more than one device. */
  backupEligible: boolean;
  backedUp: boolean;
  userVerified: boolean;
  transports: string[];
  aaguid: string;
}

export type AssertedCredential = Pick<RegisteredCredential, 'counter' | 'backupEligible' | 'backedUp' | 'userVerified'>;

/** @returns null if the response is invalid */
export async function verifiedRegistration(
  { challenge, rpId, origins, verifiesUser, formats, algorithms, mayBeAbsent = false }: ExpectedRegistration,
  response: RegistrationResponseJSON,
): Promise<RegisteredCredential | null> {
  if (parseClientData(response.response.clientDataJSON)?.isOwnFrame !== true) return null;
  try {
    if (!(await hasAttestation(response.response.attestationObject, formats))) return null;
    const { verifyRegistrationResponse } = await library();
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

/** @returns null if the response is invalid. Whoever asks compares the new counter with the stored one */
export async function verifiedAssertion(
  { challenge, rpId, origins, verifiesUser, credential }: ExpectedAssertion,
  response: AuthenticationResponseJSON,
): Promise<AssertedCredential | null> {
  if (parseClientData(response.response.clientDataJSON)?.isOwnFrame !== true) return null;
  try {
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: verifiesUser,
      // With 0 the library accepts every counter. A regression is detected later, after the signature is verified.
      credential: { id: credential.credentialId, publicKey: new Uint8Array(credential.publicKey), counter: 0 },
    });
    if (!verified) return null;
    const { credentialDeviceType, credentialBackedUp: backedUp, newCounter: counter, userVerified } = authenticationInfo;
    const backupEligible = credentialDeviceType === 'multiDevice';
    // Whether it may be backed up never changes (WebAuthn Level 3, section 6.1.3).
    return backupEligible === credential.backupEligible ? { counter, backupEligible, backedUp, userVerified } : null;
  } catch {
    return null;
  }
}

/** WebAuthn Level 3, section 4, "Credential ID". */
const LONGEST_CREDENTIAL_ID = 1023;

function isCredentialId(id: string): boolean {
  return toBytes(id).length <= LONGEST_CREDENTIAL_ID;
}

/** Exactly one CBOR map without trailing bytes, in one of these formats. @throws the decoder's errors */
async function hasAttestation(encoded: string, formats: readonly string[]): Promise<boolean> {
  const { isoCBOR } = await helpers();
  const bytes = toBytes(encoded);
  const decoded = isoCBOR.decodeFirst<unknown>(new Uint8Array(bytes));
  if (!(decoded instanceof Map)) return false;
  return formats.includes(String(decoded.get('fmt'))) && isoCBOR.encode(decoded as never).length === bytes.length;
}

/** @returns the COSE algorithm of a COSE key; null if it names none */
async function findAlgorithm(publicKey: Uint8Array<ArrayBuffer>): Promise<number | null> {
  const { cose, decodeCredentialPublicKey } = await helpers();
  const algorithm = decodeCredentialPublicKey(publicKey).get(cose.COSEKEYS.alg);
  return typeof algorithm === 'number' ? algorithm : null;
}

/**
 * RFC 8176, section 2, and OpenID Connect EAP ACR Values 1.0. Presence is always tested. A key that may be backed up is on no
 * single device. `pin`: WebAuthn does not say whether it was a PIN or a biometric.
 */
export function toMethods({ backupEligible, userVerified }: { backupEligible: boolean; userVerified: boolean }): readonly Amr[] {
  return [backupEligible ? 'swk' : 'hwk', 'pop', 'user', ...(userVerified ? (['pin'] as const) : [])];
}

export function toBytes(encoded: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(encoded, 'base64url'));
}
