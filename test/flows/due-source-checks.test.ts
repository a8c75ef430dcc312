/** People of user sources with an open session or grant are asked for once a day, also if nothing of theirs asks Foyer. */
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { AccountsModule } from '../../src/accounts/accounts.module.js';
import { DueSourceChecks } from '../../src/accounts/identities/due-source-checks.js';
import { SourceAccounts } from '../../src/accounts/identities/source-accounts.js';
import { SourceChecks } from '../../src/accounts/identities/source-checks.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { SourceCheckWorker } from '../../src/accounts/source-check-worker.js';
import { QueuesModule, type Foundation } from '../../src/app.module.js';
import { randomToken } from '../../src/config/keys.js';
import { HydraModule } from '../../src/hydra/hydra.module.js';
import { FactorsModule } from '../../src/mfa/factors.module.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { createWorkers } from '../../src/start-foyer.js';
import { openTestDatabase } from '../support/databases.js';
import { PASSWORD } from '../support/gateway.js';
import { openModules, testFoundation } from '../support/modules.js';
import { TestClock } from '../support/test-clock.js';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const MODULES = [AccountsModule, FactorsModule, HydraModule, QueuesModule];

const clock = new TestClock();
const staff = new FakeUserSource('staff');
const partners = new FakeUserSource('partners');
let foundation: Foundation;
let modules: INestApplicationContext;
let due: DueSourceChecks;
let count = 0;

beforeAll(async () => {
  const plain = testFoundation({ clock, database: await openTestDatabase('either', clock) });
  foundation = { ...plain, sources: new UserSources([staff, partners], plain.log) };
  modules = await openModules(foundation, MODULES);
});
beforeEach(() => {
  due = new DueSourceChecks(foundation.database, modules.get(SourceChecks, { strict: false }), foundation.sources);
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const source of [staff, partners]) source.isDown = false;
  await foundation.database.db.deleteFrom('account').execute();
});
afterAll(async () => {
  await modules.close();
  await foundation.database.close();
});

/** A person of the source who has just signed in. */
async function enter(source = staff, { hasSession = true } = {}): Promise<{ accountId: string; person: FakePerson }> {
  const username = `doris.${(count += 1)}`;
  const person = { subject: `id-of-${username}`, username, emailVerified: false, isActive: true, attributes: {} };
  const there = { ...person, password: PASSWORD };
  source.people.push(there);
  const entry = { source: source.id, person: { ...person, names: [username] }, auditContext: { actor: 'system' } } as const;
  const entered = await modules.get(SourceAccounts, { strict: false }).createOrUpdate(entry);
  if (!('account' in entered)) throw new Error(entered.reason);
  if (hasSession) await signIn(entered.account.id);
  return { accountId: entered.account.id, person: there };
}

async function signIn(accountId: string): Promise<void> {
  const session = { browser: randomToken(), acr: 'x', amr: ['pwd'], lifetimeSeconds: 30 * DAY_SECONDS };
  const upstreamSessionId = `sid-${(count += 1)}`;
  await modules.get(BrowserSessions, { strict: false }).begin({ accountId, upstreamSessionId, ...session });
}

/** @returns the number of people who were asked about */
async function run(source = staff): Promise<number> {
  source.calls.splice(0);
  await due.run();
  return source.calls.filter((call) => call === 'find').length;
}

it('whoever has an open session is asked for a day after the sign-in, and once a day', async () => {
  await enter();
  clock.advanceSeconds(DAY_SECONDS - HOUR_SECONDS);
  expect(await run()).toBe(0);
  clock.advanceSeconds(HOUR_SECONDS + 1);
  expect([await run(), await run()]).toEqual([1, 0]);
  clock.advanceSeconds(DAY_SECONDS + 1);
  expect(await run()).toBe(1);
});

it('whoever is gone there loses all access', async () => {
  const { accountId, person } = await enter();
  clock.advanceSeconds(DAY_SECONDS + 1);
  staff.people.splice(staff.people.indexOf(person), 1);
  await due.run();
  const { db } = foundation.database;
  expect(await db.selectFrom('browser_session').select('account_id').where('account_id', '=', accountId).execute()).toEqual([]);
  const events = db.selectFrom('audit_event').select(['kind', 'detail']).where('account_id', '=', accountId);
  expect(await events.where('kind', '=', 'source.refused').execute()).toHaveLength(1);
});

it('whoever has a grant is asked for without a session, and whoever has neither is not', async () => {
  const { accountId } = await enter(staff, { hasSession: false });
  clock.advanceSeconds(DAY_SECONDS + 1);
  expect(await run()).toBe(0);
  const now = clock.now();
  const times = { granted_at: now, expires_at: new Date(now.getTime() + DAY_SECONDS * 1000) };
  const grants = foundation.database.db.insertInto('consent_grant');
  await grants.values({ account_id: accountId, client_id: 'demo', scope: 'openid', ...times }).execute();
  expect(await run()).toBe(1);
});

it('people of a provider or of a removed source, and disabled accounts, are not asked for', async () => {
  const [ofProvider, ofRemoved, disabled] = [await enter(), await enter(), await enter()];
  clock.advanceSeconds(DAY_SECONDS + 1);
  const { db } = foundation.database;
  const rows = db.updateTable('source_account');
  await rows.set({ source: 'https://id.example' }).where('account_id', '=', ofProvider.accountId).execute();
  await rows.set({ source: 'removed' }).where('account_id', '=', ofRemoved.accountId).execute();
  await db.updateTable('account').set({ status: 'disabled' }).where('id', '=', disabled.accountId).execute();
  const check = jest.spyOn(modules.get(SourceChecks, { strict: false }), 'check');
  await due.run();
  expect(check.mock.calls).toEqual([]);
});

it('twenty are asked for in one call, and the next call goes on with the others and begins again', async () => {
  for (let person = 0; person < 25; person += 1) await enter();
  clock.advanceSeconds(DAY_SECONDS + 1);
  const check = jest.spyOn(modules.get(SourceChecks, { strict: false }), 'check').mockResolvedValue('current');
  const counts: number[] = [];
  for (const _ of [1, 2, 3]) {
    check.mockClear();
    await due.run();
    counts.push(new Set(check.mock.calls.map(([{ accountId }]) => accountId)).size);
  }
  expect(counts).toEqual([20, 5, 20]);
});

it('a source that does not answer is asked once in a call, and another source is asked nevertheless', async () => {
  for (const source of [staff, staff, partners, staff, partners]) await enter(source);
  clock.advanceSeconds(DAY_SECONDS + 1);
  staff.isDown = true;
  partners.calls.splice(0);
  expect(await run()).toBe(1);
  expect(partners.calls.filter((call) => call === 'find')).toHaveLength(2);
  staff.isDown = false;
  expect(await run()).toBe(3);
});

it('one person whose check fails does not keep the others from being asked for', async () => {
  for (const source of [staff, staff, partners]) await enter(source);
  clock.advanceSeconds(DAY_SECONDS + 1);
  const check = jest.spyOn(modules.get(SourceChecks, { strict: false }), 'check').mockResolvedValue('current');
  check.mockRejectedValueOnce(new Error('a value of this person cannot be stored'));
  await expect(due.run()).rejects.toThrow('cannot be stored');
  await due.run();
  expect(new Set(check.mock.calls.map(([{ accountId }]) => accountId)).size).toBe(3);
  expect(check).toHaveBeenCalledTimes(3);
});

it('ends after the open question when the gateway stops', async () => {
  for (const source of [staff, staff]) await enter(source);
  clock.advanceSeconds(DAY_SECONDS + 1);
  const stop = new AbortController();
  const describePerson = staff.describe.bind(staff);
  jest.spyOn(staff, 'describe').mockImplementation((found) => {
    stop.abort();
    return describePerson(found);
  });
  staff.calls.splice(0);
  await due.run(stop.signal);
  expect(staff.calls.filter((call) => call === 'find')).toHaveLength(1);
});

it('is done by the workers every minute or so, and not without sources', async () => {
  const begun = jest.spyOn(SourceCheckWorker.prototype, 'onApplicationBootstrap');
  const timers = jest.spyOn(globalThis, 'setInterval');
  const runs = jest.spyOn(DueSourceChecks.prototype, 'run');
  for (const sources of [foundation.sources, new UserSources([], foundation.log)]) {
    const given = { ...foundation, sources };
    const gateway = await openModules(given, MODULES);
    timers.mockClear();
    const workers = await createWorkers(given, gateway);
    for (const [work, ms] of timers.mock.calls) if (ms !== undefined && ms >= 60_000 && ms < 80_000) work();
    await workers.close();
    await gateway.close();
  }
  expect([begun.mock.calls.length, runs.mock.calls.length]).toEqual([2, 1]);
});
