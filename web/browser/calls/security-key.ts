/**
 * Uses a security key through the browser (Web Authentication, level 3). The library is loaded on the first use. Browsers
 * report few kinds of errors; they are named here.
 */

/** `not-allowed` is a timeout, a refusal, or no matching key: browsers do not tell which. */
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

/**
 * @param publicKey `PublicKeyCredentialCreationOptionsJSON`, as the server made it (FID-1)
 * @param unasked the password manager that has just filled the password in may do it without a question (`mediation: 'conditional'`)
 */
export function createCredential(publicKey: object, { unasked = false } = {}): Promise<KeyAnswer> {
  const optionsJSON = publicKey as CreationOptions;
  return ask(({ startRegistration }) => startRegistration({ optionsJSON, useAutoRegister: unasked }));
}

/** @param publicKey `PublicKeyCredentialRequestOptionsJSON`, as the server made it (FID-2) */
export function getAssertion(publicKey: object): Promise<KeyAnswer> {
  return ask(({ startAuthentication }) => startAuthentication({ optionsJSON: publicKey as RequestOptions }));
}

async function ask(ceremony: (library: Library) => Promise<object>): Promise<KeyAnswer> {
  // On plain http to another host the browser hides the whole interface.
  if (!window.isSecureContext) return { kind: 'failed', code: 'security' };
  if (!('PublicKeyCredential' in window)) return { kind: 'failed', code: 'not-supported' };
  try {
    return { kind: 'answered', credential: await ceremony(await import('@simplewebauthn/browser')) };
  } catch (error) {
    return { kind: 'failed', code: FAULTS[error instanceof Error ? error.name : ''] ?? 'key-failed' };
  }
}
