/** A fresh proof by a mailed code, for accounts without another method, or with passkeys that are not at hand (MAN-14). */
import { Injectable } from '@nestjs/common';
import { ProofCodes } from '../../accounts/secrets/proof-codes.js';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { ManageContext } from '../session/manage-session.js';
import { ConfirmProof } from './confirm-proof.js';

@Injectable()
export class MailedProof {
  constructor(
    private readonly codes: ProofCodes,
    private readonly sessions: ManageSessionRecords,
    private readonly freshProof: FreshProof,
    private readonly proof: ConfirmProof,
  ) {}

  /** @throws CallFailed */
  async send(manageContext: ManageContext): Promise<void> {
    await this.#requireOffered(manageContext);
    const result = await this.codes.send(toOwner(manageContext), manageContext.account, manageContext.auditContext);
    if (result.kind === 'limited') throw createLimitError(result.retryAfterSeconds);
  }

  /** @throws CallFailed */
  async verify(code: string, manageContext: ManageContext): Promise<void> {
    await this.#requireOffered(manageContext);
    const verdict = await this.codes.verify(toOwner(manageContext), code, {
      auditContext: manageContext.auditContext,
      prove: (trx) => this.sessions.prove(manageContext.session.sessionId, 'factor', trx),
    });
    if (verdict.kind === 'limited') throw createLimitError(verdict.retryAfterSeconds);
    if (verdict.kind === 'refused') throw new CallFailed('invalid verification code');
    await this.proof.record('mail', manageContext);
  }

  /** Access to the mailbox must not replace a second factor, or a password that is accepted as a fresh proof. */
  async #requireOffered(manageContext: ManageContext): Promise<void> {
    const { methods } = await this.freshProof.findMethods(manageContext);
    if (!methods.includes('mail')) throw new CallFailed('forbidden');
  }
}

function toOwner({ account, session }: ManageContext): { accountId: string; sessionId: string } {
  return { accountId: account.id, sessionId: session.sessionId };
}

function createLimitError(retryAfterSeconds: number): CallFailed {
  return new CallFailed('too many requests', { retryAfterSeconds });
}
