/**
 * Mail that is to be sent: written in the transaction of the change that it tells of, so neither is ever there without
 * the other (NTC-2). Handing it out is `outbox-claims.ts`, sending is `src/mail`.
 */
import type { Transaction } from 'kysely';
import type { Keys } from '../config/keys.js';
import { FALLBACK_LOCALE } from '../contract/locale.js';
import type { Database } from '../database/database.js';
import type { Schema } from '../database/schema.js';

/** What a notice tells of (NTC-1). */
export type NoticeKind =
  | 'password-changed'
  | 'username-changed'
  | 'totp-added'
  | 'security-key-added'
  | 'totp-removed'
  | 'security-key-removed'
  | 'recovery-codes-made'
  | 'recovery-code-used'
  | 'factor-stopped';

export interface Notice {
  kind: NoticeKind;
  accountId: string;
  /** Values for the words of the mail: a key's name, how many codes are left. No secrets. */
  values?: Readonly<Record<string, string | number>>;
}

export class Outbox {
  #afterQueueing: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
  ) {}

  /** @param listener hears that a row is about to be committed in this process; it must not throw */
  whenQueued(listener: () => void): void {
    this.#afterQueueing = listener;
  }

  /** Queues a notice to the account's address. An account without one gets none. */
  async queueNotice({ kind, accountId, values = {} }: Notice, trx: Transaction<Schema>): Promise<void> {
    const account = await trx.selectFrom('account').select(['email', 'language']).where('id', '=', accountId).executeTakeFirst();
    if (!account?.email) return;
    const now = this.database.now();
    await trx
      .insertInto('outbox')
      .values({
        account_id: accountId,
        kind,
        recipient: account.email,
        locale: account.language ?? FALLBACK_LOCALE,
        payload: this.keys.seal('outbox', JSON.stringify(values)),
        created_at: now,
        next_try_at: now,
      })
      .execute();
    this.#afterQueueing();
  }
}
