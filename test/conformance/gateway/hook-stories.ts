/** The token hook, on every upstream that can be configured: what somebody's tokens are after a change here. */
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Accounts } from '../../../src/accounts/account/accounts.js';
import { ConsentGrants } from '../../../src/accounts/sessions/consent-grants.js';
import { FoundationModule } from '../../../src/app.module.js';
import { randomToken } from '../../../src/config/keys.js';
import { createOperator } from '../../../src/operator/api/create-operator.js';
import { HOOK_KEY_HEADER, TOKEN_HOOK_PATH } from '../../../src/operator/hooks/hook-key.js';
import { freePorts } from '../../../test-kit/free-ports.js';
import { PASSWORD } from '../../support/gateway.js';
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
async function startHooked(leg: Leg, sent: string): Promise<Hooked> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}${TOKEN_HOOK_PATH}`;
  const front = await startFront(leg, { tokenHook: { url, header: { name: HOOK_KEY_HEADER, value: sent } } });
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

export function hookStories(leg: Leg): void {
  const group = leg.configurable && leg.reachesLoopback ? describe : describe['skip'];
  group('the token hook', () => {
    let started: Hooked;
    let people = 0;

    beforeAll(async () => {
      started = await startHooked(leg, KEY);
    });
    afterAll(() => started.close());

    /** @returns the code, before it is redeemed */
    async function authorize({ front }: Hooked, metadata: Record<string, unknown> = {}) {
      const username = `hooked.${(people += 1)}`;
      const account = await front.gateway.account(username);
      await front.gateway.get(Accounts).update(account.id, { groups: ['purchase'] });
      const client = await front.register({ scope: SCOPE, ...metadata });
      const person = front.person();
      const page = await signIn(person, await arrive({ client }, person, { scope: SCOPE }), { username, password: PASSWORD });
      const end = page.status === 0 ? page : await allow(person, page);
      return { account, client, code: end.url.searchParams.get('code') ?? '' };
    }

    const tryRefresh = (client: OAuthClient, { refresh_token: token = '' }: TokenAnswer) => client.refresh(token);
    const refusal = { error: 'access_denied', error_description: expect.stringMatching(/^The token hook target responded/) };

    it('gives an app the groups of today at the next refresh, in every token, and keeps the session', async () => {
      const { account, client, code } = await authorize(started);
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
      const [{ client, code, account }, other] = [await authorize(started), await authorize(started)];
      const tokens = await client.redeem(code);
      const { gateway } = started.front;
      for (const { id } of [account, other.account])
        await gateway.get(Accounts).setStatus(id, 'disabled', { actor: 'system', why: null });
      for (const answer of [await tryRefresh(client, tokens), await other.client.tryRedeem(other.code)])
        expect([answer.status, toJson<WireError>(answer)]).toEqual([403, refusal]);
    });

    it('refuses an app whose access was taken away, also a trusted one, and no other app', async () => {
      for (const metadata of [{}, { skip_consent: true }]) {
        const { client, code, account } = await authorize(started, metadata);
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
        const { client, code } = await authorize(wrong);
        const answer = await client.tryRedeem(code);
        expect([answer.status, toJson<WireError>(answer).error]).toEqual([500, 'server_error']);
      } finally {
        await wrong.close();
      }
    });
  });
}
