/**
 * Stores which terms a person has accepted (`TERMS`): the column of the account, which decides whether the person is asked, and the evidence,
 * which refers to the accepted text by its hash. A withdrawal removes the terms from the column, and is recorded in the evidence.
 */
import { Injectable } from '@nestjs/common';
import type { RawBuilder, Selectable, Transaction } from 'kysely';
import type { Terms, TermsText } from '../../config/value-types.js';
import { Database } from '../../database/database.js';
import { isCursor, toPageSize, toPage } from '../../database/row-pages.js';
import type { Schema, TermsAcceptanceTable } from '../../database/schema.js';
import { AccountDisabled } from '../account/account.errors.js';
import { lockActive, type SessionCondition, type OwnChange } from '../account/lock.js';
import { presentPersonSinceSql } from '../account/present-person.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';

/** The latest accepted versions stay accepted, so that nobody is asked again while gateways have different versions. */
const MAX_VERSIONS = 10;

export interface NewAcceptance {
  accountId: string;
  terms: Terms;
  /** The text of `terms` that the person has seen. */
  text: TermsText;
  clientId: string;
}

/** `text`: as the person saw it. */
export interface TermsAcceptance extends TermsEvidence {
  text: string;
}

/** An acceptance without the text. */
export interface TermsEvidence {
  id: number;
  /** Id of the terms in the settings. */
  terms: string;
  version: string;
  /** Hash of the text. */
  sha256: string;
  locale: string;
  /** Id of the client that the person was signing in to. */
  client: string;
  acceptedAt: Date;
  withdrawnAt: Date | null;
  requestId: string | null;
}

@Injectable()
export class TermsAcceptances {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Stores nothing if the account has accepted this version and has not withdrawn the acceptance.
   * @returns false if the account is not active
   * @throws ProofOutdated if the sign-in is over
   */
  async accept(
    acceptance: NewAcceptance,
    { signIn, ...auditContext }: AuditContext & { signIn: SessionCondition },
  ): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      const { accountId, terms } = acceptance;
      if (!(await lockActive(accountId, trx))) return false;
      await signIn.require(trx);
      const acceptedTerms = await getAcceptedTerms(accountId, trx);
      const versions = acceptedTerms.get(terms.id) ?? [];
      if (versions.includes(terms.version)) return true;
      acceptedTerms.set(terms.id, [...versions, terms.version].slice(-MAX_VERSIONS));
      await writeAcceptedTerms(accountId, acceptedTerms, trx);
      await this.#insert(acceptance, auditContext, trx);
      return true;
    });
  }

  async #insert(
    { accountId, terms, text, clientId }: NewAcceptance,
    auditContext: AuditContext,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const { id, version } = terms;
    const { sha256, locale } = text;
    await trx
      .insertInto('terms_text')
      .values({ sha256, text: text.text })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const evidence = { terms_id: id, version, sha256, locale, client_id: clientId, request_id: auditContext.requestId ?? null };
    await trx
      .insertInto('terms_acceptance')
      .values({ account_id: accountId, ...evidence, accepted_at: this.database.now() })
      .execute();
    const detail = { terms: id, version, sha256, language: locale, client: clientId };
    await this.audit.record({ ...auditContext, kind: 'terms.accepted', accountId, detail }, trx);
  }

  /**
   * @returns the acceptances of the present person, newest first, including withdrawn acceptances
   * @param limit number of acceptances; absent for all
   */
  async list(accountId: string, limit?: number): Promise<TermsAcceptance[]> {
    const rows = await this.#select(accountId)
      .where('accepted_at', '>', presentPersonSinceSql(accountId))
      .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
      .execute();
    // Each text is read once, however often it was accepted.
    const hashes = [...new Set(rows.map(({ sha256 }) => sha256))];
    const find = this.database.db.selectFrom('terms_text').selectAll().where('sha256', 'in', hashes);
    const texts = hashes.length === 0 ? [] : await find.execute();
    const textsByHash = new Map(texts.map(({ sha256, text }) => [sha256, text]));
    return rows.map((row) => ({ ...toEvidence(row), text: textsByHash.get(row.sha256) ?? '' }));
  }

  /**
   * @returns a page of the acceptances of the account, newest first, including withdrawn ones and those of persons before; an empty page
   *   for a malformed cursor
   * @param cursor `nextCursor` of the previous page
   * @param limit at most 200; default 50
   */
  async page(
    accountId: string,
    { cursor, limit }: { cursor?: string; limit?: number },
  ): Promise<{ acceptances: TermsEvidence[]; nextCursor?: string }> {
    if (cursor !== undefined && !isCursor(cursor)) return { acceptances: [] };
    const size = toPageSize(limit);
    const foundRows = await this.#select(accountId)
      .$if(cursor !== undefined, (query) => query.where('id', '<', Number(cursor)))
      .limit(size + 1)
      .execute();
    const { rows, ...next } = toPage(
      foundRows.map((row) => ({ ...row, seq: row.id })),
      size,
    );
    return { acceptances: rows.map(toEvidence), ...next };
  }

  /**
   * @param sha256 hash of the text, in lower-case hexadecimal digits
   * @returns null for any other value, and for a text that nobody has accepted
   */
  async findText(sha256: string): Promise<string | null> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return null;
    const find = this.database.db.selectFrom('terms_text').select('text').where('sha256', '=', sha256);
    return (await find.executeTakeFirst())?.text ?? null;
  }

  #select(accountId: string) {
    return this.database.db
      .selectFrom('terms_acceptance')
      .select(['id', 'terms_id', 'version', 'sha256', 'locale', 'client_id', 'accepted_at', 'withdrawn_at', 'request_id'])
      .where('account_id', '=', accountId)
      .orderBy('id', 'desc');
  }

  /**
   * Withdraws all versions of the terms, so that the next sign-in asks again.
   * @returns false if the terms were not accepted, or the acceptance was withdrawn before
   * @throws AccountDisabled, ChangeRefused
   */
  async withdraw(accountId: string, termsId: string, { manageSession, ...auditContext }: OwnChange): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx))) throw new AccountDisabled();
      await manageSession.require(trx);
      return withdrawTerms({ accountId, termsId }, { audit: this.audit, auditContext, now: this.database.now() }, trx);
    });
  }
}

type EvidenceRow = Omit<Selectable<TermsAcceptanceTable>, 'account_id'>;

function toEvidence(row: EvidenceRow): TermsEvidence {
  return {
    id: row.id,
    terms: row.terms_id,
    version: row.version,
    sha256: row.sha256,
    locale: row.locale,
    client: row.client_id,
    acceptedAt: row.accepted_at,
    withdrawnAt: row.withdrawn_at,
    requestId: row.request_id,
  };
}

async function getAcceptedTerms(accountId: string, trx: Transaction<Schema>): Promise<Map<string, readonly string[]>> {
  const query = trx.selectFrom('account').select('accepted_terms').where('id', '=', accountId);
  return new Map(Object.entries((await query.executeTakeFirstOrThrow()).accepted_terms));
}

async function writeAcceptedTerms(
  accountId: string,
  acceptedTerms: ReadonlyMap<string, readonly string[]>,
  trx: Transaction<Schema>,
): Promise<void> {
  const accepted_terms = JSON.stringify(Object.fromEntries(acceptedTerms));
  await trx.updateTable('account').set({ accepted_terms }).where('id', '=', accountId).execute();
}

interface Withdrawal {
  audit: AuditLog;
  auditContext: AuditContext;
  now: RawBuilder<Date>;
}

/**
 * Withdraws all versions of the terms. The transaction has locked the account.
 * @param termsId absent to withdraw all terms, because the account now belongs to a person who has accepted none
 * @returns whether an accepted version was withdrawn
 */
export async function withdrawTerms(
  { accountId, termsId }: { accountId: string; termsId?: string },
  { audit, auditContext, now }: Withdrawal,
  trx: Transaction<Schema>,
): Promise<boolean> {
  const acceptedTerms = await getAcceptedTerms(accountId, trx);
  const termsIds = termsId === undefined ? [...acceptedTerms.keys()] : [termsId];
  if (termsIds.length === 0) return false;
  for (const id of termsIds) acceptedTerms.delete(id);
  await writeAcceptedTerms(accountId, acceptedTerms, trx);
  const withdrawnRows = await trx
    .updateTable('terms_acceptance')
    .set({ withdrawn_at: now })
    .where('account_id', '=', accountId)
    .where('terms_id', 'in', termsIds)
    .where('withdrawn_at', 'is', null)
    .returning(['terms_id', 'version'])
    .execute();
  for (const terms of termsIds) {
    const versions = withdrawnRows.filter(({ terms_id }) => terms_id === terms).map(({ version }) => version);
    if (versions.length === 0) continue;
    await audit.record({ ...auditContext, kind: 'terms.withdrawn', accountId, detail: { terms, versions } }, trx);
  }
  return withdrawnRows.length > 0;
}
