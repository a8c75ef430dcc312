/**
 * Turns errors of use cases into pages: if a required fresh proof or sign-in is missing, the page "Confirm that it is you" is
 * shown; frozen credentials lead to the overview.
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
  async run<T>(manageContext: ManageContext, work: () => Promise<T>, returnPath?: string): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProofRequired) throw new ThrownOutcome(await this.#buildConfirmPage(manageContext, error, returnPath));
      const isFrozen = error instanceof CredentialsFrozen || (error instanceof CallFailed && error.code === 'credentials frozen');
      throw isFrozen ? new ThrownOutcome(redirect(PATHS.manage)) : error;
    }
  }

  /** @returns the error that the person can correct; null on success @throws ThrownOutcome */
  submit(manageContext: ManageContext, work: () => Promise<void>, returnPath?: string): Promise<CallFailed | null> {
    return catchFailure(() => this.run(manageContext, work, returnPath));
  }

  /** Requires a fresh proof, for a page whose form needs one. */
  requireProof(manageContext: ManageContext, returnPath?: string): Promise<void> {
    return this.run(manageContext, () => this.proof.require(manageContext), returnPath);
  }

  /** Requires a sign-in, for a page that must not be shown with an access token alone. @param returnPath address after the proof */
  requireSignIn(manageContext: ManageContext, returnPath: string): Promise<void> {
    return this.run(manageContext, () => this.proof.requireSignIn(manageContext), returnPath);
  }

  async #buildConfirmPage(
    manageContext: ManageContext,
    { proofMethods }: ProofRequired,
    returnPath: string | undefined,
  ): Promise<PageOutcome> {
    const { context } = manageContext;
    const path = toNextPath(returnPath ?? context.path);
    const selfUrl = `${PATHS.manageConfirm}?${FIELDS.next}=${encodeURIComponent(path)}`;
    return buildConfirmPage(this.pages, manageContext, {
      ...proofMethods,
      ...(await this.proof.chooseMethod(manageContext, proofMethods, toSearch(manageContext).get(MANAGE_QUERY.method))),
      next: path,
      options: context.xsrf === null ? {} : { status: 403, self: selfUrl },
    });
  }
}
