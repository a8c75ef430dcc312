/** Plans of PostgreSQL for statements on tables that grow: over many rows, each statement reads little more than its result. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AccountNames } from '../../../src/accounts/account/account-names.js';
import { UsernameSkeletonFiller } from '../../../src/accounts/account/username-skeleton-filler.js';
import { AuditLog, type AuditQuery } from '../../../src/accounts/audit/audit-log.js';
import { EventDeliveries } from '../../../src/accounts/queue/event-deliveries.js';
import { EventSinks } from '../../../src/accounts/queue/event-sinks.js';
import { readConditions } from '../../../src/accounts/scim/scim-filter.js';
import { ScimLists } from '../../../src/accounts/scim/scim-lists.js';
import { scimSource } from '../../support/scim-client.js';
import { Cleanup } from '../../../src/accounts/cleanup.js';
import { OneTimeSecrets } from '../../../src/accounts/secrets/one-time-secrets.js';
import { Outbox } from '../../../src/accounts/queue/outbox.js';
import { testConfig } from '../../support/test-config.js';
import { OutboxClaims } from '../../../src/accounts/queue/outbox-claims.js';
import { OutboxStatistics } from '../../../src/accounts/queue/outbox-statistics.js';
import { SystemClock } from '../../../src/config/clock.js';
import { Database } from '../../../src/database/database.js';
import { PostgresSource } from '../../../src/database/postgres.js';
import type { Session, SessionSource, StatementText } from '../../../src/database/sessions.js';
import { createMigratedDatabase, dropDatabases, execute, serverUrl, whyNoServer } from '../../support/databases.js';
import { createLog } from '../../../src/gateway/http/log.js';
import { NO_SOURCES } from '../../support/no-sources.js';
import { KEYS } from './account-parts.js';

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED: plans over many rows: ${reason}\n`);
const TIMEOUT_MS = 600_000;

const ACCOUNTS = 20_000;
const MAILS = 60_000;
const EVENTS = 150_000;
const GROWN = [
  'account',
  'held_username',
  'username_look',
  'held_username_look',
  'outbox',
  'audit_event',
  'event_delivery',
  'attempt_counter',
  'challenge_record',
  'scim_user',
  'scim_group',
  'scim_group_member',
];
const SOME_ACCOUNT = '00000000-0000-4000-8000-000000000007';
/** Pages of 8 KB. A page of results and its index need far fewer; each table has more than ten times as many. */
const MAX_PAGES = 150;
/** Rows that an index found and a filter removed. */
const MAX_IN_VAIN = 1000;

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Node[];
}

/** Records the statements that run. */
class Recorded implements SessionSource {
  readonly statements: StatementText[] = [];

  constructor(private readonly source: SessionSource) {}

  usage(): ReturnType<SessionSource['usage']> {
    return this.source.usage();
  }

  close(): Promise<void> {
    return this.source.close();
  }

  async acquire(): Promise<Session> {
    const session = await this.source.acquire();
    return {
      query: (statement) => {
        this.statements.push(statement);
        return session.query(statement);
      },
      release: (broken) => session.release(broken),
    };
  }
}

(reason === null ? describe : describe.skip)('plans over many rows', () => {
  let name: string;
  let recorded: Recorded;
  let database: Database;

  const run = (statement: string): Promise<unknown[]> => execute(statement, name);

  beforeAll(async () => {
    name = await createMigratedDatabase();
    for (const statement of MANY_ROWS) await run(statement);
    const patient = { unlimited: true, acquireTimeoutMs: TIMEOUT_MS, onConnectionLost: () => undefined };
    recorded = new Recorded(new PostgresSource({ url: serverUrl(name), poolSize: 2, ...patient }));
    database = new Database({ source: recorded, dialect: 'postgresql', clock: new SystemClock() });
  }, TIMEOUT_MS);

  afterAll(async () => {
    await database.close();
    await dropDatabases();
  }, TIMEOUT_MS);

  /** @returns the plan of each statement that the work runs, each executed once more and rolled back */
  async function findPlans(work: () => Promise<unknown>): Promise<Node[]> {
    recorded.statements.length = 0;
    await work();
    const texts = recorded.statements.filter(({ text }) => /^\s*(select|with|insert|update|delete)\b/i.test(text));
    const plans: Node[] = [];
    for (const { text, values } of texts) {
      const session = await recorded.acquire();
      await session.query({ text: 'begin', values: [] });
      const explained = await session.query({ text: `explain (analyze, buffers, format json) ${text}`, values });
      await session.query({ text: 'rollback', values: [] });
      session.release(false);
      plans.push((explained.rows[0] as { 'QUERY PLAN': { Plan: Node }[] })['QUERY PLAN'][0]!.Plan);
    }
    return plans;
  }

  const toNodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(toNodes)];

  async function expectLittleRead(work: () => Promise<unknown>): Promise<void> {
    const plans = await findPlans(work);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      const nodes = toNodes(plan);
      const scans = nodes
        .filter(({ 'Node Type': type }) => type === 'Seq Scan')
        .map((node) => node['Relation Name'] ?? '')
        .filter((table) => GROWN.includes(table));
      const inVain = nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0);
      const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      expect({ scans, inVain: inVain > MAX_IN_VAIN ? inVain : 'few', pages: pages > MAX_PAGES ? pages : 'few' }).toEqual({
        scans: [],
        inVain: 'few',
        pages: 'few',
      });
    }
  }

  it('mails: a request for one account reads the mails of that account', async () => {
    const outbox = new Outbox(database, KEYS, new OneTimeSecrets(database, KEYS), testConfig());
    const mail = { kind: 'password-reset', accountId: SOME_ACCOUNT } as const;
    await expectLittleRead(() =>
      database.transaction(async (trx) => {
        await outbox.countQueued({ ...mail, seconds: 3600 }, trx);
        await outbox.queueRequested({ ...mail, values: {} }, trx);
      }),
    );
  });

  it('mails: due mails are found among those that were sent', async () => {
    const audit = new AuditLog(database);
    const outbox = new Outbox(database, KEYS, new OneTimeSecrets(database, KEYS), testConfig());
    const claims = new OutboxClaims(database, KEYS, audit, outbox);
    await expectLittleRead(() => claims.claim(5));
    await expectLittleRead(() => new OutboxStatistics(database).count());
  });

  const entra = scimSource('entra');
  const page = { isDescending: false, offset: 0, limit: 50 };
  const readUsers = (filter: string) => ({ ...page, conditions: readConditions(filter, 'User') });
  const readGroups = (filter: string) => ({ ...page, conditions: readConditions(filter, 'Group') });

  it.each([
    `id eq "${SOME_ACCOUNT}"`,
    'userName eq "p7"',
    'externalId eq "x-p7"',
    'emails.value eq "p7@example.org"',
    'emails[type eq "work"].value eq "p7@example.org"',
    'userName eq "p7" and meta.lastModified gt "2020-01-01T00:00:00Z"',
  ])('SCIM: people are found by %s', async (filter) => {
    const lists = new ScimLists(database);
    await expectLittleRead(() => lists.listUsers(entra, readUsers(filter)));
  });

  it.each(['displayName eq "group 7"', 'externalId eq "g-7"', `members.value eq "${SOME_ACCOUNT}"`])(
    'SCIM: groups are found by %s',
    async (filter) => {
      const lists = new ScimLists(database);
      await expectLittleRead(() => lists.listGroups(entra, readGroups(filter)));
    },
  );

  it.each(['userName', 'externalId', 'meta.created', 'meta.lastModified', 'id'])(
    'SCIM: people are in the order of %s',
    async (sortBy) => {
      const lists = new ScimLists(database);
      const plans = await findPlans(() => lists.listUsers(entra, { ...page, conditions: [], sortBy }));
      // The first statement counts, as the standard requires; the second one reads a page.
      const nodes = toNodes(plans[1]!);
      expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan' || node['Node Type'] === 'Sort')).toEqual([]);
      expect(plans[1]!['Shared Hit Blocks'] + plans[1]!['Shared Read Blocks']).toBeLessThan(MAX_PAGES);
    },
  );

  it('mails: the next mail is found among many that wait, without sorting them', async () => {
    const claims = new OutboxClaims(
      database,
      KEYS,
      new AuditLog(database),
      new Outbox(database, KEYS, new OneTimeSecrets(database, KEYS), testConfig()),
    );
    await run(MANY_WAITING);
    await run('vacuum analyze outbox');
    try {
      await expectLittleRead(() => claims.claim(1));
      await expectLittleRead(() => claims.claimOldest(1));
      const sorts = (await findPlans(() => claims.claim(1)))
        .flatMap(toNodes)
        .filter((node) => node['Node Type'].includes('Sort'));
      expect(sorts).toEqual([]);
    } finally {
      await run(`delete from outbox where kind = 'waiting'`);
      await run('vacuum analyze outbox');
    }
  });

  const lately = new Date(Date.now() - 60_000);
  it.each<[string, AuditQuery]>([
    ['of everybody', {}],
    ['of one account', { accountId: SOME_ACCOUNT }],
    ['of an operator', { actor: 'operator' }],
    ['of the system', { actor: 'system' }],
    ['of persons', { actor: 'person' }],
    ['of a frequent kind', { kinds: ['password.ok'] }],
    ['of a rare kind', { kinds: ['account.created'] }],
    ['of a kind that has not happened lately', { kinds: ['password.changed'] }],
    ['of such a kind, on the next page', { kinds: ['password.changed'], cursor: String(EVENTS / 4) }],
    ['of several kinds, one of them long ago', { kinds: ['password.changed', 'account.created', 'token.reused'] }],
    ['of kinds of one account', { kinds: ['password.changed', 'token.reused'], accountId: SOME_ACCOUNT }],
    ['of kinds that do not exist', { kinds: ['mail.abandoned', 'token.reused'] }],
    ['of an operator, of a frequent kind of others', { actor: 'operator', kinds: ['account.created'] }],
    ['since a minute ago', { since: lately }],
    ['of a day long ago', { since: new Date('2020-01-03'), until: new Date('2020-01-04') }],
    ['of an operator, since long ago', { actor: 'operator', since: new Date('2020-01-01') }],
    ['on the next page', { cursor: String(EVENTS / 2) }],
    ['of an operator, on the next page', { actor: 'operator', cursor: String(EVENTS / 2) }],
  ])('events %s: are found without reading many others', async (_, query) => {
    await expectLittleRead(() => new AuditLog(database).search(query));
  });

  const filler = (): UsernameSkeletonFiller =>
    new UsernameSkeletonFiller(database, new AccountNames(database, testConfig(), NO_SOURCES), createLog('silent'));
  const toSelects = (table: string): StatementText[] =>
    recorded.statements.filter(({ text }) => text.includes(`from ${table}\n`) && /for no key update/.test(text));

  it('skeletons of usernames: if none is missing, two statements read nothing', async () => {
    await expectLittleRead(() => filler().fill());
    recorded.statements.length = 0;
    expect(await filler().fill()).toBe(0);
    expect(recorded.statements.filter(({ text }) => !/^(begin|commit)/i.test(text))).toHaveLength(2);
  });

  it('skeletons of usernames: only names without them are read, a batch at a time', async () => {
    await run(`
      update account set username = 'Renamed' || seq, username_key = 'renamed' || seq where seq % 20 = 7;
      insert into held_username (username_key, held_until) select 'released' || n, now() + interval '1 day' from generate_series(1, 3) n`);
    recorded.statements.length = 0;
    expect(await filler().fill()).toBe(ACCOUNTS / 20 + 3);
    expect([toSelects('account').length, toSelects('held_username').length]).toEqual([3, 1]);
    expect(await filler().fill()).toBe(0);
    await expectLittleRead(() => filler().fill());
  });

  it('skeletons of usernames: rows that another replica is filling are skipped', async () => {
    await run(`update account set looked_username = null where seq % ${ACCOUNTS / 2} = 7`);
    const replica = await recorded.acquire();
    await replica.query({ text: 'begin', values: [] });
    await replica.query({ text: 'select from account where seq = 7 for update', values: [] });
    expect(await filler().fill()).toBe(1);
    await replica.query({ text: 'rollback', values: [] });
    replica.release(false);
    expect(await filler().fill()).toBe(1);
  });

  it('events: those that are due for a sink are found among many that were delivered, wait, or wait for others', async () => {
    const config = { eventSinks: [] };
    const audit = new AuditLog(database);
    const deliveries = new EventDeliveries(database, audit, config);
    const sinks = new EventSinks(database, audit, deliveries, config);
    await deliveries.register(['crm', 'siem']);
    await expectLittleRead(() => deliveries.claim('crm', 8));
    const [claimed] = await deliveries.claim('crm', 1);
    if (!claimed) throw new Error('Nothing is due.');
    await expectLittleRead(() => deliveries.postpone(claimed, { status: '500', answer: '' }));
    await expectLittleRead(() => sinks.list());
    for (const state of ['waiting', 'delivered', 'dead'] as const) {
      await expectLittleRead(() => sinks.listDeliveries({ sink: 'siem', state }));
    }
  });

  it('cleanup: reads little when nothing has expired', async () => {
    await expectLittleRead(() => new Cleanup(database, { eventSinks: [] }).deleteExpired());
  });

  it('cleanup: a batch begins where the previous batch ended', async () => {
    await run(`
      insert into challenge_record (challenge_hash, kind, browser_hash, expires_at)
      select 'over ' || number, 'consent', 'b', timestamptz '2020-01-01' + number * interval '1 second'
      from generate_series(1, 2600) number`);
    recorded.statements.length = 0;
    expect(await new Cleanup(database, { eventSinks: [] }).deleteExpired()).toBe(2600);
    const batches = recorded.statements.filter(({ text }) => text.includes('"challenge_record"'));
    const bounds = batches.map(({ values }) => values.find((value) => value instanceof Date || value === '-infinity'));
    expect(bounds).toEqual([
      '-infinity',
      ...[500, 1000, 1500, 2000, 2500].map((second) => new Date(Date.parse('2020-01-01') + second * 1000)),
    ]);
    const { rows } = await sql`select count(*) from challenge_record where challenge_hash like 'over %'`.execute(database.db);
    expect(rows).toEqual([{ count: 0 }]);
  });
});

/** Mails that are due for some time, mails that are due later, and mails that are being sent. */
const MANY_WAITING = `
  insert into outbox (account_id, kind, recipient, locale, payload, created_at, next_try_at, urgency, claimed_until)
    select null, 'waiting', 'p@example.org', 'de', repeat('x', 300), now(), now() + (number % 100 - 90) * interval '1 minute',
      number % 4, case when number <= 5 then now() + interval '2 minutes' end
    from generate_series(1, ${MAILS / 3}) number`;

const MANY_ROWS = [
  `insert into account (id, username, username_key, looked_username, display_name, email, email_key, created_at, updated_at)
    select ('00000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid, 'p' || number, 'p' || number, 'p' || number, 'P',
      'p@example.org', 'p@example.org', now(), now()
    from generate_series(1, ${ACCOUNTS}) number`,
  `insert into username_look (account_id, skeleton, username) select id, username, username from account`,
  `insert into held_username (username_key, held_until, has_looks)
    select 'former' || number, now() + interval '1 day', true from generate_series(1, ${ACCOUNTS}) number`,
  `insert into outbox (account_id, kind, recipient, locale, payload, created_at, next_try_at, sent_at)
    select ('00000000-0000-4000-8000-' || lpad((1 + number % ${ACCOUNTS})::text, 12, '0'))::uuid, 'password-reset', 'p@example.org',
      'de', repeat('x', 300), now() - number * interval '10 seconds', now() - number * interval '10 seconds',
      now() - number * interval '10 seconds'
    from generate_series(1, ${MAILS}) number`,
  `insert into outbox (account_id, kind, recipient, locale, payload, created_at, next_try_at)
    select null, 'password-reset', 'p@example.org', 'de', 'x', now(), now() from generate_series(1, 20)`,
  // Old changes, which are kept; sign-ins of the last months; a few events of operators and of the system.
  `insert into audit_event (at, kind, actor, account_id)
    select timestamptz '2020-01-01' + number * interval '5 minutes', 'password.changed', 'person',
      ('00000000-0000-4000-8000-' || lpad((1 + number % ${ACCOUNTS})::text, 12, '0'))::uuid
    from generate_series(1, ${EVENTS / 2}) number`,
  `insert into audit_event (at, kind, actor, account_id)
    select now() - (${EVENTS / 2} - number) * interval '2 minutes',
      case when number % 5000 = 0 then 'account.created' else 'password.ok' end,
      case when number % 5000 = 0 then 'operator' when number % 7000 = 0 then 'system' else 'person' end,
      ('00000000-0000-4000-8000-' || lpad((1 + number % ${ACCOUNTS})::text, 12, '0'))::uuid
    from generate_series(1, ${EVENTS / 2}) number`,
  `insert into scim_user (account_id, source, user_name_key, external_id, emails, active, disabled_here, resource, version, created_at,
      modified_at)
    select id, 'scim:entra', username_key, 'x-' || username, array[username || '@example.org'], true, false,
      jsonb_build_object('emails', jsonb_build_array(jsonb_build_object('value', username || '@example.org', 'type', 'work'))), 1,
      now() - seq * interval '1 minute', now() - seq * interval '1 minute'
    from account`,
  `insert into scim_group (source, display_name, display_key, external_id, version, created_at, modified_at)
    select 'scim:entra', 'Group ' || number, 'group ' || number, 'g-' || number, 1, now() - number * interval '1 minute',
      now() - number * interval '1 minute'
    from generate_series(1, 3000) number`,
  `insert into scim_group_member (group_id, account_id)
    select g.id, ('00000000-0000-4000-8000-' || lpad((1 + (row_number() over ()) % ${ACCOUNTS})::text, 12, '0'))::uuid
    from scim_group g, generate_series(1, 20)`,
  `insert into event_delivery (sink, event, account_id, created_at, tries, delivered_at)
    select 'siem', seq, account_id, now(), 1, now() from audit_event order by seq limit 60000`,
  // Some accounts have an event that is tried later, and further events behind it.
  `insert into event_delivery (sink, event, account_id, created_at, next_try_at)
    select 'crm', seq, account_id, at, case when seq % 3 = 0 then now() + interval '1 hour' else '-infinity' end
    from audit_event order by seq limit 30000`,
  `insert into attempt_counter (key, expires_at) select 'n:' || number, now() + number * interval '1 minute' from generate_series(1, 40000) number`,
  `insert into challenge_record (challenge_hash, kind, browser_hash, expires_at)
    select 'c' || number, 'consent', 'b', now() + number * interval '1 minute' from generate_series(1, 40000) number`,
  `vacuum analyze`,
];
