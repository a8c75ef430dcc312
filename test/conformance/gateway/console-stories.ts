/** Operators in the console, on every upstream: signing in through Foyer, calls with the cookie, and what ends a session. */
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { SignJWT, generateKeyPair } from 'jose';
import { Accounts, type Account } from '../../../src/accounts/account/accounts.js';
import { AuditLog } from '../../../src/accounts/audit/audit-log.js';
import { AccountSessions } from '../../../src/accounts/sessions/account-sessions.js';
import { BrowserSessions } from '../../../src/accounts/sessions/browser-sessions.js';
import { OperatorGrants } from '../../../src/accounts/operators/operator-grants.js';
import { FoundationModule } from '../../../src/app.module.js';
import type { OperatorRights } from '../../../src/config/config.js';
import { PATHS } from '../../../src/contract/paths.js';
import { createOperator } from '../../../src/operator/api/create-operator.js';
import { findFreePorts } from '../../../test-kit/free-ports.js';
import type { Browser, Page } from '../../../test-kit/browser.js';
import { readSetCookie } from '../../../test-kit/cookie-jar.js';
import { BrowserWalk } from '../../support/browser-walk.js';
import { PASSWORD } from '../../support/gateway.js';
import type { Leg } from '../../support/upstream-leg.js';
import { waitUntil } from '../../support/upstream-waiting.js';
import { startFront, type Front } from './front.js';

const HEARD_WITHIN_MS = 60_000;
const OWN = { 'x-foyer-console': '1' };
const SERVER_ROUTES = ['/console/sign-in', '/console/callback'];

interface Call extends Pick<RequestInit, 'method' | 'body'> {
  headers?: Record<string, string>;
}

interface Console {
  front: Front;
  /** The origin of the console. */
  url: string;
  close(): Promise<void>;
}

async function startConsole(leg: Leg, acr: 'urn:foyer:acr:pwd' | 'urn:foyer:acr:mfa'): Promise<Console> {
  const [port = 0] = await findFreePorts(1);
  const url = `http://localhost:${port}`;
  const front = await startFront(leg, { console: { url, acr, backChannelUrl: `http://127.0.0.1:${port}` } });
  const { foundation } = front.gateway;
  const config = { ...foundation.config, operator: { ...foundation.config.operator, token: 'a token of thirty-two characters' } };
  const operator: INestApplication<Server> = await createOperator({
    gateway: front.gateway,
    foundation: FoundationModule.register({ ...foundation, config }),
    config,
    consoleFiles: null,
  });
  await operator.listen(port, 'localhost');
  return {
    front,
    url,
    close: async () => {
      await operator.close();
      await front.close();
    },
  };
}

/** These stories have a gateway of their own, because other stories move its clock away from that of the upstream. */
export function consoleStories(leg: Leg): void {
  describe('the console', () => {
    let started: Console;
    let people = 0;

    beforeAll(async () => {
      started = await startConsole(leg, 'urn:foyer:acr:pwd');
    });

    afterAll(() => started.close());

    async function createOperatorAccount(right: OperatorRights | null): Promise<Account> {
      const account = await started.front.gateway.account(`operator.${(people += 1)}`);
      const grants = started.front.gateway.get(OperatorGrants);
      if (right !== null) await grants.grant({ accountId: account.id, right, endsAt: null }, { actor: 'system' });
      return account;
    }

    const readEvents = async ({ id }: Account) => {
      const { entries } = await started.front.gateway.get(AuditLog).list(id);
      return entries
        .filter(({ kind }) => kind.startsWith('console.'))
        .map(({ kind, actor, detail }) => ({ kind, actor, detail }));
    };

    const openBrowser = (): Browser =>
      new BrowserWalk([`${started.url}/console/people`, `${started.url}/console/refused`, `${started.url}/console/proven`]);

    const begin = (browser: Browser, query = '?return_to=/console/people'): Promise<Page> =>
      browser.go(`${started.url}/console/sign-in${query}`);

    const signIn = (browser: Browser, page: Page, { username }: Account): Promise<Page> =>
      browser.fill(page, { username, password: PASSWORD }, PATHS.loginNative);

    const call = (browser: Browser, path: string, init: Call = {}) =>
      browser.send(new URL(path, started.url), { ...init, headers: { ...OWN, ...init.headers } });

    /** The cookie of the session, as a thief would have it. */
    const readCookie = (browser: Browser): string =>
      browser.jar
        .header(new URL(started.url))
        .split('; ')
        .find((one) => one.startsWith('foyer-console=')) ?? '';

    const readSession = async (browser: Browser): Promise<{ status: number; body: Record<string, unknown> }> => {
      const { status, html } = await call(browser, '/console/session');
      return { status, body: JSON.parse(html) as Record<string, unknown> };
    };

    async function enter(right: OperatorRights | null): Promise<{ browser: Browser; account: Account; page: Page }> {
      const account = await createOperatorAccount(right);
      const browser = openBrowser();
      const page = await signIn(browser, await begin(browser), account);
      return { browser, account, page };
    }

    it('an operator signs in through Foyer, gets a cookie and no token, and may do what the right allows', async () => {
      const { browser, account, page } = await enter('support');
      expect(page.url.href).toBe(`${started.url}/console/people`);
      const { status, body } = await readSession(browser);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        operator: { account_id: account.id, username: account.username },
        rights: ['support'],
        operations: expect.arrayContaining(['accounts.list', 'access.disable']),
        idle_seconds: 900,
      });
      expect(body['operations']).not.toContain('resets.factors');
      expect(JSON.stringify(body)).not.toMatch(/ory_at|eyJ/);
      expect((await call(browser, `/operator/v1/accounts/${account.id}`)).status).toBe(200);
      expect(readCookie(browser)).toMatch(/^foyer-console=[\w-]{43}$/);
    });

    it('the cookie is set for the whole host, for http only, and never for other sites', async () => {
      const account = await createOperatorAccount('read');
      const browser = openBrowser();
      const begun = await browser.send(new URL('/console/sign-in', started.url), {});
      const page = await browser.go(begun.location ?? '');
      const before = browser.withStop(({ href }) => href.startsWith(`${started.url}/console/callback`));
      const callback = await before.fill(page, { username: account.username, password: PASSWORD }, PATHS.loginNative);
      const answer = await browser.send(callback.url, {});
      expect(answer.status).toBe(303);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const line = answer.headers.getSetCookie().find((one) => one.startsWith('foyer-console='));
      expect(line).toMatch(/^foyer-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    });

    it('refuses somebody without a right, with the reason in the audit log', async () => {
      const { browser, account, page } = await enter(null);
      expect(page.url.pathname).toBe('/console/refused');
      expect(page.url.searchParams.get('reason')).toBe('not_operator');
      expect(page.url.searchParams.get('request')).toMatch(/^[0-9a-f-]{36}$/);
      expect((await readSession(browser)).status).toBe(401);
      expect(await readEvents(account)).toEqual([{ kind: 'console.refused', actor: 'person', detail: { reason: 'right' } }]);
      const byName = await started.front.gateway.get(AuditLog).search({ operator: account.username });
      expect(byName.entries).toEqual([]);
    });

    it('a call without the header of the console, or from another site, is refused although the cookie is right', async () => {
      const { browser, account } = await enter('admin');
      const path = `/operator/v1/accounts/${account.id}`;
      const without = await browser.send(new URL(path, started.url), {});
      expect([without.status, JSON.parse(without.html)]).toEqual([401, expect.objectContaining({ error: 'unauthorized' })]);
      const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }];
      for (const headers of foreign) expect((await call(browser, path, { headers })).status).toBe(403);
      const own = { origin: started.url, 'sec-fetch-site': 'same-origin' };
      expect((await call(browser, path, { headers: own })).status).toBe(200);
    });

    it('a cookie counts in any browser only until the session ends, and signing out ends it', async () => {
      const { browser } = await enter('read');
      const stolen = readCookie(browser);
      const use = () => fetch(`${started.url}/console/session`, { headers: { ...OWN, cookie: stolen } });
      expect((await use()).status).toBe(200);
      const out = await call(browser, '/console/sign-out', { method: 'POST' });
      expect([out.status, out.headers.getSetCookie()[0]]).toEqual([204, expect.stringMatching(/^foyer-console=; Max-Age=0/)]);
      expect((await use()).status).toBe(401);
    });

    it.each(['the operator', 'another operator'])(
      'after %s has ended the session, the browser opens the next one only with a proof',
      async (who) => {
        const { browser, account } = await enter('admin');
        if (who === 'the operator') await call(browser, '/console/sign-out', { method: 'POST' });
        else {
          const other = await enter('admin');
          const { html } = await call(other.browser, '/operator/v1/operator-sessions');
          const { sessions } = JSON.parse(html) as { sessions: { id: string; account_id: string }[] };
          const { id = '' } = sessions.find((one) => one.account_id === account.id) ?? {};
          const headers = { 'x-foyer-reason': 'stolen' };
          const ended = await call(other.browser, `/operator/v1/operator-sessions/${id}`, { method: 'DELETE', headers });
          expect(ended.status).toBe(200);
        }
        const asked = await begin(browser);
        expect(asked.url.pathname).toBe(PATHS.login);
        expect((await readSession(browser)).status).toBe(401);
        const page = await signIn(browser, asked, account);
        expect(page.url.href).toBe(`${started.url}/console/people`);
        expect((await readSession(browser)).status).toBe(200);
        // The proof counts for sessions after it.
        expect((await begin(browser)).url.href).toBe(`${started.url}/console/people`);
      },
    );

    it('a session that is not used for 15 minutes ends; calls of the page itself do not count as use', async () => {
      const { browser } = await enter('read');
      const { clock } = started.front.gateway;
      clock.advanceSeconds(14 * 60);
      expect((await call(browser, '/console/session', { headers: { 'x-foyer-console': 'background' } })).status).toBe(200);
      clock.advanceSeconds(2 * 60);
      expect((await readSession(browser)).status).toBe(401);
      clock.advanceSeconds(-16 * 60);
    });

    it('a right that is taken away counts at the next call', async () => {
      const { browser, account } = await enter('support');
      await started.front.gateway.get(OperatorGrants).revoke({ accountId: account.id, right: 'support' }, { actor: 'system' });
      expect((await readSession(browser)).body).toMatchObject({ error: 'signed_out' });
    });

    it('signing out names the operator in the audit log, also after the last right was taken away', async () => {
      const { browser, account } = await enter('support');
      await started.front.gateway.get(OperatorGrants).revoke({ accountId: account.id, right: 'support' }, { actor: 'system' });
      expect((await call(browser, '/console/sign-out', { method: 'POST' })).status).toBe(204);
      const { entries } = await started.front.gateway.get(AuditLog).list(account.id);
      const closed = entries.find(({ kind }) => kind === 'console.closed');
      expect(closed).toMatchObject({ operator: account.username, detail: { operatorAccount: account.id } });
    });

    it('the session ends at once when the account is disabled', async () => {
      const { browser, account } = await enter('admin');
      await started.front.gateway.get(Accounts).setStatus(account.id, 'disabled', { actor: 'system' });
      expect((await readSession(browser)).status).toBe(401);
    });

    it('the session ends at once with the sign-in at Foyer, also before Hydra says so', async () => {
      const { browser, account } = await enter('admin');
      const sessions = started.front.gateway.get(AccountSessions);
      const [signInAtFoyer] = await sessions.list(account.id);
      await sessions.end(account.id, signInAtFoyer?.id ?? '', { actor: 'system' });
      expect((await readSession(browser)).status).toBe(401);
    });

    it('a sign-in that the browser remembers begins no new session after a quarter of an hour without a proof', async () => {
      const { browser } = await enter('support');
      const begun = await browser.send(new URL('/console/sign-in', started.url), {});
      expect(new URL(begun.location ?? '').searchParams.get('max_age')).toBe('900');
    });

    it('a session does not open the metrics', async () => {
      const { browser } = await enter('admin');
      expect((await call(browser, '/metrics')).status).toBe(401);
    });

    it('the end of all sessions of the account ends the session of the console at once', async () => {
      const { browser, account } = await enter('admin');
      await started.front.gateway.get(BrowserSessions).endForAccount(account.id, { actor: 'system' });
      expect((await readSession(browser)).status).toBe(401);
    });

    it('a dangerous operation needs a proof of the last 15 minutes, which a second window gives in place', async () => {
      const { browser, account } = await enter('admin');
      const { clock } = started.front.gateway;
      const person = await createOperatorAccount(null);
      const change = (reason?: string) =>
        call(browser, `/operator/v1/accounts/${person.id}`, {
          method: 'PATCH',
          body: '{"display_name":"Changed"}',
          headers: { 'content-type': 'application/json', ...(reason === undefined ? {} : { 'x-foyer-reason': reason }) },
        });
      expect(JSON.parse((await change()).html)).toMatchObject({ error: 'missing', field: 'reason' });
      expect((await change('asked%20by%20phone')).status).toBe(200);
      clock.advanceSeconds(14 * 60);
      expect((await readSession(browser)).status).toBe(200);
      clock.advanceSeconds(2 * 60);
      expect((await readSession(browser)).body).toMatchObject({ fresh_until: null });
      expect(JSON.parse((await change('asked%20by%20phone')).html)).toMatchObject({ error: 'proof_outdated' });
      clock.advanceSeconds(-16 * 60);
      const old = readCookie(browser);
      const asked = await begin(browser, '?fresh=1');
      const proven = asked.status === 0 ? asked : await signIn(browser, asked, account);
      expect(proven.url.pathname).toBe('/console/proven');
      expect((await change('asked%20by%20phone')).status).toBe(200);
      expect((await fetch(`${started.url}/console/session`, { headers: { ...OWN, cookie: old } })).status).toBe(401);
    });

    it('a proof of somebody else leaves the session as it is', async () => {
      const { browser, account } = await enter('admin');
      const other = await createOperatorAccount('admin');
      // Without the session at Foyer, the second window asks who it is.
      const stranger = openBrowser();
      const line = `${readCookie(browser)}; Path=/; HttpOnly; SameSite=Lax`;
      stranger.jar.keep(new URL(started.url), [readSetCookie(line)]);
      const page = await signIn(stranger, await begin(stranger, '?fresh=1'), other);
      expect(page.url.searchParams.get('reason')).toBe('other_person');
      expect((await readSession(browser)).body).toMatchObject({ operator: { account_id: account.id } });
    });

    it('a callback with a foreign state, without its cookie, or a second time signs nobody in', async () => {
      const account = await createOperatorAccount('read');
      const browser = openBrowser();
      const page = await begin(browser);
      const stopping = browser.withStop(({ href }) => href.startsWith(`${started.url}/console/callback`));
      const { url: callback } = await stopping.fill(page, { username: account.username, password: PASSWORD }, PATHS.loginNative);
      const stranger = openBrowser();
      expect((await stranger.go(callback)).url.searchParams.get('reason')).toBe('expired');
      await stranger.send(new URL('/console/sign-in', started.url), {});
      expect((await stranger.go(callback)).url.searchParams.get('reason')).toBe('denied');
      expect((await browser.go(callback)).url.pathname).toBe('/console/people');
      expect((await browser.go(callback)).url.searchParams.get('reason')).toBe('expired');
    });

    it.each([
      'https://evil.example/',
      '//evil.example',
      '/console/../x',
      '/console/sign-out',
      '/other',
      '/console/\\evil.example',
    ])('never leads to %s after the sign-in', async (target) => {
      const account = await createOperatorAccount('read');
      const browser = new BrowserWalk([`${started.url}/console/`, 'https://evil.example']).withStop(
        ({ hostname, href, pathname }) =>
          hostname.includes('evil') || (href.startsWith(`${started.url}/`) && !SERVER_ROUTES.includes(pathname)),
      );
      const page = await begin(browser, `?return_to=${encodeURIComponent(target)}`);
      expect((await signIn(browser, page, account)).url.href).toBe(`${started.url}/console/`);
    });

    const notified = leg.reachesLoopback ? it : it.skip;

    notified('logging out at Foyer ends the session of the console, by a logout token of Hydra', async () => {
      const { browser } = await enter('support');
      const asked = await browser.go(`${started.front.upstream.publicUrl}/oauth2/sessions/logout`);
      await browser.fill(asked, {}, PATHS.logoutAccept);
      await waitUntil(HEARD_WITHIN_MS, async () => (await readSession(browser)).status === 401);
    });

    it('a forged logout token ends nothing, and the log says why', async () => {
      const { browser, account } = await enter('support');
      const { privateKey } = await generateKeyPair('RS256');
      const claims = { sub: account.id, sid: 'x', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } };
      const build = (audience: string) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid: 'forged' })
          .setIssuer(started.front.upstream.publicUrl)
          .setAudience(audience)
          .setIssuedAt()
          .setJti('one')
          .sign(privateKey);
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
      for (const token of [await build('foyer-console'), await build('other'), unsigned, 'x', '']) {
        const answer = await fetch(`${started.url}/console/backchannel-logout`, {
          method: 'POST',
          body: new URLSearchParams({ logout_token: token }),
        });
        expect([token.slice(0, 10), answer.status]).toEqual([token.slice(0, 10), 400]);
      }
      expect((await readSession(browser)).status).toBe(200);
    });
  });

  describe('the console with a second factor', () => {
    let started: Console;

    beforeAll(async () => {
      started = await startConsole(leg, 'urn:foyer:acr:mfa');
    });

    afterAll(() => started.close());

    it('leads an operator without a second factor to setting one up', async () => {
      const { username, id } = await started.front.gateway.account('operator.new');
      await started.front.gateway.get(OperatorGrants).grant({ accountId: id, right: 'read', endsAt: null }, { actor: 'system' });
      const browser = new BrowserWalk([`${started.url}/console/people`]);
      const page = await browser.go(`${started.url}/console/sign-in?return_to=/console/people`);
      const next = await browser.fill(page, { username, password: PASSWORD }, PATHS.loginNative);
      expect(next.url.origin).toBe(started.front.gateway.config.publicUrl);
      expect(next.url.pathname).toMatch(/^\/mfa\//);
    });

    it('refuses a sign-in whose acr is weaker than asked for', async () => {
      const { username, id } = await started.front.gateway.account('operator.weak');
      await started.front.gateway.get(OperatorGrants).grant({ accountId: id, right: 'admin', endsAt: null }, { actor: 'system' });
      const browser = new BrowserWalk([`${started.url}/console/`]).withStop(({ pathname }) => pathname === '/console/refused');
      // The person removes `acr_values` from the address, which Hydra and Foyer cannot notice.
      const begun = await browser.send(new URL('/console/sign-in', started.url), {});
      const request = new URL(begun.location ?? '');
      request.searchParams.delete('acr_values');
      const page = await browser.fill(await browser.go(request), { username, password: PASSWORD }, PATHS.loginNative);
      expect(page.url.searchParams.get('reason')).toBe('second_factor');
    });
  });
}
