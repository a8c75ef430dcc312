/**
 * Recovery codes replace a factor that is not available: ten codes, each for one use, shown once when they are created. They are
 * stored as keyed MACs and have 80 bits each, so neither a copy of the table nor guessing reveals a code. `Factors` creates them
 * with the first second factor, renews them on request, and removes them with the last.
 */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { AuditLog, type AuditContext } from '../../accounts/audit/audit-log.js';
import { FactorAttempts, type Spend } from '../../accounts/limits/factor-attempts.js';
import { Outbox } from '../../accounts/queue/outbox.js';
import { Keys } from '../../config/keys.js';
import { toAsciiDigits } from '../../contract/typed-digits.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import type { FactorVerdict, Proof, Provable } from '../factor.port.js';
import { RECOVERY } from './recovery-codes.kind.js';

export const RECOVERY_CODES = 10;

const BYTES = 10;
/** Crockford's base32, without I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE = /^[0-9A-HJKMNP-TV-Z]{16}$/;
const MAX_INPUT_LENGTH = 64;

const USE = new Statement<{ account: string; hashes: string[] }, { account_id: string }>(
  'recovery-code.use',
  ({ param, now }) => sql`
    with owner as (select id from account where id = ${param('account')} and status = 'active' for share)
    update recovery_code r set used_at = ${now}
    from owner
    where r.account_id = owner.id and r.code_hash = any(${param('hashes')}::text[]) and r.used_at is null
    returning r.account_id`,
);

export interface RemainingCodes {
  left: number;
  /** Whether the person has neither confirmed that they have seen the codes, nor used one. */
  unseen: boolean;
}

const COUNT_LEFT = new Statement<{ account: string }, RemainingCodes>(
  'recovery-code.left',
  ({ param }) => sql`
    select (count(*) filter (where used_at is null))::integer as left, coalesce(bool_and(unseen and used_at is null), false) as unseen
    from recovery_code where account_id = ${param('account')}`,
);

const CONFIRM_SEEN = new Statement<{ account: string; hashes: string[] }, never>(
  'recovery-code.confirm-seen',
  ({ param }) => sql`
    update recovery_code set unseen = false
    where account_id = ${param('account')} and unseen
      and exists (select from recovery_code r where r.account_id = ${param('account')} and r.code_hash = any(${param('hashes')}::text[]))`,
);

@Injectable()
export class RecoveryCodes implements Provable {
  readonly kind = RECOVERY;
  /** No call proves a recovery code. */
  readonly bodies = { proof: Object };

  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly attempts: FactorAttempts,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  async beginProof(): Promise<null> {
    return null;
  }

  async findProofState(): Promise<null> {
    return null;
  }

  /** The verdict is `missing` if no code is left. */
  async verify({ accountId, answer: { code }, auditContext }: Omit<Proof, 'boundTo'>): Promise<FactorVerdict> {
    if ((await this.countLeft(accountId)).left === 0) return { kind: 'missing' };
    return this.attempts.judge({ accountId, factor: RECOVERY.counters[0], typedCode: code, auditContext }, async () => {
      const parsedCode = typeof code === 'string' ? parseRecoveryCode(code) : null;
      return parsedCode === null ? 'code' : this.#buildSpend(accountId, parsedCode, auditContext);
    });
  }

  /** Replaces earlier codes. @returns the codes in groups of four characters; they cannot be read again */
  async make(accountId: string, trx: Transaction<Schema>): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, createCode);
    await this.remove(accountId, trx);
    await trx
      .insertInto('recovery_code')
      .values(codes.map((code) => ({ account_id: accountId, code_hash: this.keys.mac('recovery-code', code), unseen: true })))
      .execute();
    return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
  }

  async countLeft(accountId: string, trx?: Transaction<Schema>): Promise<RemainingCodes> {
    const [row] = await this.database.run(COUNT_LEFT, { account: accountId }, trx);
    return row ?? { left: 0, unseen: false };
  }

  /** @param text one of the codes that the person has seen; newer codes, which have replaced it, stay unseen */
  async confirmSeen(accountId: string, text: string): Promise<void> {
    const code = parseRecoveryCode(text);
    if (code === null) return;
    await this.database.run(CONFIRM_SEEN, { account: accountId, hashes: this.keys.macs('recovery-code', code) });
  }

  async remove(accountId: string, trx: Transaction<Schema>): Promise<void> {
    await trx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  }

  #buildSpend(accountId: string, code: string, auditContext: AuditContext): Spend {
    return async (trx) => {
      const hashes = this.keys.macs('recovery-code', code);
      const rows = await this.database.run(USE, { account: accountId, hashes }, trx);
      if (rows.length === 0) return (await isUsed(accountId, hashes, trx)) ? 'replayed' : 'code';
      const { left } = await this.countLeft(accountId, trx);
      await this.audit.record({ ...auditContext, kind: 'recovery-code.used', accountId, detail: { left } }, trx);
      await this.outbox.queueNotice({ kind: 'recovery-code-used', accountId, values: { left }, auditContext }, trx);
      return true;
    };
  }
}

async function isUsed(accountId: string, hashes: string[], trx: Transaction<Schema>): Promise<boolean> {
  const codes = trx.selectFrom('recovery_code').select('account_id').where('account_id', '=', accountId);
  return (await codes.where('code_hash', 'in', hashes).where('used_at', 'is not', null).executeTakeFirst()) !== undefined;
}

/** Accepts any case, spaces, dashes, Arabic digits, and letters that look like digits. @returns null if the text is not a code */
function parseRecoveryCode(text: string): string | null {
  if (text.length > MAX_INPUT_LENGTH) return null;
  const code = toAsciiDigits(text)
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
    .replace(/[IL]/g, '1')
    .replaceAll('O', '0');
  return CODE.test(code) ? code : null;
}

function createCode(): string {
  let code = '';
  let bits = BigInt(`0x${randomBytes(BYTES).toString('hex')}`);
  for (let character = 0; character < (BYTES * 8) / 5; character++) {
    code += ALPHABET.charAt(Number(bits & 31n));
    bits >>= 5n;
  }
  return code;
}
