/**
 * A mailed code as a fresh proof in the account area (MAN-14). `fresh-proof.ts` decides to whom a code is offered; a code is never a proof for
 * an account with a second factor. A code has only six digits, so its use is limited to one session, ten minutes, one success and few tries.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { hasSecondFactor } from '../account/factor-counts.js';
import { lockActive } from '../account/lock.js';
import { VerifiedAddresses } from '../account/verified-addresses.js';
import { readMailedCode, SixDigitCodes } from './mailed-code.js';
import { OneTimeSecrets, type OneTimeSlot } from './one-time-secrets.js';
import { SendCode } from './send-code.js';
import type { AuditContext } from '../audit/audit-log.js';
import { RequestLimits } from '../limits/request-limits.js';

/** The account's address, if it has one. */
type Mailbox = { email?: string | undefined; emailVerified: boolean };

export interface ProofCodeOwner {
  accountId: string;
  sessionId: string;
}

export type CodeSendOutcome = { kind: 'sent' } | { kind: 'limited'; retryAfterSeconds: number };
export type CodeVerdict = { kind: 'proven' } | { kind: 'refused' } | { kind: 'limited'; retryAfterSeconds: number };

const HAS_SECOND_FACTOR = new Statement<{ account: string }, { has_factor: boolean }>(
  'proof-code.has-second-factor',
  ({ param }) => sql`select ${hasSecondFactor(param('account'))} as has_factor`,
);

type Prove = (trx: Transaction<Schema>) => Promise<void>;

@Injectable()
export class ProofCodes {
  constructor(
    private readonly codes: SixDigitCodes,
    private readonly secrets: OneTimeSecrets,
    private readonly sendCode: SendCode,
    private readonly limits: RequestLimits,
    private readonly addresses: VerifiedAddresses,
    private readonly database: Database,
  ) {}

  /** Only the newest code works. An account without an address gets no code, although the outcome is `sent`. */
  async send(
    owner: ProofCodeOwner,
    { email, emailVerified: isProven }: Mailbox,
    auditContext: AuditContext,
  ): Promise<CodeSendOutcome> {
    const { limits } = this;
    const { accountId } = owner;
    const retryAfterSeconds =
      (email === undefined ? null : await limits.countRecipient({ email, isProven }, accountId, auditContext)) ??
      (await limits.countOwn('proof-mail', accountId, auditContext));
    if (retryAfterSeconds !== null) return { kind: 'limited', retryAfterSeconds };
    const { code, secret } = this.codes.create(owner.sessionId);
    await this.sendCode.send({ slot: toSlot(owner), secret }, { kind: 'proof-code', values: { code }, auditContext });
    return { kind: 'sent' };
  }

  /** Whether a code is waiting. Does not consume the code. */
  async isWaiting(owner: ProofCodeOwner): Promise<boolean> {
    return (await this.secrets.findWaiting(toSlot(owner))) !== null;
  }

  /** Counts an attempt with six digits before the code is compared. @param prove records the proof of a right code in the session */
  async verify(
    owner: ProofCodeOwner,
    typedCode: string,
    { auditContext, prove }: { auditContext: AuditContext; prove: Prove },
  ): Promise<CodeVerdict> {
    const code = readMailedCode(typedCode);
    if (!/^\d{6}$/.test(code)) return { kind: 'refused' };
    const retryAfterSeconds = await this.limits.countOwn('proof-code', owner.accountId, auditContext);
    if (retryAfterSeconds !== null) return { kind: 'limited', retryAfterSeconds };
    const isProven = await this.database.transaction((trx) => this.#spend(owner, { code, auditContext, prove }, trx));
    return { kind: isProven ? 'proven' : 'refused' };
  }

  /**
   * The code also confirms the address, because a change of the address would have discarded the code. The proof is recorded while
   * the account is locked, because a second factor that is set up concurrently must not count as proven by a mail.
   */
  async #spend(
    owner: ProofCodeOwner,
    { code, auditContext, prove }: { code: string; auditContext: AuditContext; prove: Prove },
    trx: Transaction<Schema>,
  ): Promise<boolean> {
    const { accountId } = owner;
    if (!(await lockActive(accountId, trx)) || (await this.#hasSecondFactor(accountId, trx))) return false;
    for (const secret of this.codes.listSecrets(owner.sessionId, code)) {
      if (!(await this.secrets.spendBound(toSlot(owner), secret, trx))) continue;
      await this.addresses.confirm({ accountId, auditContext }, trx);
      await prove(trx);
      return true;
    }
    return false;
  }

  async #hasSecondFactor(accountId: string, trx: Transaction<Schema>): Promise<boolean> {
    const [row] = await this.database.run(HAS_SECOND_FACTOR, { account: accountId }, trx);
    return row?.has_factor ?? true;
  }
}

function toSlot({ accountId, sessionId }: ProofCodeOwner): OneTimeSlot {
  return { purpose: 'proof-code', accountId, boundTo: sessionId };
}
