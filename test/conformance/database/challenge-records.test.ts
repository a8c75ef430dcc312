import { beforeAll, expect, it } from '@jest/globals';
import { AuditLog } from '../../../src/accounts/audit/audit-log.js';
import { ChallengeNotClaimed, ChallengeRecords, type ChallengeOwner } from '../../../src/accounts/sessions/challenge-records.js';
import { Keys, randomToken } from '../../../src/config/keys.js';
import { describeOnDatabases } from '../../support/databases.js';
import { KEYS } from './account-parts.js';

const HOUR = 3600;

function newOwner(): ChallengeOwner {
  return { kind: 'consent', challenge: randomToken(200), browser: randomToken() };
}

describeOnDatabases('challenge records', (test) => {
  let records: ChallengeRecords;
  beforeAll(() => {
    records = new ChallengeRecords(test.database, KEYS, new AuditLog(test.database));
  });

  it('[LOG-14] give a challenge to the first browser, and report it as foreign to every other', async () => {
    const owner = newOwner();
    const other = { ...owner, browser: randomToken() };
    expect(await records.peek(owner)).toEqual({ state: 'new' });
    expect(await records.claim(owner, HOUR)).toEqual({ state: 'new' });
    expect(await records.claim(owner, HOUR)).toEqual({ state: 'open' });
    expect(await records.peek(owner)).toEqual({ state: 'open' });
    expect(await records.claim(other, HOUR)).toEqual({ state: 'foreign' });
    expect(await records.peek(other)).toEqual({ state: 'foreign' });
    await expect(records.finish(other, 'https://evil.example')).rejects.toThrow(ChallengeNotClaimed);
    expect(await records.peek(owner)).toEqual({ state: 'open' });
  });

  it('are not written when they are only read', async () => {
    const owner = newOwner();
    await records.peek(owner);
    expect(await records.claim({ ...owner, browser: randomToken() }, HOUR)).toEqual({ state: 'new' });
  });

  it('keep the kinds of requests apart', async () => {
    const owner = newOwner();
    await records.claim(owner, HOUR);
    expect(await records.claim({ ...owner, kind: 'device', browser: randomToken() }, HOUR)).toEqual({ state: 'new' });
    expect(await records.claim({ ...owner, kind: 'logout', browser: randomToken() }, HOUR)).toEqual({ state: 'new' });
  });

  it('[LOG-14] give the result to the same browser for ten seconds, to no other browser, and to nobody later', async () => {
    const owner = newOwner();
    const other = { ...owner, browser: randomToken() };
    await records.claim(owner, HOUR);
    const [result, isOwn] = ['https://op.example/next?x=1', true];
    expect(await records.finish(owner, result)).toEqual({ result, isOwn });
    expect(await records.finish(owner, result)).toEqual({ result, isOwn: false });
    const done = { state: 'done', result };
    expect(await records.peek(owner)).toEqual(done);
    expect(await records.claim(owner, HOUR)).toEqual(done);
    expect(await records.peek(other)).toEqual({ state: 'done', result: null });
    expect(await records.claim(other, HOUR)).toEqual({ state: 'done', result: null });
    test.clock.advanceSeconds(5);
    expect(await records.claim(owner, HOUR)).toEqual(done);
    test.clock.advanceSeconds(6);
    expect(await records.claim(owner, HOUR)).toEqual({ state: 'done', result: null });
    expect(await records.peek(owner)).toEqual({ state: 'done', result: null });
  });

  it('[LOG-14] end in one result when many requests finish at the same moment', async () => {
    const owner = newOwner();
    await records.claim(owner, HOUR);
    const offered = Array.from({ length: 25 }, (_, index) => `result ${index}`);
    const finished = await Promise.all(offered.map((result) => records.finish(owner, result)));
    const results = finished.map(({ result }) => result);
    expect(new Set(results).size).toBe(1);
    expect(finished.filter(({ isOwn }) => isOwn)).toHaveLength(1);
    expect(offered).toContain(results[0]);
    expect(await records.claim(owner, HOUR)).toEqual({ state: 'done', result: results[0] });
    expect(await records.finish(owner, 'late')).toEqual({ result: results[0], isOwn: false });
  });

  it('[LOG-14] are claimed by exactly one of many browsers at the same moment', async () => {
    const owner = newOwner();
    const browsers = Array.from({ length: 25 }, () => ({ ...owner, browser: randomToken() }));
    const states = (await Promise.all(browsers.map((browser) => records.claim(browser, HOUR)))).map(({ state }) => state);
    expect(states.filter((state) => state === 'new')).toHaveLength(1);
    expect(states.filter((state) => state === 'foreign')).toHaveLength(24);
  });

  it('are new to exactly one of many posts of one browser', async () => {
    const owner = newOwner();
    const states = (await Promise.all(Array.from({ length: 10 }, () => records.claim(owner, HOUR)))).map(({ state }) => state);
    expect(states.filter((state) => state === 'new')).toHaveLength(1);
    expect(states.filter((state) => state === 'open')).toHaveLength(9);
  });

  it('cannot be finished without a claim', async () => {
    await expect(records.finish(newOwner(), 'x')).rejects.toThrow(ChallengeNotClaimed);
  });

  it('store neither challenge nor browser nor result in plain text', async () => {
    const owner = newOwner();
    await records.claim(owner, HOUR);
    await records.finish(owner, 'https://op.example/secret');
    const rows = JSON.stringify(await test.database.db.selectFrom('challenge_record').selectAll().execute());
    for (const secret of [owner.challenge, owner.browser, 'op.example']) expect(rows).not.toContain(secret);
  });

  it('ignore a result that was sealed with a secret that is no longer listed', async () => {
    const owner = newOwner();
    await records.claim(owner, HOUR);
    await records.finish(owner, 'x');
    const rotated = new ChallengeRecords(
      test.database,
      new Keys(['an entirely different secret, for tests']),
      new AuditLog(test.database),
    );
    expect(await rotated.claim(owner, HOUR)).toEqual({ state: 'done', result: null });
  });

  it.each([
    ['nothing', ''],
    ['100 kB', 'x'.repeat(100_000)],
    ['a NUL', 'a\u0000b'],
    ['a lone surrogate', '\uD800'],
  ])('accept a challenge of %s like any other', async (_, challenge) => {
    const owner = { ...newOwner(), challenge, kind: 'consent' as const };
    expect(await records.claim(owner, HOUR)).toEqual({ state: 'new' });
    expect(await records.claim(owner, HOUR)).toEqual({ state: 'open' });
  });
});
