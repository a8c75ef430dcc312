import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AccountDisabled, OwnProofNeeded } from '../../../src/accounts/account/account.errors.js';
import {
  PendingAuthentications,
  type NewPending,
  type PendingContext,
} from '../../../src/accounts/sessions/pending-authentications.js';
import { ManageSessionRecords } from '../../../src/accounts/sessions/manage-sessions.js';
import { fingerprint, randomToken } from '../../../src/config/keys.js';
import { describeOnDatabases } from '../../support/databases.js';
import { testConfig } from '../../support/test-config.js';
import { AccountParts, KEYS } from './account-parts.js';

const HOUR = 3600;
const CONTEXT: PendingContext = {
  remember: true,
  isKnownDevice: false,
  wanted: { level: 'factor', by: 'client' },
  account: { id: 'x', name: 'Maria Musterfrau', username: 'maria' },
  client: { name: 'Beispielportal' },
  requestUrl: 'https://op.example/oauth2/auth?state=very-secret',
  uiLocales: ['de'],
  returnTo: null,
};

describeOnDatabases('pending authentications', (test) => {
  let parts: AccountParts;
  let pendings: PendingAuthentications;
  beforeAll(() => {
    parts = new AccountParts(test.database);
    pendings = new PendingAuthentications(
      test.database,
      KEYS,
      parts.challenges,
      new ManageSessionRecords(test.database, KEYS, testConfig(), parts.audit),
    );
  });

  /** A challenge that a browser has claimed, and what begins an attempt at it. */
  async function claimed(more: Partial<NewPending> = {}): Promise<NewPending> {
    const [challenge, browser, nextBrowser] = [randomToken(200), randomToken(), randomToken()];
    const accountId = more.accountId ?? (await parts.person()).id;
    await parts.challenges.claim({ kind: 'login', challenge, browser }, HOUR);
    return {
      challenge,
      browser,
      nextBrowser,
      accountId,
      amr: ['pwd'],
      context: CONTEXT,
      answer: 'the step',
      enrols: false,
      ...more,
    };
  }

  async function begun(more: Partial<NewPending> = {}): Promise<NewPending & { id: string }> {
    const given = await claimed(more);
    const id = await pendings.begin(given);
    if (id === null) throw new Error('It did not begin');
    return { ...given, id };
  }

  it('[MFV-1] are found by challenge or id, in the browser that they were handed to, for ten minutes', async () => {
    const { id, challenge, browser, nextBrowser, accountId } = await begun();
    const account = { id: accountId, status: 'active' };
    const expected = { id, account, factors: {}, amr: ['pwd'], context: CONTEXT, isClosed: false, enrolmentId: null };
    expect(await pendings.find(challenge, nextBrowser)).toMatchObject(expected);
    expect(await pendings.findById(id, nextBrowser)).toMatchObject(expected);
    for (const stranger of [browser, randomToken()]) {
      expect(await pendings.find(challenge, stranger)).toBeNull();
      expect(await pendings.findById(id, stranger)).toBeNull();
    }
    expect(await pendings.findById("' or 1=1", nextBrowser)).toBeNull();
    test.clock.advanceSeconds(601);
    expect(await pendings.find(challenge, nextBrowser)).toBeNull();
    expect(await pendings.issueProof(id, { amr: 'otp' })).toBeNull();
    expect(await pendings.reserveTry(id)).toBe(false);
  });

  it('are one of each challenge: a later one ends what was issued for the one before', async () => {
    const first = await begun();
    const proof = await pendings.issueProof(first.id, { amr: 'otp' });
    const next = { ...first, browser: first.nextBrowser, nextBrowser: randomToken() };
    const id = (await pendings.begin(next)) ?? '';
    expect(id).not.toBe(first.id);
    expect(await pendings.findById(first.id, first.nextBrowser)).toBeNull();
    expect(await pendings.consumeProof(id, proof ?? '')).toBe(false);
    expect((await pendings.find(first.challenge, next.nextBrowser))?.amr).toEqual(['pwd']);
  });

  it('[LOG-14] begin once, however many clicks come at once; the others learn the first one’s answer', async () => {
    const given = await claimed();
    const clicks = Array.from({ length: 8 }, (_, index) => ({ ...given, nextBrowser: randomToken(), answer: `answer ${index}` }));
    const ids = await Promise.all(clicks.map((click) => pendings.begin(click)));
    const winner = ids.findIndex((id) => id !== null);
    expect(ids.filter((id) => id !== null)).toHaveLength(1);
    const owner = { kind: 'login', challenge: given.challenge, browser: given.browser } as const;
    expect(await parts.challenges.claim(owner, HOUR)).toEqual({ state: 'stepped', result: `answer ${winner}` });
    expect(await parts.challenges.peek(owner)).toEqual({ state: 'stepped', result: `answer ${winner}` });
    test.clock.advanceSeconds(11);
    expect(await parts.challenges.claim(owner, HOUR)).toEqual({ state: 'stepped', result: null });
  });

  it('show in the challenge’s record while they wait', async () => {
    const { challenge, nextBrowser } = await begun();
    const owner = { kind: 'login', challenge, browser: nextBrowser } as const;
    expect(await parts.challenges.peek(owner)).toEqual({ state: 'open', isPending: true });
    expect(await parts.challenges.claim(owner, HOUR)).toEqual({ state: 'open', isPending: true });
    expect(await parts.challenges.peek({ ...owner, browser: randomToken() })).toEqual({ state: 'foreign' });
    test.clock.advanceSeconds(601);
    expect(await parts.challenges.peek(owner)).toEqual({ state: 'open' });
  });

  it('end with the first answer to their challenge, and with no other', async () => {
    const [one, other] = [await begun(), await begun()];
    const owner = { kind: 'login', challenge: one.challenge, browser: one.nextBrowser } as const;
    await parts.challenges.finish(owner, 'an answer');
    expect(await pendings.find(one.challenge, one.nextBrowser)).toBeNull();
    expect(await pendings.find(other.challenge, other.nextBrowser)).not.toBeNull();
  });

  const session = (browser: string, accountId: string) =>
    ({ browser, accountId, upstreamSessionId: randomToken(), acr: 'a', amr: ['pwd'], lifetimeSeconds: HOUR }) as const;

  it('[LOG-14] begin with a new id of the browser, to which its sessions and its other tabs move', async () => {
    const { id: accountId } = await parts.person();
    const other = await begun();
    const given = { ...(await claimed({ accountId })), challenge: randomToken(200), browser: other.nextBrowser };
    await parts.challenges.claim({ kind: 'login', challenge: given.challenge, browser: given.browser }, HOUR);
    await parts.sessions.begin(session(given.browser, accountId));
    expect(await pendings.begin(given)).not.toBeNull();
    expect(await parts.sessions.find(given.nextBrowser, accountId)).not.toBeNull();
    expect(await pendings.find(other.challenge, given.nextBrowser)).not.toBeNull();
    const tab = { kind: 'login', challenge: other.challenge, browser: given.nextBrowser } as const;
    expect(await parts.challenges.peek(tab)).toMatchObject({ state: 'open' });
  });

  it('begin behind the open challenges of the browser, which the end of a sign-in locks first, too', async () => {
    const given = await claimed();
    const tab = randomToken();
    await parts.challenges.claim({ kind: 'consent', challenge: tab, browser: given.browser }, HOUR);
    await parts.sessions.begin(session(given.browser, given.accountId));
    let lock = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => {
      lock = resolve;
    });
    const moved = isLocked.then(() => pendings.begin(given));
    await test.database.transaction(async (trx) => {
      const key = fingerprint(tab);
      await sql`select from challenge_record where challenge_hash = ${key} for update`.execute(trx);
      lock();
      for (let look = 0, waiting = 0; look < 300 && waiting === 0; look++) {
        const locks = await sql<{ many: number }>`select count(*)::integer as many from pg_locks where not granted`.execute(trx);
        waiting = locks.rows[0]?.many ?? 0;
      }
      const browser = fingerprint(given.browser);
      await sql`select from browser_session where browser_hash = ${browser} for update nowait`.execute(trx);
    });
    await moved;
    expect(await parts.sessions.find(given.nextBrowser, given.accountId)).not.toBeNull();
  });

  it('[MFV-2] begin together with the session that sets a first factor up, or not at all', async () => {
    const { challenge, nextBrowser } = await begun({ enrols: true });
    expect((await pendings.find(challenge, nextBrowser))?.enrolmentId).toEqual(expect.any(String));
    const frozen = await claimed({ enrols: true, amr: ['fed'] });
    await expect(pendings.begin(frozen)).rejects.toThrow(OwnProofNeeded);
    expect(await pendings.find(frozen.challenge, frozen.nextBrowser)).toBeNull();
    const { rows } = await sql`select 1 from manage_session where account_id = ${frozen.accountId}`.execute(test.database.db);
    expect(rows).toEqual([]);
  });

  it('do not begin in a browser that has not claimed the challenge, nor once it is finished', async () => {
    const given = await claimed();
    expect(await pendings.begin({ ...given, browser: randomToken() })).toBeNull();
    await parts.challenges.finish({ kind: 'login', challenge: given.challenge, browser: given.browser }, 'done');
    expect(await pendings.begin(given)).toBeNull();
  });

  it('do not begin for an account that is disabled, and leave the challenge with its browser', async () => {
    const given = await claimed();
    await parts.accounts.setStatus(given.accountId, 'disabled');
    await expect(pendings.begin(given)).rejects.toThrow(AccountDisabled);
    expect(await parts.challenges.claim({ kind: 'login', challenge: given.challenge, browser: given.browser }, HOUR)).toEqual({
      state: 'open',
    });
  });

  it('end when the account is disabled, its sessions are ended or its password is set', async () => {
    const changes = [
      (id: string) => parts.accounts.setStatus(id, 'disabled'),
      (id: string) => parts.sessions.endForAccount(id),
      (id: string) => parts.setPassword.setPassword(id, 'birke anders 9314'),
    ];
    for (const change of changes) {
      const { id, nextBrowser, accountId } = await begun();
      await change(accountId);
      expect(await pendings.findById(id, nextBrowser)).toBeNull();
    }
  });

  describe('proofs', () => {
    it('[MFV-5] count once, and are told as amr', async () => {
      const { id, nextBrowser } = await begun();
      const proof = (await pendings.issueProof(id, { amr: 'otp' })) ?? '';
      expect((await pendings.findById(id, nextBrowser))?.amr).toEqual(['pwd']);
      const consumed = await Promise.all(Array.from({ length: 10 }, () => pendings.consumeProof(id, proof)));
      expect(consumed.filter(Boolean)).toHaveLength(1);
      expect((await pendings.findById(id, nextBrowser))?.amr).toEqual(['pwd', 'otp', 'mfa']);
    });

    it('are the newest one’s, of this attempt, for ten minutes', async () => {
      const { id } = await begun();
      const other = await begun();
      const old = (await pendings.issueProof(id, { amr: 'otp' })) ?? '';
      const proof = (await pendings.issueProof(id, { amr: 'hwk' })) ?? '';
      expect(await pendings.consumeProof(id, old)).toBe(false);
      expect(await pendings.consumeProof(other.id, proof)).toBe(false);
      expect(await pendings.consumeProof(id, '')).toBe(false);
      test.clock.advanceSeconds(601);
      expect(await pendings.consumeProof(id, proof)).toBe(false);
    });

    it('keep the attempt open while recovery codes are written down', async () => {
      const { id, nextBrowser } = await begun();
      test.clock.advanceSeconds(590);
      const proof = (await pendings.issueProof(id, { amr: 'otp' })) ?? '';
      test.clock.advanceSeconds(590);
      expect(await pendings.consumeProof(id, proof)).toBe(true);
      expect((await pendings.findById(id, nextBrowser))?.amr).toEqual(['pwd', 'otp', 'mfa']);
    });
  });

  describe('[MFV-8] wrong codes', () => {
    it('close the attempt at the fifth, and its proofs with it', async () => {
      const { id, nextBrowser } = await begun();
      const closed: boolean[] = [];
      for (let count = 0; count < 4; count++) {
        expect(await pendings.reserveTry(id)).toBe(true);
        closed.push(await pendings.failTry(id));
      }
      expect(closed).toEqual([false, false, false, false]);
      expect(await pendings.reserveTry(id)).toBe(true);
      expect(await pendings.failTry(id)).toBe(true);
      expect(await pendings.reserveTry(id)).toBe(false);
      expect(await pendings.issueProof(id, { amr: 'otp' })).toBeNull();
      expect((await pendings.findById(id, nextBrowser))?.isClosed).toBe(true);
    });

    it('are counted before they are looked at: of many at once five are', async () => {
      const { id } = await begun();
      const admitted = await Promise.all(Array.from({ length: 20 }, () => pendings.reserveTry(id)));
      expect(admitted.filter(Boolean)).toHaveLength(5);
    });

    it('do not count when they were not looked at', async () => {
      const { id } = await begun();
      for (let count = 0; count < 10; count++) {
        expect(await pendings.reserveTry(id)).toBe(true);
        await pendings.giveBackTry(id);
      }
    });
  });

  it('hold nothing in the clear', async () => {
    const given = await begun();
    const proof = (await pendings.issueProof(given.id, { amr: 'otp' })) ?? '';
    const rows = JSON.stringify(await test.database.db.selectFrom('pending_authentication').selectAll().execute());
    for (const secret of [given.challenge, given.nextBrowser, proof, 'very-secret', 'Musterfrau'])
      expect(rows).not.toContain(secret);
  });
});
