/** The audit log as the database keeps it: append-only, and read by kind, time, actor and account. */
import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { findKinds } from '../../../src/accounts/audit/kinds.js';
import { describeOnDatabases } from '../../support/databases.js';
import { BY, FactorParts } from './factor-parts.js';

const DAY = 86_400;
/** Leaves out the events that the creation of the account has just written. */
const DAYS_AGO = { until: new Date(Date.now() - 3600_000) };

describeOnDatabases('audit log', (test) => {
  it('refuses to change an event, to delete one before its time and to truncate the table', async () => {
    const { audit, person } = await createParts();
    const account = await person();
    const whole = await audit.list(account.id);
    for (const attack of [
      sql`update audit_event set kind = 'sign-in.ok' where account_id = ${account.id}`,
      sql`delete from audit_event where account_id = ${account.id}`,
      sql`truncate audit_event`,
    ]) {
      await expect(attack.execute(test.database.db)).rejects.toThrow('the audit log is append-only');
    }
    expect(whole.entries.length).toBeGreaterThan(0);
    expect(await audit.list(account.id)).toEqual(whole);
  });

  it('is read by account, kind, group of kinds, actor and time, one page at a time', async () => {
    const { audit, person } = await createParts();
    const account = await person();
    const other = await person();
    for (const kind of ['factor.ok', 'factor.refused', 'sign-in.ok', 'factor.ok'] as const) {
      await audit.record({ kind, actor: 'person', accountId: account.id });
      test.clock.advanceSeconds(DAY);
    }
    await audit.record({ kind: 'factor.ok', actor: 'system', accountId: other.id });
    const searchKinds = async (query: object) => (await audit.search(query)).entries.map(({ kind }) => kind);
    const accountId = account.id;
    expect(await searchKinds({ accountId, kinds: ['factor.ok'] })).toEqual(['factor.ok', 'factor.ok']);
    expect(await searchKinds({ accountId, kinds: findKinds('factor') })).toEqual(['factor.ok', 'factor.refused', 'factor.ok']);
    expect(await searchKinds({ accountId, kinds: [] })).toEqual([]);
    expect(await audit.search({ actor: 'system', kinds: ['factor.ok'] })).toMatchObject({ entries: [{ accountId: other.id }] });
    const [, third] = (await audit.search({ accountId })).entries;
    const since = new Date((third?.at.getTime() ?? 0) - 1000);
    expect(await searchKinds({ accountId, since })).toEqual(['factor.ok', 'sign-in.ok']);
    expect(await searchKinds({ accountId, since, until: new Date(since.getTime() + 60_000) })).toEqual(['sign-in.ok']);
    const first = await audit.search({ accountId, limit: 3 });
    const second = await audit.search({ accountId, limit: 3, ...(first.nextCursor ? { cursor: first.nextCursor } : {}) });
    expect([first.entries.length, second.entries[0]?.kind]).toEqual([3, 'factor.ok']);
    expect(await audit.search({ accountId: 'nobody' })).toEqual({ entries: [] });
    expect(await audit.search({ cursor: 'x' })).toEqual({ entries: [] });
  });

  it('is listed by time, also when events were written in another order', async () => {
    const { audit, person } = await createParts();
    const { id } = await person();
    await write(id, ['sign-in.ok', 3], ['consent.granted', 1], ['logout.done', 4], ['factor.ok', 2]);
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await audit.search({ accountId: id, ...DAYS_AGO, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
      listed.push(...page.entries.map(({ kind }) => kind));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(listed).toEqual(['consent.granted', 'factor.ok', 'sign-in.ok', 'logout.done']);
  });

  it('continues a list after an event that was deleted in the meantime', async () => {
    const { audit, person } = await createParts();
    const { id: accountId } = await person();
    await write(accountId, ['sign-in.ok', 203], ['consent.granted', 202], ['logout.done', 201]);
    const { nextCursor: cursor = '' } = await audit.search({ accountId, ...DAYS_AGO, limit: 2 });
    await sql`delete from audit_event where seq = ${Number(cursor)}`.execute(test.database.db);
    expect((await audit.search({ accountId, cursor })).entries.map(({ kind }) => kind)).toEqual(['sign-in.ok']);
  });

  it('distinguishes an unknown recovery code from a used one', async () => {
    const parts = await FactorParts.create(test);
    const { account, recoveryCodes } = await parts.createWithTotp();
    const [code = ''] = recoveryCodes;
    const verify = (tried: string) => parts.recovery.verify({ accountId: account.id, code: tried, auditContext: BY });
    expect(await verify('0000-0000-0000-0000')).toEqual({ kind: 'refused' });
    expect(await verify(code)).toEqual({ kind: 'proven' });
    expect(await verify(code)).toEqual({ kind: 'refused' });
    const { entries } = await parts.audit.list(account.id);
    const faults = entries.filter(({ kind }) => kind === 'factor.refused').map(({ detail }) => detail);
    expect(faults).toEqual([
      { factor: 'recovery', fault: 'replayed' },
      { factor: 'recovery', fault: 'code' },
    ]);
  });

  async function write(account_id: string, ...events: [kind: string, daysAgo: number][]): Promise<void> {
    for (const [kind, daysAgo] of events) {
      const at = new Date(Date.now() - daysAgo * DAY * 1000);
      await test.database.db.insertInto('audit_event').values({ at, kind, actor: 'person', account_id }).execute();
    }
  }

  async function createParts() {
    const parts = await FactorParts.create(test);
    return { audit: parts.audit, person: () => parts.createPerson() };
  }
});
