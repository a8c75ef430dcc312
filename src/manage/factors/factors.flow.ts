/** The overview of the second factors (MAN-3), and taking one away by a plain form. */
import { Injectable } from '@nestjs/common';
import { Factors } from '../../accounts/factors/factors.js';
import { RECOVERY_CODES } from '../../accounts/factors/recovery-codes.js';
import type { ManageMfaState } from '../../contract/manage-state.js';
import { AREA_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome, PageOutcome } from '../../gateway/page/outcome.js';
import { Fido2Factor } from '../../mfa/factors/webauthn/webauthn.factor.js';
import { TotpFactor } from '../../mfa/factors/totp/totp.factor.js';
import { AreaEdge, failedOptions } from '../session/manage-pages.js';
import { failureOf } from '../session/failure.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { Caller, Guest } from '../session/manage-session.js';
import { FactorRemoval } from './factor-removal.js';

@Injectable()
export class FactorsFlow {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
    private readonly removal: FactorRemoval,
    private readonly factors: Factors,
    private readonly totp: TotpFactor,
    private readonly fido2: Fido2Factor,
  ) {}

  async show(caller: Caller): Promise<Outcome> {
    return this.#page(await this.edge.guest(caller), null);
  }

  removeTotp(caller: Caller): Promise<Outcome> {
    return this.#remove(caller, (guest) => this.removal.removeTotp(guest));
  }

  removeKey(keyId: string, caller: Caller): Promise<Outcome> {
    return this.#remove(caller, (guest) => this.removal.removeKey(keyId, guest));
  }

  /** A name is no credential: it wants no fresh proof. */
  async renameKey({ keyId, name }: { keyId: string; name: string }, caller: Caller): Promise<Outcome> {
    const guest = await this.edge.guest(caller);
    const { account, by } = guest;
    const isDone = await this.fido2.rename({ accountId: account.id, by }, { id: keyId, name });
    return isDone ? redirect(PATHS.manageMfa) : this.#page(guest, new CallFailed('fido2 not found'));
  }

  async #remove(caller: Caller, remove: (guest: Guest) => Promise<void>): Promise<Outcome> {
    const guest = await this.edge.guest(caller);
    await this.proof.requireForPage(guest, PATHS.manageMfa);
    const failure = await failureOf(() => remove(guest));
    return failure ? this.#page(guest, failure) : redirect(`${PATHS.manage}?${AREA_QUERY.status}=mfa-removed`);
  }

  async #page(guest: Guest, failure: CallFailed | null): Promise<PageOutcome> {
    const { account } = guest;
    const { id } = account;
    const [totp, keys, { recoveryCodesLeft: left }] = await Promise.all([
      this.totp.describe(id),
      this.fido2.list(id),
      this.factors.status(id),
    ]);
    const manage_mfa: ManageMfaState = {
      error: failure?.code ?? null,
      totp,
      keys,
      ...(totp || keys.length > 0 ? { recovery_codes: { left, total: RECOVERY_CODES } } : {}),
      ...(keys.length + (totp ? 1 : 0) === 1 && !this.removal.mayRemoveLast(account) ? { last_stays: true as const } : {}),
    };
    const options = { self: PATHS.manageMfa, ...(failure ? failedOptions(failure) : {}) };
    return this.edge.page(guest, { page: 'manage_mfa', ...this.edge.frame(guest), manage_mfa }, options);
  }
}
