/** The page and the form for changing the password (MAN-5). */
import { Inject, Injectable } from '@nestjs/common';
import { PasswordProof } from '../../accounts/password/proof.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { ManagePasswordState } from '../../contract/manage-state.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import { redirect, type Outcome, type PageOutcome } from '../../gateway/page/outcome.js';
import { ManagePages, toFailedOptions, toFailureState } from '../session/manage-pages.js';
import { FreshProof } from '../session/fresh-proof.js';
import { ManageForms } from '../session/manage-forms.js';
import type { ManageRequest, ManageContext } from '../session/manage-session.js';
import { ChangeOwnPassword, type TypedPasswords } from './change-own-password.js';

@Injectable()
export class PasswordFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly changePassword: ChangeOwnPassword,
    private readonly passwords: PasswordProof,
    private readonly proof: FreshProof,
    @Inject(CONFIG) private readonly config: Pick<Config, 'password'>,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    // If the password belongs to another system, the overview shows where to change it.
    const location = await this.passwords.findLocation(manageContext.account.id);
    if (location !== null && location.at !== 'here') return redirect(PATHS.manage);
    await this.forms.run(manageContext, () =>
      location ? this.proof.requireWithPassword(manageContext) : this.proof.requireNotFrozen(manageContext),
    );
    return this.#buildPage(manageContext, null);
  }

  async submit(typedPasswords: TypedPasswords, request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    const failure = await this.forms.submit(manageContext, () => this.changePassword.change(typedPasswords, manageContext));
    return failure
      ? this.#buildPage(manageContext, failure)
      : redirect(`${PATHS.manage}?${MANAGE_QUERY.status}=password-success`);
  }

  async #buildPage(manageContext: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const { requireLower, requireUpper, requireDigit } = this.config.password;
    const { reasons } = failure?.hints ?? {};
    const manage_password: ManagePasswordState = {
      ...toFailureState(failure),
      password_set: await this.passwords.isSet(manageContext.account.id),
      rules: {
        min_length: await this.changePassword.findMinLength(manageContext.account.id),
        require_lower: requireLower,
        require_upper: requireUpper,
        require_digit: requireDigit,
      },
      ...defined({ reasons }),
    };
    const content = { page: 'manage_password' as const, ...this.pages.buildFrame(manageContext), manage_password };
    return this.pages.buildPage(manageContext, content, toFailedOptions(failure));
  }
}
