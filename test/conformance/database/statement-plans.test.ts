/**
 * The plan of every named statement over tables of many accounts: no statement that somebody waits for reads a growing table
 * completely. The plan is the generic one that the server keeps for all values, as for named statements.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { STATEMENTS } from '../../../src/database/statement.js';
import { createMigratedDatabase, dropDatabases, serverUrl, whyNoServer } from '../../support/databases.js';
import { buildManyAccounts } from '../../support/many-accounts.js';
import { IS_FULL } from '../../support/matrix.js';

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED: plans of statements over many accounts: ${reason}\n`);
const TIMEOUT_MS = 240_000;
const ACCOUNTS = 20_000;
/** The server reads a table completely the sooner the smaller it is, so fewer events find no less. */
const EVENTS_PER_ACCOUNT = IS_FULL ? 20 : 2;

/** Statements that read a whole table on purpose, because nobody waits for them or the table stays small. */
const WHOLE_TABLES: readonly string[] = [
  // A gauge counts its queue, which is empty except during outages of Hydra.
  'revocation-job.count: revocation_job',
  // The list of operators reads all grants, of which there are few.
  'operator-grant.list: operator_grant',
  // At most 1000 refused calls of each SCIM source are kept.
  'scim-fault.cut: scim_fault, scim_fault',
  // One row for each source of the settings.
  'scim-request.last: scim_source',
  // An installation has few event sinks.
  'event_delivery.claim-from: event_sink',
  'event-sink.note-state: event_sink',
  'event-sinks.list: event_sink, event_sink',
  'event-sink.resume: event_sink',
];

const SRC = join(import.meta.dirname, '..', '..', '..', 'src');

async function loadAll(): Promise<void> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  for (const file of files) {
    if (/new (Statement|LeaseQueue)\b/.test(readFileSync(join(SRC, file), 'utf8'))) await import(join(SRC, file));
  }
}

(reason === null ? describe : describe.skip)('plans of statements over many accounts', () => {
  let client: pg.Client;

  beforeAll(async () => {
    await loadAll();
    client = new pg.Client({ connectionString: serverUrl(await createMigratedDatabase()) });
    await client.connect();
    for (const statement of buildManyAccounts(ACCOUNTS, EVENTS_PER_ACCOUNT)) await client.query(statement);
    await client.query('set plan_cache_mode = force_generic_plan');
  }, TIMEOUT_MS);

  afterAll(async () => {
    await client.end();
    await dropDatabases();
  }, TIMEOUT_MS);

  async function findPlan(name: string, text: string): Promise<string> {
    const parameters = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));
    await client.query(`prepare "${name}" as ${text}`);
    const values = parameters === 0 ? '' : `(${Array(parameters).fill('null').join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute "${name}"${values}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it('read no table completely', async () => {
    const scanning: string[] = [];
    for (const [name, { text }] of STATEMENTS) {
      const plan = await findPlan(name, text);
      const tables = [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table = '']) => table);
      if (tables.length > 0) scanning.push(`${name}: ${tables.join(', ')}`);
    }
    expect(STATEMENTS.size).toBeGreaterThan(80);
    expect(scanning.toSorted()).toEqual(WHOLE_TABLES.toSorted());
  });
});
