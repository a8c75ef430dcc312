/** The parts of a registration that the library does not look at. */
import { bytesOf } from './base64url.js';
import { helpers } from './webauthn-library.js';

/** WebAuthn Level 3, section 4, "Credential ID". */
const LONGEST_CREDENTIAL_ID = 1023;

export function isCredentialId(id: string): boolean {
  return bytesOf(id).length <= LONGEST_CREDENTIAL_ID;
}

/** Exactly one CBOR map without trailing bytes, in one of these formats. @throws the decoder's errors */
export async function hasAttestation(encoded: string, formats: readonly string[]): Promise<boolean> {
  const { isoCBOR } = await helpers();
  const bytes = bytesOf(encoded);
  const decoded = isoCBOR.decodeFirst<unknown>(new Uint8Array(bytes));
  if (!(decoded instanceof Map)) return false;
  return formats.includes(String(decoded.get('fmt'))) && isoCBOR.encode(decoded as never).length === bytes.length;
}

/** @returns the COSE algorithm of a COSE key; null if it names none */
export async function algorithmOf(publicKey: Uint8Array<ArrayBuffer>): Promise<number | null> {
  const { cose, decodeCredentialPublicKey } = await helpers();
  const algorithm = decodeCredentialPublicKey(publicKey).get(cose.COSEKEYS.alg);
  return typeof algorithm === 'number' ? algorithm : null;
}
