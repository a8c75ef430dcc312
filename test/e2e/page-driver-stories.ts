/** The driver of the test kit completes Foyer's own pages in Chromium, and the clients of the suite fit its plans. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { PATHS } from '../../src/contract/paths.js';
import type { Foyer, PreparedSuite } from '../../test-kit/index.js';
import { launchChromium } from '../support/chromium.js';
import { ExampleApp } from '../support/testing-kit.js';

const TIMEOUT_MS = 180_000;

/** A server at the addresses that the suite would have. */
function startSuite(): Promise<Server> {
  const server = createServer((request, response) => response.end(`<!doctype html><title>${request.url?.split('?')[0]}</title>`));
  return new Promise((resolve) => server.listen(0, 'localhost', () => resolve(server)));
}

/** @param toFoyer is called inside hooks */
export function driverStories(toFoyer: () => Foyer): void {
  let foyer: Foyer;
  let chromium: Browser;
  let suite: Server;
  let suiteUrl: string;
  let prepared: PreparedSuite;
  let page: Page;

  beforeAll(async () => {
    foyer = toFoyer();
    [chromium, suite] = await Promise.all([launchChromium(), startSuite()]);
    suiteUrl = `http://localhost:${(suite.address() as AddressInfo).port}`;
    prepared = await foyer.prepareSuite({ suiteUrl, alias: 'foyer' });
    page = await (await chromium.newContext({ locale: 'en-GB' })).newPage();
  }, TIMEOUT_MS);

  afterAll(async () => {
    await chromium.close();
    suite.close();
  }, TIMEOUT_MS);

  const callback = (): string => `${suiteUrl}/test/a/foyer/callback`;

  async function app(): Promise<ExampleApp> {
    const { client } = prepared.config;
    const issuer = foyer.installation.hydraPublicUrl;
    const registered = { issuer, clientId: client.client_id, clientSecret: client.client_secret, redirectUris: [callback()] };
    return ExampleApp.create(registered);
  }

  describe('the configuration for the suite', () => {
    it('names discovery, the person and three clients with the suite\u2019s addresses', async () => {
      const { config, person } = prepared;
      expect(config).toMatchObject({ alias: 'foyer', server: { login_hint: person.username } });
      const found = await fetch(config.server.discoveryUrl);
      expect(found.status).toBe(200);
      const clients = [config.client, config.client_secret_post, config.client2];
      const registered = await Promise.all(
        clients.map(
          async ({ client_id: id }) =>
            (await fetch(`${foyer.installation.hydraAdminUrl}/admin/clients/${id}`)).json() as Promise<Record<string, unknown>>,
        ),
      );
      expect(registered.map(({ token_endpoint_auth_method: method }) => method)).toEqual([
        'client_secret_basic',
        'client_secret_post',
        'client_secret_basic',
      ]);
      for (const client of registered) {
        expect(client['redirect_uris']).toEqual([callback()]);
        expect(client['post_logout_redirect_uris']).toEqual([`${suiteUrl}/test/a/foyer/post_logout_redirect`]);
      }
    });
  });

  describe('the driver', () => {
    it(
      'signs in and gives consent, and the app gets its code',
      async () => {
        const { url, finish } = await (await app()).beginSignIn();
        await page.goto(url.href);
        const driven = await foyer.drive(page, prepared.person, { remember: true });
        expect(driven.page).toBeNull();
        expect(await finish(driven.url)).toMatchObject({ sub: prepared.person.id });
      },
      TIMEOUT_MS,
    );

    it(
      'shows no page at the second sign-in, and signs in again if the app asks for it',
      async () => {
        for (const more of [{}, { prompt: 'login' }]) {
          const { url, finish } = await (await app()).beginSignIn(more);
          await page.goto(url.href);
          expect(await finish((await foyer.drive(page, prepared.person)).url)).toMatchObject({ sub: prepared.person.id });
        }
        const { url } = await (await app()).beginSignIn({ prompt: 'consent' });
        await page.goto(url.href);
        const refused = await foyer.drive(page, prepared.person, { consent: 'reject' });
        expect(new URL(refused.url).searchParams.get('error')).toBe('access_denied');
      },
      TIMEOUT_MS,
    );

    it(
      'proves the second factor',
      async () => {
        const person = await foyer.createPerson({ username: 'driven.careful', secondFactor: 'totp' });
        const other = await (await chromium.newContext()).newPage();
        const { url, finish } = await (await app()).beginSignIn();
        await other.goto(url.href);
        expect(await finish((await foyer.drive(other, person)).url)).toMatchObject({
          sub: person.id,
          amr: ['pwd', 'otp', 'mfa'],
        });
        await other.context().close();
      },
      TIMEOUT_MS,
    );

    it(
      'stays signed in or logs out, as configured',
      async () => {
        const end = new URL('/oauth2/sessions/logout', foyer.installation.hydraPublicUrl);
        await page.goto(end.href);
        expect(await foyer.drive(page, prepared.person, { logout: 'reject' })).toMatchObject({ page: 'logout' });
        expect(new URL(page.url()).pathname).toBe(PATHS.logoutReject);
        await page.goto(end.href);
        await foyer.drive(page, prepared.person);
        expect(new URL(page.url()).pathname).toBe(PATHS.logoutCallback);
        const { url } = await (await app()).beginSignIn({ prompt: 'none' });
        await page.goto(url.href);
        const none = await foyer.drive(page, prepared.person);
        expect(new URL(none.url).searchParams.get('error')).toBe('login_required');
      },
      TIMEOUT_MS,
    );

    it(
      'ends at an error page, and reports what a page refuses',
      async () => {
        const wrong = new URL((await (await app()).beginSignIn()).url);
        wrong.searchParams.set('redirect_uri', 'https://evil.example/');
        await page.goto(wrong.href);
        expect(await foyer.drive(page, prepared.person)).toMatchObject({ page: 'oauth_error' });
        await page.goto((await (await app()).beginSignIn()).url.href);
        await expect(foyer.drive(page, { ...prepared.person, password: 'something else' })).rejects.toMatchObject({
          page: 'login',
          reason: 'credentials',
        });
      },
      TIMEOUT_MS,
    );
  });
}
