/** `npm start`, end to end: the built product as a separate process, a person in a real Chromium. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { copyTemplate } from '../../src/database/embedded-template.js';
import { launchChromium } from '../support/chromium.js';
import { OPERATOR_TOKEN, toEmbeddedInstallation } from '../support/installation.js';
import { LANGUAGES, PortalUser } from '../support/portal-user.js';
import { StartedFoyer, choosePorts, type Ports } from '../support/started-foyer.js';
import { words } from '../support/words.js';
import { startStories } from './start-stories.js';

const TIMEOUT_MS = 180_000;

describe('one command', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'foyer-start-'));
  let ports: Ports;
  let foyer: StartedFoyer;
  let chromium: Browser;
  let appUrl: string;
  let gatewayUrl: string;

  beforeAll(async () => {
    ports = await choosePorts();
    appUrl = `http://localhost:${ports.EMBEDDED_DEMO_APP_PORT}`;
    gatewayUrl = `http://localhost:${ports.PORT}`;
    [foyer, chromium] = await Promise.all([StartedFoyer.start(dataDir, ports, { OPERATOR_TOKEN }), launchChromium()]);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await Promise.all([chromium.close(), foyer.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  }, TIMEOUT_MS);

  const listLines = (): string[] =>
    foyer.output
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);

  it('prints the first address, the demo account, and no noise', () => {
    const [lines, logged] = [
      listLines().filter((line) => !line.startsWith('{')),
      listLines().filter((line) => line.startsWith('{')),
    ];
    expect(lines[0]).toBe(`Open ${appUrl}`);
    expect(foyer.findValue('Account')).toBe('maria.musterfrau');
    expect(foyer.findValue('Sign-in pages')).toBe(gatewayUrl);
    expect(foyer.findValue('Console')).toMatch(/^http:\/\/localhost:\d+\/console\/ +olga\.operator, [A-Za-z]+-\S+$/);
    expect(lines.length).toBeLessThan(20);
    expect(logged.length).toBeLessThan(2);
  });

  describe('leads a person', () => {
    startStories(() => Promise.resolve(toEmbeddedInstallation(foyer, ports)));
  });

  it(
    'lets the person of the example service sign in, without an account before, who cannot change a password here',
    async () => {
      const [, url, username = '', password = ''] =
        /^(\S+)\s+(\S+), (\S+): a sign-in creates the account/.exec(foyer.findValue('People')) ?? [];
      expect(url).toBe(`http://localhost:${ports.EMBEDDED_PEOPLE_PORT}`);
      const context = await chromium.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      const user = new PortalUser(page, appUrl, LANGUAGES.en);
      await user.openSignIn();
      await user.enterPassword({ username, password: 'wrong' });
      await page.getByText(words('login.failed')).waitFor();
      await user.enterPassword({ username, password });
      await user.press('consent.allow');
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd'] });
      await page.goto(appUrl);
      await page.getByRole('link', { name: 'Manage your sign-in' }).click();
      await user.waitForHeading(words('settings.settings'));
      expect(await page.getByRole('link', { name: words('manage.password') }).count()).toBe(0);
      await context.close();
    },
    TIMEOUT_MS,
  );

  it('uses an initialised database, which is part of the build and was unpacked by this start', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'foyer-unpacked-'));
    await copyTemplate(directory, new URL('../../dist/embedded-database.gz', import.meta.url));
    const version = (path: string): string => readFileSync(join(path, 'PG_VERSION'), 'utf8');
    expect(version(directory)).toBe(version(join(dataDir, 'database')));
    // PostgreSQL generates this id when it initialises a database; it is the first 8 bytes of this file.
    const identifier = (path: string): string => readFileSync(join(path, 'global', 'pg_control')).toString('hex', 0, 8);
    expect(identifier(join(dataDir, 'database'))).toBe(identifier(directory));
    rmSync(directory, { recursive: true });
  });

  it(
    '[LOG-10] [CON-8] keeps account, client, session and consent over a restart, and ends with 0 on SIGTERM',
    async () => {
      const context = await chromium.newContext({ locale: 'en-GB' });
      const user = new PortalUser(await context.newPage(), appUrl, LANGUAGES.en);
      await user.openSignIn();
      await user.enterPassword(toEmbeddedInstallation(foyer, ports).person);
      await user.press('consent.allow');
      const before = await user.readClaims();
      const password = foyer.findValue('Password');

      // Browsers open connections before they need them; an idle connection must not delay the end.
      await once(
        connect(ports.PORT, 'localhost').on('error', () => undefined),
        'connect',
      );
      // The process itself cuts a slow shutdown short, and then ends with 1.
      expect(await foyer.stop()).toMatchObject({ code: 0, signal: null });

      foyer = await StartedFoyer.start(dataDir, ports, { OPERATOR_TOKEN });
      expect(listLines()[0]).toBe(`Open ${appUrl}`);
      expect(foyer.findValue('Password')).toBe(password);
      await user.openSignIn();
      const after = await user.readClaims();
      expect([after['sub'], after['sid'], after['auth_time']]).toEqual([before['sub'], before['sid'], before['auth_time']]);
      await context.close();
    },
    TIMEOUT_MS,
  );

  it(
    'names every taken port with its setting, ends with 1 and leaves the running installation alone',
    async () => {
      const other = mkdtempSync(join(tmpdir(), 'foyer-second-'));
      const { code, output } = await StartedFoyer.begin(other, ports).ended;
      rmSync(other, { recursive: true, force: true });
      expect(code).toBe(1);
      const used = Object.entries(ports).filter(([name]) => name !== 'EMBEDDED_PROVIDERS_PORT');
      for (const [name, port] of used) expect(output).toMatch(new RegExp(`Port ${port} is already in use .*set ${name}`));
      expect(output).not.toContain('    at ');
      expect((await fetch(`${gatewayUrl}/health/live`)).status).toBe(200);
    },
    TIMEOUT_MS,
  );

  it(
    'refuses a data directory that another process uses, with an explanation',
    async () => {
      const { code, output } = await StartedFoyer.begin(dataDir, await choosePorts()).ended;
      expect(code).toBe(1);
      expect(output).toContain('is in use by another process');
      expect(output).not.toContain('    at ');
    },
    TIMEOUT_MS,
  );

  it(
    'starts nothing embedded in production, and names all missing settings',
    async () => {
      const { code, output } = await StartedFoyer.begin(dataDir, ports, { NODE_ENV: 'production' }).ended;
      expect(code).toBe(1);
      for (const name of ['PUBLIC_URL', 'HYDRA_ADMIN_URL', 'DATABASE_URL', 'SECRETS_SYSTEM']) expect(output).toContain(name);
    },
    TIMEOUT_MS,
  );

  it(
    'stops at once also while it waits for its database',
    async () => {
      const env = { DATABASE_URL: 'postgres://localhost:1/nothing', LOG_LEVEL: 'warn' };
      const waiting = StartedFoyer.begin(dataDir, await choosePorts(), env);
      await waiting.waitForText('The database is not available');
      expect(await waiting.stop()).toMatchObject({ code: 0, signal: null });
    },
    TIMEOUT_MS,
  );

  it(
    'ends when its parent process has ended, so that no port stays taken',
    async () => {
      foyer.disconnect();
      expect(await foyer.ended).toMatchObject({ code: 0 });
      foyer = await StartedFoyer.start(dataDir, ports, { OPERATOR_TOKEN });
    },
    TIMEOUT_MS,
  );
});
