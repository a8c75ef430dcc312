/**
 * Inspects the database for the doctor: version, migrations, permissions, clock and content. It changes no data, never migrates and
 * never creates a data directory.
 */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import type { Config } from '../../config/config.js';
import { DatabaseError, DatabaseNotReleased, DataDirectoryInUse } from '../database.errors.js';
import { SessionDialect } from '../driver.js';
import { openEmbedded } from '../embedded-directory.js';
import { isRefusal } from '../failures.js';
import { findLater, requireReleased, type LaterMigrations } from '../migrate.js';
import { MIGRATIONS } from '../migrations/index.js';
import { isPooled, keepsNamedStatements } from '../pooler.js';
import type { SessionSource } from '../sessions.js';
import { TransactionScope } from '../transaction-scope.js';
import { NO_SCIM, inspectScim, type ScimInspection } from './inspect-scim.js';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection-limits.js';

export type DatabaseInspection =
  /** The embedded database does not exist before the first start. */
  | { state: 'absent' }
  /** Another process uses the embedded database. */
  | { state: 'in-use' }
  /** `reason`: a sentence without secrets. */
  | { state: 'refused' | 'silent' | 'not-released'; reason: string }
  | ({ state: 'open' } & OpenDatabase);

export interface OpenDatabase {
  /** Major version of PostgreSQL: 15 for 15.4. */
  major: number;
  /** Names of the migrations of this version that are not applied yet. */
  missingMigrations: string[];
  laterMigrations: LaterMigrations | null;
  mayCreate: boolean;
  mayWrite: boolean;
  isReplica: boolean;
  connections: ConnectionLimits;
  /** Null if the connection leads to PostgreSQL itself. */
  pooler: Pooler | null;
  /** The newest thousand sealed seeds of authenticator apps. */
  seeds: string[];
  /** Existing usernames and addresses that a new account could not have. */
  names: ConflictingNames;
  /** Number of accounts whose attributes the settings do not allow, and number of examined accounts. */
  unfitAttributes: { accounts: number; examinedAccounts: number };
  /** Number of accounts with each kind of second factor, with passkeys, and with unused recovery codes. */
  factorHolders: Readonly<Record<string, number>>;
  /**
   * `linkedCounts`, `migratedCounts`: number of accounts of each source, and of accounts whose password was taken over from it, by the
   * source as accounts store it. `ownNames`: username keys of the newest accounts that belong to no source.
   */
  sourceAccounts: {
    linkedCounts: Readonly<Record<string, number>>;
    migratedCounts: Readonly<Record<string, number>>;
    ownNames: string[];
  };
  scim: ScimInspection;
  /** Number of people for whom no account could be created in the last 30 days, by the id of their provider. */
  peopleWithoutAccount: Readonly<Record<string, number>>;
  /** Number of active accounts that have an operator right by a grant; null if the table could not be read. */
  operators: { adminCount: number; otherCount: number } | null;
  /** The event sinks that a gateway has had in its settings. */
  sinks: InspectedSink[];
  time: Date;
}

/** Whether the tables were read. Otherwise everything that is stored is reported as empty. */
export function hasContents({ missingMigrations, mayWrite }: Pick<OpenDatabase, 'missingMigrations' | 'mayWrite'>): boolean {
  return mayWrite && missingMigrations.length === 0;
}

export interface InspectedSink {
  name: string;
  pausedAt: Date | null;
  failingSince: Date | null;
  lastStatus: string | null;
  /** How long the earliest waiting event has waited; null if none waits. */
  waitingSeconds: number | null;
  /** Number of dead events, counted up to 1000; 1001 stands for more. */
  deadCount: number;
  /** By how much the time at which a gateway recorded the sink is ahead of the clock of the database. */
  aheadSeconds: number;
}

export interface Pooler {
  /** The user has a `statement_timeout` at the server. */
  hasLimits: boolean;
  /** Prepared statements keep their names; checked only if the settings require names. */
  keepsStatements: boolean;
}

/** The lists contain a few examples, except `maybeReservedNames`. */
export interface ConflictingNames {
  /** Usernames that are also the e-mail address of another account. */
  addresses: string[];
  /** E-mail addresses that several accounts have verified. */
  sharedAddresses: string[];
  /** Usernames that look like the username of another account. */
  lookAlikes: string[];
  /** All usernames that may look like a reserved username; the check of usernames compares them exactly. */
  maybeReservedNames: string[];
}

interface Facts {
  version: string;
  migrated: boolean;
  may_create: boolean;
  is_replica: boolean;
  has_limits: boolean;
  time: Date;
  connections: ConnectionLimits;
}

const ACQUIRE_TIMEOUT_MS = 5000;
const MAX_SEEDS = 1000;
const MAX_NAMES = 5;
const MAX_OWN_NAMES = 20_000;
const MAX_ACCOUNTS = 100_000;
const PAGE_SIZE = 5000;

/** The settings with which stored values are compared. */
export interface Rules {
  /** Skeletons of reserved usernames. */
  reservedSkeletons?: Iterable<string>;
  /** Whether the settings allow these attributes. */
  fits?: (attributes: unknown) => boolean;
}

export async function inspectDatabase(
  database: Config['database'],
  { reservedSkeletons = [], fits = () => true }: Rules = {},
): Promise<DatabaseInspection> {
  try {
    const source = await chooseSource(database);
    if (source === null) return { state: 'absent' };
    try {
      const contents = await inspectOpen(source, { reservedSkeletons, fits });
      return { state: 'open', ...contents, pooler: await findPooler(source, database, contents) };
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof DataDirectoryInUse) return { state: 'in-use' };
    if (error instanceof DatabaseNotReleased) return { state: 'not-released', reason: error.message };
    if (!(error instanceof DatabaseError)) throw error;
    return { state: isRefusal(error) ? 'refused' : 'silent', reason: error.message };
  }
}

async function chooseSource({ url, dataDir }: Config['database']): Promise<SessionSource | null> {
  if (url !== undefined) {
    const { PostgresSource } = await import('../postgres.js');
    // Connects as if through a pooler, because a pooler refuses parameters of a connection.
    const options = { pooled: true, acquireTimeoutMs: ACQUIRE_TIMEOUT_MS, onConnectionLost: () => undefined };
    return new PostgresSource({ url, poolSize: 2, ...options });
  }
  const exists = await access(join(dataDir, 'database', 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  return exists ? openEmbedded(dataDir, () => undefined) : null;
}

async function findPooler(
  source: SessionSource,
  { url, statements }: Config['database'],
  { hasLimits }: { hasLimits: boolean },
): Promise<Pooler | null> {
  if (url === undefined || !(await isPooled(source))) return null;
  return { hasLimits, keepsStatements: statements !== 'named' || (await keepsNamedStatements(source)) };
}

async function inspectOpen(
  source: SessionSource,
  rules: Required<Rules>,
): Promise<Omit<OpenDatabase, 'pooler'> & { hasLimits: boolean }> {
  const db = new Kysely<unknown>({ dialect: new SessionDialect(source, new TransactionScope()) });
  await requireReleased(db);
  const { rows } = await sql<Facts>`
    select current_setting('server_version_num') as version, to_regclass('schema_migration') is not null as migrated,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create,
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as is_replica,
      current_setting('statement_timeout') <> '0' as has_limits, clock_timestamp() as time,
      ${CONNECTION_LIMITS} as connections
  `.execute(db);
  const [facts] = rows;
  if (!facts) throw new Error('The query for the facts of the database returned no row.');
  const { version, migrated, may_create: mayCreate, is_replica: isReplica, has_limits: hasLimits, time, connections } = facts;
  const appliedRows = migrated ? (await sql<{ number: number }>`select number from schema_migration`.execute(db)).rows : [];
  const numbers = new Set(appliedRows.map(({ number }) => number));
  const missingMigrations = MIGRATIONS.filter(({ number }) => !numbers.has(number)).map(({ name }) => name);
  const mayWrite = migrated ? await canWriteTables(db) : mayCreate;
  return {
    major: Math.floor(Number(version) / 10_000),
    missingMigrations,
    laterMigrations: migrated ? await findLater(db, MIGRATIONS) : null,
    mayCreate,
    mayWrite,
    isReplica,
    connections,
    hasLimits,
    ...(hasContents({ missingMigrations, mayWrite }) ? await readContents(db, rules) : NO_CONTENTS),
    time,
  };
}

type Contents = Pick<
  OpenDatabase,
  | 'seeds'
  | 'names'
  | 'unfitAttributes'
  | 'factorHolders'
  | 'sourceAccounts'
  | 'scim'
  | 'peopleWithoutAccount'
  | 'operators'
  | 'sinks'
>;

const NO_CONTENTS: Contents = {
  seeds: [],
  names: { addresses: [], sharedAddresses: [], lookAlikes: [], maybeReservedNames: [] },
  unfitAttributes: { accounts: 0, examinedAccounts: 0 },
  factorHolders: {},
  sourceAccounts: { linkedCounts: {}, migratedCounts: {}, ownNames: [] },
  scim: NO_SCIM,
  peopleWithoutAccount: {},
  operators: null,
  sinks: [],
};

async function readContents(db: Kysely<unknown>, { reservedSkeletons, fits }: Required<Rules>): Promise<Contents> {
  return {
    seeds: await findNewestSeeds(db),
    names: await findConflictingNames(db, [...reservedSkeletons]),
    unfitAttributes: await countUnfitAttributes(db, fits),
    factorHolders: await countFactorHolders(db),
    sourceAccounts: await findSourceAccounts(db),
    scim: await inspectScim(db),
    peopleWithoutAccount: await countWithoutAccount(db),
    operators: await countOperators(db),
    sinks: await findSinks(db),
  };
}

async function findNewestSeeds(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ secret: string }>`
    select secret from totp_factor order by created_at desc limit ${MAX_SEEDS}
  `.execute(db);
  return rows.map(({ secret }) => secret);
}

async function findConflictingNames(db: Kysely<unknown>, reservedSkeletons: readonly string[]): Promise<ConflictingNames> {
  const addresses = await sql<{ username: string }>`
    select username from account a where position('@' in username_key) > 0
      and exists (select from account b where b.email_key = a.username_key and b.id <> a.id)
    order by seq limit ${MAX_NAMES}`.execute(db);
  const sharedAddresses = await sql<{ email_key: string }>`
    select email_key from account where email_key is not null and email_verified
    group by email_key having count(*) > 1 order by email_key limit ${MAX_NAMES}`.execute(db);
  const lookAlikes = await sql<{ username: string }>`
    select distinct l.username from username_look l where l.skeleton in (
      select skeleton from username_look group by skeleton having count(distinct account_id) > 1 order by skeleton limit ${MAX_NAMES})
    order by l.username limit ${2 * MAX_NAMES}`.execute(db);
  // The same normalisation as in `toPlainSkeletons`: skeletons are stored with the separators of the names, and with `i`.
  const maybeReservedNames = await sql<{ username: string }>`
    select a.username from account a where exists (
      select from username_look l where l.account_id = a.id and l.username = a.username
        and translate(l.skeleton, 'i._+-', 'l') = any (select translate(skeleton, 'i._+-', 'l') from unnest(${reservedSkeletons}::text[]) skeleton))
    order by a.seq`.execute(db);
  return {
    maybeReservedNames: maybeReservedNames.rows.map(({ username }) => username),
    addresses: addresses.rows.map(({ username }) => username),
    sharedAddresses: sharedAddresses.rows.map(({ email_key }) => email_key),
    lookAlikes: lookAlikes.rows.map(({ username }) => username),
  };
}

/** Reads the accounts in pages, so that few are in memory at the same time. */
async function countUnfitAttributes(
  db: Kysely<unknown>,
  fits: (attributes: unknown) => boolean,
): Promise<OpenDatabase['unfitAttributes']> {
  const counts = { accounts: 0, examinedAccounts: 0 };
  for (let afterSeq: number | undefined = 0; afterSeq !== undefined && counts.examinedAccounts < MAX_ACCOUNTS;) {
    const { rows }: { rows: { seq: number; attributes: unknown }[] } = await sql<{ seq: number; attributes: unknown }>`
      select seq, attributes from account where seq > ${afterSeq} order by seq limit ${PAGE_SIZE}`.execute(db);
    counts.accounts += rows.filter(({ attributes }) => !fits(attributes)).length;
    counts.examinedAccounts += rows.length;
    afterSeq = rows.length < PAGE_SIZE ? undefined : Number(rows.at(-1)?.seq);
  }
  return counts;
}

async function countFactorHolders(db: Kysely<unknown>): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; holders: number }>`
    select kind, count(*)::integer as holders from account_factor where count > 0 group by kind
  `.execute(db);
  return Object.fromEntries(rows.map(({ kind, holders }) => [kind, holders]));
}

async function findSourceAccounts(db: Kysely<unknown>): Promise<OpenDatabase['sourceAccounts']> {
  const countRows = async (table: 'source_account' | 'migrated_account'): Promise<Record<string, number>> => {
    const counts = await sql<{ source: string; accounts: number }>`
      select source, count(*)::integer as accounts from ${sql.table(table)} group by source`.execute(db);
    return Object.fromEntries(counts.rows.map(({ source, accounts }) => [source, accounts]));
  };
  const ownRows = await sql<{ username_key: string }>`
    select a.username_key from account a where not exists (select from source_account s where s.account_id = a.id)
    order by a.seq desc limit ${MAX_OWN_NAMES}`.execute(db);
  return {
    linkedCounts: await countRows('source_account'),
    migratedCounts: await countRows('migrated_account'),
    ownNames: ownRows.rows.map(({ username_key: key }) => key),
  };
}

async function countWithoutAccount(db: Kysely<unknown>): Promise<Record<string, number>> {
  const { rows } = await sql<{ provider: string; people: number }>`
    select detail->>'provider' as provider, count(distinct detail->>'subject')::integer as people from audit_event
    where kind = 'provider.refused' and detail->>'reason' = 'no account' and at > now() - interval '30 days'
    group by 1`.execute(db);
  return Object.fromEntries(rows.map(({ provider, people }) => [provider, people]));
}

async function canWriteTables(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ all: boolean }>`
    select bool_and(has_table_privilege(c.oid, 'SELECT') and has_table_privilege(c.oid, 'INSERT')
      and has_table_privilege(c.oid, 'UPDATE') and has_table_privilege(c.oid, 'DELETE')) as all
    from pg_class c where c.relkind = 'r' and c.relnamespace = (select relnamespace from pg_class where oid = 'schema_migration'::regclass)
  `.execute(db);
  return rows[0]?.all === true;
}

async function countOperators(db: Kysely<unknown>): Promise<OpenDatabase['operators']> {
  const { rows } = await sql<{ admins: number; operators: number }>`
    select count(distinct a.id) filter (where g.right_name = 'admin')::integer as admins, count(distinct a.id)::integer as operators
    from operator_grant g join account a on a.id = g.account_id
    where a.status = 'active' and (g.ends_at is null or g.ends_at > now())`.execute(db);
  const { admins, operators } = rows[0] ?? { admins: 0, operators: 0 };
  return { adminCount: admins, otherCount: operators - admins };
}

async function findSinks(db: Kysely<unknown>): Promise<InspectedSink[]> {
  const { rows } = await sql<InspectedSink>`
    select s.name, s.paused_at as "pausedAt", s.failing_since as "failingSince", s.last_status as "lastStatus",
      extract(epoch from clock_timestamp() - w.created_at)::double precision as "waitingSeconds",
      (select count(*)::integer from (
        select from event_delivery d where d.sink = s.name and d.dead_at is not null limit 1001) counted) as "deadCount",
      extract(epoch from s.configured_at - clock_timestamp())::double precision as "aheadSeconds"
    from event_sink s left join lateral (
      select d.created_at from event_delivery d
      where d.sink = s.name and d.delivered_at is null and d.dead_at is null order by d.event limit 1) w on true
    order by s.name limit 100`.execute(db);
  return rows;
}
