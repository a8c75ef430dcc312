/**
 * People of sources and trusted browsers while the previous version, which knows neither, runs on the same database. It admits
 * nobody who must be refused, and its changes and counters apply to the new version.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashPassword, startPeopleService, type ServicePerson } from '../../embedded/people/people-service.js';
import { SystemClock } from '../../src/config/clock.js';
import { PATHS } from '../../src/contract/paths.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { idClaims } from '../support/oauth-client.js';
import { whyNoCluster } from '../support/postgres-cluster.js';
import { buildPreviousVersion, whyNoPreviousVersion } from '../support/previous-version.js';
import { Replicas, loginFields, type Person } from '../support/replicas.js';
import type { BrowserWalk } from '../support/browser-walk.js';
import { waitUntil } from '../support/upstream-waiting.js';

const TIMEOUT_MS = 180_000;
const BUILD_MS = 420_000;
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const PASSWORD = 'of the service 4711';
const [OLD, NEW] = [0, 1] as const;

const reason = whyNoCluster() ?? whyNoPreviousVersion();
if (reason !== null) process.stderr.write(`SKIPPED: people of sources beside the previous version: ${reason}\n`);

const personAt = (username: string): ServicePerson => ({
  ...{ sub: `id-of-${username}`, username, login: [`${username}.too`] },
  hash: hashPassword(PASSWORD),
});

(reason === null ? describe : describe.skip)('the previous version beside people of sources', () => {
  let replicas: Replicas;
  const services: { close(): Promise<void> }[] = [];

  async function sourceAt(address: { origin: string; port: number }, id: string, people: readonly ServicePerson[]) {
    const issuer = `https://${id}.example`;
    const foyerKeysUrl = `http://localhost:${address.port}/sources/jwks`;
    const service = await startPeopleService({
      ...{ host: 'localhost', port: 0, foyerUrl: address.origin, foyerKeysUrl },
      issuer,
      people,
    });
    services.push(service);
    return { id, type: 'http', url: service.url, issuer, jwks_url: `${service.url}/jwks` };
  }

  beforeAll(async () => {
    replicas = await Replicas.start({
      previous: await buildPreviousVersion(),
      second: async (address) => ({
        USER_SOURCES: JSON.stringify([
          await sourceAt(address, 'shop', ['anna', 'berta'].map(personAt)),
          { ...(await sourceAt(address, 'hr', [personAt('clara')])), sub: 'source', sub_prefix: 'hr-' },
        ]),
      }),
    });
    replicas.parts.gateways[NEW].start();
    await replicas.waitUntilReady(2);
  }, BUILD_MS);
  beforeEach(() => switchTo(NEW));
  afterAll(async () => {
    await replicas.close();
    await Promise.all(services.map((service) => service.close()));
  }, TIMEOUT_MS);

  /** Sends all further requests to this gateway. */
  function switchTo(gateway: typeof OLD | typeof NEW): void {
    replicas.parts.balancer.only = replicas.parts.gateways[gateway].port;
  }

  async function toStatus(username: string, password: string): Promise<number> {
    const browser = replicas.browser();
    const page = await replicas.arrive(browser);
    return (await browser.submit(page, PATHS.loginNative, loginFields(page, { username, password }))).status;
  }

  const toTokens = (url: URL) => replicas.parts.client.redeem(url.searchParams.get('code') ?? '');
  const findAccountId = (username: string) => replicas.value('select id from account where username = $1', [username]);

  it(
    '[LOG-4] the old one refuses the password of such a person, and continues their session',
    async () => {
      const browser = replicas.browser();
      const id = idClaims(await toTokens((await replicas.signIn(browser, { username: 'anna', password: PASSWORD })).url)).sub;
      expect(id).toBe(await findAccountId('anna'));
      switchTo(OLD);
      expect(await toStatus('anna', PASSWORD)).toBe(422);
      const again = await replicas.consent(browser, await replicas.arrive(browser));
      expect(idClaims(await toTokens(again.url)).sub).toBe(id);
    },
    TIMEOUT_MS,
  );

  it(
    '[LOG-4] wrong passwords at the old one count at the new one, whichever name is typed there',
    async () => {
      expect(await replicas.canSignIn('berta', PASSWORD)).toBe(true);
      switchTo(OLD);
      for (let failure = 0; failure < 5; failure += 1) expect(await toStatus('berta', 'wrong')).toBe(422);
      switchTo(NEW);
      expect(await toStatus('berta', PASSWORD)).toBe(429);
      expect(await toStatus('berta.too', PASSWORD)).toBe(429);
    },
    TIMEOUT_MS,
  );

  it(
    '[S-44] what an operator ends at the old one ends at Hydra for the subject that apps know, through the new one',
    async () => {
      const [old] = replicas.parts.gateways;
      const browser = replicas.browser();
      const tokens = await toTokens((await replicas.signIn(browser, { username: 'clara', password: PASSWORD })).url);
      expect(idClaims(tokens).sub).toBe('hr-id-of-clara');
      // The old gateway can only queue the job, and is stopped before it runs.
      await replicas.parts.upstream.switchOff();
      const id = String(await findAccountId('clara'));
      expect((await replicas.operator('POST', `/accounts/${id}/disable`, { replica: OLD })).status).toBe(200);
      expect(await replicas.value('select subject from revocation_job where account_id = $1', [id])).toBeNull();
      await old.end('SIGKILL');
      await replicas.parts.upstream.switchOn();
      await waitUntil(TIMEOUT_MS, async () => {
        const jobs = await replicas.value('select count(*)::int from revocation_job where account_id = $1', [id]);
        return jobs === 0;
      });
      expect((await replicas.parts.client.refresh(tokens.refresh_token ?? '')).status).toBe(400);
      old.start();
      await replicas.waitUntilReady(2);
    },
    TIMEOUT_MS,
  );

  it(
    'a password change at the old one ends the trust in browsers at the new one',
    async () => {
      const app = new TotpApp(SEED, new SystemClock());
      const person = { username: 'with-trust', password: 'Gartenzaun gelb' };
      await replicas.importLines([{ ...person, totp_secret: SEED }], NEW);
      const browser = replicas.browser();
      const step = await enter(browser, person);
      expect(step.url.pathname).toBe(PATHS.mfaVerify);
      await replicas.consent(browser, await browser.fill(step, { code: app.code(), trust_browser: 'true' }));
      expect((await enter(browser, person)).url.pathname).not.toBe(PATHS.mfaVerify);
      switchTo(OLD);
      const link = await replicas.operator('POST', `/accounts/${String(await findAccountId(person.username))}/password-reset`, {
        replica: OLD,
      });
      const other = replicas.browser();
      const page = await other.go(link.json['url'] ?? '');
      const done = await other.fill(page, { password: 'neues wort 4711', password_repeat: 'neues wort 4711' });
      expect(done.url.searchParams.get('status')).toBe('success');
      switchTo(NEW);
      expect((await enter(browser, { ...person, password: 'neues wort 4711' })).url.pathname).toBe(PATHS.mfaVerify);
    },
    TIMEOUT_MS,
  );

  /** Signs in with the password, whatever session there is. */
  async function enter(browser: BrowserWalk, person: Pick<Person, 'username' | 'password'>) {
    const page = await browser.go(replicas.parts.client.authorizationUrl({ scope: 'openid offline', prompt: 'login' }));
    return browser.submit(page, PATHS.loginNative, loginFields(page, person));
  }
});
