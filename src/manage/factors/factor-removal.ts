/**
 * Removes and renames factors, for the forms and the calls. Requires a fresh proof, and refuses to remove the last factor if the
 * account must have one.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { LastSignInMethod } from '../../accounts/identities/sign-in-methods.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { CallFailed } from '../../gateway/http/calls.js';
import type { Factor } from '../../mfa/factor.port.js';
import { LastFactor } from '../../mfa/factors.js';
import { FreshProof } from '../session/fresh-proof.js';
import { ProvenChange } from '../session/proven-change.js';
import { WaysIn } from '../session/ways-in.js';
import type { ManageContext } from '../session/manage-session.js';

@Injectable()
export class FactorRemoval {
  constructor(
    private readonly proof: FreshProof,
    private readonly provenChange: ProvenChange,
    private readonly ways: WaysIn,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mfa'>,
  ) {}

  /**
   * An id of another account gets the same error as an unknown id.
   * @param entry id, for kinds with several factors
   * @throws CallFailed
   */
  async remove(factor: Factor, entry: string, manageContext: ManageContext): Promise<void> {
    const { account, auditContext } = manageContext;
    const removal = {
      accountId: account.id,
      auditContext,
      mayBeLast: this.mayRemoveLast(account),
      offered: this.ways.listOffered(),
    };
    try {
      const isDone = await this.provenChange.run(manageContext, (manageSession) =>
        factor.remove({ ...removal, manageSession }, entry),
      );
      if (!isDone) throw new CallFailed(factor.kind.codes.missing);
    } catch (error) {
      if (error instanceof LastFactor) throw new CallFailed('factor required');
      if (error instanceof LastSignInMethod) throw new CallFailed('last way in');
      throw error;
    }
  }

  /** An id of another account gets the same error as an unknown id. @throws CallFailed */
  async rename(factor: Factor, entry: { id: string; name: string }, manageContext: ManageContext): Promise<void> {
    await this.proof.require(manageContext);
    const { account, auditContext } = manageContext;
    const isDone = await factor.rename({ accountId: account.id, auditContext }, entry);
    if (!isDone) throw new CallFailed(factor.kind.codes.missing);
  }

  /** Whether the account may be left with neither a second factor nor a passkey. */
  mayRemoveLast({ secondFactor }: Account): boolean {
    return (secondFactor ?? this.config.mfa.policy) !== 'required';
  }
}
