/** The token hook, on every upstream that can be configured: what somebody's tokens are after a change here, or at a directory. */
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { pino } from 'pino';
import { Accounts } from '../../../src/accounts/account/accounts.js';
import { ConsentGrants } from '../../../src/accounts/sessions/consent-grants.js';
import { FoundationModule } from '../../../src/app.module.js';
import { randomToken } from '../../../src/config/keys.js';
import { createOperator } from '../../../src/operator/api/create-operator.js';
import { HOOK_KEY_HEADER, TOKEN_HOOK_PATH } from '../../../src/operator/hooks/hook-key.js';
import { freePorts } from '../../../test-kit/free-ports.js';
import { LdapSource } from '../../../src/sources/ldap/ldap-source.js';
import type { UserSource } from '../../../src/sources/user-source.port.js';
import { PASSWORD } from '../../support/gateway.js';
import { GROUPS, PEOPLE, Slapd, SUFFIX, whyNoSlapd } from '../../support/slapd.js';
import { TestClock } from '../../support/test-clock.js';
import { idClaims, type OAuthClient } from '../../support/oauth-client.js';
import { toJson } from '../../support/upstream-answer.js';
import type { Leg } from '../../support/upstream-leg.js';
import type { TokenAnswer, WireError } from '../../support/upstream-wire.js';
import { allow, arrive, signIn, startFront, type Front } from './front.js';

const KEY = randomToken();
const SCOPE = 'openid offline profile groups';

interface Hooked {
  front: Front;
  close(): Promise<void>;
}

/** @param sent the key that the upstream sends */
async function startHooked(leg: Leg, sent: string, sources: readonly UserSource[] = []): Promise<Hooked> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}${TOKEN_HOOK_PATH}`;
  const front = await startFront(leg, { tokenHook: { url, header: { name: HOOK_KEY_HEADER, value: sent } }, sources });
  const { foundation } = front.gateway;
  const { operator } = foundation.config;
  const config = { ...foundation.config, tokenHook: { keys: [KEY] }, operator: { ...operator, token: randomToken() } };
  const api: INestApplication<Server> = await createOperator({
    gateway: front.gateway,
    foundation: FoundationModule.register({ ...foundation, config }),
    config,
    consoleFiles: null,
  });
  await api.listen(port, '127.0.0.1');
  return {
    front,
    close: async () => {
      await front.close();
      await api.close();
    },
  };
}

/** Signs in and gives consent. @returns the client, and the code before it is redeemed */
async function authorize(front: Front, username: string, metadata: Record<string, unknown> = {}) {
  const client = await front.register({ scope: SCOPE, ...metadata });
  const person = front.person();
  const fields = { username, password: PASSWORD, remember: 'true' };
  const page = await signIn(person, await arrive({ client }, person, { scope: SCOPE }), fields);
  const end = page.status === 0 ? page : await allow(person, page);
  return { client, person, code: end.url.searchParams.get('code') ?? '' };
}

export function hookStories(leg: Leg): void {
  const canCall = leg.configurable && leg.reachesLoopback;
  const group = canCall ? describe : describe['skip'];
  const missing = whyNoSlapd();
  if (canCall && missing !== null) console.warn(`The token hook is not tested with OpenLDAP: ${missing}`);
  const withDirectory = canCall && missing === null ? describe : describe['skip'];

  withDirectory('the token hook and a directory', () => {
    const CARLA = { uid: 'carla', password: PASSWORD, mail: 'carla@example.com' };
    const dn = `uid=carla,${PEOPLE}`;
    let slapd: Slapd;
    let started: Hooked;

    beforeAll(async () => {
      slapd = await Slapd.start();
      slapd.addPerson(CARLA);
      slapd.addGroup('purchase', [dn]);
      slapd.addGroup('board', [`cn=searcher,${SUFFIX}`]);
      const settings = slapd.settings({ groups: { base: GROUPS } });
      const source = new LdapSource(settings, { clock: new TestClock(), log: pino({ level: 'silent' }) });
      started = await startHooked(leg, KEY, [source]);
    });
    afterAll(async () => {
      await started.close();
      await slapd.stop();
    });

    it('who gets another group, and then leaves, has that in every token a quarter of an hour later, and no session', async () => {
      const { front } = started;
      const apps = await Promise.all([1, 2, 3].map(async () => authorize(front, CARLA.uid)));
      let tokens = await Promise.all(apps.map(({ client, code }) => client.redeem(code)));
      const refresh = () => Promise.all(apps.map(({ client }, index) => client.refresh(tokens[index]?.refresh_token ?? '')));
      expect(idClaims(tokens[0]!)).toMatchObject({ groups: ['purchase'] });
      slapd.change([`dn: cn=board,${GROUPS}`, 'changetype: modify', 'add: member', `member: ${dn}`]);
      const { clock } = front.gateway;
      const { freshnessSeconds } = front.gateway.foundation.config.sourceChecks;
      clock.advanceSeconds(freshnessSeconds + 1);
      tokens = (await refresh()).map((answer) => toJson<TokenAnswer>(answer));
      for (const renewed of tokens) expect((idClaims(renewed)['groups'] as string[]).toSorted()).toEqual(['board', 'purchase']);
      slapd.remove(dn);
      clock.advanceSeconds(freshnessSeconds + 1);
      expect((await refresh()).map(({ status }) => status)).toEqual([403, 403, 403]);
      // The remembered sessions end as well: each browser is asked to sign in.
      for (const { client, person } of apps) {
        const again = await arrive({ client }, person, { scope: SCOPE });
        expect(again.state('login').login.login_challenge).not.toBe('');
      }
    });
  });

  group('the token hook', () => {
    let started: Hooked;
    let people = 0;

    beforeAll(async () => {
      started = await startHooked(leg, KEY);
    });
    afterAll(() => started.close());

    async function enter({ front }: Hooked, metadata: Record<string, unknown> = {}) {
      const username = `hooked.${(people += 1)}`;
      const account = await front.gateway.account(username);
      await front.gateway.get(Accounts).update(account.id, { groups: ['purchase'] });
      return { account, ...(await authorize(front, username, metadata)) };
    }

    const tryRefresh = (client: OAuthClient, { refresh_token: token = '' }: TokenAnswer) => client.refresh(token);
    const refusal = { error: 'access_denied', error_description: expect.stringMatching(/^The token hook target responded/) };

    it('gives an app the groups of today at the next refresh, in every token, and keeps the session', async () => {
      const { account, client, code } = await enter(started);
      const first = await client.redeem(code);
      expect(idClaims(first)).toMatchObject({ groups: ['purchase'], sid: expect.any(String) });
      await started.front.gateway.get(Accounts).update(account.id, { groups: ['board'] });
      const second = toJson<TokenAnswer>(await tryRefresh(client, first));
      expect(idClaims(second)).toMatchObject({ groups: ['board'], sid: idClaims(first)['sid'], sub: account.id });
      expect(idClaims(second)).not.toHaveProperty('email');
      expect(toJson(await client.userinfo(second.access_token))).toMatchObject({ groups: ['board'] });
      expect((await started.front.admin.introspect(second.access_token)).ext).toMatchObject({ groups: ['board'] });
    });

    it('refuses a code and a refresh of somebody who is disabled, before the upstream has heard of it', async () => {
      const [{ client, code, account }, other] = [await enter(started), await enter(started)];
      const tokens = await client.redeem(code);
      const { gateway } = started.front;
      for (const { id } of [account, other.account])
        await gateway.get(Accounts).setStatus(id, 'disabled', { actor: 'system', why: null });
      for (const answer of [await tryRefresh(client, tokens), await other.client.tryRedeem(other.code)])
        expect([answer.status, toJson<WireError>(answer)]).toEqual([403, refusal]);
    });

    it('refuses an app whose access was taken away, also a trusted one, and no other app', async () => {
      for (const metadata of [{}, { skip_consent: true }]) {
        const { client, code, account } = await enter(started, metadata);
        const tokens = await client.redeem(code);
        const grants = started.front.gateway.get(ConsentGrants);
        await grants.revoke(account.id, { clientId: 'another-app' });
        const renewed = toJson<TokenAnswer>(await tryRefresh(client, tokens));
        expect(idClaims(renewed)).toMatchObject({ groups: ['purchase'] });
        // A removal counts from the next second on, because the upstream tells whole seconds.
        started.front.gateway.clock.advanceSeconds(1);
        await grants.revoke(account.id, { clientId: client.id });
        expect((await tryRefresh(client, renewed)).status).toBe(403);
      }
    });

    it('leaves the tokens of an app itself alone', async () => {
      const client = await started.front.register({ grant_types: ['client_credentials'], scope: SCOPE });
      const answer = await client.post('/oauth2/token', { grant_type: 'client_credentials', scope: 'groups' });
      expect([answer.status, toJson<TokenAnswer>(answer).scope]).toEqual([200, 'groups']);
    });

    it('issues no token if the upstream has another key', async () => {
      const wrong = await startHooked(leg, randomToken());
      try {
        const { client, code } = await enter(wrong);
        const answer = await client.tryRedeem(code);
        expect([answer.status, toJson<WireError>(answer).error]).toEqual([500, 'server_error']);
      } finally {
        await wrong.close();
      }
    });
  });
}
