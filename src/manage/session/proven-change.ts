/** A change that needs a fresh proof, when it begins and again under the account's lock: it may have taken long. */
import { Injectable } from '@nestjs/common';
import { ChangeRefused } from '../../accounts/account/account.errors.js';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import type { ChangingSession } from '../../accounts/sessions/manage-sessions.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { FreshProof, ProofRequired } from './fresh-proof.js';
import type { ManageContext } from './manage-session.js';

@Injectable()
export class ProvenChange {
  constructor(
    private readonly proof: FreshProof,
    private readonly sessions: ManageSessionRecords,
  ) {}

  /** @param change passes the session on to where the account is locked. @throws ProofRequired, CallFailed, and what `change` throws */
  async run<Result>(current: ManageContext, change: (manageSession: ChangingSession) => Promise<Result>): Promise<Result> {
    await this.proof.require(current);
    try {
      return await change(this.sessions.changing(current.session.sessionId));
    } catch (error) {
      if (!(error instanceof ChangeRefused)) throw error;
      if (error.code === 'unauthorized') throw new CallFailed(error.code);
      throw new ProofRequired(await this.proof.waysOf(current));
    }
  }
}
