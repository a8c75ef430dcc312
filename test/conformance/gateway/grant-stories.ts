/** Grants that have ended, on every upstream: neither a late redirect nor a newly registered client brings them back. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../../src/contract/paths.js';
import type { Arrival, BrowserWalk } from '../../support/browser-walk.js';
import { PASSWORD } from '../../support/gateway.js';
import { expectStatus, toJson } from '../../support/upstream-answer.js';
import type { Leg } from '../../support/upstream-leg.js';
import { waitUntil } from '../../support/upstream-waiting.js';
import type { WireClient } from '../../support/upstream-wire.js';
import { allow, arrive, signIn, startFront, type Front } from './front.js';

const SCOPE = 'openid id profile';
/** Hydra stores the time of a registration in whole seconds. */
const REGISTERED_WITHIN_MS = 60_000;

/** These stories have a gateway of their own, because other stories move its clock away from that of the upstream, which dates tokens. */
export function grantStories(leg: Leg): void {
  describe('grants that have ended', () => {
    let started: Front;

    beforeAll(async () => {
      started = await startFront(leg);
    });

    afterAll(() => started.close());

    describeStories(() => started);
  });
}

function describeStories(front: () => Front): void {
  /** Creates a person who has granted all scopes to the client, with the access token of the client. */
  async function createGrantor(name: string): Promise<{ person: BrowserWalk; token: string }> {
    const { client, gateway } = front();
    const { username } = await gateway.account(`${name}.${client.id.slice(0, 8).toLowerCase()}`);
    const person = front().person();
    const page = await signIn(person, await ask(person), { username, password: PASSWORD, remember: 'true' });
    const { url } = await allow(person, page);
    return { person, token: (await client.redeem(url.searchParams.get('code') ?? '')).access_token };
  }

  const ask = (person: BrowserWalk): Promise<Arrival> => arrive(front(), person, { scope: SCOPE });
  const toScopes = (page: Arrival) => page.state('consent').consent.scopes.map(({ id, granted = false }) => [id, granted]);
  const everything = SCOPE.split(' ').map((scope) => [scope, false]);

  it.each([['one app'], ['all apps']])(
    '[CON-11] [S-130] a pending redirect brings back no consent when the access of %s is revoked meanwhile',
    async (which) => {
      front().client = await front().register({ scope: SCOPE });
      const { gateway } = front();
      const { person, token } = await createGrantor(which === 'one app' ? 'removed' : 'all.removed');
      const client = (front().client = await front().register({ scope: SCOPE }));
      const asking = await ask(person);
      const held = await allow(
        person.withStop((url) => url.searchParams.has('consent_verifier')),
        asking,
      );
      await person.go(`${gateway.config.publicUrl}${PATHS.manage}?t=${encodeURIComponent(token)}`);
      const page = await person.go(`${gateway.config.publicUrl}${PATHS.manageApps}`);
      const frame = page.state('manage_apps');
      const fields = { _xsrf: frame.area.xsrf_token, ...(which === 'one app' ? { key: client.id } : {}) };
      const after = await person.submit(page, PATHS.manageApps, fields);
      const left = after.state('manage_apps').manage_apps.apps.map(({ id }) => id);
      expect([left.includes(client.id), left.length]).toEqual([false, which === 'one app' ? 1 : 0]);
      expect((await person.go(held.url)).url.searchParams.get('code')).toBeTruthy();
      for (const time of ['first', 'second']) expect([time, toScopes(await ask(person))]).toEqual([time, everything]);
      await allow(person, await ask(person));
      expect((await ask(person)).url.searchParams.get('code')).toBeTruthy();
    },
  );

  it('[CON-12] [S-130] a client that is registered again does not get the grants of the earlier client with its id', async () => {
    front().client = await front().register({ scope: SCOPE });
    const { client, admin, register } = front();
    const { person } = await createGrantor('anew');
    const readClient = async (): Promise<WireClient> =>
      toJson(expectStatus(await admin.send('GET', `/admin/clients/${encodeURIComponent(client.id)}`), 200));
    const before = await readClient();
    const changed = { ...before, client_name: 'Under a new name' };
    expectStatus(await admin.send('PUT', `/admin/clients/${encodeURIComponent(client.id)}`, { body: changed }), 200);
    expect((await ask(person)).status).toBe(0);
    await waitUntil(REGISTERED_WITHIN_MS, async () => {
      await admin.deleteClient(client.id);
      await register({ client_id: client.id, scope: SCOPE });
      return (await readClient())['created_at'] !== before['created_at'];
    });
    expect(toScopes(await ask(person))).toEqual(everything);
  });
}
