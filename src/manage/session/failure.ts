/** One use case serves a call and a form: it throws what went wrong, and a form shows that again. */
import { CallFailed } from '../../gateway/http/calls.js';

/** @returns what a person can correct; null when the work is done. Throws everything else */
export async function failureOf(work: () => Promise<void>): Promise<CallFailed | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof CallFailed) return error;
    throw error;
  }
}
