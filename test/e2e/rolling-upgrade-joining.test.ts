/**
 * What people have to do on the way to an app, while the previous version, which does not know it, runs on the same database with other
 * settings.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import { Mailbox } from '../../test-kit/mailbox.js';
import { whyNoCluster } from '../support/postgres-cluster.js';
import { buildPreviousVersion, whyNoPreviousVersion } from '../support/previous-version.js';
import { Replicas, loginFields, type Person } from '../support/replicas.js';
import { words } from '../support/words.js';
import type { Arrival, BrowserWalk } from '../support/browser-walk.js';

const TIMEOUT_MS = 180_000;
const BUILD_MS = 420_000;
const NEW_PASSWORD = 'neues wort 4711';
const [OLD, NEW] = [0, 1] as const;

const reason = whyNoCluster() ?? whyNoPreviousVersion();
if (reason !== null) process.stderr.write(`SKIPPED: tasks at sign-in beside the previous version: ${reason}\n`);

(reason === null ? describe : describe.skip)('the previous version beside tasks at sign-in', () => {
  let replicas: Replicas;
  const folder = mkdtempSync(join(tmpdir(), 'foyer-terms-'));

  beforeAll(async () => {
    const file = join(folder, 'terms-en.txt');
    writeFileSync(file, 'Terms\n\nKeep your password to yourself.\n');
    replicas = await Replicas.start({
      previous: await buildPreviousVersion(),
      // The previous version does not know the mail with the code for an address. If it took one from the queue, the mail would arrive a minute later.
      first: { SMTP_URL: undefined },
      second: () => {
        const terms = [{ id: 'use', version: '1', files: { en: file } }];
        return Promise.resolve({ EMAIL_PROOF: 'required', TERMS: JSON.stringify(terms) });
      },
    });
    replicas.parts.gateways[NEW].start();
    await replicas.waitUntilReady(2);
  }, BUILD_MS);

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await replicas.close();
  }, TIMEOUT_MS);

  /** Sends all further requests to this gateway. */
  function switchTo(gateway: typeof OLD | typeof NEW): void {
    replicas.parts.balancer.only = replicas.parts.gateways[gateway].port;
  }

  const isAtApp = ({ url }: Arrival): boolean => url.searchParams.has('code');

  async function sendPassword(browser: BrowserWalk, page: Arrival, person: Person): Promise<Arrival> {
    return browser.submit(page, PATHS.loginNative, { ...loginFields(page, person), remember: 'true' });
  }

  async function completeTask(browser: BrowserWalk, page: Arrival): Promise<Arrival> {
    const { task } = page.state('task');
    if (task.kind === 'terms') return browser.fill(page, { accepted: 'true' });
    if (task.kind !== 'email') throw new Error(`The task is ${task.kind}.`);
    if (task.sent_to === undefined) return browser.fill(page, { email: task.email });
    const { text } = await new Mailbox(replicas.parts.mailbox.url).waitFor(task.sent_to, {
      subject: words('mail.email_change_code'),
    });
    return browser.fill(page, { code: /\b\d{6}\b/.exec(text)?.[0] ?? '' });
  }

  /** Accepts the terms, proves the address, and goes on to the app. */
  async function completeTasks(browser: BrowserWalk, page: Arrival): Promise<Arrival> {
    let next = page;
    for (let forms = 0; forms < 3; forms += 1) next = await completeTask(browser, next);
    return replicas.consent(browser, next);
  }

  it(
    '[TSK-4] who signs in at the old one is asked at the new one, once',
    async () => {
      const [person, browser] = [await replicas.createPerson(), replicas.browser()];
      switchTo(NEW);
      const login = await replicas.arrive(browser);
      switchTo(OLD);
      expect(isAtApp(await replicas.consent(browser, await sendPassword(browser, login, person)))).toBe(true);
      expect(isAtApp(await replicas.consent(browser, await replicas.arrive(browser)))).toBe(true);

      switchTo(NEW);
      const task = await sendPassword(browser, await replicas.arrive(browser), person);
      expect(isAtApp(await completeTasks(browser, task))).toBe(true);
      for (const gateway of [OLD, NEW]) {
        switchTo(gateway);
        const next = await replicas.consent(browser, await replicas.arrive(browser));
        expect([gateway, isAtApp(next)]).toEqual([gateway, true]);
      }
    },
    TIMEOUT_MS,
  );

  it(
    '[TSK-2] a task that the old one cannot show waits at the new one',
    async () => {
      const [person, browser] = [await replicas.createPerson(), replicas.browser()];
      switchTo(OLD);
      const login = await replicas.arrive(browser);
      switchTo(NEW);
      const { url } = await sendPassword(browser, login, person);
      expect(url.pathname).toBe(PATHS.loginTask);
      switchTo(OLD);
      expect((await browser.go(url)).state('server_error').server_error.status).toBe(404);
      switchTo(NEW);
      expect(isAtApp(await completeTasks(browser, await browser.go(url)))).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    '[TSK-1] [PWR-3] a new password at the old one is the one that an operator has required at the new one',
    async () => {
      const [person, browser] = [await replicas.createPerson(), replicas.browser()];
      const require = await replicas.operator('POST', `/accounts/${person.id}/require-password-change`, {
        body: {},
        replica: NEW,
      });
      expect(require.status).toBe(200);
      switchTo(OLD);
      const { json } = await replicas.operator('POST', `/accounts/${person.id}/password-reset`, { replica: OLD });
      const form = await browser.go(json['url'] ?? '');
      const done = await browser.fill(form, { password: NEW_PASSWORD, password_repeat: NEW_PASSWORD });
      expect(done.url.searchParams.get('status')).toBe('success');
      switchTo(NEW);
      const task = await sendPassword(browser, await replicas.arrive(browser), { ...person, password: NEW_PASSWORD });
      expect(isAtApp(await completeTasks(browser, task))).toBe(true);
    },
    TIMEOUT_MS,
  );
});
