/** Links and tokens that a contact person hands out: a password reset link, a factor reset token. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { FactorResets } from '../../mfa/factor-resets.js';
import { PasswordResets } from '../../accounts/password/resets.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import type { FactorResetAnswer, PasswordResetAnswer } from '../wire.js';

@Injectable()
export class ResetLinks {
  constructor(
    private readonly passwordResets: PasswordResets,
    private readonly factorResets: FactorResets,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async toPassword(account: Account, by: OperatorContext): Promise<PasswordResetAnswer> {
    requireActive(account);
    const { secret, expiresAt } = await this.passwordResets.issue(account, by);
    return { url: this.#url(PATHS.passwordResetForm, secret), expires_at: expiresAt.toISOString() };
  }

  async toNoFactors(account: Account, by: OperatorContext): Promise<FactorResetAnswer> {
    requireActive(account);
    const { secret: token, expiresAt } = await this.factorResets.issue(account, by);
    return { token, url: this.#url(PATHS.mfaResetForm, token), expires_at: expiresAt.toISOString() };
  }

  #url(path: string, token: string): string {
    const url = new URL(path, this.config.publicUrl);
    url.searchParams.set(FIELDS.resetToken, token);
    return url.href;
  }
}

/** A link for a disabled account would not work. */
function requireActive({ status }: Account): void {
  if (status !== 'active') throw new OperatorFault(409, 'account_disabled', 'The account is disabled: enable it first.');
}
