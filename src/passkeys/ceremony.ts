/**
 * The two ceremonies of passkeys (WebAuthn Level 3, sections 7.1 and 7.2): creates the options for the browser and verifies its
 * response. The authenticator has to verify its user both times. It stores nothing and never throws.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Config } from '../config/config.js';
import type { Amr } from '../contract/authentication.js';
import { toBytes, library, toMethods, verifiedAssertion, verifiedRegistration } from '../webauthn/verified-credential.js';
import type { NewPasskey, Passkey } from './passkeys.js';

/** Ed25519, ES256, RS256: what authenticators of people have. Always given, because the library's default depends on the runtime. */
const ALGORITHMS = [-8, -7, -257];
const REGISTRATION_TIMEOUT_MS = 300_000;
const ASSERTION_TIMEOUT_MS = 300_000;
/** None is asked for; an authenticator may sign with the new key itself. */
const FORMATS = ['none', 'packed'];

export interface PasskeyParty {
  id: string;
  name: string;
  /** Origins exactly as browsers send them: this one, and related ones (WebAuthn Level 3, section 5.11). */
  origins: readonly string[];
}

export interface RegistrationWish {
  account: { username: string; displayName: string };
  /** Base64url, both. */
  handle: string;
  challenge: string;
  passkeys: readonly Passkey[];
  /** The browser may make it without a question (`mediation: 'conditional'`, section 5.1.3): then nobody was asked for a touch. */
  unasked?: boolean;
}

export interface Registered {
  passkey: Omit<NewPasskey, 'name'>;
  methods: readonly Amr[];
}

export interface Asserted {
  counter: number;
  backedUp: boolean;
  methods: readonly Amr[];
}

export function toParty({ publicUrl, app, passkeys }: Pick<Config, 'publicUrl' | 'app' | 'passkeys'>): PasskeyParty {
  return { id: passkeys.rpId, name: app.name, origins: [new URL(publicUrl).origin, ...passkeys.origins] };
}

export async function creationOptions(
  party: PasskeyParty,
  { account, handle, challenge, passkeys, unasked = false }: RegistrationWish,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: toBytes(handle),
    userName: account.username,
    userDisplayName: account.displayName,
    challenge: toBytes(challenge),
    timeout: REGISTRATION_TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: passkeys.map(named),
    authenticatorSelection: { residentKey: 'required', userVerification: unasked ? 'preferred' : 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** @param passkeys of a known account; for a sign-in none, so that the browser shows what it has and nothing says who has any */
export function requestOptions(
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
          allowCredentials: passkeys.map((one) => ({
            ...named(one),
            type: 'public-key' as const,
            transports: one.transports as 'usb'[],
          })),
        }
      : {}),
  };
}

/** @returns the passkey without a name; null if the response is invalid */
export async function registeredPasskey(
  { id: rpId, origins }: PasskeyParty,
  { challenge, unasked = false }: Pick<RegistrationWish, 'challenge' | 'unasked'>,
  response: RegistrationResponseJSON,
): Promise<Registered | null> {
  const expected = { challenge, rpId, origins, formats: FORMATS, algorithms: ALGORITHMS };
  const passkey = await verifiedRegistration({ ...expected, verifiesUser: !unasked, mayBeAbsent: unasked }, response);
  return passkey && { passkey, methods: provenMethods(passkey) };
}

/** @returns null if the response is invalid. Whoever asks compares the new counter with the stored one */
export async function assertedPasskey(
  { id: rpId, origins }: PasskeyParty,
  { challenge, passkey }: { challenge: string; passkey: Pick<Passkey, 'credentialId' | 'publicKey' | 'backupEligible'> },
  response: AuthenticationResponseJSON,
): Promise<Asserted | null> {
  const asserted = await verifiedAssertion({ challenge, rpId, origins, verifiesUser: true, credential: passkey }, response);
  return asserted && { counter: asserted.counter, backedUp: asserted.backedUp, methods: provenMethods(asserted) };
}

/** The authenticator and what its user knows or is. */
function provenMethods(of: Parameters<typeof toMethods>[0]): readonly Amr[] {
  return [...toMethods(of), 'mfa'];
}

/** The passkey may have been copied (WebAuthn Level 3, section 6.1.1). */
export function isCopied(counter: number, kept: number): boolean {
  return counter <= kept && (counter > 0 || kept > 0);
}

function named({ credentialId, transports }: Pick<Passkey, 'credentialId' | 'transports'>): { id: string; transports: string[] } {
  return { id: credentialId, transports };
}
