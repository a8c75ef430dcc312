/**
 * Issues the tokens of a sign-in that waits for its second factor: one authorizes the RPC calls, the other is submitted with the
 * form that continues the sign-in. Also counts the attempts to prove the factor.
 */
import { Injectable } from '@nestjs/common';
import { SignInRecords, type ProvenFactor } from '../../../../accounts/sessions/sign-in-records.js';
import { Keys } from '../../../../config/keys.js';
import { CallFailed } from '../../../../gateway/http/calls.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import type { FactorVerdict } from '../../../../mfa/factor.port.js';
import { Factors } from '../../../../mfa/factors.js';
import { toSignInBinding, type FactorSlot } from '../../../../mfa/factor-slot.js';
import { SignIns, type IdentifiedSignIn } from '../../sign-in.js';

/** `closed`: after too many wrong codes, the first factor is required again. */
export type SecondFactorVerdict = FactorVerdict | { kind: 'closed' };

/** The verdicts after which the attempt counts. */
const COUNTED_VERDICTS: readonly FactorVerdict['kind'][] = ['proven', 'refused', 'stopped'];

@Injectable()
export class SecondFactor {
  constructor(
    private readonly signIns: SignIns,
    private readonly records: SignInRecords,
    private readonly factors: Factors,
    private readonly keys: Keys,
  ) {}

  /**
   * Builds the token that authorizes the RPC calls, in this browser and after this first factor. The token is computed and not
   * stored, so showing the page writes nothing.
   */
  buildCallToken({ id, proofId }: IdentifiedSignIn): string {
    return `${id}.${this.keys.mac('mfa-token', `${id} ${proofId}`)}`;
  }

  /**
   * @throws CallFailed if the token is invalid or belongs to another browser or first factor, or if the sign-in is over or closed. The page
   * of the second step shows why a sign-in is over or closed
   */
  async getByToken(token: string, context: RequestContext): Promise<IdentifiedSignIn> {
    const [id = '', mac = '', ...rest] = token.split('.');
    const signIn = rest.length === 0 ? await this.signIns.findIdentifiedById(id, context) : null;
    const isOwn = signIn !== null && this.keys.verifyMac('mfa-token', `${id} ${signIn.proofId}`, mac);
    if (!isOwn || signIn.isClosed) throw new CallFailed('unauthorized');
    return signIn;
  }

  /** Slot for set-ups and proofs of this sign-in. */
  toSlot({ id, account }: IdentifiedSignIn): FactorSlot {
    return { account, boundTo: toSignInBinding(id) };
  }

  /** Counts the attempt before it is checked (MFV-8). After `proven`, `issueFactorToken` or `prove` has to follow. */
  async try({ id }: IdentifiedSignIn, verify: () => Promise<FactorVerdict>): Promise<SecondFactorVerdict> {
    if (!(await this.records.reserveTry(id))) return { kind: 'closed' };
    let verdict: FactorVerdict | undefined;
    try {
      verdict = await verify();
    } finally {
      // An error of the database is not a wrong code. A right code resets the count when the sign-in stores its proof.
      if (!verdict || !COUNTED_VERDICTS.includes(verdict.kind)) await this.records.giveBackTry(id);
    }
    const isWrong = verdict.kind === 'refused' || verdict.kind === 'stopped';
    return isWrong && (await this.records.failTry(id)) ? { kind: 'closed' } : verdict;
  }

  /**
   * Issues the factor token for a factor that was proven or just set up.
   * @returns the value of `mfa_token` in the page's form; it works once
   * @throws CallFailed if the sign-in has ended
   */
  async issueFactorToken({ id, account, proofId }: IdentifiedSignIn, factor: ProvenFactor): Promise<string> {
    const token = await this.records.issueFactorToken({ id, accountId: account.id, proofId }, factor);
    if (token === null) throw new CallFailed('unauthorized');
    return token;
  }

  /** Stores that a form has proven a factor. @returns false if the sign-in has ended */
  prove({ id, account, proofId }: IdentifiedSignIn, factor: ProvenFactor): Promise<boolean> {
    return this.records.prove({ id, accountId: account.id, proofId }, factor);
  }

  /** Stores that the person has seen the new recovery codes. @param code one of the codes */
  async confirmCodesSeen({ account }: IdentifiedSignIn, code: string): Promise<void> {
    await this.factors.recoveryCodes.confirmSeen(account.id, code);
  }

  consumeFactorToken({ id }: IdentifiedSignIn, token: string): Promise<boolean> {
    return this.records.consumeFactorToken(id, token);
  }
}
