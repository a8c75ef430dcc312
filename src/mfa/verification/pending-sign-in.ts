/**
 * A sign-in that waits for its second factor: its token, its next step, counted attempts, and the proof that the last
 * form submits.
 */
import { Injectable } from '@nestjs/common';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import {
  PendingAuthentications,
  type IssuedProof,
  type PendingAuthentication,
} from '../../accounts/sessions/pending-authentications.js';
import { Keys } from '../../config/keys.js';
import { CallFailed } from '../../gateway/http/calls.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { FactorVerdict } from '../factor.port.js';
import { signInBinding, type FactorSlot } from '../factor-slot.js';
import { mayTrustBrowser, nextStep, wantsHardware, wantsKey } from '../next-step.js';

/** The current state of a sign-in. */
export interface Progress {
  step: ReturnType<typeof nextStep>;
  factors: FactorCounts;
  /** Codes are not accepted. */
  onlyKey: boolean;
  /** The key has to verify its user too. */
  onlyVerifiedUser: boolean;
  /** A trusted browser would not have been asked. */
  mayTrustBrowser: boolean;
}

/** `closed`: too many failures; the password is required again. */
export type TryVerdict = FactorVerdict | { kind: 'closed' };

const SETTLED: readonly FactorVerdict['kind'][] = ['proven', 'refused', 'stopped'];

@Injectable()
export class PendingSignIn {
  constructor(
    private readonly pendings: PendingAuthentications,
    private readonly keys: Keys,
  ) {}

  /** The pending sign-in of this challenge in this browser; may be closed. */
  find(challenge: string, context: RequestContext): Promise<PendingAuthentication | null> {
    return this.pendings.find(challenge, context.browser);
  }

  /** Authorizes the RPC calls, only in the same browser. Derived, so that showing a page writes nothing. */
  token({ id }: PendingAuthentication): string {
    return `${id}.${this.keys.mac('mfa-token', id)}`;
  }

  /** Throws CallFailed for a token of another browser, and if the sign-in is closed; the page shows the reason. */
  async getByToken(token: string, context: RequestContext): Promise<PendingAuthentication> {
    const [id = '', mac = '', ...rest] = token.split('.');
    const isOwn = rest.length === 0 && this.keys.verifyMac('mfa-token', id, mac);
    const pending = isOwn ? await this.pendings.findById(id, context.browser) : null;
    if (!pending || pending.isClosed) throw new CallFailed('unauthorized');
    return pending;
  }

  /** Slot for set-ups and proofs of this sign-in. */
  slotOf({ id, account }: PendingAuthentication): FactorSlot {
    return { account, boundTo: signInBinding(id) };
  }

  progress({ factors, amr, context: { wanted } }: PendingAuthentication): Progress {
    const progress = { proven: amr, factors, wanted };
    return {
      step: nextStep(progress),
      factors,
      onlyKey: wantsKey(progress),
      onlyVerifiedUser: wantsHardware(progress),
      mayTrustBrowser: mayTrustBrowser(progress),
    };
  }

  /** Counts the attempt before it is checked (MFV-8). After `proven` the proof has to be issued, or proven. */
  async try({ id }: PendingAuthentication, verify: () => Promise<FactorVerdict>): Promise<TryVerdict> {
    if (!(await this.pendings.reserveTry(id))) return { kind: 'closed' };
    let verdict: FactorVerdict | undefined;
    try {
      verdict = await verify();
    } finally {
      // An error of the database is not a wrong code. A right one starts the count anew, when its proof is written.
      if (!verdict || !SETTLED.includes(verdict.kind)) await this.pendings.giveBackTry(id);
    }
    const isWrong = verdict.kind === 'refused' || verdict.kind === 'stopped';
    return isWrong && (await this.pendings.failTry(id)) ? { kind: 'closed' } : verdict;
  }

  /**
   * For a factor that was proven or just set up.
   * @returns the one-time `mfa_token` of the page's form. Throws CallFailed if the sign-in has ended
   */
  async issueProof(pendingId: string, by: IssuedProof): Promise<string> {
    const proof = await this.pendings.issueProof(pendingId, by);
    if (proof === null) throw new CallFailed('unauthorized');
    return proof;
  }

  /** For a factor that a form has just proven. @returns false if the sign-in has ended */
  prove({ id }: PendingAuthentication, by: IssuedProof): Promise<boolean> {
    return this.pendings.prove(id, by);
  }

  consumeProof({ id }: PendingAuthentication, proof: string): Promise<boolean> {
    return this.pendings.consumeProof(id, proof);
  }
}
