/**
 * Uses a security key or a passkey through the browser (Web Authentication, level 3). The library is loaded on the first use. Browsers
 * report only a few kinds of errors; `KeyFault` names them.
 */

/** `not-allowed` is a timeout, a refusal by the person, or a missing key. Browsers do not report which. */
export type KeyFault = 'not-allowed' | 'invalid-state' | 'security' | 'aborted' | 'not-supported' | 'key-failed';

export type KeyAnswer = { kind: 'answered'; credential: object } | { kind: 'failed'; code: KeyFault };

type Library = typeof import('@simplewebauthn/browser');
type CreationOptions = Parameters<Library['startRegistration']>[0]['optionsJSON'];
type RequestOptions = Parameters<Library['startAuthentication']>[0]['optionsJSON'];

const FAULTS: Readonly<Record<string, KeyFault>> = {
  NotAllowedError: 'not-allowed',
  TimeoutError: 'not-allowed',
  InvalidStateError: 'invalid-state',
  SecurityError: 'security',
  AbortError: 'aborted',
  NotSupportedError: 'not-supported',
  ConstraintError: 'not-supported',
};

/** Whether the browser has WebAuthn on this page: over plain http, except on localhost, browsers do not offer it. */
export function canCreateCredential(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window;
}

/**
 * @param publicKey the `PublicKeyCredentialCreationOptionsJSON` of the server (FID-1)
 * @param unasked allows the password manager that has just filled in the password to create the credential without asking the person
 *   (`mediation: 'conditional'`)
 */
export function createCredential(publicKey: object, { unasked = false } = {}): Promise<KeyAnswer> {
  const optionsJSON = publicKey as CreationOptions;
  return ask(({ startRegistration }) => startRegistration({ optionsJSON, useAutoRegister: unasked }));
}

/** @param publicKey the `PublicKeyCredentialRequestOptionsJSON` of the server (FID-2) */
export function getAssertion(publicKey: object): Promise<KeyAnswer> {
  return ask(({ startAuthentication }) => startAuthentication({ optionsJSON: publicKey as RequestOptions }));
}

async function ask(ceremony: (library: Library) => Promise<object>): Promise<KeyAnswer> {
  if (!window.isSecureContext) return { kind: 'failed', code: 'security' };
  if (!('PublicKeyCredential' in window)) return { kind: 'failed', code: 'not-supported' };
  try {
    return { kind: 'answered', credential: await ceremony(await import('@simplewebauthn/browser')) };
  } catch (error) {
    return { kind: 'failed', code: FAULTS[error instanceof Error ? error.name : ''] ?? 'key-failed' };
  }
}
