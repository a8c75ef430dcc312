/**
 * People who signed up and wait for an operator's decision (`REGISTRATION=own-with-approval`). An application reserves neither its
 * address nor its username, and is never changed, so that the operator decides about exactly what they have read. The decision,
 * the expiry, or the deletion of an account with the verified address deletes it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Selectable, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { Locale } from '../../contract/locale.js';
import { Database } from '../../database/database.js';
import { isCursor, toPageSize, toPage } from '../../database/row-pages.js';
import type { Schema, SignUpApplicationTable } from '../../database/schema.js';
import { isAccountId, type Account } from '../account/account.js';
import { toEmailKey } from '../account/fields.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { Outbox } from '../queue/outbox.js';
import type { SignUpDetails } from './sign-up.js';
import { SignUpMails } from './sign-up-mails.js';

/** The app in which the person signed up. */
export interface ApplicationClient {
  id: string;
  name: string;
  /** Address of the app, for the mail about the approval. */
  url: string | undefined;
}

export interface NewApplication {
  details: SignUpDetails;
  /** Hash of the password that the account gets. */
  hash: string;
  client: ApplicationClient;
  auditContext: AuditContext;
}

export interface SignUpApplication {
  id: string;
  details: SignUpDetails;
  hash: string;
  client: ApplicationClient;
  locale: Locale | undefined;
  askedAt: Date;
  expiresAt: Date;
}

/** An operator has decided about the application, or it has expired, was deleted with an account, or never existed. */
export class ApplicationNotFound extends Error {
  constructor() {
    super('No sign-up waits under this id: it may have been decided, or have expired.');
    this.name = 'ApplicationNotFound';
  }
}

type Row = Selectable<SignUpApplicationTable>;

interface EndMail {
  kind: 'sign-up-refused' | 'sign-up-expired';
  application: SignUpApplication;
  values: Readonly<Record<string, string>>;
}

const MAX_EXPIRIES = 500;

@Injectable()
export class SignUpApplications {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    private readonly mails: SignUpMails,
    @Inject(CONFIG) private readonly config: Pick<Config, 'registration'>,
  ) {}

  /** Stores an application, unless one with this address waits already. The address must be locked (`AccountNames.lock`). */
  async add({ details, hash, client, auditContext }: NewApplication, trx: Transaction<Schema>): Promise<void> {
    const now = this.database.now();
    const { username = null, displayName: display_name = null, email, attributes } = details;
    const emailKey = toEmailKey(email);
    const expiredApplication = trx
      .deleteFrom('sign_up_application')
      .where('email_key', '=', emailKey)
      .where('expires_at', '<=', now);
    // The person gets no mail about the expiry of an application that the next one replaces.
    for (const { id } of await expiredApplication.returning('id').execute()) await this.#recordExpiry(id, trx);
    const application = await trx
      .insertInto('sign_up_application')
      .values({
        ...{ email_key: emailKey, email, username, display_name, attributes: JSON.stringify(attributes), hash },
        ...{ client_id: client.id, client_name: client.name, app_url: client.url ?? null, locale: auditContext.locale ?? null },
        asked_at: now,
        expires_at: sql<Date>`${now} + ${this.#settings.days} * interval '1 day'`,
      })
      .onConflict((conflict) => conflict.column('email_key').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!application) return;
    // The event does not contain the network address, which would stay in the audit log if an operator refused the person.
    const { address: _, ...context } = auditContext;
    await this.audit.record(
      { ...context, kind: 'sign-up.asked', detail: { application: application.id, client: client.id } },
      trx,
    );
  }

  /**
   * Lists waiting applications, oldest first.
   * @param cursor `nextCursor` of the previous page; a malformed value returns an empty page @param limit at most 200; default 50
   */
  async list({ cursor, limit }: { cursor?: string; limit?: number }): Promise<{
    applications: SignUpApplication[];
    nextCursor?: string;
  }> {
    if (cursor !== undefined && !isCursor(cursor)) return { applications: [] };
    const size = toPageSize(limit);
    const foundRows = await this.#select(this.database.db)
      .where('seq', '>', Number(cursor ?? 0))
      .orderBy('seq')
      .limit(size + 1)
      .execute();
    const { rows, ...nextPage } = toPage(foundRows, size);
    return { applications: rows.map(toApplication), ...nextPage };
  }

  /** @throws ApplicationNotFound, also for a malformed id */
  async get(id: string): Promise<SignUpApplication> {
    const row = isAccountId(id) ? await this.#select(this.database.db).where('id', '=', id).executeTakeFirst() : undefined;
    if (!row) throw new ApplicationNotFound();
    return toApplication(row);
  }

  /** Deletes an application that still waits. Only one of several calls succeeds. @throws ApplicationNotFound */
  async take(id: string, trx: Transaction<Schema>): Promise<SignUpApplication> {
    const deletion = trx.deleteFrom('sign_up_application').where('id', '=', id).where('expires_at', '>', this.database.now());
    const row = isAccountId(id) ? await deletion.returningAll().executeTakeFirst() : undefined;
    if (!row) throw new ApplicationNotFound();
    return toApplication(row);
  }

  /** Mails the approval, in the transaction that has created the account. */
  async announceApproval({ client, locale }: SignUpApplication, account: Account, trx: Transaction<Schema>): Promise<void> {
    const values: Record<string, string> = client.url === undefined ? {} : { url: client.url };
    await this.outbox.queueRequested({ kind: 'sign-up-approved', accountId: account.id, values, locale }, trx);
  }

  /**
   * Refuses an application, and notifies the person by mail unless an account has the address by now.
   * @param words what the operator writes to the person @throws ApplicationNotFound
   */
  async refuse(id: string, { words }: { words?: string | undefined }, auditContext: AuditContext): Promise<void> {
    await this.database.transaction(async (trx) => {
      const application = await this.take(id, trx);
      await this.audit.record({ ...auditContext, kind: 'sign-up.refused', detail: { application: id } }, trx);
      await this.#queueEndMail({ kind: 'sign-up-refused', application, values: words === undefined ? {} : { words } }, trx);
    });
  }

  /**
   * Deletes at most 500 applications about which no operator has decided in time, and notifies the people by mail unless an account
   * has the address by now. @returns number of deleted applications
   */
  async expire(): Promise<number> {
    return this.database.transaction(async (trx) => {
      const { rows } = await sql<Row>`
        delete from sign_up_application where id = any (array(
          select id from sign_up_application where expires_at <= ${this.database.now()}
          order by expires_at limit ${MAX_EXPIRIES} for update skip locked))
        returning *`.execute(trx);
      for (const row of rows) {
        await this.#recordExpiry(row.id, trx);
        await this.#queueEndMail({ kind: 'sign-up-expired', application: toApplication(row), values: {} }, trx);
      }
      return rows.length;
    });
  }

  #recordExpiry(id: string, trx: Transaction<Schema>): Promise<void> {
    return this.audit.record({ actor: 'system', kind: 'sign-up.expired', detail: { application: id } }, trx);
  }

  async #queueEndMail({ kind, application, values }: EndMail, trx: Transaction<Schema>): Promise<void> {
    const { details, locale } = application;
    const { email: recipient } = details;
    // The person has got an account in another way, so the mail would be wrong.
    if (await this.mails.hasAccount(recipient, trx)) return;
    await this.outbox.queueToAddress({ kind, recipient, values, locale }, trx);
  }

  get #settings() {
    const approval = this.config.registration.signUp?.approval;
    if (!approval) throw new Error('An application can be stored only if REGISTRATION is own-with-approval.');
    return approval;
  }

  #select(db: Pick<Transaction<Schema>, 'selectFrom'>) {
    return db.selectFrom('sign_up_application').selectAll().where('expires_at', '>', this.database.now());
  }
}

function toApplication(row: Row): SignUpApplication {
  const { email, username, display_name: displayName, attributes } = row;
  return {
    id: row.id,
    details: {
      email,
      attributes,
      ...(username === null ? {} : { username }),
      ...(displayName === null ? {} : { displayName }),
    },
    hash: row.hash,
    client: { id: row.client_id, name: row.client_name, url: row.app_url ?? undefined },
    locale: row.locale ?? undefined,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
  };
}
