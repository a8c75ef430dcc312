/**
 * Does the work that is required before a code is mailed, and sends the form. Loaded at the first press of the button. The key derivation
 * runs outside the main thread. A browser without `crypto.subtle` (over plain http, except on localhost) cannot do the work, and waits
 * as long as a person without script.
 */
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { WorkState } from '../../src/contract/registration-state.js';

/** @param field name of the field for the solution */
export async function sendWithWork(form: HTMLFormElement, field: string, { challenge, wait }: WorkState): Promise<void> {
  const solution = await findSolution(challenge as Challenge);
  if (solution === null) await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  const input = form.elements.namedItem(field);
  if (input instanceof HTMLInputElement) input.value = solution ?? '';
  // Fires no submit event, so the work is not done again.
  form.submit();
}

/** @returns null if this browser cannot find a solution */
async function findSolution(challenge: Challenge): Promise<string | null> {
  if (!window.isSecureContext) return null;
  try {
    const solution = await solveChallenge({ challenge, deriveKey });
    return solution && JSON.stringify({ counter: solution.counter, derivedKey: solution.derivedKey });
  } catch {
    return null;
  }
}
