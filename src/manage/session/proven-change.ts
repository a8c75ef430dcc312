/** Runs changes that need a fresh proof. The proof is checked first, and again under the account's lock. */
import { Injectable } from '@nestjs/common';
import { ChangeRefused } from '../../accounts/account/account.errors.js';
import type { ChangingSession } from '../../accounts/account/lock.js';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { FreshProof, ProofRequired } from './fresh-proof.js';
import type { ManageContext } from './manage-session.js';

/** A change receives the session, and checks it again after it has locked the account. */
type Change<Result> = (manageSession: ChangingSession) => Promise<Result>;

@Injectable()
export class ProvenChange {
  constructor(
    private readonly proof: FreshProof,
    private readonly sessions: ManageSessionRecords,
  ) {}

  /** @throws ProofRequired, CallFailed (also in place of CredentialsFrozen), and the other errors of `change` */
  async run<Result>(manageContext: ManageContext, change: Change<Result>): Promise<Result> {
    await this.proof.require(manageContext);
    return this.#translateErrors(manageContext, change);
  }

  /** Runs a change that includes the current password, which is the proof if a password is enough. @throws like `run` */
  async runWithPassword<Result>(manageContext: ManageContext, change: Change<Result>): Promise<Result> {
    await this.proof.requireWithPassword(manageContext);
    return this.#translateErrors(manageContext, change);
  }

  async #translateErrors<Result>(manageContext: ManageContext, change: Change<Result>): Promise<Result> {
    try {
      const changingSession = this.sessions.toChangingSession(manageContext.session.sessionId);
      return await this.proof.runUnfrozen(manageContext, () => change(changingSession));
    } catch (error) {
      if (!(error instanceof ChangeRefused)) throw error;
      if (error.code === 'unauthorized') throw new CallFailed(error.code);
      throw new ProofRequired(await this.proof.findMethods(manageContext));
    }
  }
}
