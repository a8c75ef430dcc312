/**
 * A gateway that is killed while people make changes: each change is complete (with its events, its mail and the
 * sessions that it ends) or not made at all. The database stops the gateway at known statements, for all changes at once.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import pg from 'pg';
import type { Account } from '../../src/accounts/account/account.js';
import { copyTemplate, execute, serverUrl, whyNoServer } from '../support/databases.js';
import { ManageUser } from '../support/manage.js';
import { IS_FULL } from '../support/matrix.js';
import { CHANGES, CHANGE_NAMES, OwnChange } from '../support/own-changes.js';
import { ProcessGateway } from '../support/process-gateway.js';
import { waitUntil } from '../support/upstream-waiting.js';

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED: a gateway that is killed: ${reason}\n`);
const TIMEOUT_MS = 180_000;
/** An advisory lock that the triggers of the test wait for. */
const HELD = 4711;
const KINDS = [...CHANGE_NAMES.flatMap((name) => CHANGES[name].events), 'sessions.ended'];
const IS_CHANGE = `new.kind in (${KINDS.map((kind) => `'${kind}'`).join(', ')})`;

const AT_EVENT = `trigger held before insert on audit_event for each row when (${IS_CHANGE})`;
const AT_MAIL = 'trigger held before insert on outbox for each row';
const AT_COMMIT = `constraint trigger held after insert on audit_event deferrable initially deferred for each row when (${IS_CHANGE})`;
const AT_ANSWER = 'trigger held before update of answer on rpc_change for each row when (new.answer is not null)';
/**
 * The first and the third run in CI: a transaction that is not committed, and one that is. At the mail and at the answer, `database-limits`
 * interrupts the same transactions. `sessions`: the sessions that remain after the sessions of another person were ended, where the moment affects
 * them.
 */
const MOMENTS = [
  { at: 'the event', trigger: AT_EVENT, isMade: false, sessions: { browsers: 1, manage: 1, jobs: 0, events: 0 } },
  { at: 'the mail', trigger: AT_MAIL, isMade: false },
  { at: 'the commit', trigger: AT_COMMIT, isMade: true, sessions: { browsers: 0, manage: 0, jobs: 1, events: 1 } },
  { at: 'the record of the answer', trigger: AT_ANSWER, isMade: true },
];

(reason === null ? describe : describe.skip)('[INS-7] a gateway that is killed during changes', () => {
  let name: string;
  let gateway: ProcessGateway;

  beforeAll(async () => {
    name = await copyTemplate();
    gateway = await ProcessGateway.start(serverUrl(name));
    await execute(
      `create function hold() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(${HELD}); return new; end $$`,
      name,
    );
  }, TIMEOUT_MS);

  afterAll(async () => {
    await gateway.close();
    await execute(`drop database ${name} with (force)`);
  });

  const processes = async (condition: string): Promise<number> =>
    (await execute(`select from pg_stat_activity where datname = '${name}' and (${condition})`)).length;

  /** Kills the gateway as soon as each of these requests is stopped. */
  async function killHolding(begin: (() => Promise<unknown>)[]): Promise<void> {
    const holder = new pg.Client({ connectionString: serverUrl(name) });
    await holder.connect();
    await holder.query(`select pg_advisory_lock(${HELD})`);
    const asked = Promise.allSettled(begin.map((ask) => ask()));
    await waitUntil(TIMEOUT_MS, async () => (await processes(`wait_event = 'advisory'`)) === begin.length);
    await gateway.kill();
    const answers = await asked;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'rejected'));
    await holder.end();
    // The server notices the end of the gateway after it has finished the last statement.
    await waitUntil(TIMEOUT_MS, async () => (await processes(`wait_event = 'advisory' or xact_start is not null`)) === 0);
  }

  /** Sessions of an account, and what belongs to their end. */
  async function findSessions({ id }: Account): Promise<unknown> {
    const { rows } = await sql`
      select (select count(*) from browser_session where account_id = ${id}) as browsers,
        (select count(*) from manage_session where account_id = ${id} and ended_at is null) as manage,
        (select count(*) from revocation_job where account_id = ${id}) as jobs,
        (select count(*) from audit_event where account_id = ${id} and kind = 'sessions.ended') as events`.execute(
      gateway.database.db,
    );
    return rows[0];
  }

  /** @returns changes of different people, one of each kind */
  async function prepareChanges(): Promise<OwnChange[]> {
    const changes: OwnChange[] = [];
    for (const change of CHANGE_NAMES) changes.push(await OwnChange.prepare(gateway, change));
    return changes;
  }

  /** Kills the gateway while a trigger stops all changes. */
  async function killAt(trigger: string, begin: (() => Promise<unknown>)[]): Promise<void> {
    await execute(`create ${trigger} execute function hold()`, name);
    await killHolding(begin);
    await execute(`drop trigger held on ${/ on (\w+)/.exec(trigger)?.[1] ?? ''}`, name);
  }

  it.each(MOMENTS.filter(({ sessions }) => IS_FULL || sessions))(
    '[R-06] at $at has made every change completely, or none: $isMade',
    async ({ trigger, isMade, sessions }) => {
      const changes = await prepareChanges();
      const { account } = await ManageUser.enter(gateway, { fresh: true });
      const end = (): Promise<unknown> => gateway.operator('DELETE', `/accounts/${account.id}/sessions`);
      await killAt(trigger, [...changes.map((change) => () => change.make()), ...(sessions ? [end] : [])]);
      const made = await Promise.all(changes.map((change) => change.wasMade(gateway.database)));
      expect(made).toEqual(changes.map(() => isMade));
      if (sessions) expect(await findSessions(account)).toEqual(sessions);
      await gateway.restart();
      for (const change of isMade ? [] : changes) {
        expect([change.name, (await change.makeAgain()).status]).toEqual([change.name, 200]);
        expect([change.name, await change.wasMade(gateway.database)]).toEqual([change.name, true]);
      }
    },
    3 * TIMEOUT_MS,
  );
});
