/**
 * Two gateways on one PostgreSQL behind a proxy without sticky sessions: the steps of a person use both, a change that
 * happens once happens once, and no restart, crash or outage loses what was confirmed.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Mailbox } from '../../test-kit/mailbox.js';
import { PATHS } from '../../src/contract/paths.js';
import { Device } from '../support/device.js';
import { IS_FULL } from '../support/matrix.js';
import { whyNoCluster } from '../support/postgres-cluster.js';
import { Replicas, loginFields, type Person } from '../support/replicas.js';
import { waitUntil } from '../support/upstream-waiting.js';
import type { Arrival } from '../support/browser-walk.js';

const TIMEOUT_MS = 180_000;
/** Measured with the fault added: a form that may be answered twice shows in 20 of 20 rounds, a link that is not used up in 18. */
const ROUNDS = 20;

const reason = whyNoCluster();
if (reason !== null) process.stderr.write(`SKIPPED: two gateways on one database: ${reason}\n`);

(reason === null ? describe : describe.skip)('two gateways on one database', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await Replicas.start();
  }, TIMEOUT_MS);

  afterAll(() => replicas.close(), TIMEOUT_MS);

  const rounds = (work: (round: number) => Promise<void>): Promise<void> =>
    Array.from({ length: ROUNDS }, (_, round) => round).reduce(
      (before, round) => before.then(() => work(round)),
      Promise.resolve(),
    );

  /** Posts the form of a link that resets a password, in a browser that has just opened it. */
  async function resetForm(url: string): Promise<(password: string) => Promise<Arrival>> {
    const browser = replicas.browser();
    const page = await browser.go(url);
    const { xsrf_token: xsrf, reset_token: token } = page.state('password_reset_form').password_reset_form;
    return (password) =>
      browser.submit(page, PATHS.passwordReset, { _xsrf: xsrf, reset_token: token, password, password_repeat: password });
  }

  async function resetLink({ id }: Person): Promise<string> {
    const { json } = await replicas.operator('POST', `/accounts/${id}/password-reset`);
    return json['url'] ?? '';
  }

  it('are both used by one sign-in, and neither needs to have seen the previous step', async () => {
    const person = await replicas.createPerson();
    for (let time = 0; time < 10; time++) {
      expect((await replicas.signIn(replicas.browser(), person)).url.searchParams.has('code')).toBe(true);
    }
  });

  it(
    '[LOG-14] turn twenty double clicks on the login form into twenty sign-ins',
    async () => {
      const person = await replicas.createPerson();
      await rounds(async () => {
        const browser = replicas.browser();
        const page = await replicas.arrive(browser);
        const click = () => browser.submitAndLeave(page, PATHS.loginNative, loginFields(page, person));
        const answers = await Promise.all([click(), click()]);
        expect(answers.map(({ status }) => status)).toEqual([303, 303]);
        expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
      });
      const done = await replicas.value(`select count(*)::int from audit_event where account_id = $1 and kind = 'sign-in.ok'`, [
        person.id,
      ]);
      expect(done).toBe(ROUNDS);
    },
    TIMEOUT_MS,
  );

  it(
    '[PWR-3] set one password for each of twenty links that are sent twice at the same moment',
    async () => {
      const person = await replicas.createPerson();
      await rounds(async (round) => {
        const submit = await resetForm(await resetLink(person));
        const wanted = [`erstes wort ${round}`, `zweites wort ${round}`];
        const ends = await Promise.all(wanted.map((password) => submit(password)));
        const statuses = ends.map(({ url }) => url.searchParams.get('status'));
        expect([...statuses].sort()).toEqual(['error-token', 'success']);
        if (round % 10 > 0) return;
        const opened = await Promise.all(wanted.map((password) => replicas.canSignIn(person.username, password)));
        expect(opened).toEqual(statuses.map((status) => status === 'success'));
      });
    },
    TIMEOUT_MS,
  );

  it(
    'give each of twenty names, each requested twice at the same moment, to one account',
    async () => {
      await rounds(async (round) => {
        const body = { username: `wanted-${round}` };
        const answers = await Promise.all(
          ([0, 1] as const).map((replica) => replicas.operator('POST', '/accounts', { body, replica })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      });
    },
    TIMEOUT_MS,
  );

  it(
    '[NTC-1] send each mail once, whichever gateway does it',
    async () => {
      const people = await Promise.all(Array.from({ length: 20 }, () => replicas.createPerson()));
      await Promise.all(
        people.map(async (person) => {
          const submit = await resetForm(await resetLink(person));
          expect((await submit('neues wort 4711')).url.searchParams.get('status')).toBe('success');
        }),
      );
      const countWaitingMails = (): Promise<unknown> =>
        replicas.value('select count(*)::int from outbox where sent_at is null', []);
      await waitUntil(TIMEOUT_MS, async () => (await countWaitingMails()) === 0);
      const answer = await fetch(`${replicas.parts.mailbox.url}/api/v1/messages?limit=500`);
      const { messages } = (await answer.json()) as { messages: { To: { Address: string }[] }[] };
      const addresses = messages.map(({ To: [to] }) => to?.Address);
      for (const { username } of people) {
        expect(addresses.filter((address) => address === `${username}@example.org`)).toHaveLength(1);
      }
    },
    TIMEOUT_MS,
  );

  /** Opens the form for the code that was mailed to a new address. */
  async function openCodeForm() {
    const [person, browser] = [await replicas.createPerson(), replicas.browser()];
    const start = await replicas.manage(browser, person, PATHS.manageEmail);
    const frame = start.state('manage_email');
    const email = `new.${person.username}@example.org`;
    const page = await browser.submit(start, PATHS.manageEmail, { _xsrf: frame.area.xsrf_token, email });
    const { text } = await new Mailbox(replicas.parts.mailbox.url).waitFor(email, { withinMs: TIMEOUT_MS });
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
    const enter = (typed: string) => {
      const form = page.state('manage_email');
      return browser.submit(page, PATHS.manageEmailCode, { _xsrf: form.area.xsrf_token, code: typed });
    };
    const enterWrongCode = (index: number) => enter(String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'));
    const address = () => replicas.value('select email from account where id = $1', [person.id]);
    return { person, email, code, enter, wrong: enterWrongCode, address };
  }

  it('[EML-2] change the address once with a code that is sent to both at the same moment', async () => {
    const { person, email, code, enter, address } = await openCodeForm();
    const ends = await Promise.all([enter(code), enter(code)]);
    expect(ends.filter(({ url }) => url.pathname === PATHS.manage)).toHaveLength(1);
    expect(await address()).toBe(email);
    const changes = `select count(*)::int from audit_event where account_id = $1 and kind = 'account.changed'`;
    expect(await replicas.value(changes, [person.id])).toBe(1);
  });

  it('[EML-2] [S-133] count wrong codes for a new address together: after five the right one is refused', async () => {
    const { email, code, enter, wrong, address } = await openCodeForm();
    await Promise.all(Array.from({ length: 5 }, (_, index) => wrong(index)));
    expect((await enter(code)).state('manage_email').manage_email.error).toBe('session expired');
    expect(await address()).not.toBe(email);
  });

  it('[DEV-5] [S-136] count codes of devices together: a browser has a limited number of attempts, and then not even the right code works', async () => {
    const { client, balancer, gateways } = replicas.parts;
    const browser = replicas.browser();
    const device = await Device.start(client);
    const page = await browser.go(`http://localhost:${balancer.port}${PATHS.device}`);
    const { xsrf_token: _xsrf, device_challenge } = page.state('device').device;
    const enter = (user_code: string) => browser.submit(page, PATHS.device, { _xsrf, device_challenge, user_code });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => enter(`wrong${index}`)));
    const countStatus = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([countStatus(422), countStatus(429)]).toEqual([20, 10]);
    for (const { port } of gateways) {
      balancer.only = port;
      expect((await enter(device.userCode)).status).toBe(429);
    }
    balancer.only = null;
    expect(await device.pollError()).toBe('authorization_pending');
  });

  it(
    'fail no request during a rolling restart under load',
    async () => {
      const people = await Promise.all(Array.from({ length: IS_FULL ? 4 : 2 }, () => replicas.createPerson()));
      let rolling = true;
      let signIns = 0;
      const load = people.map(async (person) => {
        while (rolling) {
          const { url, status } = await replicas.signIn(replicas.browser(), person);
          if (!url.searchParams.has('code')) throw new Error(`A sign-in ended with ${status} at ${url.pathname}`);
          signIns += 1;
        }
      });
      const roll = async (): Promise<void> => {
        for (const gateway of replicas.parts.gateways) {
          expect(await gateway.end('SIGTERM')).toBe(0);
          gateway.start();
          await replicas.waitUntilReady(2);
        }
      };
      await Promise.race([roll(), Promise.all(load)]).finally(() => (rolling = false));
      await Promise.all(load);
      expect(signIns).toBeGreaterThan(people.length);
    },
    TIMEOUT_MS,
  );

  it(
    'keep what was confirmed when one is killed right after its answer',
    async () => {
      const person = await replicas.createPerson();
      const { gateways } = replicas.parts;
      for (const [round, gateway] of (IS_FULL ? [...gateways, ...gateways] : gateways.slice(0, 1)).entries()) {
        const submit = await resetForm(await resetLink(person));
        const password = `nach dem absturz ${round}`;
        expect((await submit(password)).url.searchParams.get('status')).toBe('success');
        expect(await gateway.end('SIGKILL')).toBeNull();
        await replicas.waitUntilReady(1);
        expect(await replicas.canSignIn(person.username, password)).toBe(true);
        gateway.start();
        await replicas.waitUntilReady(2);
      }
    },
    TIMEOUT_MS,
  );

  it(
    'recover by themselves from a restart of the database, which they report meanwhile',
    async () => {
      const person = await replicas.createPerson();
      const processes = replicas.parts.gateways.map(({ processId }) => processId);
      await replicas.parts.cluster.stop();
      await replicas.waitUntilReady(0);
      await replicas.parts.cluster.start();
      await replicas.waitUntilReady(2);
      expect(await replicas.canSignIn(person.username, person.password)).toBe(true);
      expect(replicas.parts.gateways.map(({ processId, hasEnded }) => (hasEnded ? null : processId))).toEqual(processes);
    },
    TIMEOUT_MS,
  );

  it(
    'recover by themselves from an outage of Hydra',
    async () => {
      const person = await replicas.createPerson();
      const processes = replicas.parts.gateways.map(({ processId }) => processId);
      await replicas.parts.upstream.switchOff();
      // Both stay ready, because for example a password reset works without Hydra.
      await replicas.waitForStatus('degraded');
      await replicas.parts.upstream.switchOn();
      await replicas.waitForStatus('ok');
      expect(await replicas.canSignIn(person.username, person.password)).toBe(true);
      expect(replicas.parts.gateways.map(({ processId, hasEnded }) => (hasEnded ? null : processId))).toEqual(processes);
    },
    TIMEOUT_MS,
  );
});
