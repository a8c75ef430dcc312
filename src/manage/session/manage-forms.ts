/**
 * Turns errors of use cases into pages: if a required fresh proof or sign-in is missing, the page "Confirm that it is you" is shown;
 * frozen credentials lead to the overview.
 */
import { Injectable } from '@nestjs/common';
import { CredentialsFrozen } from '../../accounts/account/credential-freeze.js';
import { FIELDS, MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { ThrownOutcome, redirect, type PageOutcome } from '../../gateway/page/outcome.js';
import { buildConfirmPage, toNextPath } from './confirm.page.js';
import { catchFailure } from './failure.js';
import { FreshProof, ProofRequired } from './fresh-proof.js';
import { ManagePages, toSearch } from './manage-pages.js';
import type { ManageContext } from './manage-session.js';

@Injectable()
export class ManageForms {
  constructor(
    private readonly pages: ManagePages,
    private readonly proof: FreshProof,
  ) {}

  /** @param returnPath address after the proof; by default the address of the form @throws CallFailed, ThrownOutcome */
  async run<T>(current: ManageContext, work: () => Promise<T>, returnPath?: string): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProofRequired) throw new ThrownOutcome(await this.#buildConfirmPage(current, error, returnPath));
      const isFrozen = error instanceof CredentialsFrozen || (error instanceof CallFailed && error.code === 'credentials frozen');
      throw isFrozen ? new ThrownOutcome(redirect(PATHS.manage)) : error;
    }
  }

  /** @returns the error that the person can correct; null on success @throws ThrownOutcome */
  submit(current: ManageContext, work: () => Promise<void>, returnPath?: string): Promise<CallFailed | null> {
    return catchFailure(() => this.run(current, work, returnPath));
  }

  /** Requires a fresh proof, for a page whose form needs one. */
  requireProof(current: ManageContext, returnPath?: string): Promise<void> {
    return this.run(current, () => this.proof.require(current), returnPath);
  }

  /** Requires a sign-in, for a page that must not be shown with an access token alone. @param returnPath address after the proof */
  requireSignIn(current: ManageContext, returnPath: string): Promise<void> {
    return this.run(current, () => this.proof.requireSignIn(current), returnPath);
  }

  async #buildConfirmPage(
    current: ManageContext,
    { proofMethods }: ProofRequired,
    returnPath: string | undefined,
  ): Promise<PageOutcome> {
    const { context } = current;
    const path = toNextPath(returnPath ?? context.path);
    const selfUrl = `${PATHS.manageConfirm}?${FIELDS.next}=${encodeURIComponent(path)}`;
    return buildConfirmPage(this.pages, current, {
      ...proofMethods,
      ...(await this.proof.chooseMethod(current, proofMethods, toSearch(current).get(MANAGE_QUERY.method))),
      next: path,
      options: context.form === null ? {} : { status: 403, self: selfUrl },
    });
  }
}
