import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { OwnProofNeeded, ProofOutdated } from '../../../src/accounts/account/account.errors.js';
import type {
  CarryTarget,
  ProvenFactor,
  Identification,
  SignInRecords,
  WaitingSignIn,
} from '../../../src/accounts/sessions/sign-in-records.js';
import { defined } from '../../../src/config/defined.js';
import { fingerprint, randomToken } from '../../../src/config/keys.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { createSignInParts } from '../../support/finished-sign-in.js';
import { AccountParts } from './account-parts.js';

const HOUR = 3600;
const PROOF = JSON.stringify({ who: 'Maria Musterfrau' });
const REQUEST = JSON.stringify({ url: 'https://op.example/oauth2/auth?state=very-secret' });

type Opened = Identification & { challenge: string };

describeOnSampledDatabases('sign-ins', (test) => {
  let parts: AccountParts;
  let signIns: SignInRecords;
  beforeAll(() => {
    parts = new AccountParts(test.database);
    ({ signIns } = createSignInParts(test.database));
  });

  /** Opens a request in a browser, and returns what identifies its person. */
  async function openSignIn(more: Partial<Opened> = {}): Promise<Opened> {
    const { challenge = randomToken(200), browser = randomToken() } = more;
    const accountId = more.accountId ?? (await parts.createPerson()).id;
    const claimed = await signIns.claim({ challenge, browser }, REQUEST);
    if (claimed.state !== 'open') throw new Error(claimed.state);
    const { id } = claimed;
    const given = { id, challenge, browser, nextBrowser: randomToken(), accountId, amr: ['pwd'] as const };
    return { ...given, manageSession: null, proof: PROOF, answer: 'the step', enrols: false, ...more };
  }

  async function openIdentified(more: Partial<Opened> = {}): Promise<Opened> {
    const given = await openSignIn(more);
    if (!(await signIns.identify(given))) throw new Error('It was not identified');
    return given;
  }

  const issue = ({ id, accountId }: WaitingSignIn, auditContext: ProvenFactor) =>
    signIns.issueFactorToken({ id, accountId }, auditContext);

  const answer = ({ id, browser }: { id: string; browser: string }, written = 'an answer') =>
    signIns.answer({ id, browser, answer: written }, null);

  describe('[LOG-14] an open sign-in', () => {
    it('belongs to the first browser, and is foreign to every other', async () => {
      const owner = { challenge: randomToken(200), browser: randomToken() };
      const other = { ...owner, browser: randomToken() };
      expect(await signIns.find(owner)).toEqual({ state: 'new' });
      const open = { state: 'open', id: expect.any(String), request: REQUEST, isIdentified: false, formerBrowsers: [] };
      expect(await signIns.claim(owner, REQUEST)).toEqual(open);
      expect(await signIns.claim(owner, null)).toEqual(open);
      expect(await signIns.find(owner)).toEqual(open);
      expect(await signIns.claim(other, 'x')).toEqual({ state: 'foreign', answer: null, formerBrowsers: [] });
      expect(await signIns.find(other)).toEqual({ state: 'foreign', answer: null, formerBrowsers: [] });
    });

    it('accepts the latest former ids of its browser', async () => {
      const challenge = randomToken(200);
      const ids = Array.from({ length: 23 }, () => randomToken());
      const [first = '', ...later] = ids;
      await signIns.claim({ challenge, browser: first }, null);
      let browser = first;
      for (const nextBrowser of later) {
        await openIdentified({ browser, nextBrowser });
        browser = nextBrowser;
      }
      const formerBrowsers = ids.slice(0, -1).reverse().slice(0, 20);
      expect(await signIns.find({ challenge, browser })).toMatchObject({ state: 'open', formerBrowsers });
      expect(await signIns.find({ challenge, browser: first })).toEqual({ state: 'foreign', answer: null, formerBrowsers: [] });
    });

    it('is claimed by exactly one of many browsers at the same moment', async () => {
      const challenge = randomToken(200);
      const claims = Array.from({ length: 25 }, () => signIns.claim({ challenge, browser: randomToken() }, null));
      expect((await Promise.all(claims)).filter(({ state }) => state === 'open')).toHaveLength(1);
    });

    it('ends in one answer when many come at the same moment; its browser gets that answer again for ten seconds', async () => {
      const given = await openSignIn();
      const offered = Array.from({ length: 25 }, (_, index) => `answer ${index}`);
      const isFirst = await Promise.all(offered.map((written) => answer(given, written)));
      const first = offered[isFirst.indexOf(true)];
      expect(isFirst.filter(Boolean)).toHaveLength(1);
      expect(await signIns.find(given)).toMatchObject({ state: 'answered', answer: first });
      expect(await signIns.claim(given, REQUEST)).toMatchObject({ state: 'answered', answer: first });
      expect(await signIns.find({ ...given, browser: randomToken() })).toMatchObject({ state: 'answered', answer: null });
      test.clock.advanceSeconds(11);
      expect(await signIns.find(given)).toMatchObject({ state: 'answered', answer: null });
    });

    it.each([
      ['nothing', ''],
      ['100 kB', 'x'.repeat(100_000)],
      ['a NUL', 'a\u0000b'],
      ['a lone surrogate', '\uD800'],
    ])('may have a challenge of %s', async (_, challenge) => {
      const owner = { challenge, browser: randomToken() };
      expect((await signIns.claim(owner, null)).state).toBe('open');
      expect((await signIns.find(owner)).state).toBe('open');
    });
  });

  describe('an identified sign-in', () => {
    it('[MFV-1] is found by challenge or id, in the browser with the new id, for ten minutes', async () => {
      const given = await openIdentified();
      const { id, challenge, browser, nextBrowser, accountId } = given;
      const account = { id: accountId, status: 'active' };
      const found = { account, factors: {}, amr: ['pwd'], proof: PROOF, request: REQUEST, isClosed: false, enrolmentId: null };
      expect(await signIns.findIdentified({ challenge, browser: nextBrowser })).toMatchObject(found);
      expect(await signIns.findIdentifiedById(id, nextBrowser)).toMatchObject(found);
      for (const stranger of [browser, randomToken()]) {
        expect(await signIns.findIdentified({ challenge, browser: stranger })).toBeNull();
        expect(await signIns.findIdentifiedById(id, stranger)).toBeNull();
      }
      expect(await signIns.findIdentifiedById("' or 1=1", nextBrowser)).toBeNull();
      expect(await signIns.find({ challenge, browser: nextBrowser })).toMatchObject({ state: 'open', isIdentified: true });
      test.clock.advanceSeconds(601);
      expect(await signIns.findIdentified({ challenge, browser: nextBrowser })).toBeNull();
      expect(await signIns.find({ challenge, browser: nextBrowser })).toMatchObject({ state: 'open', isIdentified: false });
      expect(await issue(given, { amr: 'otp' })).toBeNull();
      expect(await signIns.reserveTry(id)).toBe(false);
    });

    it('[MFV-5] accepts no earlier second factor and none of another person when a first factor is proven again', async () => {
      const first = await openIdentified();
      const { proofId = '' } = (await signIns.findIdentified({ challenge: first.challenge, browser: first.nextBrowser })) ?? {};
      const next = {
        ...first,
        accountId: (await parts.createPerson()).id,
        browser: first.nextBrowser,
        nextBrowser: randomToken(),
      };
      expect(await signIns.identify(next)).toBe(true);
      const { accountId: other } = next;
      for (const late of [
        { ...first, proofId },
        { ...next, proofId },
        { id: first.id, accountId: first.accountId },
      ]) {
        expect(await signIns.issueFactorToken(late, { amr: 'otp' })).toBeNull();
        expect(await signIns.prove(late, { amr: 'otp' })).toBe(false);
      }
      const found = await signIns.findIdentified({ challenge: first.challenge, browser: next.nextBrowser });
      expect(found).toMatchObject({ account: { id: other }, amr: ['pwd'] });
      expect(await signIns.prove({ ...next, ...defined({ proofId: found?.proofId }) }, { amr: 'otp' })).toBe(true);
    });

    it('drops earlier proofs when a first factor is proven again', async () => {
      const first = await openIdentified();
      const owner = { challenge: first.challenge, browser: first.nextBrowser };
      const { proofId } = (await signIns.findIdentified(owner)) ?? {};
      const proof = await issue(first, { amr: 'otp' });
      const next = { ...first, browser: first.nextBrowser, nextBrowser: randomToken() };
      expect(await signIns.identify(next)).toBe(true);
      expect(await signIns.consumeFactorToken(first.id, proof ?? '')).toBe(false);
      const again = await signIns.findIdentified({ challenge: first.challenge, browser: next.nextBrowser });
      expect(again?.amr).toEqual(['pwd']);
      expect(again?.proofId).not.toBe(proofId);
    });

    it('[LOG-14] is the result of one of many clicks at the same moment; the others get its answer for ten seconds', async () => {
      const given = await openSignIn();
      const clicks = Array.from({ length: 8 }, (_, index) => ({
        ...given,
        nextBrowser: randomToken(),
        answer: `answer ${index}`,
      }));
      const isFirst = await Promise.all(clicks.map((click) => signIns.identify(click)));
      expect(isFirst.filter(Boolean)).toHaveLength(1);
      expect(await signIns.find(given)).toMatchObject({ state: 'foreign', answer: `answer ${isFirst.indexOf(true)}` });
      expect(await signIns.claim(given, null)).toMatchObject({ state: 'foreign', answer: `answer ${isFirst.indexOf(true)}` });
      test.clock.advanceSeconds(11);
      expect(await signIns.find(given)).toEqual({ state: 'foreign', answer: null, formerBrowsers: [] });
    });

    it('ends with its answer, and no other sign-in does', async () => {
      const [one, other] = [await openIdentified(), await openIdentified()];
      expect(await answer({ ...one, browser: one.nextBrowser })).toBe(true);
      expect(await signIns.findIdentified({ ...one, browser: one.nextBrowser })).toBeNull();
      expect(await signIns.findIdentified({ ...other, browser: other.nextBrowser })).not.toBeNull();
    });

    const session = (browser: string, accountId: string) =>
      ({ browser, accountId, upstreamSessionId: randomToken(), acr: 'a', amr: ['pwd'], lifetimeSeconds: HOUR }) as const;

    it('[LOG-14] gives its browser a new id, which its sessions and its other tabs take over', async () => {
      const { id: accountId } = await parts.createPerson();
      const tab = await openIdentified();
      const given = await openSignIn({ accountId, browser: tab.nextBrowser });
      await parts.sessions.begin(session(given.browser, accountId));
      expect(await signIns.identify(given)).toBe(true);
      expect(await parts.sessions.find(given.nextBrowser, accountId)).not.toBeNull();
      expect(await signIns.findIdentified({ ...tab, browser: given.nextBrowser })).not.toBeNull();
      expect(await signIns.find({ ...tab, browser: given.nextBrowser })).toMatchObject({ state: 'open' });
    });

    it('locks the open challenges of its browser first, as the end of a sign-in does', async () => {
      const given = await openSignIn();
      const tab = randomToken();
      await parts.challenges.claim({ kind: 'consent', challenge: tab, browser: given.browser }, HOUR);
      await parts.sessions.begin(session(given.browser, given.accountId));
      let lock = (): void => undefined;
      const isLocked = new Promise<void>((resolve) => {
        lock = resolve;
      });
      const moved = isLocked.then(() => signIns.identify(given));
      await test.database.transaction(async (trx) => {
        const key = fingerprint(tab);
        await sql`select from challenge_record where challenge_hash = ${key} for update`.execute(trx);
        lock();
        for (let look = 0, waiting = 0; look < 300 && waiting === 0; look++) {
          const locks = await sql<{ many: number }>`select count(*)::integer as many from pg_locks where not granted`.execute(
            trx,
          );
          waiting = locks.rows[0]?.many ?? 0;
        }
        const browser = fingerprint(given.browser);
        await sql`select from browser_session where browser_hash = ${browser} for update nowait`.execute(trx);
      });
      await moved;
      expect(await parts.sessions.find(given.nextBrowser, given.accountId)).not.toBeNull();
    });

    it('[MFV-2] begins together with the session that sets up a first factor, or not at all', async () => {
      const { challenge, nextBrowser } = await openIdentified({ enrols: true });
      const found = await signIns.findIdentified({ challenge, browser: nextBrowser });
      expect(found?.enrolmentId).toEqual(expect.any(String));
      const federated = await openSignIn({ enrols: true, amr: ['fed'] });
      await expect(signIns.identify(federated)).rejects.toThrow(OwnProofNeeded);
      expect(await signIns.findIdentified({ ...federated, browser: federated.nextBrowser })).toBeNull();
      const { rows } = await sql`select 1 from manage_session where account_id = ${federated.accountId}`.execute(
        test.database.db,
      );
      expect(rows).toEqual([]);
    });

    it('[MFV-5] ends the session that sets up a first factor when a first factor is proven again', async () => {
      const { db } = test.database;
      const findOpen = ({ id }: Opened) =>
        db.selectFrom('manage_session').select('account_id').where('sign_in_id', '=', id).where('ended_at', 'is', null).execute();
      const first = await openIdentified({ enrols: true });
      const { id: accountId } = await parts.createPerson();
      const next = { ...first, accountId, browser: first.nextBrowser, nextBrowser: randomToken() };
      expect(await signIns.identify(next)).toBe(true);
      expect(await findOpen(first)).toEqual([{ account_id: accountId }]);
      const last = { ...next, browser: next.nextBrowser, nextBrowser: randomToken(), enrols: false };
      expect(await signIns.identify(last)).toBe(true);
      expect(await findOpen(first)).toEqual([]);
    });

    it('is never the result of another browser or of an answered request', async () => {
      const given = await openSignIn();
      expect(await signIns.identify({ ...given, browser: randomToken() })).toBe(false);
      await answer(given);
      expect(await signIns.identify(given)).toBe(false);
    });

    it('does not begin for a disabled account, and its request stays open', async () => {
      const given = await openSignIn();
      await parts.accounts.setStatus(given.accountId, 'disabled');
      await expect(signIns.identify(given)).rejects.toThrow(ProofOutdated);
      expect(await signIns.find(given)).toMatchObject({ state: 'open', isIdentified: false });
    });

    it('becomes open again when the account is disabled, its sessions are ended or its password is set', async () => {
      const changes = [
        (id: string) => parts.accounts.setStatus(id, 'disabled'),
        (id: string) => parts.sessions.endForAccount(id),
        (id: string) => parts.setPassword.setPassword(id, 'birke anders 9314'),
      ];
      for (const change of changes) {
        const given = await openIdentified();
        const { id, challenge, nextBrowser, accountId } = given;
        const token = (await issue(given, { amr: 'otp' })) ?? '';
        await change(accountId);
        expect(await signIns.findIdentifiedById(id, nextBrowser)).toBeNull();
        expect(await signIns.consumeFactorToken(id, token)).toBe(false);
        expect(await signIns.find({ challenge, browser: nextBrowser })).toMatchObject({ state: 'open', isIdentified: false });
      }
    });
  });

  describe('proofs', () => {
    const findAmr = async ({ id, nextBrowser }: Opened) => (await signIns.findIdentifiedById(id, nextBrowser))?.amr;

    it('[MFV-5] count once, and are listed in amr', async () => {
      const given = await openIdentified();
      const proof = (await issue(given, { amr: 'otp' })) ?? '';
      expect(await findAmr(given)).toEqual(['pwd']);
      const consumed = await Promise.all(Array.from({ length: 10 }, () => signIns.consumeFactorToken(given.id, proof)));
      expect(consumed.filter(Boolean)).toHaveLength(1);
      expect(await findAmr(given)).toEqual(['pwd', 'otp', 'mfa']);
    });

    it('are valid only for this sign-in, for ten minutes, and only the newest one', async () => {
      const given = await openIdentified();
      const { id } = given;
      const other = await openIdentified();
      const old = (await issue(given, { amr: 'otp' })) ?? '';
      const proof = (await issue(given, { amr: 'hwk' })) ?? '';
      expect(await signIns.consumeFactorToken(id, old)).toBe(false);
      expect(await signIns.consumeFactorToken(other.id, proof)).toBe(false);
      expect(await signIns.consumeFactorToken(id, '')).toBe(false);
      test.clock.advanceSeconds(601);
      expect(await signIns.consumeFactorToken(id, proof)).toBe(false);
    });

    it('keep the sign-in waiting while the person writes recovery codes down', async () => {
      const given = await openIdentified();
      test.clock.advanceSeconds(590);
      const proof = (await issue(given, { amr: 'otp' })) ?? '';
      test.clock.advanceSeconds(590);
      expect(await signIns.consumeFactorToken(given.id, proof)).toBe(true);
      expect(await findAmr(given)).toEqual(['pwd', 'otp', 'mfa']);
    });
  });

  describe('[MFV-8] wrong codes', () => {
    it('close the sign-in at the fifth, and invalidate its proofs', async () => {
      const given = await openIdentified();
      const { id, challenge, nextBrowser } = given;
      const closed: boolean[] = [];
      for (let count = 0; count < 4; count++) {
        expect(await signIns.reserveTry(id)).toBe(true);
        closed.push(await signIns.failTry(id));
      }
      expect(closed).toEqual([false, false, false, false]);
      expect(await signIns.reserveTry(id)).toBe(true);
      expect(await signIns.failTry(id)).toBe(true);
      expect(await signIns.reserveTry(id)).toBe(false);
      expect(await issue(given, { amr: 'otp' })).toBeNull();
      expect((await signIns.findIdentifiedById(id, nextBrowser))?.isClosed).toBe(true);
      expect(await signIns.find({ challenge, browser: nextBrowser })).toMatchObject({ state: 'open', isIdentified: false });
    });

    it('are counted before they are checked: five of many at the same moment', async () => {
      const { id } = await openIdentified();
      const admitted = await Promise.all(Array.from({ length: 20 }, () => signIns.reserveTry(id)));
      expect(admitted.filter(Boolean)).toHaveLength(5);
    });

    it('do not count when they were not checked', async () => {
      const { id } = await openIdentified();
      for (let count = 0; count < 10; count++) {
        expect(await signIns.reserveTry(id)).toBe(true);
        await signIns.giveBackTry(id);
      }
    });
  });

  describe('[S-12b] carried proofs', () => {
    async function carryProof(
      more: { securityStamp?: string; passwordVersion?: string } = {},
    ): Promise<{ to: CarryTarget; id: string }> {
      const { id } = await parts.createPerson();
      const to = { requestUrl: 'https://op.example/oauth2/auth?state=one', secret: randomToken(), browser: randomToken() };
      await signIns.carry(to, { accountId: id, amr: ['pwd', 'otp', 'mfa'], proof: PROOF, ...more });
      return { to, id };
    }

    it('are consumed once, however many try, with what was proven', async () => {
      const { to, id } = await carryProof();
      const taken = await Promise.all(Array.from({ length: 8 }, () => signIns.takeCarriedProof(to)));
      expect(taken.filter((proof) => proof !== null)).toMatchObject([
        { account: { id }, factors: {}, amr: ['pwd', 'otp', 'mfa'], proof: PROOF },
      ]);
    });

    it('belong to their request, secret and browser, for 60 seconds, and to no challenge', async () => {
      const { to } = await carryProof();
      const others: Partial<CarryTarget>[] = [
        { requestUrl: `${to.requestUrl}&scope=admin` },
        { secret: randomToken() },
        { browser: randomToken() },
      ];
      for (const other of others) expect(await signIns.takeCarriedProof({ ...to, ...other })).toBeNull();
      for (const challenge of [to.requestUrl, to.secret]) {
        expect(await signIns.findIdentified({ challenge, browser: to.browser })).toBeNull();
      }
      test.clock.advanceSeconds(61);
      expect(await signIns.takeCarriedProof(to)).toBeNull();
    });

    it('end with the sessions, the password or the account', async () => {
      const ends = [
        (id: string) => parts.accounts.setStatus(id, 'disabled'),
        (id: string) => parts.sessions.endForAccount(id),
        (id: string) => parts.setPassword.setPassword(id, 'birke anders 9314'),
      ];
      for (const end of ends) {
        const { to, id } = await carryProof();
        await end(id);
        expect(await signIns.takeCarriedProof(to)).toBeNull();
      }
    });

    it('are not stored for a replaced password, an access that has ended, or an unknown account', async () => {
      await expect(carryProof({ passwordVersion: '1' })).rejects.toThrow(ProofOutdated);
      await expect(carryProof({ securityStamp: '1' })).rejects.toThrow(ProofOutdated);
      const to: CarryTarget = { requestUrl: '', secret: '', browser: '' };
      await expect(signIns.carry(to, { accountId: 'nobody', amr: [], proof: '' })).rejects.toThrow(ProofOutdated);
    });
  });

  it('store nothing in plain text', async () => {
    const given = await openIdentified();
    const token = (await issue(given, { amr: 'otp' })) ?? '';
    const rows = JSON.stringify(await test.database.db.selectFrom('sign_in').selectAll().execute());
    for (const secret of [given.challenge, given.nextBrowser, token, 'very-secret', 'Musterfrau', 'the step'])
      expect(rows).not.toContain(secret);
  });
});
