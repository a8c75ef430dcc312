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
    const current = await this.pages.loadContext(request);
    // If the password belongs to another system, the overview shows where to change it.
    const location = await this.passwords.findLocation(current.account.id);
    if (location !== null && location.at !== 'here') return redirect(PATHS.manage);
    await this.forms.run(current, () =>
      location ? this.proof.requireWithPassword(current) : this.proof.requireNotFrozen(current),
    );
    return this.#buildPage(current, null);
  }

  async submit(typedPasswords: TypedPasswords, request: ManageRequest): Promise<Outcome> {
    const current = await this.pages.loadContext(request);
    const failure = await this.forms.submit(current, () => this.changePassword.change(typedPasswords, current));
    return failure ? this.#buildPage(current, failure) : redirect(`${PATHS.manage}?${MANAGE_QUERY.status}=password-success`);
  }

  async #buildPage(current: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const { requireLower, requireUpper, requireDigit } = this.config.password;
    const { reasons } = failure?.hints ?? {};
    const manage_password: ManagePasswordState = {
      ...toFailureState(failure),
      password_set: await this.passwords.isSet(current.account.id),
      rules: {
        min_length: await this.changePassword.findMinLength(current.account.id),
        require_lower: requireLower,
        require_upper: requireUpper,
        require_digit: requireDigit,
      },
      ...defined({ reasons }),
    };
    const content = { page: 'manage_password' as const, ...this.pages.frame(current), manage_password };
    return this.pages.page(current, content, toFailedOptions(failure));
  }
}
