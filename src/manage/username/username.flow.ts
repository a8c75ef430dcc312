/** Changes the username, for the form and the RPC call (MAN-5, VAL-5, ERR-4). */
import { Injectable } from '@nestjs/common';
import {
  AccountFieldInvalid,
  UsernameElsewhere,
  TooManyHeldUsernames,
  UsernameTaken,
} from '../../accounts/account/account.errors.js';
import { ChangeUsername } from '../../accounts/changes/change-username.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { redirect, type Outcome, type PageOutcome } from '../../gateway/page/outcome.js';
import { ManagePages, toFailedOptions, toFailureState } from '../session/manage-pages.js';
import { ProvenChange } from '../session/proven-change.js';
import type { ManageRequest, ManageContext } from '../session/manage-session.js';
import { SealedText } from '../session/sealed-text.js';
import { ManageForms } from '../session/manage-forms.js';

@Injectable()
export class UsernameFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly provenChange: ProvenChange,
    private readonly usernames: ChangeUsername,
    private readonly limits: RequestLimits,
    private readonly sealedText: SealedText,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    // The username belongs to a source or provider, so the overview offers no change.
    if (await this.usernames.isElsewhere(manageContext.account.id)) return redirect(PATHS.manage);
    const newUsername = this.sealedText.find(manageContext);
    await this.forms.requireProof(manageContext, this.sealedText.addTo(PATHS.manageUsername, newUsername, manageContext));
    return this.#buildPage(manageContext, newUsername ?? manageContext.account.username, null);
  }

  async submit(newUsername: string, request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    const returnPath = this.sealedText.addTo(PATHS.manageUsername, newUsername, manageContext);
    const failure = await this.forms.submit(manageContext, () => this.change(newUsername, manageContext), returnPath);
    return failure
      ? this.#buildPage(manageContext, newUsername, failure)
      : redirect(`${PATHS.manage}?${MANAGE_QUERY.status}=username-success`);
  }

  /** @throws CallFailed, AccountDisabled */
  async change(newUsername: string, manageContext: ManageContext): Promise<void> {
    const { account, auditContext } = manageContext;
    try {
      await this.provenChange.run(manageContext, async (manageSession) => {
        const retryAfterSeconds = await this.limits.countOwn('username', account.id, auditContext);
        if (retryAfterSeconds !== null) throw new CallFailed('too many requests', { retryAfterSeconds });
        await this.usernames.change(account, newUsername, { ...auditContext, manageSession });
      });
    } catch (error) {
      if (error instanceof UsernameElsewhere) throw new CallFailed('username elsewhere');
      if (error instanceof UsernameTaken) throw new CallFailed('username not available');
      if (error instanceof TooManyHeldUsernames) {
        throw new CallFailed('too many requests', { retryAfterSeconds: error.retryAfterSeconds });
      }
      if (!(error instanceof AccountFieldInvalid)) throw error;
      if (error.code === 'reserved') throw new CallFailed('username not available');
      throw new CallFailed(error.code === 'missing' ? 'username is empty' : 'username is invalid');
    }
  }

  #buildPage(manageContext: ManageContext, username: string, failure: CallFailed | null): PageOutcome {
    const manage_username = {
      ...toFailureState(failure),
      username,
    };
    const content = { page: 'manage_username' as const, ...this.pages.buildFrame(manageContext), manage_username };
    return this.pages.buildPage(manageContext, content, toFailedOptions(failure));
  }
}
