/** One use case serves a call and a form: it throws what went wrong, and a form shows that again. */
import { CredentialsFrozen } from '../../accounts/account/credential-freeze.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { ThrownOutcome, redirect } from '../../gateway/page/outcome.js';

/** @returns what a person can mend; null when the work is done. Throws a detour to the overview where a freeze came first */
export async function failureOf(work: () => Promise<void>): Promise<CallFailed | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof CallFailed) return error;
    if (error instanceof CredentialsFrozen) throw new ThrownOutcome(redirect(PATHS.manage));
    throw error;
  }
}
