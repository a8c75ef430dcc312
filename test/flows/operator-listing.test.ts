/** The filters of the list of accounts by source and by the last sign-in, through the API and the command line. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { peopleLists } from '../../src/database/migrations/0057-people-lists.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

let operator: TestOperator;
const { createAccount, beginSession } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());

async function list(query: string): Promise<Record<string, unknown>[]> {
  const { status, json } = await operator.call('GET', `/accounts?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return json['accounts'] as Record<string, unknown>[];
}

describe('the list of accounts', () => {
  it('is filtered by the last sign-in, which lists and single accounts show', async () => {
    const { id } = await createAccount();
    const other = await createAccount();
    const findIds = async (query: string) => (await list(query)).map((account) => account['id']);
    expect(await findIds('never_signed_in=true')).toEqual([id, other.id]);
    await beginSession(id, 'upstream-session');
    expect(await findIds('never_signed_in=true')).toEqual([other.id]);
    const [listed] = await list('signed_in_since=2020-01-01');
    const shown = (await operator.call('GET', `/accounts/${id}`)).json;
    expect(listed).toMatchObject({ id, source: null, last_sign_in_at: shown['last_sign_in_at'] });
    expect(await findIds(`signed_in_before=${String(listed?.['last_sign_in_at'])}`)).toEqual([]);
    expect(await findIds('signed_in_before=2100-01-01&local=true')).toEqual([id]);
    expect(await findIds('source=staff')).toEqual([]);
    const { code, out } = await foyer('account list --signed-in-since 2020-01-01 --json');
    expect([code, JSON.parse(out)]).toEqual([0, { accounts: [listed] }]);
    expect((await foyer('account list --never-signed-in --local')).out).toContain(other.username);
  });

  it('has the sign-ins between the first copy of the migration and its triggers', async () => {
    const { id } = await createAccount();
    await beginSession(id, 'during-the-upgrade');
    const before = (await operator.call('GET', `/accounts/${id}`)).json;
    const { db } = operator.database;
    await db
      .updateTable('account_listing')
      .set({ last_sign_in_at: null, source: 'former' })
      .where('account_id', '=', id)
      .execute();
    const copies = peopleLists.statements.filter((text) => text.startsWith('insert into account_listing'));
    await sql.raw(copies.at(-1) ?? '').execute(db);
    expect((await operator.call('GET', `/accounts/${id}`)).json).toEqual(before);
    expect(before['last_sign_in_at']).toEqual(expect.any(String));
  });

  it('refuses an invalid date, flag or cursor', async () => {
    expectError(await operator.call('GET', '/accounts?signed_in_before=yesterday'), 400, 'wrong_type', 'signed_in_before');
    expectError(await operator.call('GET', '/accounts?signed_in_since=2026-02-31'), 400, 'wrong_type', 'signed_in_since');
    expectError(await operator.call('GET', '/accounts?never_signed_in=yes'), 400, 'wrong_type', 'never_signed_in');
    // Not "those that have signed in": a filter that does nothing would be taken for one.
    expectError(await operator.call('GET', '/accounts?never_signed_in=false'), 400, 'wrong_type', 'never_signed_in');
    expectError(await operator.call('GET', '/accounts?local=false'), 400, 'wrong_type', 'local');
    const filter = { local: 'false' };
    expectError(await operator.call('POST', '/jobs/count', { action: 'disable', filter }), 400, 'wrong_type', 'local');
    expectError(await operator.call('GET', '/accounts?cursor=1-1'), 422, 'format', 'cursor');
    expectError(await operator.call('GET', '/accounts?signed_in_since=2026-01-01&cursor=1'), 422, 'format', 'cursor');
  });
});
