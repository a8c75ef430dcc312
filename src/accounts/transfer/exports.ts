/**
 * Exports all accounts in pages, in the order of creation, so that only one page is in memory. The export pauses between pages,
 * so that sign-ins can continue. Each account is exported as it is when its page is read; accounts that are created after
 * the start are not included.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { realPause, type Pause } from '../../database/pause.js';
import { Statement } from '../../database/statement.js';
import { accountColumns, toAccount, type Account, type AccountFields } from '../account/account.js';
import { findSubjectSql } from '../account/account-subjects.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import type { Connection } from '../identities/external-identities.js';
import type { ImportedPerson } from './imported-people.js';

/** Secrets that are exported only on explicit request. */
export interface ExportedSecrets {
  passwordHashes: boolean;
  totpSecrets: boolean;
}

export interface ExportedAccount {
  account: Account;
  passwordHash?: string;
  /** Absent if the account has no identities. */
  identities?: readonly ExportedIdentity[];
  /**
   * The person of a source or provider to whom the account belongs, or from whose source the password was taken over. A person of a
   * SCIM source is identified by the `externalId`, and is absent without one.
   */
  person?: ImportedPerson;
  /** The subject by which apps identify the account; absent if it is the id. */
  subject?: string;
}

export type ExportedIdentity = Pick<Connection, 'provider' | 'issuer' | 'subject' | 'label' | 'connectedAt'>;

interface ExportRow extends AccountFields {
  seq: number;
  hash: string | null;
  identities: readonly (Omit<ExportedIdentity, 'connectedAt'> & { at: string })[] | null;
  person: ImportedPerson | null;
  subject: string | null;
}

const PAGE_SIZE = 100;
/** Length of the pause after a page, as a multiple of the time that the page took. */
const PAUSE_RATIO = 3;

const FIND_LAST = new Statement<Record<string, never>, { seq: number | null }>(
  'export.last',
  () => sql`select max(seq) as seq from account`,
);

const READ_PAGE = new Statement<{ afterSeq: number; lastSeq: number; hashes: boolean }, ExportRow>(
  'export.page',
  ({ param }) => sql`
    select a.seq, ${accountColumns('a')},
      case when ${param('hashes')}::boolean then p.hash end as hash,
      (select jsonb_agg(jsonb_build_object('provider', e.provider, 'issuer', e.issuer, 'subject', e.subject, 'label', e.label,
        'at', e.connected_at) order by e.connected_at, e.provider) from external_identity e where e.account_id = a.id) as identities,
      coalesce(
        (select jsonb_build_object('source', s.source, 'subject', coalesce(u.external_id, s.subject), 'isMigrated', false)
          from source_account s left join scim_user u on u.account_id = s.account_id
          where s.account_id = a.id and (u.account_id is null or u.external_id is not null)),
        (select jsonb_build_object('source', m.source, 'subject', m.subject, 'isMigrated', true)
          from migrated_account m where m.account_id = a.id)) as person,
      ${findSubjectSql(sql.ref('a.id'))} as subject
    from account a
      left join password_credential p on p.account_id = a.id
    where a.seq > ${param('afterSeq')}::bigint and a.seq <= ${param('lastSeq')}::bigint
    order by a.seq limit ${sql.lit(PAGE_SIZE)}`,
);

@Injectable()
export class AccountExports {
  /** Tests replace the pause. */
  pause: Pause = realPause;

  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Records the export in the audit log before the first page is read. */
  async *pages(secrets: ExportedSecrets, auditContext: AuditContext): AsyncGenerator<ExportedAccount[], void, undefined> {
    const { passwordHashes: hashes, totpSecrets: seeds } = secrets;
    await this.database.transaction(async (trx) => {
      await auditContext.condition?.require(trx);
      await this.audit.record({ ...auditContext, kind: 'accounts.exported', detail: { hashes, seeds } }, trx);
    });
    const [{ seq: lastSeq } = { seq: null }] = await this.database.run(FIND_LAST, {});
    if (lastSeq === null) return;
    for (let afterSeq: number | undefined = 0; afterSeq !== undefined;) {
      const startedAt = performance.now();
      const rows: ExportRow[] = await this.database.run(READ_PAGE, { afterSeq, lastSeq, hashes });
      if (rows.length > 0) yield rows.map((row) => this.#toExportedAccount(row));
      afterSeq = rows.length < PAGE_SIZE ? undefined : rows.at(-1)?.seq;
      // The time of a page includes sending it.
      if (afterSeq !== undefined) await this.pause(PAUSE_RATIO * (performance.now() - startedAt));
    }
  }

  #toExportedAccount(row: ExportRow): ExportedAccount {
    return {
      account: toAccount(row),
      ...(row.hash === null ? {} : { passwordHash: row.hash }),
      ...(row.person === null ? {} : { person: row.person }),
      ...(row.subject === null ? {} : { subject: row.subject }),
      ...(row.identities === null
        ? {}
        : { identities: row.identities.map(({ at, ...identity }) => ({ ...identity, connectedAt: new Date(at) })) }),
    };
  }
}
