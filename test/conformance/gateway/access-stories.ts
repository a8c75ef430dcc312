/** Devices and apps of a person in the account area, on every upstream: what apps are notified of, and which tokens remain valid. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../../src/contract/paths.js';
import { BackChannelListener } from '../../support/back-channel-listener.js';
import type { Arrival, BrowserWalk } from '../../support/browser-walk.js';
import { PASSWORD } from '../../support/gateway.js';
import { idClaims, type OAuthClient } from '../../support/oauth-client.js';
import type { Leg } from '../../support/upstream-leg.js';
import type { TokenAnswer } from '../../support/upstream-wire.js';
import { waitUntil } from '../../support/upstream-waiting.js';
import { allow, arrive, signIn, startFront, type Front } from './front.js';

const HEARD_WITHIN_MS = 60_000;
const SCOPE = 'openid offline id profile';

/** These stories have a gateway of their own, because other stories move its clock away from that of the upstream, which dates tokens. */
export function accessStories(leg: Leg): void {
  describe('devices and apps of a person', () => {
    let started: Front;

    beforeAll(async () => {
      started = await startFront(leg);
    });

    afterAll(() => started.close());

    describeStories(leg, () => started);
  });
}

function describeStories(leg: Leg, front: () => Front): void {
  const story = leg.reachesLoopback ? it : it.skip;

  /** Creates an account whose owner can sign in with any number of browsers. */
  async function newPerson(name: string) {
    const account = await front().gateway.account(`${name}.${front().client.id.slice(0, 8).toLowerCase()}`);
    const fields = { username: account.username, password: PASSWORD, remember: 'true' };
    const enter = async (person: BrowserWalk, client: OAuthClient): Promise<TokenAnswer> => {
      const page = await arrive({ client }, person, { scope: SCOPE });
      const answer = page.status === 0 || page.url.pathname === PATHS.consent ? page : await signIn(person, page, fields);
      const end = answer.status === 0 ? answer : await allow(person, answer);
      return client.redeem(end.url.searchParams.get('code') ?? '');
    };
    return { account, enter };
  }

  /** The scopes that a consent page asks for, and those that it shows as granted before. */
  const toScopes = (page: Arrival): [asked: string[], granted: string[]] => {
    const { scopes } = page.state('consent').consent;
    const toIds = (granted: boolean) => scopes.filter((scope) => (scope.granted ?? false) === granted).map(({ id }) => id);
    return [toIds(false), toIds(true)];
  };

  const enterAccount = (person: BrowserWalk, { access_token: token }: TokenAnswer) =>
    person.go(`${front().gateway.config.publicUrl}${PATHS.manage}?t=${encodeURIComponent(token)}`);
  const open = (person: BrowserWalk, path: string) => person.go(`${front().gateway.config.publicUrl}${path}`);

  story('signing a device out notifies its apps, and leaves the other devices signed in', async () => {
    const heard = await BackChannelListener.start();
    try {
      const client = await front().register({ scope: SCOPE, backchannel_logout_uri: heard.url });
      const { enter } = await newPerson('devices');
      const [own, strange] = [front().person(), front().person()];
      const tokens = await enter(own, client);
      const stranger = idClaims(await enter(strange, client))['sid'];
      await enterAccount(own, tokens);
      const page = await open(own, PATHS.manageDevices);
      const { manage_devices: state, ...frame } = page.state('manage_devices');
      expect(state.devices.map((device) => device.is_this)).toEqual([true, false]);
      const fields = { _xsrf: frame.area.xsrf_token, key: state.devices[1]?.id ?? '' };
      const after = await own.submit(page, PATHS.manageDevices, fields);
      expect(after.state('manage_devices').manage_devices.devices).toHaveLength(1);
      await waitUntil(HEARD_WITHIN_MS, async () => heard.bodies.length > 0);
      expect(heard.sids).toEqual([stranger]);
      expect((await arrive({ client }, strange, { scope: SCOPE })).state('login').login.error).toBeNull();
      expect(idClaims(await enter(own, client))['sid']).toBe(idClaims(tokens)['sid']);
    } finally {
      await heard.close();
    }
  });

  it('an app whose access is revoked has to ask again, its tokens end, and other apps keep theirs', async () => {
    const [shop, archive] = [
      await front().register({ client_name: 'Shop', scope: SCOPE }),
      await front().register({ client_name: 'Archive', scope: SCOPE }),
    ];
    const { account, enter } = await newPerson('apps');
    const person = front().person();
    const [shopTokens, archiveTokens] = [await enter(person, shop), await enter(person, archive)];
    await enterAccount(person, archiveTokens);
    const page = await open(person, PATHS.manageApps);
    const { manage_apps: state, ...frame } = page.state('manage_apps');
    expect(state.apps.map(({ name }) => name)).toEqual(['Archive', 'Shop']);
    const [, listed] = state.apps;
    expect(listed?.scopes.map(({ id }) => id).sort()).toEqual(SCOPE.split(' ').sort());
    expect(Date.parse(listed?.granted_at ?? '')).toBeGreaterThan(account.createdAt.getTime() - 60_000);
    const after = await person.submit(page, PATHS.manageApps, { _xsrf: frame.area.xsrf_token, key: shop.id });
    expect(after.state('manage_apps').manage_apps.apps.map(({ name }) => name)).toEqual(['Archive']);
    expect(await front().gateway.hydra.introspect(shopTokens.access_token)).toBeNull();
    expect((await shop.refresh(shopTokens.refresh_token ?? '')).status).toBe(400);
    expect((await archive.refresh(archiveTokens.refresh_token ?? '')).status).toBe(200);
    const again = await arrive({ client: shop }, person, { scope: SCOPE });
    expect(again.state('consent').consent.error).toBeNull();
  });

  it('[CON-10] granted scopes are not asked for again after a smaller request, and only new scopes are asked for', async () => {
    const client = await front().register({ scope: `${SCOPE} email` });
    const { account } = await newPerson('granted');
    const person = front().person();
    const fields = { username: account.username, password: PASSWORD, remember: 'true' };
    const ask = (scope: string, more: Record<string, string> = {}) => arrive({ client }, person, { scope, ...more });
    const toScope = async ({ url }: Arrival) => (await client.redeem(url.searchParams.get('code') ?? '')).scope;
    await allow(person, await signIn(person, await ask('openid profile id'), fields));
    expect(await toScope(await ask('openid'))).toBe('openid');
    expect(await toScope(await ask('openid profile id'))).toBe('openid profile id');
    expect((await ask('openid email', { prompt: 'none' })).url.searchParams.get('error')).toBe('consent_required');
    expect(await toScope(await ask('openid id', { prompt: 'none' }))).toBe('openid id');
    const page = await ask('openid profile email');
    expect(toScopes(page)).toEqual([['email'], ['openid', 'profile']]);
    expect(await toScope(await allow(person, page))).toBe('openid profile email');
    expect(await toScope(await ask('openid id email'))).toBe('openid id email');
    expect(toScopes(await ask('openid email', { prompt: 'consent' }))).toEqual([['openid', 'email'], []]);
  });

  it('[CON-11] an app whose scopes are reduced loses its tokens, and only the removed scopes are asked for again', async () => {
    const client = await front().register({ scope: SCOPE });
    const { enter } = await newPerson('narrowed');
    const person = front().person();
    const tokens = await enter(person, client);
    await enterAccount(person, tokens);
    const page = await open(person, PATHS.manageApps);
    const { manage_apps: state, ...frame } = page.state('manage_apps');
    const fields = { _xsrf: frame.area.xsrf_token, key: client.id, scopes: ['id', 'offline'] };
    const after = await person.submit(page, PATHS.manageAppScopes, fields);
    expect(state.apps).toHaveLength(1);
    expect(after.state('manage_apps').last_change?.status).toBe('app-narrowed');
    const [left] = after.state('manage_apps').manage_apps.apps;
    expect(left?.scopes.map(({ id }) => id).sort()).toEqual(['id', 'offline', 'openid']);
    expect(await front().gateway.hydra.introspect(tokens.access_token)).toBeNull();
    expect((await client.refresh(tokens.refresh_token ?? '')).status).toBe(400);
    const again = await arrive({ client }, person, { scope: SCOPE });
    expect(toScopes(again)).toEqual([['profile'], ['openid', 'offline', 'id']]);
    const some = await arrive({ client }, person, { scope: 'openid id' });
    expect((await client.redeem(some.url.searchParams.get('code') ?? '')).scope).toBe('openid id');
    await person.submit(after, PATHS.manageApps, { _xsrf: frame.area.xsrf_token, key: client.id });
    expect(toScopes(await arrive({ client }, person, { scope: SCOPE }))).toEqual([SCOPE.split(' '), []]);
  });
}
