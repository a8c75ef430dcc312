/**
 * Creates password reset links and factor reset tokens for contact persons to hand out, and mails links for a new or first
 * password. A factor reset token is never mailed (docs/security.md D3, decision 0034).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { HANDED_DAYS, HandedPasswords } from '../../accounts/operators/handed-passwords.js';
import { FactorResets } from '../../mfa/factor-resets.js';
import { PasswordResets } from '../../accounts/password/resets.js';
import type { OperatorMailKind } from '../../accounts/queue/mail-kinds.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import type { FactorResetAnswer, MailedLinkAnswer, PasswordResetAnswer } from '../wire.js';

/** The time after which another mail may be sent in every case. */
const MAIL_LIMIT_SECONDS = 3600;

@Injectable()
export class ResetLinks {
  constructor(
    private readonly passwordResets: PasswordResets,
    private readonly factorResets: FactorResets,
    private readonly handedPasswords: HandedPasswords,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'mail'>,
  ) {}

  /** @throws OperatorFault, PasswordElsewhere for faults that can be found before the link is created */
  async checkPasswordReset(account: Account): Promise<void> {
    requireActive(account);
    await this.passwordResets.requireLocalPassword(account);
  }

  async createPasswordReset(account: Account, auditContext: OperatorContext): Promise<PasswordResetAnswer> {
    requireActive(account);
    const { secret, expiresAt } = await this.passwordResets.issue(account, auditContext);
    return { url: this.#buildUrl(PATHS.passwordResetForm, secret), expires_at: expiresAt.toISOString() };
  }

  async createFactorReset(account: Account, auditContext: OperatorContext): Promise<FactorResetAnswer> {
    requireActive(account);
    const { secret: token, expiresAt } = await this.factorResets.issue(account, auditContext);
    return { token, url: this.#buildUrl(PATHS.mfaResetForm, token), expires_at: expiresAt.toISOString() };
  }

  /** Sends the link to the address of the account; the operator never sees it. */
  async mail(account: Account, kind: OperatorMailKind, auditContext: OperatorContext): Promise<MailedLinkAnswer> {
    requireActive(account);
    if (!this.config.mail.server) {
      throw new OperatorFault(409, 'no_mail', 'No mail can be sent, because no mail server is configured (SMTP_URL).');
    }
    const link = await this.passwordResets.issueByMail(account, kind, auditContext);
    switch (link.kind) {
      case 'queued':
        return { mailed_to: link.email, expires_at: link.expiresAt.toISOString() };
      case 'no-address':
        throw new OperatorFault(409, 'no_address', 'The account has no e-mail address.', { field: 'email' });
      case 'has-password':
        throw new OperatorFault(409, 'has_password', 'The account already has a password: send a reset link instead.');
      case 'limited':
        throw new OperatorFault(
          429,
          'limited',
          'Three such mails were sent within an hour: wait an hour before you send another one.',
          {
            headers: { 'Retry-After': String(MAIL_LIMIT_SECONDS) },
          },
        );
    }
  }

  /**
   * Guards the right `admin`: otherwise the operator who handed out a password could sign in as the new operator, and the second operator
   * would notice nothing.
   * @throws OperatorFault 409
   */
  async requireOwnPassword({ id }: Account): Promise<void> {
    if (!(await this.handedPasswords.isKnown(id))) return;
    const message = `An operator has set the password of this account, or handed out a link for a new one, within the last ${HANDED_DAYS} days, and may know it: grant the right later. Links that are mailed to the person do not count.`;
    throw new OperatorFault(409, 'password_handed_out', message);
  }

  #buildUrl(path: string, token: string): string {
    const url = new URL(path, this.config.publicUrl);
    url.searchParams.set(FIELDS.resetToken, token);
    return url.href;
  }
}

/** A link for a disabled account would not work. */
export function requireActive({ status }: Account): void {
  if (status !== 'active') throw new OperatorFault(409, 'account_disabled', 'The account is disabled: enable it first.');
}
