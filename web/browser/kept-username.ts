/**
 * Stores a typed username for the next page of this tab that has a username field, because links, such as those that change the language
 * or lead to the password request, do not send form fields. The address does not contain the username, because addresses are logged and
 * stay in the history.
 */
import { FIELDS } from '../../src/contract/form-fields.js';

const KEY = 'foyer.username';
/** The username that the server had filled in. */
const FILLED_KEY = 'foyer.username-filled';

export function keepUsername(): void {
  const field = document.querySelector<HTMLInputElement>(`input[name=${FIELDS.username}]`);
  if (!field?.value) return;
  tryAccess(() => {
    sessionStorage.setItem(KEY, field.value);
    sessionStorage.setItem(FILLED_KEY, field.defaultValue);
  });
}

/** The ref callback of the field: fills in the stored username once, unless the server has filled in another one since. */
export function fillInKeptUsername(field: HTMLInputElement | null): void {
  if (!field) return;
  const [username, filledUsername] = [KEY, FILLED_KEY].map((key) => tryAccess(() => sessionStorage.getItem(key)));
  tryAccess(() => sessionStorage.removeItem(KEY));
  tryAccess(() => sessionStorage.removeItem(FILLED_KEY));
  const isReplaced = field.defaultValue !== '' && field.defaultValue !== filledUsername;
  if (username && !isReplaced) field.value = username;
}

/** @returns null if the browser has disabled storage, which makes the access throw */
function tryAccess<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}
