/** Sessions on every upstream: without "stay signed in", they last until the browser is closed. */
import { expect, it } from '@jest/globals';
import { PATHS } from '../../../src/contract/paths.js';
import { BackChannelListener } from '../../support/back-channel-listener.js';
import type { Arrival, BrowserWalk } from '../../support/browser-walk.js';
import { idClaims, type OAuthClient } from '../../support/oauth-client.js';
import type { Leg } from '../../support/upstream-leg.js';
import { waitUntil } from '../../support/upstream-waiting.js';
import { allow, arrive, signIn, type Front } from './front.js';

const HEARD_WITHIN_MS = 60_000;
const toCode = (page: Arrival): string => page.url.searchParams.get('code') ?? '';
const toError = (page: Arrival): string => page.url.searchParams.get('error') ?? '';

/** Signs in to the client of the front and grants its scopes. */
async function enter(front: Front, person: BrowserWalk, more: Record<string, string> = {}) {
  const page = await signIn(person, await arrive(front, person), more);
  return front.client.redeem(toCode(page.status === 0 ? page : await allow(person, page)));
}

async function logOut(person: BrowserWalk, page: Arrival): Promise<Arrival> {
  const { logout } = page.state('logout');
  return person.submit(page, PATHS.logoutAccept, { _xsrf: logout.xsrf_token, logout_challenge: logout.logout_challenge });
}

export function sessionStories(leg: Leg, front: () => Front): void {
  staySignedInStories(front);
  foreignBrowserStories(front);
  logoutErrorStories(front);
  if (leg.reachesLoopback) notificationStories(front);
}

function staySignedInStories(front: () => Front): void {
  it('[LOG-12] without "stay signed in", a second app needs no password until the browser is closed', async () => {
    const person = front().person();
    await enter(front(), person);
    const second = { client: await front().register({}) };
    expect(toCode(await allow(person, await arrive(second, person)))).not.toBe('');
    person.jar.close();
    const asked = await arrive(second, person);
    expect(asked.state('login').login.error).toBeNull();
    expect(toCode(await signIn(person, asked))).not.toBe('');
    expect(toCode(await arrive(front(), person))).not.toBe('');
  });

  it('[LOG-12] with "stay signed in", a closed browser continues without a page', async () => {
    const person = front().person();
    await enter(front(), person, { remember: 'true' });
    person.jar.close();
    expect(toCode(await arrive(front(), person))).not.toBe('');
  });

  it('[LOG-11] [LOG-13] prompt=none, id_token_hint and max_age lead to a code without "stay signed in"', async () => {
    const person = front().person();
    const { id_token: hint = '' } = await enter(front(), person);
    for (const parameters of [
      { prompt: 'none' },
      { prompt: 'none', id_token_hint: hint },
      { id_token_hint: hint },
      { max_age: '10000' },
    ]) {
      expect(toCode(await arrive(front(), person, parameters))).not.toBe('');
    }
  });

  it('[LOG-11] [HNT-1] prompt=none gives no code where a person would be asked', async () => {
    const person = front().person();
    const { id_token: hint = '' } = await enter(front(), person);
    const requestSilently = async (parameters: Record<string, string>, app: { client: OAuthClient } = front()) =>
      toError(await arrive(app, person, { prompt: 'none', ...parameters }));
    expect(await requestSilently({ acr_values: 'urn:foyer:acr:mfa' })).toBe('interaction_required');
    expect(await requestSilently({ login_hint: 'somebody.else' })).toBe('login_required');
    const asking = { client: await front().register({ metadata: { foyer: { confirm_session: true } } }) };
    expect(await requestSilently({}, asking)).toBe('interaction_required');
    person.jar.close();
    expect(await requestSilently({ id_token_hint: hint })).toBe('login_required');
  });

  it('[LOG-13] prompt=login with id_token_hint fills in the username', async () => {
    const person = front().person();
    const { id_token: hint = '' } = await enter(front(), person);
    const page = await arrive(front(), person, { prompt: 'login', id_token_hint: hint });
    expect(page.state('login').login.username).toBe('maria.musterfrau');
    expect(toCode(await signIn(person, page))).not.toBe('');
  });

  it('[LOG-14] a consent tab from before another sign-in of the browser still belongs to it', async () => {
    const person = front().person();
    const older = await signIn(person, await arrive(front(), person));
    const other = { client: await front().register({}) };
    await signIn(person, await arrive(other, person, { prompt: 'login' }));
    expect((await person.go(older.url)).state('consent').consent.error).toBeNull();
    expect(toCode(await allow(person, await person.go(older.url)))).not.toBe('');
  });

  it('a step-up keeps the kind of the session, and the earlier app stays signed in', async () => {
    const person = front().person();
    await enter(front(), person, { remember: 'true' });
    expect(toCode(await signIn(person, await arrive(front(), person, { prompt: 'login' })))).not.toBe('');
    person.jar.close();
    expect(toCode(await arrive(front(), person))).not.toBe('');
  });
}

function foreignBrowserStories(front: () => Front): void {
  it('[S-10] [S-15] another browser that opens the address of a login, hint or consent sees no person and ends nothing', async () => {
    const person = front().person();
    await enter(front(), person);
    const openInOtherBrowser = async (parameters: Record<string, string>, path: string) => {
      const { url } = await person
        .withStop(({ pathname }) => pathname === path)
        .go(front().client.authorizationUrl({ scope: 'openid', ...parameters }));
      return front().person().go(url);
    };
    for (const parameters of [{}, { prompt: 'select_account' }, { login_hint: 'maria.musterfrau' }]) {
      const seen = await openInOtherBrowser(parameters, PATHS.login);
      expect(seen.html).not.toContain('Maria Musterfrau');
      expect(toCode(seen)).toBe('');
    }
    const consent = await openInOtherBrowser({ prompt: 'consent' }, PATHS.consent);
    expect(consent.state('consent').consent).toMatchObject({ error: 'failed', challenge_fault: 'no-cookies' });
    expect(consent.html).not.toContain('Maria Musterfrau');
    expect(toCode(await arrive(front(), person))).not.toBe('');
  });
}

function logoutErrorStories(front: () => Front): void {
  it('[ERR-5] a logout that the upstream refuses is reported, with a link to the plain logout', async () => {
    const person = front().person();
    const { id_token: hint = '' } = await enter(front(), person);
    const [head = '', , tail = ''] = hint.split('.');
    const other = Buffer.from(JSON.stringify({ iss: 'https://other.example', sub: 'x' })).toString('base64url');
    const refused = [
      { state: 'bye-12345678' },
      { post_logout_redirect_uri: 'http://127.0.0.1:2/bye' },
      { id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example/' },
      { id_token_hint: 'garbage' },
      { id_token_hint: 'a.b.c' },
      { id_token_hint: `${head}.${other}.${tail}` },
    ];
    for (const parameters of refused) {
      const page = await person.go(front().client.logoutUrl(parameters));
      const { oauth_error: error } = page.state('oauth_error');
      const { logout_url: url, error_description: description } = error;
      expect({ parameters, description, url }).toEqual({ parameters, description, url: front().client.logoutUrl() });
      expect(page.html).toContain('Logout failed!');
    }
    const asked = await person.go(front().client.logoutUrl());
    expect((await logOut(person, asked)).state('logout').logout.apps_notified).toBe(true);
  });
}

function notificationStories(front: () => Front): void {
  it.each(['', 'true'])(
    '[OUT-6] apps are notified of a logout, with "stay signed in" or without (%s), and of the sign-in before a step-up',
    async (remember) => {
      const heard = await BackChannelListener.start();
      try {
        const app = { ...front(), client: await front().register({ backchannel_logout_uri: heard.url }) };
        const person = front().person();
        const ticked: Record<string, string> = remember === '' ? {} : { remember };
        const first = idClaims(await enter(app, person, ticked));
        const again = await signIn(person, await arrive(app, person, { prompt: 'login' }), ticked);
        const second = idClaims(await app.client.redeem(toCode(again)));
        const done = await logOut(person, await person.go(app.client.logoutUrl()));
        expect(done.state('logout').logout).toMatchObject({ status: 'accepted', apps_notified: true });
        await waitUntil(HEARD_WITHIN_MS, async () => heard.bodies.length > 1);
        expect(heard.sids.toSorted()).toEqual([first['sid'], second['sid']].toSorted());
      } finally {
        await heard.close();
      }
    },
  );

  it('[OUT-6] apps are notified of the end of the session of a closed browser when the next request asks', async () => {
    const heard = await BackChannelListener.start();
    try {
      const app = { ...front(), client: await front().register({ backchannel_logout_uri: heard.url }) };
      const person = front().person();
      const { sid } = idClaims(await enter(app, person));
      person.jar.close();
      expect((await arrive(app, person)).state('login').login.error).toBeNull();
      await waitUntil(HEARD_WITHIN_MS, async () => heard.bodies.length > 0);
      expect(heard.sids).toEqual([sid]);
    } finally {
      await heard.close();
    }
  });

  it('[OUT-6] an app of a closed browser can log out with one question, and the person returns to it', async () => {
    const heard = await BackChannelListener.start();
    try {
      const app = { ...front(), client: await front().register({ backchannel_logout_uri: heard.url }) };
      const person = front().person();
      const { id_token: hint } = await enter(app, person);
      person.jar.close();
      const target = new URL('/bye', app.client.registration.redirectUri).href;
      const url = app.client.logoutUrl({ id_token_hint: hint, post_logout_redirect_uri: target, state: 'bye-12345678' });
      const asked = await person.go(url);
      expect(asked.html).not.toContain('Maria Musterfrau');
      expect((await logOut(person, asked)).url.href).toBe(`${target}?state=bye-12345678`);
      await waitUntil(HEARD_WITHIN_MS, async () => heard.bodies.length > 0);
    } finally {
      await heard.close();
    }
  });
}
