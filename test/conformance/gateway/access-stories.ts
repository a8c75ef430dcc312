/** Devices and apps of a person in the account area, on any kind of upstream: what apps hear, and what their tokens are worth. */
import { expect, it } from '@jest/globals';
import { PATHS } from '../../../src/contract/paths.js';
import { BackChannelListener } from '../../support/back-channel-listener.js';
import type { BrowserWalk } from '../../support/browser-walk.js';
import { PASSWORD } from '../../support/gateway.js';
import { idClaims } from '../../support/oauth-client.js';
import type { OAuthClient } from '../../support/oauth-client.js';
import type { Leg } from '../../support/upstream-leg.js';
import type { TokenAnswer } from '../../support/upstream-wire.js';
import { untilTrue } from '../../support/upstream-waiting.js';
import { allow, arrive, signIn } from './front.js';
import type { Front } from './front.js';

const HEARD_WITHIN_MS = 10_000;
const SCOPE = 'openid offline id profile';

export function accessStories(leg: Leg, front: () => Front): void {
  const story = leg.reachesLoopback ? it : it.skip;

  /** Somebody of whom each new browser can sign in. */
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

  const enterAccount = (person: BrowserWalk, { access_token: token }: TokenAnswer) =>
    person.go(`${front().gateway.config.publicUrl}${PATHS.manage}?t=${encodeURIComponent(token)}`);
  const open = (person: BrowserWalk, path: string) => person.go(`${front().gateway.config.publicUrl}${path}`);

  story('a device that is signed out is told to its apps, and the others stay', async () => {
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
      await untilTrue(HEARD_WITHIN_MS, async () => heard.bodies.length > 0);
      expect(heard.sids).toEqual([stranger]);
      expect((await arrive({ client }, strange, { scope: SCOPE })).state('login').login.error).toBeNull();
      expect(idClaims(await enter(own, client))['sid']).toBe(idClaims(tokens)['sid']);
    } finally {
      await heard.close();
    }
  });

  it('an app whose access is taken away has to ask again, its tokens end, and other apps keep theirs', async () => {
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
}
