/**
 * Signs in with a passkey (WebAuthn Level 3, section 5.1.4): by autofill of the username field, and by a button. The login page works
 * without this file and loads it later. The form also reports to the server whether this browser can create a passkey. Only one
 * request is pending at a time: the button aborts the request of the autofill. If the request of the autofill ends without a passkey,
 * the page does not change.
 */
import { FIELDS } from '../../src/contract/form-fields.js';
import type { LoginState, PasskeyRequest } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { findPasskeyCreation } from './passkeys/support.js';

type Passkey = NonNullable<LoginState['passkey']>;

/** Members that older browsers lack. */
interface PasskeyApi {
  isConditionalMediationAvailable?(): Promise<boolean>;
  signalUnknownCredential?(credential: { rpId: string; credentialId: string }): Promise<void>;
}

/**
 * @param onRefused called if the last press of the button did not produce a passkey
 * @returns the handler of a press of the button
 */
export function offerPasskey(button: HTMLButtonElement, { request, unknown }: Passkey, onRefused: () => void): () => void {
  const api = 'PublicKeyCredential' in window ? (PublicKeyCredential as PasskeyApi) : null;
  if (!window.isSecureContext || !api) {
    button.hidden = true;
    return () => undefined;
  }
  if (unknown !== undefined) {
    void api.signalUnknownCredential?.({ rpId: request.rpId ?? '', credentialId: unknown }).catch(() => undefined);
  }
  void findPasskeyCreation().then((creation) => {
    if (creation && button.form) button.form.append(createHiddenField(FIELDS.passkeyCreation, creation));
  });
  let pendingRequest: AbortController | undefined;
  const ask = async (mediation: CredentialMediationRequirement): Promise<boolean> => {
    pendingRequest?.abort();
    const ownRequest = (pendingRequest = new AbortController());
    const credential = await requestCredential(request, { mediation, signal: ownRequest.signal });
    if (credential && button.form) post(button.form, credential);
    return credential !== null || ownRequest !== pendingRequest;
  };
  const autofill = async () => {
    const lastRequest = pendingRequest;
    const isAvailable = await api.isConditionalMediationAvailable?.();
    // A request that the button has started meanwhile must not be aborted.
    if (isAvailable && pendingRequest === lastRequest) await ask('conditional');
  };
  // When the browser restores this page from its cache, the request of the autofill has ended.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void autofill();
  });
  void autofill();
  return () => {
    void ask('optional').then((isDone) => {
      if (isDone) return;
      onRefused();
      void autofill();
    });
  };
}

/** @returns null after any failure, such as an abort, a refusal or a timeout; browsers report the last two as the same error */
async function requestCredential(
  { challenge, rpId, timeout }: PasskeyRequest,
  options: Pick<CredentialRequestOptions, 'mediation' | 'signal'>,
): Promise<PublicKeyCredential | null> {
  const publicKey = { challenge: toBytes(challenge), rpId, timeout, userVerification: 'required' } as const;
  try {
    return (await navigator.credentials.get({ ...options, publicKey } as CredentialRequestOptions)) as PublicKeyCredential | null;
  } catch {
    return null;
  }
}

/** Posts the assertion with all fields of the form, because the page may be shown again. Only the password is left out. */
function post(form: HTMLFormElement, { id, response }: PublicKeyCredential): void {
  const { authenticatorData, clientDataJSON, signature, userHandle } = response as AuthenticatorAssertionResponse;
  const parts = { authenticatorData, clientDataJSON, signature, ...(userHandle ? { userHandle } : {}) };
  const texts = Object.entries(parts).map(([name, bytes]) => [name, toBase64Url(bytes)]);
  const credential = { id, rawId: id, type: 'public-key', response: Object.fromEntries(texts) as object };
  const postForm = document.createElement('form');
  postForm.method = 'post';
  postForm.action = PATHS.loginPasskey;
  const fields = new FormData(form);
  fields.delete(FIELDS.password);
  fields.set(FIELDS.passkey, JSON.stringify(credential));
  for (const [name, value] of fields) postForm.append(createHiddenField(name, value as string));
  document.body.append(postForm);
  postForm.submit();
}

function createHiddenField(name: string, value: string): HTMLInputElement {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = name;
  field.value = value;
  return field;
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}

function toBase64Url(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
