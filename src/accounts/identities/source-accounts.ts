/**
 * Accounts of people from sources (`src/sources`) and from providers that provision. A person is (source, id at the source) or
 * (issuer, subject), never a name or an e-mail address: an account that is there already is not connected by them, because
 * whoever writes the source could take it over.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import { fingerprint } from '../../config/keys.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { LOG } from '../../config/log.token.js';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import type { SourcePerson } from '../../sources/user-source.port.js';
import { AccountError, AttributeInvalid } from '../account/account.errors.js';
import { MOST_GROUPS, checkName } from '../account/fields.js';
import { accountColumns, toAccount } from '../account/account.js';
import type { Account, AccountFields, AccountPatch, NewAccount } from '../account/account.js';
import { Accounts } from '../account/accounts.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { endEverySessionOf } from '../sessions/browser-sessions.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';
import { insertIdentity } from './identity-rows.js';

export interface SourceLink {
  /** Id of a source, or the issuer of a provider. */
  source: string;
  subject: string;
}

export interface PersonOfSource {
  source: string;
  person: SourcePerson;
  by: AuditContext;
  /** Also what the source said before: it may have been left out then, and be possible now. */
  isAnew?: true;
  /** Of a person of a provider: what a new account signs in with. */
  identity?: { provider: string; label: string | null };
}

export interface EnteredAccount {
  account: Account;
  /** A session that starts with this proof must present it; see `account/security-stamp.ts`. */
  securityStamp: string;
  isFrozen: boolean;
}

/** The account cannot be made: its username is taken, reserved or cannot be one. `reason` is for the log. */
export interface NoAccount {
  reason: string;
}

interface KnownRow extends AccountFields {
  security_stamp: string;
  profile: string;
  frozen: boolean;
}

type Draft = Omit<NewAccount, 'username'>;

const LINK = new Statement<{ account: string }, SourceLink>(
  'source-account.link',
  ({ param }) => sql`select source, subject from source_account where account_id = ${param('account')}`,
);

const FIND = new Statement<Record<'source' | 'subject', string>, KnownRow>(
  'source-account.find',
  ({ param, now }) => sql`
    select ${accountColumns('a')}, ${SECURITY_STAMP} as security_stamp, s.profile,
      coalesce(a.credentials_frozen_until > ${now}, false) as frozen
    from source_account s join account a on a.id = s.account_id
    where s.source = ${param('source')} and s.subject = ${param('subject')}`,
);

const SEEN = new Statement<Record<'source' | 'subject' | 'profile', string>, never>(
  'source-account.seen',
  ({ param, now }) => sql`
    update source_account set profile = ${param('profile')}, seen_at = ${now}
    where source = ${param('source')} and subject = ${param('subject')}`,
);

/** What is left out where the source's value cannot be one here: nobody is kept out by an address. */
const OPTIONAL = ['email', 'displayName', 'groupName', 'groups', 'attributes'] as const;

/** An id of a source has no colon (`USER_SOURCES`), an issuer has one (OpenID Connect Core, section 2). */
export function isIssuer(source: string): boolean {
  return source.includes(':');
}

/** What was known of a person: nothing is written while it stays the same. */
export function profileOf(person: SourcePerson): string {
  return fingerprint(JSON.stringify(person));
}

@Injectable()
export class SourceAccounts {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'sources' | 'providers'>,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @returns null for an account of its own */
  async find(accountId: string): Promise<SourceLink | null> {
    return (await this.database.run(LINK, { account: accountId }))[0] ?? null;
  }

  /** The account of a proven person: made at the first sign-in, brought up to date at later ones. */
  async enter(of: PersonOfSource): Promise<EnteredAccount | NoAccount> {
    const known = await this.#known(of);
    if (known) return this.#updated(known, of);
    const refused = await this.#create(of);
    // Two sign-ins at once: the other one has made it.
    const made = await this.#known(of);
    if (made) return { account: toAccount(made), securityStamp: made.security_stamp, isFrozen: made.frozen };
    return refused ?? { reason: 'the account was deleted' };
  }

  async isKnown({ source, subject }: SourceLink): Promise<boolean> {
    return (await this.database.run(FIND, { source, subject })).length > 0;
  }

  /** Ends what is open of somebody whom the source does not let in any more. @returns the account; null if there is none */
  async endAccess({ source, subject }: SourceLink, by: AuditContext): Promise<string | null> {
    const [known] = await this.database.run(FIND, { source, subject });
    if (!known) return null;
    const { id: accountId } = known;
    await this.database.transaction(async (trx) => {
      const sessions = await endEverySessionOf({ accountId, now: this.database.now(), upstream: 'everything' }, trx);
      if (sessions > 0) await this.audit.record({ ...by, kind: 'sessions.ended', accountId, detail: { sessions } }, trx);
    });
    return accountId;
  }

  async #known({ source, person: { subject } }: PersonOfSource): Promise<KnownRow | undefined> {
    return (await this.database.run(FIND, { source, subject }))[0];
  }

  async #create(of: PersonOfSource): Promise<NoAccount | null> {
    const { source, person, by } = of;
    const { username } = person;
    const made = await this.#reduced(of, { ...draftOf(person), ...this.#subject(of) }, (draft) =>
      this.accounts.changing(async (trx) => {
        const account = await this.accounts.createWithin(trx, { username, ...draft }, by);
        await this.#link(account.id, of, trx);
        await this.audit.record({ ...by, kind: 'source.connected', accountId: account.id, detail: { source } }, trx);
      }),
    ).catch((error: unknown) => {
      if (violatesUnique(error, 'source_account_person')) return null;
      throw error;
    });
    return made;
  }

  /** Only of a new account: `sub` of the others stays what it is, whatever the settings say. */
  #subject({ source, person: { subject } }: PersonOfSource): { subject?: string } {
    const { sources, providers } = this.config;
    const settings = isIssuer(source)
      ? providers.find(({ issuer, provision }) => issuer === source && provision)?.provision
      : sources.find(({ id }) => id === source);
    return settings?.subjectPrefix === undefined ? {} : { subject: `${settings.subjectPrefix}${subject}` };
  }

  async #link(accountId: string, { source, person, identity }: PersonOfSource, trx: Transaction<Schema>): Promise<void> {
    const now = this.database.now();
    if (identity) await insertIdentity({ accountId, issuer: source, subject: person.subject, ...identity, now }, trx);
    const of = { account_id: accountId, source, subject: person.subject, profile: profileOf(person) };
    await trx
      .insertInto('source_account')
      .values({ ...of, connected_at: now, seen_at: now })
      .execute();
  }

  async #updated(known: KnownRow, of: PersonOfSource): Promise<EnteredAccount> {
    const { source, person, by } = of;
    const before = { account: toAccount(known), securityStamp: known.security_stamp, isFrozen: known.frozen };
    const profile = profileOf(person);
    if (known.profile === profile && !of.isAnew) return before;
    const { id } = known;
    const rename = known.username === person.username ? {} : { username: person.username };
    let { account } = before;
    const write = async (patch: AccountPatch): Promise<void> => void (account = await this.accounts.update(id, patch, by));
    await this.#reduced(of, changesOf(account, person), write);
    const refused = await this.#reduced(of, rename, write);
    if (refused) this.#tell(of, `it keeps its username: ${refused.reason}`);
    await this.database.run(SEEN, { source, subject: person.subject, profile });
    return { ...before, account };
  }

  /** @returns why it was refused, once everything that can be left out is left out */
  async #reduced<Values extends object>(
    of: PersonOfSource,
    values: Values,
    write: (values: Values) => Promise<void>,
  ): Promise<NoAccount | null> {
    try {
      await write(values);
      return null;
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      const field = OPTIONAL.find((name) => name === error.field && isGiven(name, values));
      if (!field) return { reason: `${error.field}: ${error.message}` };
      this.#tell(of, `${field} is left out: ${error.message}`);
      return this.#reduced(of, { ...values, ...withoutField(field, values, error) }, write);
    }
  }

  #tell({ source, person: { subject } }: PersonOfSource, reason: string): void {
    this.log.warn({ source, subject, reason }, 'not everything that a source says of a person can be taken over');
  }
}

/** What is left out already is not left out again; an address that stays as it is may still count as verified from now on. */
function isGiven(field: (typeof OPTIONAL)[number], values: object): boolean {
  const given = new Map<string, unknown>(Object.entries(values));
  return given.get(field) !== undefined || (field === 'email' && given.get('emailVerified') !== undefined);
}

/**
 * An attribute that cannot be taken over goes, then all go, unless that is refused too: a role that the source took away must
 * not stay.
 */
function withoutField(field: (typeof OPTIONAL)[number], values: object, error: AccountError): Record<string, unknown> {
  if (field === 'email') return { email: undefined, emailVerified: undefined };
  const attributes = 'attributes' in values && field === 'attributes' ? Object.entries(values.attributes ?? {}) : [];
  const given = attributes.flatMap(([name, value]) => (value === null ? [] : [name]));
  if (given.length === 0) return { [field]: undefined };
  const one = given.find((name) => error instanceof AttributeInvalid && error.isAt(name));
  return { [field]: Object.fromEntries(attributes.map(([name, value]) => [name, one && name !== one ? value : null])) };
}

/** What the source is not asked for stays as it is. */
function draftOf({ displayName, email, emailVerified, groups, hasGroupName, attributes }: SourcePerson): Draft {
  const [first, ...others] = groups?.filter(isGroup).slice(0, MOST_GROUPS) ?? [];
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(email === undefined ? {} : { email, ...(emailVerified ? { emailVerified } : {}) }),
    ...(groups === undefined ? {} : { groups: first === undefined ? [] : [first, ...others] }),
    ...(hasGroupName && first !== undefined ? { groupName: first } : {}),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

/** One name that cannot be a group's must not keep the others as they were. */
function isGroup(name: string): boolean {
  try {
    return checkName('groups', name) !== '';
  } catch (error) {
    if (error instanceof AccountError) return false;
    throw error;
  }
}

/** An address that is written anew would count as a new one: not verified, and told to the old one. */
function changesOf(account: Account, person: SourcePerson): Omit<AccountPatch, 'username'> {
  const { email, emailVerified, ...draft } = draftOf(person);
  const isSame = email === undefined || email === account.email;
  return {
    ...(person.hasGroupName ? { groupName: null } : {}),
    ...draft,
    ...(isSame ? {} : { email }),
    ...(emailVerified === true && !(isSame && account.emailVerified) ? { emailVerified } : {}),
  };
}
