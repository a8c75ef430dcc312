/**
 * A link sends no form fields. A username that was typed is kept for the next page of this tab that asks for one: after a
 * change of the language, and on the way to a new password. Not in the address, which is logged and stays in the history.
 */
import { FIELDS } from '../../src/contract/form-fields.js';

const KEY = 'foyer.username';

export function keepUsername(): void {
  const field = document.querySelector<HTMLInputElement>(`input[name=${FIELDS.username}]`);
  if (field?.value) quietly(() => sessionStorage.setItem(KEY, field.value));
}

/** For the ref of the field: fills it in, once. */
export function fillInKept(field: HTMLInputElement | null): void {
  if (!field) return;
  const kept = quietly(() => sessionStorage.getItem(KEY));
  quietly(() => sessionStorage.removeItem(KEY));
  if (kept) field.value = kept;
}

/** Access to storage throws if it is disabled in the browser. */
function quietly<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}
