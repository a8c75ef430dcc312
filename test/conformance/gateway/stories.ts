/** Rows of the contract that need a gateway (docs/hydra-behaviour.md part D, marked E2E and G), on every upstream. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../../src/contract/paths.js';
import { idClaims } from '../../support/oauth-client.js';
import type { Leg, MissingLeg } from '../../support/upstream-leg.js';
import type { Arrival, BrowserWalk } from '../../support/browser-walk.js';
import { accessStories } from './access-stories.js';
import { claimStories, topLevelStories } from './claim-stories.js';
import { manageStories } from './manage-stories.js';
import { consoleStories } from './console-stories.js';
import { deletionStories } from './deletion-stories.js';
import { deviceStories } from './device-stories.js';
import { sessionEndStories } from './ending-stories.js';
import { grantStories } from './grant-stories.js';
import { hookStories } from './hook-stories.js';
import { requestStories } from './request-stories.js';
import { sessionStories } from './session-stories.js';
import { subjectStories } from './subject-stories.js';
import { tabStories } from './tab-stories.js';
import { allow, arrive, consentFields, loginFields, signIn, signInFully, startFront, type Front } from './front.js';

export function gatewayStories(leg: Leg | MissingLeg): void {
  if ('missing' in leg) {
    process.stderr.write(`SKIPPED: the gateway in front of ${leg.name}: ${leg.missing}\n`);
    const group = describe['skip'];
    group(`the gateway in front of ${leg.name}`, () => {
      it('runs where the upstream is installed', () => undefined);
    });
    return;
  }
  describe(`the gateway in front of ${leg.name} ${leg.version}`, () => {
    let front: Front;

    beforeAll(async () => {
      front = await startFront(leg);
    });

    // Grants are remembered for a person and a client, so each story has a client of its own.
    beforeEach(async () => {
      front.client = await front.register({});
    });

    afterAll(() => front.close());

    signInStories(() => front);
    consentStories(() => front);
    logoutStories(() => front);
    secondTryStories(() => front);
    tabStories(() => front);
    sessionEndStories(leg, () => front);
    sessionStories(leg, () => front);
    claimStories(() => front);
    topLevelStories(leg);
    manageStories(leg);
    accessStories(leg);
    grantStories(leg);
    requestStories(leg);
    subjectStories(leg);
    deviceStories(leg);
    deletionStories(leg);
    consoleStories(leg);
    hookStories(leg);
  });
}

const toCode = (url: URL): string => url.searchParams.get('code') ?? '';

function signInStories(front: () => Front): void {
  it('D.5 [LOG-9] [CON-4] a person signs in and consents, and the app gets tokens of that person', async () => {
    const url = await signInFully(front(), front().person());
    expect(url.searchParams.get('state')).toBe('state-12345678');
    const tokens = await front().client.redeem(toCode(url));
    expect(idClaims(tokens)).toMatchObject({
      sub: front().account.id,
      acr: 'urn:foyer:acr:pwd',
      amr: ['pwd'],
      email: 'maria@example.org',
      email_verified: false,
      name: 'Maria Musterfrau',
    });
    expect(tokens.refresh_token).toBeDefined();
    expect(tokens.scope).toBe('openid offline profile email');
  });

  it('[LOG-10] [CON-8] the second request passes without a page, with the same acr, amr, sid and claims', async () => {
    const person = front().person();
    const first = idClaims(await front().client.redeem(toCode(await signInFully(front(), person))));
    const again = await arrive(front(), person);
    const second = idClaims(await front().client.redeem(toCode(again.url)));
    expect(second).toMatchObject({
      sub: first.sub,
      acr: first['acr'],
      amr: first['amr'],
      sid: first['sid'],
      email: 'maria@example.org',
    });
  });

  it('[LOG-13] prompt=login and max_age=0 ask for the password again', async () => {
    const person = front().person();
    await signInFully(front(), person);
    for (const parameters of [{ prompt: 'login' }, { max_age: '0' }]) {
      expect((await arrive(front(), person, parameters)).state('login').login.error).toBeNull();
    }
  });

  it('D.24 [LOG-11] prompt=none shows no page and answers login_required, consent_required, or a code', async () => {
    const person = front().person();
    expect((await arrive(front(), person, { prompt: 'none' })).url.searchParams.get('error')).toBe('login_required');
    await signIn(person, await arrive(front(), person), { remember: 'true' });
    expect((await arrive(front(), person, { prompt: 'none' })).url.searchParams.get('error')).toBe('consent_required');
    await allow(person, await arrive(front(), person));
    expect(toCode((await arrive(front(), person, { prompt: 'none' })).url)).not.toBe('');
  });

  it('D.26 [HNT-1] prompt=select_account shows "is it you?" and leads to a code', async () => {
    const person = front().person();
    await signInFully(front(), person);
    const page = await arrive(front(), person, { prompt: 'select_account' });
    const { login_hint } = page.state('login_hint');
    const fields = { _xsrf: login_hint.xsrf_token, login_challenge: login_hint.login_challenge, user: front().account.id };
    const done = await person.submit(page, PATHS.loginProceed, { ...fields, proceed: 'true' });
    expect(toCode(done.url)).not.toBe('');
  });

  it('D.26 prompt=select_account without a session shows the login page and leads to a code', async () => {
    const person = front().person();
    const consent = await signIn(person, await arrive(front(), person, { prompt: 'select_account' }));
    expect(toCode((await allow(person, consent)).url)).not.toBe('');
  });

  it('D.25 prompt=registration shows the login page where no registration service is configured', async () => {
    const page = await arrive(front(), front().person(), { prompt: 'registration' });
    expect(page.url.pathname).toBe(PATHS.login);
    expect(page.state('login').login.error).toBeNull();
  });

  it('D.46 [ERR-5] the page of a request that the upstream refuses shows the reason as text', async () => {
    const page = await front()
      .person()
      .go(front().client.authorizationUrl({ client_id: '<script>alert(1)</script>' }));
    expect(page.state('oauth_error').oauth_error.error).toBe('invalid_client');
    expect(page.html).not.toContain('<script>alert');
  });

  it('[HNT-5] "use another account" asks for a password, whoever signs in', async () => {
    const person = front().person();
    await signInFully(front(), person);
    const page = await arrive(front(), person, { login_hint: 'somebody.else' });
    const other = await person.go(page.state('login_hint').login_hint.other_account_url ?? '');
    expect(other.state('login').login.username).toBe('somebody.else');
  });
}

function consentStories(front: () => Front): void {
  it('D.48 [CON-8] a trusted client gets no consent page, and only the claims of its scopes', async () => {
    const client = await front().register({ skip_consent: true, scope: 'openid email' });
    const person = front().person();
    const page = await person.go(client.authorizationUrl({ scope: 'openid email' }));
    const done = await signIn(person, page);
    const claims = idClaims(await client.redeem(toCode(done.url)));
    expect(claims).toMatchObject({ email: 'maria@example.org' });
    expect(claims['name']).toBeUndefined();
  });

  it('D.49 [CON-4] exactly the ticked scopes are granted', async () => {
    const person = front().person();
    const consent = await signIn(person, await arrive(front(), person));
    const tokens = await front().client.redeem(toCode((await allow(person, consent, ['email', 'admin'])).url));
    expect(tokens.scope).toBe('openid email');
    expect(tokens.refresh_token).toBeUndefined();
    expect(idClaims(tokens)['name']).toBeUndefined();
  });

  it('D.31 [CON-5] a refused consent is reported to the app, and cannot be turned into a grant afterwards', async () => {
    const person = front().person();
    const page = await signIn(person, await arrive(front(), person));
    const fields = consentFields(page);
    const denied = await person.submit(page, PATHS.consentReject, fields);
    expect(denied.url.searchParams.get('error')).toBe('access_denied');
    front().gateway.clock.advanceSeconds(30);
    const again = await person.submit(page, PATHS.consentAccept, fields);
    expect(again.state('consent').consent.challenge_fault).toBe('used');
  });
}

function logoutStories(front: () => Front): void {
  async function signInAndRedeem(): Promise<{ person: BrowserWalk; idToken: string }> {
    const person = front().person();
    const tokens = await front().client.redeem(toCode(await signInFully(front(), person)));
    return { person, idToken: tokens.id_token ?? '' };
  }

  function answer(person: BrowserWalk, page: Arrival, path: string): Promise<Arrival> {
    const { logout } = page.state('logout');
    return person.submit(page, path, { _xsrf: logout.xsrf_token, logout_challenge: logout.logout_challenge });
  }

  it('D.52 [OUT-5] [OUT-6] a logout without an app asks, ends the session and shows the final page here', async () => {
    const { person } = await signInAndRedeem();
    const page = await person.go(front().client.logoutUrl());
    const done = await answer(person, page, PATHS.logoutAccept);
    expect(done.url.pathname).toBe(PATHS.logoutCallback);
    expect(done.state('logout').logout.status).toBe('accepted');
    expect((await arrive(front(), person)).state('login').login.error).toBeNull();
  });

  it('D.53 [OUT-6] a logout that an app requested returns to the app with its state', async () => {
    const { person, idToken } = await signInAndRedeem();
    const target = new URL('/bye', front().client.registration.redirectUri).href;
    const url = front().client.logoutUrl({ id_token_hint: idToken, post_logout_redirect_uri: target, state: 'bye-12345678' });
    const page = await person.go(url);
    expect(page.state('logout').logout).toMatchObject({ status: 'pending', client: { name: 'Beispielportal' } });
    expect((await answer(person, page, PATHS.logoutAccept)).url.href).toBe(`${target}?state=bye-12345678`);
  });

  it('D.56 [OUT-4] a refused logout keeps the session', async () => {
    const { person } = await signInAndRedeem();
    const page = await person.go(front().client.logoutUrl());
    const aborted = await answer(person, page, PATHS.logoutReject);
    expect(aborted.state('logout').logout.status).toBe('rejected');
    expect(toCode((await arrive(front(), person)).url)).not.toBe('');
  });

  it('D.57 a repeated logout shows that it is done', async () => {
    const { person } = await signInAndRedeem();
    const page = await person.go(front().client.logoutUrl());
    await answer(person, page, PATHS.logoutAccept);
    expect((await person.go(page.url.href)).state('logout').logout.status).toBe('accepted');
  });

  it.each([
    [true, 0],
    [null, 200],
    [false, 200],
  ])('D.58 [OUT-5] skip_logout_consent %s counts in the browser of the session', async (skip, status) => {
    const client = await front().register({ skip_logout_consent: skip, skip_consent: true });
    const person = front().person();
    const done = await signIn(person, await person.go(client.authorizationUrl({ scope: 'openid' })), { remember: 'true' });
    const tokens = await client.redeem(toCode(done.url));
    const target = new URL('/bye', client.registration.redirectUri).href;
    const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: target };
    const arrival = await person.go(client.logoutUrl(hint));
    expect(arrival.status).toBe(status);
  });

  it('[OUT-5] another browser with the ID token ends no session', async () => {
    const { person, idToken } = await signInAndRedeem();
    const stranger = front().person();
    const page = await stranger.go(front().client.logoutUrl({ id_token_hint: idToken }));
    const answered = await answer(stranger, page, PATHS.logoutAccept);
    expect(answered.url.pathname).toBe(PATHS.logoutCallback);
    expect(toCode((await arrive(front(), person)).url)).not.toBe('');
  });
}

function secondTryStories(front: () => Front): void {
  it('D.41 [LOG-14] double clicks on both forms lead to one code', async () => {
    const person = front().person();
    const login = await arrive(front(), person);
    const [first, consent] = await Promise.all([
      person.submitAndLeave(login, PATHS.loginNative, loginFields(login)),
      signIn(person, login),
    ]);
    expect(first.status).toBe(303);
    const fields = consentFields(consent);
    const [left, done] = await Promise.all([
      person.submitAndLeave(consent, PATHS.consentAccept, fields),
      person.submit(consent, PATHS.consentAccept, fields),
    ]);
    expect(left.status).toBe(303);
    await expect(front().client.redeem(toCode(done.url))).resolves.toBeDefined();
  });

  it('D.42 [LOG-14] Back to the login page of a finished request explains that, and one click leads into the app', async () => {
    const person = front().person();
    const login = await arrive(front(), person);
    await allow(person, await signIn(person, login, { remember: 'true' }));
    front().gateway.clock.advanceSeconds(30);
    const back = await person.go(login.url.href);
    const { login: state } = back.state('login');
    expect(state.challenge_fault).toBe('used');
    expect(toCode((await person.go(state.restart_url ?? '')).url)).not.toBe('');
  });

  it('S-08 another spelling of a used challenge is not accepted as a new challenge', async () => {
    const person = front().person();
    for (const state of ['12345678', '123456789', '1234567890', '12345678901']) {
      const login = await arrive(front(), person, { state, prompt: 'login' });
      const challenge = login.state('login').login.login_challenge;
      await signIn(person, login);
      for (const spelling of otherSpellings(challenge)) {
        const url = new URL(login.url);
        url.searchParams.set('login_challenge', spelling);
        expect((await front().person().go(url.href)).state('login').login.error).toBe('challenge');
      }
    }
  });

  it('S-10 a login that another browser began signs that browser in nowhere', async () => {
    const attacker = front().person();
    const victim = front().person();
    const page = await arrive(front(), attacker);
    const opened = await victim.go(page.url.href);
    // The challenge belongs to the browser that opened it first.
    expect(opened.state('login').login).toMatchObject({ error: 'challenge', challenge_fault: 'no-cookies' });
    const own = await victim.go(opened.state('login').login.restart_url ?? '');
    expect(toCode((await allow(victim, await signIn(victim, own))).url)).not.toBe('');
    const replayed = await attacker.go(page.url.href);
    expect(replayed.state('login').login).toMatchObject({ error: null, username: '' });
  });
}

/** Texts that a lenient base64url decoder reads as the same bytes. */
function otherSpellings(challenge: string): string[] {
  const body = challenge.replace(/=+$/, '');
  const bytes = Buffer.from(body, 'base64url');
  const signs = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
  const spellings = signs.map((sign) => body.slice(0, -1) + sign).filter((other) => other !== body);
  return spellings
    .filter((other) => Buffer.from(other, 'base64url').equals(bytes))
    .map((other) => other + challenge.slice(body.length));
}
