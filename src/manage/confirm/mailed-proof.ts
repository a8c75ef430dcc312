/** A fresh proof by a code that is mailed, where there is nothing else (MAN-14). */
import { Injectable } from '@nestjs/common';
import { ProofCodes } from '../../accounts/secrets/proof-codes.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { Guest } from '../session/manage-session.js';
import { ConfirmProof } from './confirm-proof.js';

@Injectable()
export class MailedProof {
  constructor(
    private readonly codes: ProofCodes,
    private readonly fresh: FreshProof,
    private readonly proof: ConfirmProof,
  ) {}

  /** @throws CallFailed */
  async send(guest: Guest): Promise<void> {
    await this.#requireOnlyWay(guest);
    const sent = await this.codes.send(placeOf(guest), guest.by);
    if (sent.kind === 'limited') throw limited(sent.retryAfterSeconds);
  }

  /** @throws CallFailed */
  async verify(code: string, guest: Guest): Promise<void> {
    await this.#requireOnlyWay(guest);
    const verdict = await this.codes.verify(placeOf(guest), code, guest.by);
    if (verdict.kind === 'limited') throw limited(verdict.retryAfterSeconds);
    if (verdict.kind === 'refused') throw new CallFailed('invalid verification code');
    await this.proof.proven('mail', guest);
  }

  /** Whoever has a password or a factor proves that one: a mailbox is no second way around it. */
  async #requireOnlyWay(guest: Guest): Promise<void> {
    const { methods } = await this.fresh.waysOf(guest);
    if (!methods.includes('mail')) throw new CallFailed('forbidden');
  }
}

function placeOf({ account, visitor }: Guest): { accountId: string; sessionId: string } {
  return { accountId: account.id, sessionId: visitor.sessionId };
}

function limited(retryAfterSeconds: number): CallFailed {
  return new CallFailed('too many requests', { retryAfterSeconds });
}
