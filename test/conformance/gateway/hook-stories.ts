/** The token hook, on every upstream that can be configured: what somebody's tokens are after a change here, or at a directory. */
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { Accounts } from '../../../src/accounts/account/accounts.js';
import { ConsentGrants } from '../../../src/accounts/sessions/consent-grants.js';
import { EventDeliveries } from '../../../src/accounts/queue/event-deliveries.js';
import type { SinkSettings } from '../../../src/config/sink-settings.js';
import { EventWorker } from '../../../src/events/event-worker.js';
import { OPERATOR_API } from '../../../src/operator/wire.js';
import { TELEMETRY_OFF } from '../../../src/telemetry/telemetry.js';
import { EventReceiver } from '../../support/event-receiver.js';
import { send, type OperatorAnswer } from '../../support/operator.js';
import { ScimClient, scimSource } from '../../support/scim-client.js';
import { waitUntil } from '../../support/upstream-waiting.js';
import { FoundationModule } from '../../../src/app.module.js';
import { SystemClock } from '../../../src/config/clock.js';
import { randomToken } from '../../../src/config/keys.js';
import { createOperator } from '../../../src/operator/api/create-operator.js';
import { HOOK_KEY_HEADER, TOKEN_HOOK_PATH } from '../../../src/operator/hooks/hook-key.js';
import { findFreePorts } from '../../../test-kit/free-ports.js';
import { LdapSource } from '../../../src/sources/ldap/ldap-source.js';
import { PASSWORD } from '../../support/gateway.js';
import { GROUPS, PEOPLE, Slapd, SUFFIX, whyNoSlapd } from '../../support/slapd.js';
import { TestClock } from '../../support/test-clock.js';
import { idClaims, type OAuthClient } from '../../support/oauth-client.js';
import { toJson } from '../../support/upstream-answer.js';
import type { Leg } from '../../support/upstream-leg.js';
import type { TokenAnswer, WireError } from '../../support/upstream-wire.js';
import { allow, arrive, signIn, startFront, type Front, type FrontSettings } from './front.js';

const KEY = randomToken();
const SCOPE = 'openid offline profile groups';

interface Hooked {
  front: Front;
  /** Calls the operator API. */
  call(method: string, path: string, body?: unknown): Promise<OperatorAnswer>;
  /** Address of the listener of the operator API. */
  url: string;
  close(): Promise<void>;
}

/** @param sent the key that the upstream sends */
async function startWithHook(
  leg: Leg,
  sent: string,
  more: Pick<FrontSettings, 'sources' | 'scim' | 'eventSinks'> = {},
): Promise<Hooked> {
  const [port = 0] = await findFreePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const tokenHook = { url: `${url}${TOKEN_HOOK_PATH}`, header: { name: HOOK_KEY_HEADER, value: sent } };
  const front = await startFront(leg, { tokenHook, ...more });
  const { foundation } = front.gateway;
  const { operator } = foundation.config;
  const token = randomToken();
  const config = { ...foundation.config, tokenHook: { keys: [KEY] }, operator: { ...operator, token } };
  const api: INestApplication<Server> = await createOperator({
    gateway: front.gateway,
    foundation: FoundationModule.register({ ...foundation, config }),
    config,
    consoleFiles: null,
  });
  await api.listen(port, '127.0.0.1');
  return {
    front,
    url,
    call: (method, path, body) =>
      send({ method, port, path: `${OPERATOR_API}${path}`, body, headers: { authorization: `Bearer ${token}` } }),
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
      started = await startWithHook(leg, KEY, { sources: [source] });
    });
    afterAll(async () => {
      await started.close();
      await slapd.stop();
    });

    it('a person who gets another group has it in every token a quarter of an hour later, and after leaving has no token and no session', async () => {
      const { front } = started;
      // One after the other: parallel requests sometimes fail at a Hydra whose database is SQLite in memory.
      const apps: Awaited<ReturnType<typeof authorize>>[] = [];
      for (const _ of [1, 2, 3]) apps.push(await authorize(front, CARLA.uid));
      let tokens: TokenAnswer[] = [];
      for (const { client, code } of apps) tokens.push(await client.redeem(code));
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

  withDirectory('somebody who leaves', () => {
    const ENDED_MS = 60_000;
    /** An account whose person the directory does not know any more is not disabled; its sessions end. */
    const ENDS = ['account.disabled', 'sessions.ended'];
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const entra = scimSource('entra', { password: true });
    const operatorName = 'left.operator';
    const dn = `uid=left.ldap,${PEOPLE}`;
    let slapd: Slapd;
    let receiver: EventReceiver;
    let events: EventWorker;
    let started: Hooked;

    beforeAll(async () => {
      slapd = await Slapd.start();
      slapd.addPerson({ uid: 'left.ldap', password: PASSWORD, mail: 'left@example.com' });
      const source = new LdapSource(slapd.settings(), { clock: new TestClock(), log: pino({ level: 'silent' }) });
      receiver = await EventReceiver.start(secret);
      const sink: SinkSettings = {
        ...{ name: 'team', kind: 'webhook', address: receiver.url, secrets: [secret] },
        ...{ events: ENDS, person: [] },
      };
      started = await startWithHook(leg, KEY, { sources: [source], scim: [entra], eventSinks: [sink] });
      const { gateway } = started.front;
      const { config } = gateway.foundation;
      // The receiver verifies the time of an event, and the clock of the gateway is moved.
      const clock = new SystemClock();
      events = new EventWorker(gateway.get(EventDeliveries), config, pino({ level: 'silent' }), TELEMETRY_OFF, clock);
      events.onApplicationBootstrap();
    });
    afterAll(async () => {
      await events.onApplicationShutdown();
      await started.close();
      await receiver.close();
      await slapd.stop();
    });

    it.each([
      [
        'at a directory',
        'left.ldap',
        () => {
          slapd.remove(dn);
          const { gateway } = started.front;
          gateway.clock.advanceSeconds(gateway.foundation.config.sourceChecks.freshnessSeconds + 1);
        },
      ],
      [
        'at a SCIM source',
        'left.scim',
        async (id: string) => {
          const client = new ScimClient(started, entra.tokens[0]);
          const answer = await client.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
          expect(answer).toMatchObject({ status: 200, json: { active: false } });
        },
      ],
      [
        'by an operator',
        operatorName,
        async (id: string) => expect((await started.call('POST', `/accounts/${id}/disable`)).status).toBe(200),
      ],
    ])('%s: has no working token and no session, and the receiver knows', async (_, username, leave) => {
      const { front } = started;
      if (username === operatorName) await front.gateway.account(username);
      if (username === 'left.scim')
        await new ScimClient(started, entra.tokens[0]).newUser(username, { password: PASSWORD, externalId: 'e-1' });
      const { client, person, code } = await authorize(front, username);
      const tokens = await client.redeem(code);
      const id = String(idClaims(tokens).sub);
      await leave(id);
      const left = performance.now();
      // 400: Hydra has already ended the grant. 403: the hook has refused.
      expect([400, 403]).toContain((await client.refresh(tokens.refresh_token ?? '')).status);
      const refused = performance.now();
      const again = await arrive({ client }, person, { scope: SCOPE });
      expect(again.state('login').login.login_challenge).not.toBe('');
      const find = () => receiver.accepted.find(({ subject, data }) => subject === id && ENDS.includes(data.kind));
      await waitUntil(ENDED_MS, async () => find() !== undefined);
      const delivered = performance.now();
      if (process.env['SHOW_TIMES'])
        console.info(
          `${username}: refused after ${(refused - left).toFixed(0)} ms, event after ${(delivered - left).toFixed(0)} ms`,
        );
    });
  });

  group('the token hook', () => {
    let started: Hooked;
    let people = 0;

    beforeAll(async () => {
      started = await startWithHook(leg, KEY);
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
        await gateway.get(Accounts).setStatus(id, 'disabled', { actor: 'system', sourceState: null });
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
        // A removal counts from the next second on, because the upstream reports whole seconds.
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
      const wrong = await startWithHook(leg, randomToken());
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
