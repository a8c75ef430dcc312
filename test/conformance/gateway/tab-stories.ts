/**
 * Two tabs of one app: Hydra keeps one anti-forgery cookie for each client, so the older request can only end at the app
 * if it starts again with what was proven or decided in it.
 */
import { expect, it } from '@jest/globals';
import { PATHS } from '../../../src/contract/paths.js';
import { idClaims, type Parameters } from '../../support/oauth-client.js';
import type { Arrival, BrowserWalk } from '../../support/browser-walk.js';
import { allow, arrive, signIn, signInFully, type Front } from './front.js';

const OLDER = 'older-12345678';
const NEWER = 'newer-12345678';
const SCOPE = 'openid email';

const toAnswer = ({ url }: Arrival) => ({
  state: url.searchParams.get('state'),
  error: url.searchParams.get('error'),
  hasCode: url.searchParams.has('code'),
});

export function tabStories(front: () => Front): void {
  /** Opens a request of a client that asks for no consent by default. */
  async function openTab(parameters: Parameters, person: BrowserWalk): Promise<Arrival> {
    return arrive(front(), person, { scope: SCOPE, ...parameters });
  }

  it('[LOG-14] the older of two login tabs ends at the app, and so does the newer one after it', async () => {
    const person = front().person();
    const older = await openTab({ state: OLDER }, person);
    const newer = await openTab({ state: NEWER }, person);
    const consent = await signIn(person, older, { remember: 'true' });
    expect(toAnswer(await allow(person, consent))).toEqual({ state: OLDER, error: null, hasCode: true });
    // The sign-in gave the browser a new id, so the newer form is shown once more.
    const again = await person.go(newer.url.href);
    expect(toAnswer(await signIn(person, again, { remember: 'true' }))).toEqual({ state: NEWER, error: null, hasCode: true });
  });

  it('[LOG-14] the older login tab with prompt=login needs one sign-in and reports its time', async () => {
    const person = front().person();
    await signInFully(front(), person);
    const older = await openTab({ state: OLDER, prompt: 'login' }, person);
    await openTab({ state: NEWER, prompt: 'login' }, person);
    const arrived = await signIn(person, older, { remember: 'true' });
    expect(toAnswer(arrived)).toEqual({ state: OLDER, error: null, hasCode: true });
    const claims = idClaims(await front().client.redeem(arrived.url.searchParams.get('code') ?? ''));
    expect(Math.abs(Number(claims['auth_time']) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('[LOG-14] the older tab accepts another person than the one who signed in in the newer tab', async () => {
    const person = front().person();
    const other = await front().gateway.account(`other.${Date.now()}`);
    const older = await openTab({ state: OLDER }, person);
    const newer = await openTab({ state: NEWER }, person);
    await signIn(person, newer, { remember: 'true', username: other.username });
    const again = await person.go(older.url.href);
    const consent = await signIn(person, again, { remember: 'true' });
    expect(consent.state('consent').consent.account?.id).toBe(front().account.id);
    expect(toAnswer(await allow(person, consent))).toEqual({ state: OLDER, error: null, hasCode: true });
  });

  it('[LOG-14] the older "is it you?" tab ends at the app', async () => {
    const person = front().person();
    await signInFully(front(), person);
    const older = await openTab({ state: OLDER, login_hint: 'somebody.else' }, person);
    await openTab({ state: NEWER }, person);
    const { login_hint: hint } = older.state('login_hint');
    const fields = { _xsrf: hint.xsrf_token, login_challenge: hint.login_challenge, user: front().account.id, proceed: 'true' };
    expect(toAnswer(await person.submit(older, PATHS.loginProceed, fields))).toEqual({
      state: OLDER,
      error: null,
      hasCode: true,
    });
  });

  it.each([[{}], [{ prompt: 'login' }], [{ prompt: 'login consent' }]])(
    '[LOG-14] the older of two consent tabs with %o grants exactly what was ticked in it',
    async (parameters) => {
      const person = front().person();
      await signIn(person, await openTab({ state: 'first-12345678' }, person), { remember: 'true' });
      const open = async (state: string): Promise<Arrival> => {
        const page = await openTab({ state, scope: 'openid email profile', ...parameters }, person);
        return 'prompt' in parameters ? signIn(person, page, { remember: 'true' }) : page;
      };
      const older = await open(OLDER);
      // A sign-in of the newer tab gives the browser a new id; the older page is loaded again, as after "out of date".
      await open(NEWER);
      const done = await allow(person, await person.go(older.url.href), ['openid', 'email']);
      expect(toAnswer(done)).toEqual({ state: OLDER, error: null, hasCode: true });
      const tokens = await front().client.redeem(done.url.searchParams.get('code') ?? '');
      expect(tokens.scope).toBe('openid email');
      expect(idClaims(tokens)).toMatchObject({ email: 'maria@example.org' });
      expect(idClaims(tokens)['name']).toBeUndefined();
    },
  );

  it('[LOG-14] [CON-5] the older of two consent tabs can refuse', async () => {
    const person = front().person();
    const older = await signIn(person, await openTab({ state: OLDER }, person), { remember: 'true' });
    await openTab({ state: NEWER }, person);
    const { consent } = older.state('consent');
    const fields = { _xsrf: consent.xsrf_token, consent_challenge: consent.consent_challenge };
    const refused = await person.submit(older, PATHS.consentReject, fields);
    expect(toAnswer(refused)).toEqual({ state: OLDER, error: 'access_denied', hasCode: false });
  });
}
