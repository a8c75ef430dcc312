/**
 * The previous version and this one on one database, as during a rolling upgrade: the new one migrates
 * while the old one runs, people use both during a sign-in, and the old one may be started again.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../src/config/clock.js';
import { PATHS } from '../../src/contract/paths.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { whyNoCluster } from '../support/postgres-cluster.js';
import { buildPreviousVersion, whyNoPreviousVersion } from '../support/previous-version.js';
import { Replicas, loginFields } from '../support/replicas.js';
import { waitUntil } from '../support/upstream-waiting.js';

const TIMEOUT_MS = 180_000;
const BUILD_MS = 420_000;
const ROUNDS = 6;
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

const reason = whyNoCluster() ?? whyNoPreviousVersion();
if (reason !== null) process.stderr.write(`SKIPPED: the previous version and this one on one database: ${reason}\n`);

(reason === null ? describe : describe.skip)('the previous version and this one', () => {
  let replicas: Replicas;
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

  beforeAll(async () => {
    replicas = await Replicas.start({ previous: await buildPreviousVersion() });
  }, BUILD_MS);

  afterAll(() => replicas.close(), TIMEOUT_MS);

  async function resetPassword(link: string, password: string): Promise<string | null> {
    const browser = replicas.browser();
    const page = await browser.go(link);
    const done = await browser.fill(page, { password, password_repeat: password });
    return done.url.searchParams.get('status');
  }

  it(
    'the new one migrates while people sign in at the old one',
    async () => {
      const people = await Promise.all(Array.from({ length: 3 }, () => replicas.createPerson()));
      let isMigrating = true;
      let signIns = 0;
      const load = people.map(async (person) => {
        while (isMigrating) {
          const { url, status } = await replicas.signIn(replicas.browser(), person);
          if (!url.searchParams.has('code')) throw new Error(`A sign-in ended with ${status} at ${url.pathname}`);
          signIns += 1;
        }
      });
      replicas.parts.gateways[1].start();
      await replicas.waitUntilReady(2).finally(() => (isMigrating = false));
      await Promise.all(load);
      expect(signIns).toBeGreaterThan(people.length);
    },
    TIMEOUT_MS,
  );

  it(
    'sign-ins can use both',
    async () => {
      const person = await replicas.createPerson();
      for (const round of rounds) {
        const { url } = await replicas.signIn(replicas.browser(), person);
        expect([round, url.searchParams.has('code')]).toEqual([round, true]);
      }
    },
    TIMEOUT_MS,
  );

  it(
    'second factors that use both lead back to the start of the sign-in',
    async () => {
      const app = new TotpApp(SEED, new SystemClock());
      for (const round of rounds) {
        const person = { username: `with-app-${round}`, password: 'Gartenzaun gelb' };
        await replicas.importLines([{ ...person, totp_secret: SEED }], round % 2 === 0 ? 0 : 1);
        const browser = replicas.browser();
        const page = await replicas.arrive(browser);
        const step = await browser.submit(page, PATHS.loginNative, loginFields(page, person));
        expect([round, step.url.pathname]).toEqual([round, PATHS.mfaVerify]);
        const { error, challenge_fault: fault, restart_url: restart } = step.state('mfa_verification').mfa_verification;
        if (error === 'challenge') {
          // Each version stores the proof and its browser in separate tables.
          expect(['expired', 'foreign']).toContain(fault);
          expect([round, typeof restart]).toEqual([round, 'string']);
          continue;
        }
        const next = await browser.fill(step, { code: app.code() });
        expect([round, (await replicas.consent(browser, next)).url.searchParams.has('code')]).toEqual([round, true]);
      }
    },
    TIMEOUT_MS,
  );

  it(
    '[PWR-3] a link to a new password works, whichever version creates, opens and accepts it',
    async () => {
      for (const round of rounds) {
        const person = await replicas.createPerson();
        const replica = round % 2 === 0 ? 0 : 1;
        const { json } = await replicas.operator('POST', `/accounts/${person.id}/password-reset`, { replica });
        expect([round, await resetPassword(json['url'] ?? '', 'neues wort 4711')]).toEqual([round, 'success']);
        expect(await replicas.canSignIn(person.username, 'neues wort 4711')).toBe(true);
      }
    },
    TIMEOUT_MS,
  );

  it(
    '[NTC-1] every mail is sent once, whichever version queued it',
    async () => {
      const countWaitingMails = (): Promise<unknown> =>
        replicas.value('select count(*)::int from outbox where sent_at is null', []);
      await waitUntil(TIMEOUT_MS, async () => (await countWaitingMails()) === 0);
      const queued = await replicas.value('select count(*)::int from outbox', []);
      const answer = await fetch(`${replicas.parts.mailbox.url}/api/v1/messages?limit=500`);
      const { messages } = (await answer.json()) as { messages: unknown[] };
      expect(messages).toHaveLength(Number(queued));
      expect(messages.length).toBeGreaterThanOrEqual(ROUNDS);
    },
    TIMEOUT_MS,
  );

  it(
    'the old one may be started again on the migrated database',
    async () => {
      const [old, current] = replicas.parts.gateways;
      const person = await replicas.createPerson();
      expect(await current.end('SIGTERM')).toBe(0);
      expect(await old.end('SIGTERM')).toBe(0);
      old.start();
      await replicas.waitUntilReady(1);
      expect(await replicas.canSignIn(person.username, person.password)).toBe(true);
    },
    TIMEOUT_MS,
  );
});
