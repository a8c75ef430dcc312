/** What people have granted to apps: it is stored with the answer, and removed with the access, also when both happen at the same moment. */
import { beforeAll, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { DeleteAccount } from '../../../src/accounts/changes/delete-account.js';
import type { AuditEvent } from '../../../src/accounts/audit/audit-log.js';
import { ConsentGrants, type GrantChange } from '../../../src/accounts/sessions/consent-grants.js';
import { ConsentRecords, type ConsentCase } from '../../../src/accounts/sessions/consent-records.js';
import { randomToken } from '../../../src/config/keys.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { testConfig } from '../../support/test-config.js';
import { AccountParts } from './account-parts.js';

const HOUR = 3600;

describeOnSampledDatabases('[CON-10] [CON-11] granted scopes', (test) => {
  let parts: AccountParts;
  let grants: ConsentGrants;
  let records: ConsentRecords;
  beforeAll(() => {
    parts = new AccountParts(test.database);
    grants = new ConsentGrants(test.database, parts.challenges, parts.audit);
    records = new ConsentRecords(test.database, parts.challenges);
  });

  /** Creates an account with a session in a browser, and requests of one app to that person. */
  async function newConsenter() {
    const account = await parts.createPerson();
    const [browser, upstreamSessionId] = [randomToken(), randomToken()];
    const session = { accountId: account.id, browser, upstreamSessionId, acr: '1', amr: ['pwd'], lifetimeSeconds: HOUR };
    await parts.sessions.begin(session);
    const request = (more: Partial<ConsentCase> = {}): ConsentCase => ({
      owner: { kind: 'consent', challenge: randomToken(), browser },
      ...{ subject: account.id, upstreamSessionId, clientId: 'shop', clientCreatedAt: null, hasSessionCookie: true },
      ...more,
    });
    const listGranted = async (): Promise<string[]> => (await grants.list(account.id)).map(({ scope }) => scope).sort();
    return { account, request, listGranted };
  }

  /** Claims the request, then finishes it, as a form does. */
  async function answer(request: ConsentCase, change: Partial<GrantChange>, meanwhile = async (): Promise<unknown> => null) {
    const claim = await records.claim(request, HOUR);
    if (!claim.isOwn || !claim.consenter) throw new Error('Not signed in');
    const { account, securityStamp, lastRemoval } = claim.consenter;
    await meanwhile();
    const lists = { addedScopes: [], usedScopes: [], refusedScopes: [], lifetimeSeconds: HOUR };
    const { clientId, clientCreatedAt } = request;
    const grant = { accountId: account.id, clientId, clientCreatedAt, securityStamp, lastRemoval };
    const event: AuditEvent = { kind: 'consent.granted', actor: 'person', accountId: account.id };
    return grants.finish({ ...grant, ...lists, ...change }, event, { owner: request.owner, result: 'the answer' });
  }

  it('are added, used and refused with the answer, and read at the next request', async () => {
    const { account, request, listGranted } = await newConsenter();
    expect(await answer(request(), { addedScopes: ['openid', 'email', 'phone'] })).toBe('the answer');
    const changed = request();
    expect(await answer(changed, { usedScopes: ['openid'], addedScopes: ['profile'], refusedScopes: ['phone'] })).toBe(
      'the answer',
    );
    expect(await listGranted()).toEqual(['email', 'openid', 'profile']);
    const found = await records.find({ ...request(), clientId: 'shop' });
    expect(found.isOwn && [...(found.consenter?.grantedScopes ?? [])].sort()).toEqual(['email', 'openid', 'profile']);
    const other = await records.find({ ...request(), clientId: 'other' });
    expect(other.isOwn && other.consenter?.grantedScopes).toEqual([]);
    await grants.revoke(account.id, { clientId: 'other' });
    await grants.revoke(account.id, { clientId: 'shop', keptScopes: ['openid'] });
    expect(await listGranted()).toEqual(['openid']);
    await grants.revoke(account.id, { clientId: null });
    expect(await listGranted()).toEqual([]);
  });

  it('[CON-12] [S-130] belong to the client that is registered now', async () => {
    const { request, listGranted } = await newConsenter();
    const toRequest = (clientCreatedAt: string | null) => request({ clientCreatedAt });
    const read = async (clientCreatedAt: string | null) => {
      const found = await records.find(toRequest(clientCreatedAt));
      return found.isOwn && [...(found.consenter?.grantedScopes ?? [])].sort();
    };
    const [before, after] = ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:01.000Z'];
    await answer(toRequest(before), { addedScopes: ['openid', 'email'] });
    expect([await read(before), await read(after), await read(null)]).toEqual([['email', 'openid'], [], ['email', 'openid']]);
    test.clock.advanceSeconds(60);
    await answer(toRequest(after), { addedScopes: ['openid'] });
    expect([await read(before), await read(after)]).toEqual([['email'], ['openid']]);
    expect(await listGranted()).toEqual(['email', 'openid']);
  });

  it.each([['shop'], [null]])('let no request be skipped while the access is being revoked (%s)', async (clientId) => {
    const { account, request } = await newConsenter();
    const remove = () => grants.revoke(account.id, { clientId });
    expect(await answer(request(), {}, remove)).toBeNull();
    const other = await newConsenter();
    expect(await answer(other.request(), {}, remove)).toBe('the answer');
  });

  it.each([
    ['shop', 'shop'],
    ['shop', null],
    [null, null],
    [null, 'shop'],
  ])('are not stored when the access is removed meanwhile, also not for the second time (%s, then %s)', async (first, second) => {
    const { account, request, listGranted } = await newConsenter();
    await grants.revoke(account.id, { clientId: first });
    expect(await answer(request(), { addedScopes: ['openid'] })).toBe('the answer');
    await grants.revoke(account.id, { clientId: first });
    test.clock.advanceSeconds(1);
    const remove = () => grants.revoke(account.id, { clientId: second });
    expect(await answer(request(), { addedScopes: ['openid'] }, remove)).toBeNull();
    expect(await listGranted()).toEqual([]);
  });

  it('change only with the first answer to a request', async () => {
    const { account, request, listGranted } = await newConsenter();
    const one = request();
    expect(await answer(one, { addedScopes: ['openid'] })).toBe('the answer');
    expect(await answer(one, { addedScopes: ['email'] })).toBe('the answer');
    expect(await listGranted()).toEqual(['openid']);
    const { entries } = await parts.audit.list(account.id);
    expect(entries.filter(({ kind }) => kind === 'consent.granted')).toHaveLength(1);
  });

  it('are all kept when many answers come at the same moment', async () => {
    const { request, listGranted } = await newConsenter();
    await answer(request(), { addedScopes: ['openid', 'email'] });
    const many = Array.from({ length: 8 }, (_, index) =>
      answer(request(), {
        usedScopes: index % 2 === 0 ? ['openid', 'email'] : ['email', 'openid'],
        addedScopes: ['profile', `scope-${index}`],
      }),
    );
    expect(await Promise.all(many)).toEqual(many.map(() => 'the answer'));
    expect(await listGranted()).toEqual(['email', 'openid', 'profile', ...many.map((_, index) => `scope-${index}`)].sort());
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['the account is disabled', (id) => parts.accounts.setStatus(id, 'disabled')],
    [
      'the account is deleted',
      (id) =>
        new DeleteAccount(test.database, parts.attempts, parts.audit, parts.outbox, testConfig()).delete(
          { id },
          { actor: 'operator' },
        ),
    ],
    ['the grant is taken away', (id) => grants.revoke(id, { clientId: 'shop' })],
  ])('are not stored when %s before the answer is written, and the request stays open', async (_, end) => {
    const { account, request, listGranted } = await newConsenter();
    await answer(request(), { addedScopes: ['openid'] });
    const late = request();
    expect(await answer(late, { usedScopes: ['openid'], addedScopes: ['email'] }, () => end(account.id))).toBeNull();
    expect(await listGranted()).toEqual([]);
    expect(await parts.challenges.peek(late.owner)).toEqual({ state: 'open' });
  });

  it('are not written while another transaction ends the access', async () => {
    const { account, request, listGranted } = await newConsenter();
    const ending: { isOver?: Promise<unknown> } = {};
    const disable = (): Promise<void> =>
      new Promise((written) => {
        ending.isOver = test.database.transaction(async (trx) => {
          await sql`update account set access_ended_at = now() where id = ${account.id}`.execute(trx);
          await sql`delete from consent_grant where account_id = ${account.id}`.execute(trx);
          written();
          // The lock keeps the answer waiting; a database with one connection keeps it in its queue.
          for (let look = 0, waiting = 0; look < 300 && waiting === 0; look++) {
            const locks = await sql<{ many: number }>`select count(*)::integer as many from pg_locks where not granted`.execute(
              trx,
            );
            waiting = locks.rows[0]?.many ?? 0;
          }
        });
      });
    expect(await answer(request(), { addedScopes: ['openid'] }, disable)).toBeNull();
    await ending.isOver;
    expect(await listGranted()).toEqual([]);
  });

  it('expire at their time, which each use postpones and never shortens, and are then removed', async () => {
    const { account, request, listGranted } = await newConsenter();
    await answer(request(), { addedScopes: ['openid', 'email'] });
    await answer(request(), { usedScopes: ['openid'], lifetimeSeconds: 2 * HOUR });
    await answer(request(), { usedScopes: ['openid'], lifetimeSeconds: 60 });
    test.clock.advanceSeconds(HOUR + 60);
    expect(await listGranted()).toEqual(['openid']);
    await parts.cleanup.deleteExpired();
    const findRows = () =>
      test.database.db.selectFrom('consent_grant').select('scope').where('account_id', '=', account.id).execute();
    expect(await findRows()).toEqual([{ scope: 'openid' }]);
    test.clock.advanceSeconds(HOUR);
    await parts.cleanup.deleteExpired();
    expect(await findRows()).toEqual([]);
  });
});
