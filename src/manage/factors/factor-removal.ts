/** Changing the factors that there are, by form and by call: with fresh proof, and never without the last one where one is wanted. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { LastFactor } from '../../accounts/factors/factors.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { RpcErrorCode } from '../../contract/rpc.js';
import { CallFailed } from '../../gateway/http/calls.js';
import type { Removed } from '../../mfa/factor.js';
import { WebAuthnFactor } from '../../mfa/factors/webauthn/webauthn.factor.js';
import { TotpFactor } from '../../mfa/factors/totp/totp.factor.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { ManageContext } from '../session/manage-session.js';

@Injectable()
export class FactorRemoval {
  constructor(
    private readonly proof: FreshProof,
    private readonly totp: TotpFactor,
    private readonly fido2: WebAuthnFactor,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mfa'>,
  ) {}

  /** @throws CallFailed */
  async removeTotp(current: ManageContext): Promise<void> {
    await this.#remove(current, 'totp not found', () => this.totp.remove(this.#removedBy(current)));
  }

  /** The same answer for a key of somebody else and for none. Throws CallFailed */
  async removeKey(keyId: string, current: ManageContext): Promise<void> {
    await this.#remove(current, 'fido2 not found', () => this.fido2.remove(keyId, this.#removedBy(current)));
  }

  /** The same answer for a key of somebody else and for none. Throws CallFailed */
  async renameKey(key: { id: string; name: string }, current: ManageContext): Promise<void> {
    await this.proof.require(current);
    const { account, by } = current;
    if (!(await this.fido2.rename({ accountId: account.id, by }, key))) throw new CallFailed('fido2 not found');
  }

  async #remove(current: ManageContext, missing: RpcErrorCode, remove: () => Promise<boolean>): Promise<void> {
    await this.proof.require(current);
    try {
      if (!(await remove())) throw new CallFailed(missing);
    } catch (error) {
      if (error instanceof LastFactor) throw new CallFailed('factor required');
      throw error;
    }
  }

  /** Where a second factor is required, the last one can only be replaced. */
  mayRemoveLast({ secondFactor }: Account): boolean {
    return (secondFactor ?? this.config.mfa.policy) !== 'required';
  }

  #removedBy({ account, by }: ManageContext): Removed {
    return { accountId: account.id, by, mayBeLast: this.mayRemoveLast(account) };
  }
}
