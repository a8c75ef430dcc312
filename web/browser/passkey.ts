/**
 * Signs in with a passkey (WebAuthn Level 3, section 5.1.4): by autofill of the username, and by a button. Loaded beside the
 * login page, which works without it. It also says whether a passkey can be made here. One request waits at a time: the
 * button ends that of the autofill, and an end without a passkey leaves the page as it is.
 */
import { FIELDS } from '../../src/contract/form-fields.js';
import type { LoginState, PasskeyRequest } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { passkeyCreation } from './passkeys/support.js';

type Passkey = NonNullable<LoginState['passkey']>;

/** Newer members, which not every browser has. */
interface Capable {
  isConditionalMediationAvailable?(): Promise<boolean>;
  signalUnknownCredential?(unknown: { rpId: string; credentialId: string }): Promise<void>;
}

/**
 * @param refused is called when a press was of no use
 * @returns what a press of the button does
 */
export function offerPasskey(button: HTMLButtonElement, { request, unknown }: Passkey, refused: () => void): () => void {
  const capable = 'PublicKeyCredential' in window ? (PublicKeyCredential as Capable) : null;
  if (!window.isSecureContext || !capable) {
    button.hidden = true;
    return () => undefined;
  }
  if (unknown !== undefined) {
    void capable.signalUnknownCredential?.({ rpId: request.rpId ?? '', credentialId: unknown }).catch(() => undefined);
  }
  void passkeyCreation().then((creation) => {
    if (creation && button.form) button.form.append(hiddenField(FIELDS.passkeyCreation, creation));
  });
  let waiting: AbortController | undefined;
  const ask = async (mediation: CredentialMediationRequirement): Promise<boolean> => {
    waiting?.abort();
    const own = (waiting = new AbortController());
    const credential = await requested(request, { mediation, signal: own.signal });
    if (credential && button.form) post(button.form, credential);
    return credential !== null || own !== waiting;
  };
  const autofill = async () => {
    if (await capable.isConditionalMediationAvailable?.()) await ask('conditional');
  };
  // Back to a page that the browser has kept: its request has ended.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void autofill();
  });
  void autofill();
  return () => {
    void ask('optional').then((isDone) => {
      if (isDone) return;
      refused();
      void autofill();
    });
  };
}

/** @returns null after an abort, a refusal or a time-out: browsers do not tell which */
async function requested(
  { challenge, rpId, timeout }: PasskeyRequest,
  how: Pick<CredentialRequestOptions, 'mediation' | 'signal'>,
): Promise<PublicKeyCredential | null> {
  const publicKey = { challenge: toBytes(challenge), rpId, timeout, userVerification: 'required' } as const;
  try {
    return (await navigator.credentials.get({ ...how, publicKey } as CredentialRequestOptions)) as PublicKeyCredential | null;
  } catch {
    return null;
  }
}

/** With what was entered except the password, for the case that the page is shown again. */
function post(form: HTMLFormElement, { id, response }: PublicKeyCredential): void {
  const { authenticatorData, clientDataJSON, signature, userHandle } = response as AuthenticatorAssertionResponse;
  const parts = { authenticatorData, clientDataJSON, signature, ...(userHandle ? { userHandle } : {}) };
  const texts = Object.entries(parts).map(([name, bytes]) => [name, textOf(bytes)]);
  const credential = { id, rawId: id, type: 'public-key', response: Object.fromEntries(texts) as object };
  const sent = document.createElement('form');
  sent.method = 'post';
  sent.action = PATHS.loginPasskey;
  const fields = new FormData(form);
  fields.delete(FIELDS.password);
  fields.set(FIELDS.passkey, JSON.stringify(credential));
  for (const [name, value] of fields) sent.append(hiddenField(name, value as string));
  document.body.append(sent);
  sent.submit();
}

function hiddenField(name: string, value: string): HTMLInputElement {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = name;
  field.value = value;
  return field;
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
