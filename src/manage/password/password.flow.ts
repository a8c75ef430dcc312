/** Changing the password: one rule for the form and the call (MAN-5, MAN-13, VAL-1, ERR-3). */
import { Inject, Injectable } from '@nestjs/common';
import { ChangePassword } from '../../accounts/password/change-password.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ManagePasswordState } from '../../contract/manage-state.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome, PageOutcome } from '../../gateway/page/outcome.js';
import { Revocations } from '../../hydra/revocations.js';
import { ManagePages, failedOptions } from '../session/manage-pages.js';
import { failureOf } from '../session/failure.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { ManageRequest, ManageContext } from '../session/manage-session.js';

export interface TypedPasswords {
  password: string;
  newPassword: string;
  newPasswordRepeat: string;
}

const BUSY_SECONDS = 2;

@Injectable()
export class PasswordFlow {
  constructor(
    private readonly edge: ManagePages,
    private readonly passwords: ChangePassword,
    private readonly known: PasswordProof,
    private readonly proof: FreshProof,
    private readonly upstream: Revocations,
    @Inject(CONFIG) private readonly config: Pick<Config, 'password'>,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    await this.proof.requireThawedForPage(request.session.accountId);
    return this.#page(await this.edge.current(request), null);
  }

  async submit(typed: TypedPasswords, request: ManageRequest): Promise<Outcome> {
    await this.proof.requireThawedForPage(request.session.accountId);
    const current = await this.edge.current(request);
    const failure = await failureOf(() => this.change(typed, current));
    return failure ? this.#page(current, failure) : redirect(`${PATHS.manage}?${MANAGE_QUERY.status}=password-success`);
  }

  /** The current password is the proof that this change wants. Throws CallFailed. */
  async change({ password, newPassword, newPasswordRepeat }: TypedPasswords, current: ManageContext): Promise<void> {
    if (password === '') throw new CallFailed('no password given');
    if (newPassword === '') throw new CallFailed('no new password given');
    if (newPasswordRepeat === '') throw new CallFailed('no repeat new password given');
    // A repetition typed on another keyboard may be composed differently (VAL-1: NFC).
    if (newPassword.normalize('NFC') !== newPasswordRepeat.normalize('NFC')) {
      throw new CallFailed('password and repetition not equal');
    }
    const { account, by, context, session } = current;
    const { browser, device } = context;
    const whose = { account, browser, device, by, sessionId: session.sessionId };
    const verdict = await this.passwords.change({ ...whose, current: password, wanted: newPassword });
    switch (verdict.kind) {
      case 'changed':
        await this.upstream.settle(account.id, by.requestId);
        return;
      case 'weak':
        throw new CallFailed('password not strong enough', { reasons: verdict.reasons });
      case 'refused':
        throw new CallFailed('current password invalid');
      case 'limited':
        throw new CallFailed('too many requests', { retryAfterSeconds: verdict.retryAfterSeconds });
      case 'busy':
        throw new CallFailed('unavailable', { retryAfterSeconds: BUSY_SECONDS });
    }
  }

  async #page(current: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const { minLength, requireLower, requireUpper, requireDigit } = this.config.password;
    const { retryAfterSeconds: retryAfter, reasons } = failure?.hints ?? {};
    const manage_password: ManagePasswordState = {
      error: failure?.code ?? null,
      password_set: await this.known.isSet(current.account.id),
      rules: {
        min_length: minLength,
        require_lower: requireLower,
        require_upper: requireUpper,
        require_digit: requireDigit,
      },
      ...(reasons === undefined ? {} : { reasons }),
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    };
    const content = { page: 'manage_password' as const, ...this.edge.frame(current), manage_password };
    return this.edge.page(current, content, failure ? failedOptions(failure) : {});
  }
}
