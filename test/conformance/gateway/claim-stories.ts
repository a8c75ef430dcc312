/** Attributes and groups in an app: ID token, userinfo, introspection, and access tokens that are JWTs. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Accounts } from '../../../src/accounts/account/accounts.js';
import { idClaims, type OAuthClient } from '../../support/oauth-client.js';
import type { TokenAnswer } from '../../support/upstream-wire.js';
import { toJson } from '../../support/upstream-answer.js';
import type { BrowserWalk } from '../../support/browser-walk.js';
import { EMBEDDED, type Leg } from '../../support/upstream-leg.js';
import { allow, signIn, startFront, type Front } from './front.js';

const SCOPE = 'openid offline profile email address phone groups';
const ADDRESS = { formatted: 'Am Ring 1\n50667 Köln', locality: 'Köln' };

export function claimStories(front: () => Front): void {
  const getAccounts = () => front().gateway.get(Accounts);

  async function setAttributes(groups: readonly string[] = ['purchase', 'Ärzte & Co']): Promise<void> {
    await getAccounts().update(front().account.id, {
      groups,
      attributes: { given_name: 'Maria', address: ADDRESS, phone_number: '+49 221 123456' },
    });
  }

  async function findTokens(client: OAuthClient, person: BrowserWalk, scopes?: readonly string[]) {
    const consent = await signIn(person, await person.go(client.authorizationUrl({ scope: SCOPE })), { remember: 'true' });
    const done = await allow(person, consent, scopes);
    return client.redeem(done.url.searchParams.get('code') ?? '');
  }

  const findClaims = async (client: OAuthClient, token: string) => toJson<Record<string, unknown>>(await client.userinfo(token));

  it('[CLM-1] [CON-4] the attributes of a person are in the ID token, in userinfo and in introspection', async () => {
    await setAttributes();
    const client = await front().register({ scope: SCOPE });
    const tokens = await findTokens(client, front().person());
    const known = {
      given_name: 'Maria',
      address: ADDRESS,
      phone_number: '+49 221 123456',
      groups: ['purchase', 'Ärzte & Co'],
    };
    expect(idClaims(tokens)).toMatchObject(known);
    expect(idClaims(tokens)).not.toHaveProperty('login');
    expect(await findClaims(client, tokens.access_token)).toMatchObject({ ...known, sub: front().account.id });
    const { ext, sub } = await front().admin.introspect(tokens.access_token);
    expect([sub, ext]).toEqual([front().account.id, { groups: known.groups, login: 'maria.musterfrau' }]);
  });

  it('[CLM-1] [CON-4] no token has the claims of a scope that was not granted', async () => {
    await setAttributes();
    const client = await front().register({ scope: SCOPE });
    const tokens = await findTokens(client, front().person(), ['openid', 'phone']);
    const claims = await findClaims(client, tokens.access_token);
    for (const name of ['groups', 'address', 'given_name', 'email']) {
      expect([name, idClaims(tokens)[name], claims[name]]).toEqual([name, undefined, undefined]);
    }
    expect(claims['phone_number']).toBe('+49 221 123456');
    expect((await front().admin.introspect(tokens.access_token)).ext ?? {}).toEqual({});
  });

  it('[CLM-1] an access token that is a JWT has its claims below ext, if the upstream issues JWTs', async () => {
    await setAttributes();
    const client = await front().register({ scope: SCOPE, access_token_strategy: 'jwt' });
    const { access_token: token } = await findTokens(client, front().person());
    const said = token.split('.').length === 3 ? decodeJwt(token) : await front().admin.introspect(token);
    expect(said.ext).toEqual({ groups: ['purchase', 'Ärzte & Co'], login: 'maria.musterfrau' });
    for (const name of ['groups', 'login']) expect(said).not.toHaveProperty(name);
  });

  it('[CON-8] a remembered grant gives the current attributes, and a refresh those of the sign-in', async () => {
    await setAttributes();
    const client = await front().register({ scope: SCOPE });
    const person = front().person();
    const first = await findTokens(client, person);
    await setAttributes(['board']);
    const again = await person.go(client.authorizationUrl({ scope: SCOPE }));
    const second = await client.redeem(again.url.searchParams.get('code') ?? '');
    expect(idClaims(second)['groups']).toEqual(['board']);
    const refreshed = toJson<TokenAnswer>(await client.refresh(first.refresh_token ?? ''));
    expect(idClaims(refreshed)['groups']).toEqual(['purchase', 'Ärzte & Co']);
    await setAttributes();
  });

  it('[CLM-3] claims up to the size limit of a grant reach the app, and larger ones reach no token', async () => {
    const client = await front().register({ scope: SCOPE });
    const buildLongList = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}-${randomText()}`);
    await getAccounts().update(front().account.id, {
      groups: buildLongList(30),
      attributes: { address: null, given_name: null },
    });
    const tokens = await findTokens(client, front().person());
    expect(idClaims(tokens)['groups']).toHaveLength(30);
    await getAccounts().update(front().account.id, { groups: buildLongList(60) });
    const person = front().person();
    const consent = await signIn(person, await person.go(client.authorizationUrl({ scope: SCOPE, prompt: 'consent' })));
    expect((await allow(person, consent)).url.searchParams.get('error')).toBe('server_error');
    await setAttributes();
  });
}

/** These stories have an upstream of their own, because it needs a setting. */
export function topLevelStories(leg: Leg): void {
  describe('claims at the top of an access token', () => {
    let front: Front;

    beforeAll(async () => {
      // Hydra puts no registered claim at the top, and CLAIMS accepts none.
      front = await startFront(leg, { topLevelClaims: ['groups', 'login', 'sub'] });
    });
    afterAll(() => front.close());

    it('[CON-4] are those that the upstream allows, in a JWT; introspection has them below ext', async () => {
      const { id: sub } = front.account;
      await front.gateway.get(Accounts).update(sub, { groups: ['purchase'] });
      const tokens: string[] = [];
      for (const [strategy, groups] of [
        ['jwt', true],
        ['jwt', false],
        ['opaque', true],
      ] as const) {
        const client = await front.register({ scope: SCOPE, access_token_strategy: strategy });
        const person = front.person();
        const consent = await signIn(person, await person.go(client.authorizationUrl({ scope: SCOPE })));
        const done = await allow(person, consent, groups ? undefined : ['openid']);
        tokens.push((await client.redeem(done.url.searchParams.get('code') ?? '')).access_token);
      }
      const known = { groups: ['purchase'], login: 'maria.musterfrau' };
      const seen = await Promise.all(tokens.map((token) => front.admin.introspect(token)));
      expect(seen.map(({ ext }) => ext ?? {})).toEqual([known, {}, known]);
      const jwts = tokens.filter((token) => token.split('.').length === 3).map((token) => decodeJwt(token));
      expect(jwts.map(({ groups, login, ext, sub: subject }) => [groups, login, ext, subject])).toEqual(
        jwts.length === 0
          ? []
          : [
              [known.groups, known.login, known, sub],
              [undefined, undefined, {}, sub],
            ],
      );
      // The embedded upstream issues only opaque tokens.
      expect(jwts).toHaveLength(leg.name === EMBEDDED ? 0 : 2);
    });
  });
}

/** Random text that hardly compresses, because the upstream packs it into an address. */
function randomText(): string {
  return crypto.randomUUID() + crypto.randomUUID().slice(0, 12);
}
