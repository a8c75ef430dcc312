/**
 * Announces to a person an operation on their account that an operator requested without a check of who was calling (SUPPORT_CHECK). The
 * mail has a link that stops the operation (`OperatorApprovals.stop`). The link is not used up: it works until the approval
 * expires, and the state of the approval decides whether the operation can still be stopped.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Outbox } from '../queue/outbox.js';
import { OneTimeSecrets } from '../secrets/one-time-secrets.js';

const PURPOSE = 'approval-stop';

/** An approval that waits because the help desk has not checked who was calling. */
export interface AnnouncedApproval {
  id: string;
  operation: string;
  /** The stored body of the operation. */
  body: Readonly<Record<string, unknown>>;
  accountId: string;
  notBefore: Date;
  expiresAt: Date;
}

/** The change that the operation would make. It selects the words of the mail, and of the page to which the link in the mail leads. */
export type AnnouncedChange =
  | { kind: 'factors' | 'password' | 'no-address' | 'source' | 'other' }
  | { kind: 'factor'; factor: string }
  | { kind: 'address'; email: string };

@Injectable()
export class ApprovalAnnouncement {
  constructor(
    private readonly database: Database,
    private readonly secrets: OneTimeSecrets,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mail'>,
  ) {}

  /** Queues the mail in the transaction that adds the approval. @returns false if the account has no address, or there is no mail server */
  async announce(approval: AnnouncedApproval, trx: Transaction<Schema>): Promise<boolean> {
    const { id, accountId, notBefore, expiresAt } = approval;
    const account = await trx.selectFrom('account').select('email').where('id', '=', accountId).executeTakeFirst();
    if (!account?.email || !this.config.mail.server) return false;
    const lifetimeSeconds = await this.#findSecondsUntil(expiresAt, trx);
    const stop = await this.secrets.issue({ purpose: PURPOSE, accountId, payload: id, lifetimeSeconds }, trx);
    const { kind, ...details } = toAnnouncedChange(approval);
    // The mail does not use the language of a page, because somebody else may have made the request.
    const values = { stop, change: kind, from: notBefore.toISOString(), ...details };
    await this.outbox.queueRequested({ kind: 'change-announced', accountId, values, expiresAt }, trx);
    return true;
  }

  /** @param token from the mail @returns the id of the approval; null if the link is unknown or has expired */
  async findApprovalId(token: string): Promise<string | null> {
    return (await this.secrets.find(PURPOSE, token))?.payload ?? null;
  }

  async #findSecondsUntil(end: Date, trx: Transaction<Schema>): Promise<number> {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from ${end}::timestamptz - ${this.database.now()})::double precision as seconds`.execute(trx);
    return Math.max(rows[0]?.seconds ?? 0, 0);
  }
}

export function toAnnouncedChange({ operation, body }: Pick<AnnouncedApproval, 'operation' | 'body'>): AnnouncedChange {
  switch (operation) {
    case 'resets.factors':
      return { kind: 'factors' };
    case 'resets.password':
      return { kind: 'password' };
    case 'source.link':
      return { kind: 'source' };
    case 'factors.remove':
      return { kind: 'factor', factor: String(body['factor']) };
    case 'accounts.change':
      return typeof body['email'] === 'string' ? { kind: 'address', email: body['email'] } : { kind: 'no-address' };
    default:
      return { kind: 'other' };
  }
}
