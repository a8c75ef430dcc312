/** A change that needs a fresh proof, when it begins and again under the account's lock (`accounts/account/lock.ts`). */
import { Injectable } from '@nestjs/common';
import { ChangeRefused } from '../../accounts/account/account.errors.js';
import type { ChangingSession } from '../../accounts/account/lock.js';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { FreshProof, ProofRequired } from './fresh-proof.js';
import type { ManageContext } from './manage-session.js';

/** Passes the session on to where the account is locked. */
type Change<Result> = (manageSession: ChangingSession) => Promise<Result>;

@Injectable()
export class ProvenChange {
  constructor(
    private readonly proof: FreshProof,
    private readonly sessions: ManageSessionRecords,
  ) {}

  /** @throws ProofRequired, CallFailed, and what `change` throws */
  async run<Result>(current: ManageContext, change: Change<Result>): Promise<Result> {
    await this.proof.require(current);
    return this.#judged(current, change);
  }

  /** The current password is a part of the change, which proves it where a password is enough. @throws as `run` */
  async runBesidePassword<Result>(current: ManageContext, change: Change<Result>): Promise<Result> {
    await this.proof.requireBesidePassword(current);
    return this.#judged(current, change);
  }

  async #judged<Result>(current: ManageContext, change: Change<Result>): Promise<Result> {
    try {
      return await change(this.sessions.changing(current.session.sessionId));
    } catch (error) {
      if (!(error instanceof ChangeRefused)) throw error;
      if (error.code === 'unauthorized') throw new CallFailed(error.code);
      throw new ProofRequired(await this.proof.findWays(current));
    }
  }
}
