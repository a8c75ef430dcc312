/**
 * The help desk check (SUPPORT_CHECK): the page of a person shows three words, the person who has called the help desk reads them out,
 * and the operator types them. The words are shown only to the person. A check belongs to the operator who began it, and each account
 * has at most one. A passed check admits one operation (`src/operator/api/approval-gate.ts`).
 */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Selectable, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { fingerprint, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema, SupportCheckTable } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import { lockActive } from '../account/lock.js';
import { AccountDisabled } from '../account/account.errors.js';
import { AuditLog, type AuditContext, type ChangeCondition } from '../audit/audit-log.js';
import { RequestLimits } from '../limits/request-limits.js';
import { CHECK_WORDS } from './check-words.js';
import { isAsker, toActorText } from './operator-identity.js';

const CHECK_SECONDS = 600;
/** How long a passed check admits an operation. */
const PASSED_SECONDS = 900;
const CHECK_TRIES = 3;
const WORD_COUNT = 3;

export interface SupportCheck {
  id: string;
  state: 'open' | 'passed' | 'refused';
  /** How many answers may still be given. */
  triesLeft: number;
  /** The end of the time in which the words are accepted, or in which a passed check admits an operation. */
  expiresAt: Date;
}

/** The check as the person sees it. */
export interface ShownCheck {
  words: string;
  /** Name of the operator; null for a token. */
  operator: string | null;
  expiresAt: Date;
}

/** Nothing was changed. */
export class SupportCheckUsed extends Error {
  constructor() {
    super('The check of who is calling was used up, replaced or discarded, or has expired, in the meantime.');
    this.name = 'SupportCheckUsed';
  }
}

export type AskResult = { kind: 'asked'; check: SupportCheck } | { kind: 'limited'; seconds: number };

interface FoundRow {
  words: string;
  operator: string | null;
  expires_at: Date;
}

const FIND = new Statement<{ account: string; tries: number }, FoundRow>(
  'support-check.find',
  ({ param, now }) => sql`
    select c.words, c.expires_at, coalesce(o.display_name, o.username) as operator
    from support_check c left join account o on o.id = c.asked_account
    where c.account_id = ${param('account')} and c.passed_at is null
      and c.refused < ${param('tries')}::integer and c.expires_at > ${now}`,
);

@Injectable()
export class SupportChecks {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly limits: RequestLimits,
    private readonly keys: Keys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'operator'>,
  ) {}

  /** Begins a check, which replaces the former check of the account. @throws AccountDisabled */
  async ask(accountId: string, auditContext: AuditContext): Promise<AskResult> {
    const operator = auditContext.operatorAccount ?? toActorText(auditContext);
    const seconds = await this.limits.countSupportCheck(accountId, operator, auditContext);
    if (seconds !== null) return { kind: 'limited', seconds };
    const now = this.database.now();
    const values = {
      id: sql<string>`gen_random_uuid()`,
      words: this.keys.seal('support-check', drawWords()),
      asked_by: toActorText(auditContext),
      asked_account: auditContext.operatorAccount ?? null,
      asked_at: now,
      expires_at: sql<Date>`${now} + ${interval(CHECK_SECONDS)}`,
      refused: 0,
      passed_at: null,
    };
    const row = await this.database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx))) throw new AccountDisabled();
      const addedRow = await trx
        .insertInto('support_check')
        .values({ account_id: accountId, ...values })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow();
      // Otherwise a stranger could use up the mails for the page of the help desk.
      const { email } = await trx.selectFrom('account').select('email').where('id', '=', accountId).executeTakeFirstOrThrow();
      if (email !== null) await this.limits.clearSupportMail({ accountId, email }, trx);
      await this.audit.record({ ...auditContext, kind: 'support-check.asked', accountId, detail: { check: addedRow.id } }, trx);
      return addedRow;
    });
    return { kind: 'asked', check: toCheck(row) };
  }

  /**
   * Compares what the operator typed. Every wrong answer counts, even if two arrive at the same time.
   * @returns null if this operator has no open check of this account, or the account is not active
   */
  async answer(accountId: string, typedWords: string, auditContext: AuditContext): Promise<SupportCheck | null> {
    const now = this.database.now();
    return this.database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx))) return null;
      const row = await this.#select(accountId, auditContext, trx);
      if (!row || row.passed_at !== null || row.refused >= CHECK_TRIES) return null;
      const words = this.keys.open('support-check', row.words);
      const isRight = words !== null && isSame(words, typedWords);
      const passedColumns = { passed_at: now, expires_at: sql<Date>`${now} + ${interval(PASSED_SECONDS)}` };
      const change = isRight ? passedColumns : { refused: row.refused + 1 };
      const changedRow = await trx
        .updateTable('support_check')
        .set(change)
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirstOrThrow();
      const check = toCheck(changedRow);
      const kind = isRight ? 'support-check.passed' : 'support-check.refused';
      const detail = { check: check.id, ...(isRight ? {} : { left: check.triesLeft }) };
      await this.audit.record({ ...auditContext, kind, accountId, detail }, trx);
      return check;
    });
  }

  /** @returns the check of this operator; null if there is none, or if it has expired, been used up or been discarded */
  async findOwn(accountId: string, auditContext: AuditContext): Promise<SupportCheck | null> {
    const row = await this.#select(accountId, auditContext, this.database.db);
    return row ? toCheck(row) : null;
  }

  /** @returns the condition that uses up a passed check of this operator; null if there is none */
  async findPassed(accountId: string, auditContext: AuditContext): Promise<ChangeCondition | null> {
    const check = await this.findOwn(accountId, auditContext);
    if (check?.state !== 'passed') return null;
    return {
      require: async (trx) => {
        const deletion = trx.deleteFrom('support_check').where('id', '=', check.id).where('account_id', '=', accountId);
        const { numDeletedRows } = await deletion.where('expires_at', '>', this.database.now()).executeTakeFirstOrThrow();
        if (numDeletedRows === 0n) throw new SupportCheckUsed();
      },
    };
  }

  async #select(accountId: string, auditContext: AuditContext, db: Pick<Transaction<Schema>, 'selectFrom'>) {
    const rows = db.selectFrom('support_check').selectAll().where('account_id', '=', accountId);
    const row = await rows.where('expires_at', '>', this.database.now()).executeTakeFirst();
    return row && isAsker(row, auditContext) ? row : null;
  }

  /** @returns the open check, only for the page of the person; null if there is none, or without SUPPORT_CHECK */
  async find(accountId: string): Promise<ShownCheck | null> {
    if (!this.config.operator.supportCheck) return null;
    const [row] = await this.database.run(FIND, { account: accountId, tries: CHECK_TRIES });
    const words = row && this.keys.open('support-check', row.words);
    return row && typeof words === 'string' ? { words, operator: row.operator, expiresAt: row.expires_at } : null;
  }
}

function drawWords(): string {
  return Array.from({ length: WORD_COUNT }, () => CHECK_WORDS[randomInt(CHECK_WORDS.length)]).join(' ');
}

/** Hashes have the same length, so that the duration of the comparison reveals nothing about the words. */
function isSame(words: string, typedWords: string): boolean {
  return timingSafeEqual(Buffer.from(fingerprint(normalizeWords(words))), Buffer.from(fingerprint(normalizeWords(typedWords))));
}

const normalizeWords = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '');

function toCheck({ id, refused, passed_at, expires_at }: Selectable<SupportCheckTable>): SupportCheck {
  const triesLeft = passed_at === null ? CHECK_TRIES - refused : 0;
  const state = passed_at === null ? (triesLeft === 0 ? 'refused' : 'open') : 'passed';
  return { id, state, triesLeft, expiresAt: expires_at };
}
