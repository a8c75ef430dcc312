/** Changing the password: one rule for the form and the call (MAN-5, MAN-13, VAL-1, ERR-3). */
import { Inject, Injectable } from '@nestjs/common';
import { ChangePassword } from '../../accounts/password/change-password.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ManagePasswordState } from '../../contract/manage-state.js';
import { AREA_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome, PageOutcome } from '../../gateway/page/outcome.js';
import { UpstreamEnd } from '../../hydra/revocations.js';
import { AreaEdge, failedOptions } from '../session/manage-pages.js';
import { failureOf } from '../session/failure.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { Caller, Guest } from '../session/manage-session.js';

export interface TypedPasswords {
  password: string;
  newPassword: string;
  newPasswordRepeat: string;
}

const BUSY_SECONDS = 2;

@Injectable()
export class PasswordFlow {
  constructor(
    private readonly edge: AreaEdge,
    private readonly passwords: ChangePassword,
    private readonly known: PasswordProof,
    private readonly proof: FreshProof,
    private readonly upstream: UpstreamEnd,
    @Inject(CONFIG) private readonly config: Pick<Config, 'password'>,
  ) {}

  async show(caller: Caller): Promise<Outcome> {
    await this.proof.requireThawedForPage(caller.visitor.accountId);
    return this.#page(await this.edge.guest(caller), null);
  }

  async submit(typed: TypedPasswords, caller: Caller): Promise<Outcome> {
    await this.proof.requireThawedForPage(caller.visitor.accountId);
    const guest = await this.edge.guest(caller);
    const failure = await failureOf(() => this.change(typed, guest));
    return failure ? this.#page(guest, failure) : redirect(`${PATHS.manage}?${AREA_QUERY.status}=password-success`);
  }

  /** The current password is the proof that this change wants. Throws CallFailed. */
  async change({ password, newPassword, newPasswordRepeat }: TypedPasswords, guest: Guest): Promise<void> {
    if (password === '') throw new CallFailed('no password given');
    if (newPassword === '') throw new CallFailed('no new password given');
    if (newPasswordRepeat === '') throw new CallFailed('no repeat new password given');
    // A repetition typed on another keyboard may be composed differently (VAL-1: NFC).
    if (newPassword.normalize('NFC') !== newPasswordRepeat.normalize('NFC')) {
      throw new CallFailed('password and repetition not equal');
    }
    const { account, by, visit, visitor } = guest;
    const { browser, device } = visit;
    const whose = { account, browser, device, by, sessionId: visitor.sessionId };
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

  async #page(guest: Guest, failure: CallFailed | null): Promise<PageOutcome> {
    const { minLength, requireLower, requireUpper, requireDigit } = this.config.password;
    const { retryAfterSeconds: retryAfter, reasons } = failure?.hints ?? {};
    const manage_password: ManagePasswordState = {
      error: failure?.code ?? null,
      password_set: await this.known.isSet(guest.account.id),
      rules: {
        min_length: minLength,
        require_lower: requireLower,
        require_upper: requireUpper,
        require_digit: requireDigit,
      },
      ...(reasons === undefined ? {} : { reasons }),
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    };
    const content = { page: 'manage_password' as const, ...this.edge.frame(guest), manage_password };
    return this.edge.page(guest, content, failure ? failedOptions(failure) : {});
  }
}
