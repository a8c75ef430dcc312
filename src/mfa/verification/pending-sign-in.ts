/**
 * A sign-in that waits for its second factor, as the steps of this folder see it: the token that names it, what it needs
 * next, tries that are counted, and the proof that its last form hands in.
 */
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import type { AuditContext } from '../../accounts/audit/audit-log.js';
import { PendingAuthentications } from '../../accounts/sessions/pending-authentications.js';
import type { FactorAmr, PendingAuthentication } from '../../accounts/sessions/pending-authentications.js';
import { Keys } from '../../config/keys.js';
import { CallFailed } from '../../gateway/http/calls.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { FactorPlace, FactorVerdict } from '../factor.port.js';
import { Factors } from '../factors.js';
import { nextStep, wantsKey } from '../next-step.js';

/** Where a sign-in stands at this moment; factors may come and go while it waits. */
export interface Progress {
  step: ReturnType<typeof nextStep>;
  factors: FactorCounts;
  /** Codes are of no use to it. */
  onlyKey: boolean;
}

/** `closed`: there were too many wrong ones, and the password is asked again. */
export type TryVerdict = FactorVerdict | { kind: 'closed' };

@Injectable()
export class PendingSignIn {
  constructor(
    private readonly pendings: PendingAuthentications,
    private readonly factors: Factors,
    private readonly accounts: Accounts,
    private readonly keys: Keys,
  ) {}

  /** The one of this challenge in this very browser; a closed one too. */
  find(challenge: string, context: RequestContext): Promise<PendingAuthentication | null> {
    return this.pendings.find(challenge, context.browser);
  }

  /** Authorizes the calls by script, in the same browser only. Derived, so that showing a page writes nothing. */
  token({ id }: PendingAuthentication): string {
    return `${id}.${this.keys.mac('mfa-token', id)}`;
  }

  /** Throws CallFailed for a token that is none of this browser's, and for a sign-in that is closed: its page says why. */
  async getByToken(token: string, context: RequestContext): Promise<PendingAuthentication> {
    const [id = '', mac = '', ...rest] = token.split('.');
    const isOwn = rest.length === 0 && this.keys.verifyMac('mfa-token', id, mac);
    const pending = isOwn ? await this.pendings.findById(id, context.browser) : null;
    if (!pending || pending.isClosed) throw new CallFailed('unauthorized');
    return pending;
  }

  /** Where a set-up or a proof of this sign-in takes place. @returns null when the account has gone */
  async placeOf(pending: PendingAuthentication): Promise<FactorPlace | null> {
    const account = await this.accounts.find(pending.accountId);
    return account && { account, boundTo: bindingOf(pending) };
  }

  async progress({ accountId, amr, context: { wanted } }: PendingAuthentication): Promise<Progress> {
    const factors = await this.factors.status(accountId);
    return { step: nextStep({ proven: amr, factors, wanted }), factors, onlyKey: wantsKey({ factors, wanted }) };
  }

  /** Counts before it looks (MFV-8). */
  async try({ id }: PendingAuthentication, verify: () => Promise<FactorVerdict>): Promise<TryVerdict> {
    if (!(await this.pendings.reserveTry(id))) return { kind: 'closed' };
    let verdict: FactorVerdict | undefined;
    try {
      verdict = await verify();
    } finally {
      // A failure of the database is nobody's wrong code.
      if (verdict?.kind !== 'refused' && verdict?.kind !== 'stopped') await this.pendings.giveBackTry(id);
    }
    const isWrong = verdict.kind === 'refused' || verdict.kind === 'stopped';
    return isWrong && (await this.pendings.failTry(id)) ? { kind: 'closed' } : verdict;
  }

  /** @returns what the form of the page hands in once, as `mfa_token`. Throws CallFailed when the sign-in is over */
  async issueProof(pendingId: string, by: FactorAmr): Promise<string> {
    const proof = await this.pendings.issueProof(pendingId, by);
    if (proof === null) throw new CallFailed('unauthorized');
    return proof;
  }

  /** A first factor that was set up a moment ago is proven by that. @returns see `issueProof` */
  proveByEnrolment(pendingId: string, by: FactorAmr): Promise<string> {
    return this.issueProof(pendingId, by);
  }

  consumeProof({ id }: PendingAuthentication, proof: string): Promise<boolean> {
    return this.pendings.consumeProof(id, proof);
  }
}

/** What a set-up or a check of this sign-in is bound to. */
export function bindingOf({ id }: PendingAuthentication): string {
  return `pending:${id}`;
}

export function personOf({ address, requestId }: RequestContext): AuditContext {
  return { actor: 'person', address, requestId };
}
