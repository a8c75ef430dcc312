/**
 * Invitations of people who have no account yet. The mailed link proves the address, and one account can be created with it
 * (`accept-invitation.ts`). The table contains only the hash of the token in the link.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config, SignUpField } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { fingerprint, randomToken } from '../../config/keys.js';
import { listInvitationFields } from '../../config/sign-up-settings.js';
import type { Locale } from '../../contract/locale.js';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import { isCursor, toPageSize, toPage } from '../../database/row-pages.js';
import type { InvitationTable, Schema } from '../../database/schema.js';
import { interval, Statement, type Placeholders } from '../../database/statement.js';
import { AccountError, AccountFieldInvalid } from '../account/account.errors.js';
import { isAccountId, type Attributes } from '../account/account.js';
import { Accounts } from '../account/accounts.js';
import { toPatchColumns } from '../account/columns.js';
import { checkEmail, checkName, toEmailKey } from '../account/fields.js';
import { toTypedEmailKey } from '../account/verified-addresses.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { Outbox } from '../queue/outbox.js';
import { SignUpMails } from './sign-up-mails.js';

const INVITATION_DAYS = { default: 7, max: 30 };
const DAY_SECONDS = 24 * 3600;

export type InvitationState = 'open' | 'used' | 'withdrawn' | 'expired';
export const INVITATION_STATES: readonly InvitationState[] = ['open', 'used', 'withdrawn', 'expired'];

/** What an operator specifies in an invitation. */
export interface NewInvitation {
  email: string;
  /** Filled in on the page; the person may change it. */
  displayName?: string;
  groupName?: string;
  groups?: readonly string[];
  attributes?: Attributes;
  /** Id of the app to which the page leads. */
  clientId?: string;
  language?: string;
  /** Who invites, as shown in the mail and on the page. */
  inviter?: string;
  /** From 1 to 30. Default: 7. */
  days?: number;
}

export interface Invitation extends Required<Pick<NewInvitation, 'email' | 'groups' | 'attributes'>> {
  id: string;
  displayName?: string;
  groupName?: string;
  clientId?: string;
  language?: Locale;
  inviter?: string;
  /** The actor as in the audit log. */
  invitedBy: string;
  reason?: string;
  state: InvitationState;
  createdAt: Date;
  sentAt: Date;
  expiresAt: Date;
  endedAt?: Date;
  /** The account that was created with the invitation. */
  account?: { id: string; username: string };
  /**
   * Whether an account has the address by now, or has it as its username, so that the link cannot create one. Always false if the
   * invitation was used, withdrawn, or replaced after it had expired.
   */
  hasAccount: boolean;
}

export interface InvitationQuery {
  state?: InvitationState;
  /** In any spelling. */
  email?: string;
  /** `nextCursor` of the previous page. */
  cursor?: string;
  /** At most 200. Default: 50. */
  limit?: number;
}

/** An account has the address, or has it as its username, so the person needs no invitation. */
class AddressHasAccount extends AccountError {
  readonly code = 'has-account';
  readonly field = 'email';

  constructor() {
    super('An account has this address already, possibly as its username: give that account the groups or attributes instead.');
  }
}

class AlreadyInvited extends AccountError {
  readonly code = 'already-invited';
  readonly field = 'email';

  constructor() {
    super('This address has an open invitation: resend it or withdraw it.');
  }
}

class InvitationEnded extends AccountError {
  readonly code = 'invitation-ended';
  readonly field = 'id';

  constructor() {
    super('The invitation was used or withdrawn, so it cannot be sent again: create a new one.');
  }
}

interface Row extends Omit<InvitationTable, 'id' | 'seq' | 'attributes' | 'is_open' | 'email_key' | 'secret_hash' | 'days'> {
  id: string;
  seq: number;
  attributes: Attributes;
  state: InvitationState;
  username: string | null;
  is_open: boolean;
}

type Now = Pick<Placeholders<Record<string, unknown>>, 'now'>;

/** SQL of the state. An expired row may still be marked as open. */
const buildStateSql = ({ now }: Now): RawBuilder<InvitationState> => sql<InvitationState>`(case
  when i.account_id is not null then 'used' when i.ended_at is not null then 'withdrawn'
  when i.is_open and i.expires_at > ${now} then 'open' else 'expired' end)`;

const selectSql = (placeholders: Now): RawBuilder<Row> => sql<Row>`
  select i.id, i.seq, i.email, i.display_name, i.group_name, i.groups, i.attributes, i.client_id, i.language, i.inviter,
    i.invited_by, i.reason, i.created_at, i.sent_at, i.expires_at, i.ended_at, i.account_id, i.is_open,
    ${buildStateSql(placeholders)} as state, a.username
  from invitation i left join account a on a.id = i.account_id`;

const FIND = new Statement<{ id: string }, Row>(
  'invitation.find',
  (placeholders) => sql`${selectSql(placeholders)} where i.id = ${placeholders.param('id')}::uuid`,
);

const FIND_BY_SECRET = new Statement<{ hash: string }, Row>(
  'invitation.find-by-secret',
  (placeholders) => sql`${selectSql(placeholders)} where i.secret_hash = ${placeholders.param('hash')}`,
);

type ListValues = { beforeSeq: number; max: number; state: string | null };

const listSql = (placeholders: Placeholders<ListValues>, matches: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  ${selectSql(placeholders)}
  where ${matches} and i.seq < ${placeholders.param('beforeSeq')}::bigint
    and (${placeholders.param('state')}::text is null or ${buildStateSql(placeholders)} = ${placeholders.param('state')}::text)
  order by i.seq desc limit ${placeholders.param('max')}::integer`;

const LIST = new Statement<ListValues, Row>('invitation.list', (placeholders) => listSql(placeholders, sql`true`));

const LIST_OF_EMAIL = new Statement<ListValues & { key: string }, Row>('invitation.list-of-email', (placeholders) =>
  listSql(placeholders, sql`i.email_key = ${placeholders.param('key')}`),
);

const CLOSE_EXPIRED = new Statement<{ key: string }, never>(
  'invitation.close-expired',
  ({ param, now }) =>
    sql`update invitation set is_open = false where email_key = ${param('key')} and is_open and expires_at <= ${now}`,
);

const USE = new Statement<{ hash: string; account: string }, { id: string }>(
  'invitation.use',
  ({ param, now }) => sql`
    update invitation set is_open = false, ended_at = ${now}, account_id = ${param('account')}::uuid
    where secret_hash = ${param('hash')} and is_open and expires_at > ${now} returning id`,
);

const RENEW = new Statement<{ id: string; hash: string }, { email: string; expires_at: Date }>(
  'invitation.renew',
  ({ param, now }) => sql`
    update invitation set is_open = true, secret_hash = ${param('hash')}, sent_at = ${now},
      expires_at = ${now} + days * interval '1 day'
    where id = ${param('id')}::uuid and ended_at is null returning email, expires_at`,
);

const WITHDRAW = new Statement<{ id: string }, { id: string }>(
  'invitation.withdraw',
  ({ param, now }) => sql`
    update invitation set is_open = false, ended_at = ${now} where id = ${param('id')}::uuid and ended_at is null returning id`,
);

/** `appName`: for the mail; absent without an app. */
type MailNames = { appName?: string };

@Injectable()
export class Invitations {
  /**
   * The fields that an invited person fills in. `AcceptInvitation.listFields` leaves out the attributes that an invitation
   * contains.
   */
  readonly fields: readonly SignUpField[];
  readonly #checkAttributes: ReturnType<Accounts['attributes']['buildPartialCheck']>;

  constructor(
    accounts: Accounts,
    private readonly database: Database,
    private readonly mails: SignUpMails,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
    @Inject(CONFIG) config: Pick<Config, 'accounts' | 'login' | 'operator' | 'registration'>,
  ) {
    this.fields = listInvitationFields(config);
    this.#checkAttributes = accounts.attributes.buildPartialCheck(this.fields.map(({ name }) => name));
  }

  /**
   * Stores an invitation and queues its mail.
   * @param names `invitedBy`: the actor as in the audit log
   * @throws AccountFieldInvalid, AttributeInvalid, AddressHasAccount, AlreadyInvited
   */
  async create(
    invitation: NewInvitation,
    { invitedBy, ...names }: MailNames & { invitedBy: string },
    auditContext: AuditContext,
  ): Promise<Invitation> {
    const columns = this.#toColumns(invitation);
    const { email, email_key: key, language, inviter, days } = columns;
    const token = randomToken();
    const now = this.database.now();
    const id = await this.#write(async (trx) => {
      if (await this.mails.hasAccount(email, trx)) throw new AddressHasAccount();
      await this.database.run(CLOSE_EXPIRED, { key }, trx);
      const row = await trx
        .insertInto('invitation')
        .values({
          ...{ ...columns, invited_by: invitedBy, reason: auditContext.reason ?? null, secret_hash: fingerprint(token) },
          ...{ created_at: now, sent_at: now, ended_at: null, account_id: null },
          expires_at: sql`${now} + ${interval(days * DAY_SECONDS)}`,
        })
        .returning(['id', 'expires_at'])
        .executeTakeFirstOrThrow();
      await this.#queue({ recipient: email, token, inviter, language, expiresAt: row.expires_at, ...names }, trx);
      await this.audit.record(
        { ...auditContext, kind: 'invitation.created', detail: toDetail(row.id, invitation.clientId) },
        trx,
      );
      return row.id;
    });
    return this.#get(id);
  }

  /**
   * Checks that a mail would be sent, before it is counted: otherwise the same file, imported again, would use up the limits.
   * @param resentInvitation the invitation, if it is sent again with a new link
   * @throws AddressHasAccount, AlreadyInvited, InvitationEnded
   */
  async requireMailable(email: string, resentInvitation?: Invitation): Promise<void> {
    if (resentInvitation?.endedAt) throw new InvitationEnded();
    if (await this.mails.hasAccount(email)) throw new AddressHasAccount();
    const { invitations } = await this.list({ state: 'open', email, limit: 1 });
    if (invitations.some(({ id }) => id !== resentInvitation?.id)) throw new AlreadyInvited();
  }

  /** Checks what does not depend on other rows. @throws AccountFieldInvalid, AttributeInvalid */
  check(invitation: NewInvitation): void {
    this.#toColumns(invitation);
  }

  /** @returns null for an unknown or malformed id */
  async find(id: string): Promise<Invitation | null> {
    const rows = isAccountId(id) ? await this.database.run(FIND, { id }) : [];
    return (await this.#toInvitations(rows))[0] ?? null;
  }

  /** @returns null for an unknown token, such as the token of a link that was replaced */
  async findByToken(token: string): Promise<Invitation | null> {
    const rows = token === '' ? [] : await this.database.run(FIND_BY_SECRET, { hash: fingerprint(token) });
    return (await this.#toInvitations(rows))[0] ?? null;
  }

  /** Lists invitations, newest first. A malformed cursor or address returns an empty page. */
  async list({ state, email, cursor, limit }: InvitationQuery): Promise<{ invitations: Invitation[]; nextCursor?: string }> {
    const key = email === undefined ? undefined : toTypedEmailKey(email);
    if (key === null || (cursor !== undefined && !isCursor(cursor))) return { invitations: [] };
    const size = toPageSize(limit);
    const values = { beforeSeq: Number(cursor ?? Number.MAX_SAFE_INTEGER), max: size + 1, state: state ?? null };
    const foundRows = await (key === undefined
      ? this.database.run(LIST, values)
      : this.database.run(LIST_OF_EMAIL, { ...values, key }));
    const { rows, ...nextPage } = toPage(foundRows, size);
    return { invitations: await this.#toInvitations(rows), ...nextPage };
  }

  /**
   * Mails a new link; earlier links no longer work. An expired invitation is open again.
   * @throws AddressHasAccount, AlreadyInvited, InvitationEnded
   */
  async resend(invitation: Invitation, names: MailNames, auditContext: AuditContext): Promise<Invitation> {
    const { id, email, language, inviter } = invitation;
    const token = randomToken();
    await this.#write(async (trx) => {
      await this.database.run(CLOSE_EXPIRED, { key: toEmailKey(email) }, trx);
      const [row] = await this.database.run(RENEW, { id, hash: fingerprint(token) }, trx);
      if (!row) throw new InvitationEnded();
      if (await this.mails.hasAccount(row.email, trx)) throw new AddressHasAccount();
      const mail = { recipient: row.email, token, expiresAt: row.expires_at, ...names };
      await this.#queue({ ...mail, language: language ?? null, inviter: inviter ?? null }, trx);
      await this.audit.record({ ...auditContext, kind: 'invitation.resent', detail: toDetail(id) }, trx);
    });
    return this.#get(id);
  }

  /** @returns false if the invitation was already used or withdrawn, or does not exist */
  async withdraw(id: string, auditContext: AuditContext): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      const isWithdrawn = (await this.database.run(WITHDRAW, { id }, trx)).length > 0;
      if (isWithdrawn) await this.audit.record({ ...auditContext, kind: 'invitation.withdrawn', detail: toDetail(id) }, trx);
      return isWithdrawn;
    });
  }

  /** Uses a link up in the transaction that creates the account. @returns false if the link no longer works */
  async use(token: string, accountId: string, trx: Transaction<Schema>): Promise<boolean> {
    return (await this.database.run(USE, { hash: fingerprint(token), account: accountId }, trx)).length > 0;
  }

  async #write<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      if (violatesUnique(error, 'invitation_open_email')) throw new AlreadyInvited();
      throw error;
    }
  }

  async #queue(
    mail: { recipient: string; token: string; inviter: string | null; language: string | null; expiresAt: Date } & MailNames,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const { recipient, token, inviter, language, expiresAt, appName } = mail;
    const values = { token, until: expiresAt.toISOString(), email: recipient };
    await this.outbox.queueToAddress(
      {
        ...{ kind: 'join-invitation', recipient, locale: language ?? undefined, expiresAt },
        values: { ...values, ...(inviter === null ? {} : { inviter }), ...(appName === undefined ? {} : { client: appName }) },
      },
      trx,
    );
  }

  async #toInvitations(rows: readonly Row[]): Promise<Invitation[]> {
    const openEmails = rows.filter((row) => row.is_open).map(({ email }) => email);
    const withAccount = await this.mails.listWithAccount(openEmails);
    return rows.map((row) => toInvitation(row, row.is_open && withAccount.has(row.email)));
  }

  #toColumns(invitation: NewInvitation) {
    const { displayName, groupName, language, clientId, inviter, groups, attributes } = invitation;
    const email = checkEmail(invitation.email);
    const columns = toPatchColumns({ ...defined({ displayName, groupName, language }) });
    return {
      ...{ email, email_key: toEmailKey(email), days: checkDays(invitation.days), client_id: clientId ?? null },
      ...{ display_name: columns.display_name ?? null, group_name: columns.group_name ?? null },
      ...{ language: columns.language ?? null, inviter: inviter === undefined ? null : checkInviter(inviter) },
      ...this.#checkAttributes({ ...defined({ attributes, groups }) }),
    };
  }

  async #get(id: string): Promise<Invitation> {
    const invitation = await this.find(id);
    if (!invitation) throw new Error('The invitation was deleted.');
    return invitation;
  }
}

function checkDays(days = INVITATION_DAYS.default): number {
  if (Number.isInteger(days) && days >= 1 && days <= INVITATION_DAYS.max) return days;
  throw new AccountFieldInvalid('days', 'format', `days must be a whole number from 1 to ${INVITATION_DAYS.max}.`);
}

function checkInviter(text: string): string {
  try {
    return checkName('displayName', text);
  } catch (error) {
    if (!(error instanceof AccountFieldInvalid)) throw error;
    throw new AccountFieldInvalid('inviter', error.code, error.message.replaceAll('displayName', 'inviter'));
  }
}

function toDetail(id: string, client?: string): Record<string, string> {
  return { invitation: id, ...defined({ client }) };
}

function toInvitation(row: Row, hasAccount: boolean): Invitation {
  const toOptional = <T>(value: T | null): T | undefined => value ?? undefined;
  return {
    ...{ id: row.id, email: row.email, groups: row.groups, attributes: row.attributes, state: row.state },
    ...{ invitedBy: row.invited_by, createdAt: row.created_at, sentAt: row.sent_at, expiresAt: row.expires_at },
    hasAccount,
    ...defined({
      ...{
        displayName: toOptional(row.display_name),
        groupName: toOptional(row.group_name),
        clientId: toOptional(row.client_id),
      },
      ...{ language: toOptional(row.language), inviter: toOptional(row.inviter), reason: toOptional(row.reason) },
      endedAt: toOptional(row.ended_at),
    }),
    ...(row.account_id === null ? {} : { account: { id: row.account_id, username: row.username ?? '' } }),
  };
}
