import { beforeEach, describe, expect, it } from '@jest/globals';
import { AccountDisabled } from '../../../src/accounts/account/account.errors.js';
import { ManageSessionRecords, type ManageEntry } from '../../../src/accounts/sessions/manage-sessions.js';
import { ADMIT } from '../../../src/accounts/sessions/manage-session-statements.js';
import { RpcTokens } from '../../../src/accounts/sessions/rpc-tokens.js';
import type { Account } from '../../../src/accounts/account/accounts.js';
import { Keys, fingerprint, randomToken } from '../../../src/config/keys.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { finishSignIn } from '../../support/finished-sign-in.js';
import { testConfig } from '../../support/test-config.js';
import { AccountParts, KEYS, newName } from './account-parts.js';

const LIMITS = {
  clients: [],
  freshProofSeconds: 900,
  idleSeconds: 1800,
  lifetimeSeconds: 28_800,
  heldNameSeconds: 0,
  ...{ freezeSeconds: 0, deletionWaitDays: 7, features: [] },
};
const MANAGE = { ...testConfig(), manage: LIMITS };
const BY = { address: '10.0.0.1', requestId: 'test' };
/** A client without cookies. */
const CLIENT = { ...BY, browser: 'none', manageSession: null as string | null, byBrowser: false };
const IN_USE = { idleSeconds: LIMITS.idleSeconds, proofSeconds: LIMITS.freshProofSeconds, passkeys: true };
const WITHOUT_COOKIE = { cookie: null, browser: '', byBrowser: false };

describeOnSampledDatabases('manage sessions', (test) => {
  let parts: AccountParts;
  let records: ManageSessionRecords;
  let account: Account;
  beforeEach(async () => {
    parts = new AccountParts(test.database);
    records = new ManageSessionRecords(test.database, KEYS, MANAGE, parts.audit);
    account = await parts.accounts.create({ username: newName() });
  });

  const entry = (more: Partial<ManageEntry> = {}): ManageEntry => ({
    token: randomToken(),
    tokenIssuedAt: null,
    tokenExpiresAt: null,
    accountId: account.id,
    clientId: 'demo',
    manageBrowser: { browser: randomToken(), manageSession: null },
    byBrowser: false,
    returnTo: { url: 'https://app.example/', name: 'App' },
    provenAt: null,
    factorProvenAt: null,
    ...more,
  });
  async function openSession(more: Partial<ManageEntry> = {}): Promise<{ secret: string; sessionId: string; token: string }> {
    const secret = (await records.open(entry(more))) ?? '';
    const sessionId = (await records.findByCookie(secret))?.sessionId ?? '';
    return { secret, sessionId, token: records.createFirstToken(sessionId) };
  }
  const call = (token: string, more: Partial<typeof CLIENT> = {}) => records.admitCall(token, { ...CLIENT, ...more });
  async function rotateToken(token: string): Promise<string> {
    const admitted = await call(token);
    if (!admitted) throw new Error('The call was not let in');
    return admitted.nextToken;
  }
  const countReuses = async (): Promise<number> =>
    (await parts.audit.list(account.id)).entries.filter(({ kind }) => kind === 'token.reused').length;

  describe('are opened', () => {
    it('by a token, with what its page shows to the person', async () => {
      const { secret, sessionId } = await openSession();
      expect(await records.findByCookie(secret)).toEqual({
        sessionId,
        accountId: account.id,
        scope: 'manage',
        signInId: null,
        returnTo: { url: 'https://app.example/', name: 'App' },
        ...{ isFresh: false, hasProvenFactor: false, isSignedIn: false },
      });
      expect(await records.findByCookie(randomToken())).toBeNull();
    });

    it('[MAN-1] once: the browser that brought the token may come again, and any other is refused', async () => {
      const first = entry();
      const secret = (await records.open(first)) ?? '';
      const session = await records.findByCookie(secret);
      expect(await records.open({ ...first, manageBrowser: { browser: randomToken(), manageSession: null } })).toBeNull();
      expect(
        await records.open({ ...first, manageBrowser: { browser: randomToken(), manageSession: randomToken() } }),
      ).toBeNull();
      const byCookie = await records.open({ ...first, manageBrowser: { browser: randomToken(), manageSession: secret } });
      expect(byCookie).not.toBe(secret);
      expect(await records.findByCookie(secret)).toBeNull();
      expect(await records.findByCookie(byCookie ?? '')).toEqual(session);
    });

    it('[S-44] never by a token issued before the last change of the password, unless that token was used before', async () => {
      const toIssueTime = (secondsAgo: number) => new Date(test.clock.now().getTime() - secondsAgo * 1000);
      const brought = entry({ tokenIssuedAt: toIssueTime(60) });
      expect(await records.open(brought)).not.toBeNull();
      await parts.setPassword.setPassword(account.id, 'silber ahorn 7733');
      expect(await records.open(entry({ tokenIssuedAt: toIssueTime(60) }))).toBeNull();
      expect(await records.open(entry({ tokenIssuedAt: toIssueTime(0) }))).not.toBeNull();
      expect(await records.open(brought)).not.toBeNull();
    });

    it('again by the id of the same browser when the window was closed', async () => {
      const first = entry();
      await records.open(first);
      expect(await records.open({ ...first, manageBrowser: { ...first.manageBrowser, manageSession: null } })).not.toBeNull();
    });

    it('by one of many browsers that come at the same moment', async () => {
      const { token } = entry();
      const all = await Promise.all(Array.from({ length: 8 }, () => records.open(entry({ token }))));
      expect(all.filter((secret) => secret !== null)).toHaveLength(1);
    });

    it('never for another person, a disabled account or nobody, and not again after their end', async () => {
      const other = await parts.accounts.create({ username: newName() });
      const first = entry();
      const secret = (await records.open(first)) ?? '';
      const from = { ...first.manageBrowser, manageSession: secret };
      expect(await records.open({ ...first, manageBrowser: from, accountId: other.id })).toBeNull();
      expect(await records.open(entry({ accountId: 'nobody' }))).toBeNull();
      await records.endForBrowser(from);
      expect(await records.findByCookie(secret)).toBeNull();
      expect(await records.open({ ...first, manageBrowser: from })).toBeNull();
      await parts.accounts.setStatus(account.id, 'disabled');
      expect(await records.open(entry())).toBeNull();
    });
  });

  describe('for a set-up during a sign-in', () => {
    async function insertWaitingSignIn(): Promise<{ accountId: string; signInId: string; browser: string }> {
      const { id: signInId } = await test.database.db
        .insertInto('sign_in')
        .values({
          challenge_hash: fingerprint(randomToken()),
          browser_hash: '',
          state: 'identified',
          account_id: account.id,
          amr: ['pwd'],
          proof: '',
          proof_until: new Date(test.clock.now().getTime() + 600_000),
          expires_at: new Date(test.clock.now().getTime() + 600_000),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { accountId: account.id, signInId, browser: randomToken() };
    }

    it('[MFV-2] begin once, let calls in, and do not open the account area', async () => {
      const waiting = await insertWaitingSignIn();
      const id = await records.beginEnrolment(waiting);
      expect(await records.beginEnrolment(waiting)).toBe(id);
      const { session } = (await call(records.createFirstToken(id), { browser: waiting.browser })) ?? {};
      expect(await call(records.createFirstToken(id))).toBeNull();
      expect(session).toMatchObject({ sessionId: id, scope: 'enrol', signInId: waiting.signInId, isFresh: false });
      expect(await records.findByCookie(waiting.browser)).toBeNull();
    });

    it('[MFV-2] end when the sign-in is closed or expires', async () => {
      const closed = await insertWaitingSignIn();
      const first = records.createFirstToken(await records.beginEnrolment(closed));
      const close = test.database.db.updateTable('sign_in').set({ closed_at: test.clock.now() });
      await close.where('id', '=', closed.signInId).execute();
      expect(await call(first)).toBeNull();
      await expect(records.beginEnrolment(closed)).rejects.toThrow(AccountDisabled);
      const late = await insertWaitingSignIn();
      const second = records.createFirstToken(await records.beginEnrolment(late));
      test.clock.advanceSeconds(605);
      expect(await call(second)).toBeNull();
    });

    it('[MFV-2] begin for no other person', async () => {
      const waiting = await insertWaitingSignIn();
      const other = await parts.accounts.create({ username: newName() });
      await expect(records.beginEnrolment({ ...waiting, accountId: other.id })).rejects.toThrow(AccountDisabled);
      await expect(records.beginEnrolment({ ...waiting, signInId: 'x' })).rejects.toThrow(AccountDisabled);
    });
  });

  describe('end', () => {
    it('when they are unused, at their maximum lifetime, and with the account', async () => {
      const idle = await openSession();
      test.clock.advanceSeconds(LIMITS.idleSeconds + 1);
      expect(await records.findByCookie(idle.secret)).toBeNull();
      expect(await call(idle.token)).toBeNull();
      const used = await openSession();
      for (let gone = 0; gone < LIMITS.lifetimeSeconds - 1500; gone += 1500) {
        test.clock.advanceSeconds(1500);
        expect(await records.findByCookie(used.secret)).not.toBeNull();
      }
      test.clock.advanceSeconds(1500);
      expect(await records.findByCookie(used.secret)).toBeNull();
      const disabled = await openSession();
      await parts.accounts.setStatus(account.id, 'disabled');
      await parts.accounts.setStatus(account.id, 'active');
      expect(await records.findByCookie(disabled.secret)).toBeNull();
      expect(await call(disabled.token)).toBeNull();
    });

    it('[MAN-1] when the operator ends the sessions of the account', async () => {
      const { secret } = await openSession();
      expect(await parts.sessions.endForAccount(account.id)).toBe(1);
      expect(await records.findByCookie(secret)).toBeNull();
    });

    it('for an account, except for one that is kept', async () => {
      const [one, two] = [await openSession(), await openSession()];
      expect(await records.endForAccount(account.id, one.sessionId)).toBe(1);
      expect(await records.findByCookie(one.secret)).not.toBeNull();
      expect(await records.findByCookie(two.secret)).toBeNull();
    });

    it('when somebody else signs in; for the same person they continue under the new id of the browser', async () => {
      const other = await parts.accounts.create({ username: newName() });
      const first = entry();
      const session = (await records.open(first)) ?? '';
      const newBrowser = randomToken();
      const { id: accountId } = account;
      await finishSignIn(test.database, {
        browser: first.manageBrowser.browser,
        accountId,
        newBrowser,
        manageSession: session,
      });
      expect(await records.findByCookie(session)).not.toBeNull();
      expect(await records.open({ ...first, manageBrowser: { browser: newBrowser, manageSession: null } })).not.toBeNull();
      await finishSignIn(test.database, { browser: newBrowser, accountId: other.id });
      expect(await records.open({ ...first, manageBrowser: { browser: newBrowser, manageSession: session } })).toBeNull();
    });

    it('[MAN-14] later than the fresh proof in them', async () => {
      const { secret, sessionId } = await openSession({ provenAt: test.clock.now() });
      expect((await records.findByCookie(secret))?.isFresh).toBe(true);
      test.clock.advanceSeconds(LIMITS.freshProofSeconds + 5);
      expect((await records.findByCookie(secret))?.isFresh).toBe(false);
      await records.prove(sessionId, 'password');
      expect((await records.findByCookie(secret))?.isFresh).toBe(true);
    });

    it('and are removed from the table only when their token can no longer be valid', async () => {
      const tokenExpiresAt = new Date(test.clock.now().getTime() + 2 * LIMITS.lifetimeSeconds * 1000);
      const first = entry({ tokenExpiresAt });
      await records.open(first);
      const findRows = () =>
        test.database.db
          .selectFrom('manage_session')
          .select('id')
          .where('access_token_hash', '=', fingerprint(first.token))
          .execute();
      test.clock.advanceSeconds(LIMITS.lifetimeSeconds + 60);
      await parts.cleanup.deleteExpired();
      expect(await findRows()).toHaveLength(1);
      test.clock.advanceSeconds(LIMITS.lifetimeSeconds + 60);
      await parts.cleanup.deleteExpired();
      expect(await findRows()).toHaveLength(0);
    });
  });

  describe('let calls in', () => {
    it('[RPC-8] with one token after the other', async () => {
      const { token } = await openSession();
      let current = token;
      for (let step = 0; step < 5; step++) {
        const following = await rotateToken(current);
        expect(following).not.toBe(current);
        current = following;
        test.clock.advanceSeconds(60);
      }
      expect(await countReuses()).toBe(0);
    });

    it('[RPC-8] with the same next token for parallel calls and a lost answer within ten seconds', async () => {
      const { token } = await openSession();
      const first = await Promise.all(Array.from({ length: 6 }, () => rotateToken(token)));
      expect(new Set(first).size).toBe(1);
      const [second = ''] = first;
      const all = await Promise.all([rotateToken(second), rotateToken(token), rotateToken(second), rotateToken(token)]);
      const third = await rotateToken(second);
      for (const following of all) expect([second, third]).toContain(following);
      // The other half of the ten seconds is for delays of the machine.
      test.clock.advanceSeconds(5);
      expect(await rotateToken(second)).toBe(third);
      expect(await rotateToken(token)).toBe(third);
      expect(await countReuses()).toBe(0);
    });

    it.each([
      ['the newest', 0],
      ['the previous one', 1],
    ])('[RPC-8] never again after a later reuse of %s, which ends the family and is recorded once', async (_, back) => {
      const { token } = await openSession();
      const tokens = [token, await rotateToken(token)];
      if (back === 1) await rotateToken(tokens[1] ?? '');
      test.clock.advanceSeconds(11);
      expect(await call(token)).toBeNull();
      expect(await call(token)).toBeNull();
      for (const old of tokens) expect(await call(old)).toBeNull();
      expect(await countReuses()).toBe(1);
      test.clock.advanceSeconds(60);
      expect(await call(tokens[1] ?? '')).toBeNull();
    });

    it('[RPC-8] never again after a token that is two steps old', async () => {
      const { token } = await openSession();
      const newest = await rotateToken(await rotateToken(await rotateToken(token)));
      expect(await call(token)).toBeNull();
      expect(await call(newest)).toBeNull();
      expect(await countReuses()).toBe(1);
    });

    it('[RPC-8] of another page when a reused token ends one family', async () => {
      const { token, sessionId } = await openSession();
      const beside = await rotateToken(records.createFirstToken(sessionId));
      await rotateToken(token);
      test.clock.advanceSeconds(11);
      expect(await call(token)).toBeNull();
      expect(await call(beside)).not.toBeNull();
    });

    it('[RPC-8] never when many reuse an old token at the same moment', async () => {
      const { token } = await openSession();
      await rotateToken(token);
      test.clock.advanceSeconds(11);
      expect(await Promise.all(Array.from({ length: 6 }, () => call(token)))).toEqual(Array(6).fill(null));
      expect(await countReuses()).toBe(1);
    });

    it('[RPC-8] never after two reuse an old token at the same moment, which is counted once', async () => {
      const { token } = await openSession();
      await rotateToken(token);
      test.clock.advanceSeconds(11);
      const { sessionId, family, step } = new RpcTokens(KEYS).read(token) ?? { sessionId: '', family: '', step: 0 };
      const values = {
        session: sessionId,
        family,
        step,
        address: BY.address,
        request: BY.requestId,
        ...IN_USE,
        ...WITHOUT_COOKIE,
      };
      // The time of the database stands still within one transaction.
      const rows = await test.database.transaction(async (trx) => [
        ...(await test.database.run(ADMIT, values, trx)),
        ...(await test.database.run(ADMIT, values, trx)),
      ]);
      expect(rows.map(({ ended, reused }) => ({ ended, reused }))).toEqual([
        { ended: true, reused: true },
        { ended: true, reused: false },
      ]);
      expect(await countReuses()).toBe(1);
    });

    it('[S-74] never with a token that was not issued here', async () => {
      const { token, sessionId } = await openSession();
      const bytes = Buffer.from(token, 'base64url');
      for (const second of [0, 16, 35, 40]) {
        const forged = Buffer.from(bytes);
        forged[second] = (forged[second] ?? 0) ^ 1;
        expect(await call(forged.toString('base64url'))).toBeNull();
      }
      for (const odd of ['', 'x', `${token}A`, token.slice(1), randomToken(), `${token.slice(0, -1)}~`]) {
        expect(await call(odd)).toBeNull();
      }
      const foreign = new ManageSessionRecords(test.database, new Keys(['another secret of another place']), MANAGE, parts.audit);
      expect(await call(foreign.createFirstToken(sessionId))).toBeNull();
      expect(await call(token)).not.toBeNull();
      expect(await countReuses()).toBe(0);
    });

    it('[S-74] of a session that a browser opened only with its cookie, and change nothing without it', async () => {
      const { token, secret } = await openSession({ byBrowser: true });
      expect(await call(token)).toBeNull();
      expect(await call(token, { manageSession: randomToken() })).toBeNull();
      const admitted = await call(token, { manageSession: secret });
      expect(admitted).not.toBeNull();
      expect(await call(admitted?.nextToken ?? '')).toBeNull();
      expect(await call(admitted?.nextToken ?? '', { manageSession: secret, byBrowser: true })).not.toBeNull();
      expect(await countReuses()).toBe(0);
    });

    it('[S-74] from a browser only with the cookie, in any session', async () => {
      const { token, secret } = await openSession();
      expect(await call(token, { byBrowser: true })).toBeNull();
      expect(await call(token, { byBrowser: true, manageSession: secret })).not.toBeNull();
    });

    it('[S-74] of a family that began with the cookie only with the cookie; another family of the session may work without it', async () => {
      const { token, secret, sessionId } = await openSession();
      const admitted = await call(token, { manageSession: secret });
      expect(await call(admitted?.nextToken ?? '')).toBeNull();
      expect(await call(records.createFirstToken(sessionId))).not.toBeNull();
    });

    it('[RPC-8] with a token that an older listed secret signed', async () => {
      const { token } = await openSession();
      const newer = new ManageSessionRecords(
        test.database,
        new Keys(['the newest secret', 'a secret of the installation, for tests']),
        MANAGE,
        parts.audit,
      );
      const admitted = await newer.admitCall(token, CLIENT);
      expect(await newer.admitCall(admitted?.nextToken ?? '', CLIENT)).not.toBeNull();
    });
  });
});
