/** Managing clients: the fake, and the adapter in front of the embedded upstream and a real Hydra, behave in the same way. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomToken } from '../../../src/config/keys.js';
import { FakeHydra } from '../../../src/hydra/fake-hydra.js';
import { ChallengeUnknown, ChallengeUsed, ClientRefused } from '../../../src/hydra/hydra.errors.js';
import type { HydraPort } from '../../../src/hydra/hydra.port.js';
import { OryHydraAdapter } from '../../../src/hydra/ory-hydra.adapter.js';
import type { NewClient, RegisteredClient } from '../../../src/hydra/registered-client.js';
import { CLIENT_PRESETS } from '../../../src/operator/clients/client-presets.js';
import { binaryLeg } from '../../support/upstream-binary.js';
import { embeddedLeg } from '../../support/upstream-embedded.js';
import type { Leg } from '../../support/upstream-leg.js';
import { Scene } from '../upstream/scene.js';

interface Side {
  port: HydraPort;
  /** Address of the public port; null for the fake, which issues no tokens. */
  publicUrl: string | null;
  close(): Promise<void>;
}

const binary = binaryLeg(process.env);
const legs: readonly Leg[] = 'missing' in binary ? [embeddedLeg] : [embeddedLeg, binary];

describe.each([['the fake', openFake], ...legs.map((leg) => [`the adapter on ${leg.name}`, () => openUpstream(leg)] as const)])(
  '%s',
  (_, open) => {
    let side: Side;
    beforeAll(async () => {
      side = await open();
    });
    afterAll(() => side.close());

    const create = (more: Partial<NewClient> = {}): Promise<RegisteredClient> =>
      side.port.createClient({
        client_id: `managed-${randomToken(6)}`,
        client_name: 'Managed',
        client_secret: 'the first secret',
        scope: 'openid offline_access',
        redirect_uris: ['https://shop.example.org/callback'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
        metadata: { team: 'web', foyer: { mfa: 'required' } },
        ...more,
      });

    it('registers a client of every preset as it is written', async () => {
      for (const { members } of CLIENT_PRESETS) {
        const created = await create({ scope: 'openid', ...members });
        expect(created).toMatchObject(members);
        expect(await side.port.findRegisteredClient(created.client_id)).toEqual(created);
      }
    });

    it('does not register a second client with an id', async () => {
      const { client_id } = await create();
      await expect(create({ client_id })).rejects.toBeInstanceOf(ChallengeUsed);
    });

    it('changes what the patch names, and keeps the rest', async () => {
      const before = await create({ audience: ['orders'], backchannel_logout_uri: 'https://shop.example.org/out' });
      const changes = {
        client_name: 'An "ordinary" \u{1F600} name <b>',
        post_logout_redirect_uris: ['https://shop.example.org/'],
        backchannel_logout_uri: '',
        skip_consent: true,
        metadata: { team: 'web' },
      };
      const after = await side.port.changeClient(before.client_id, changes);
      const { updated_at: _, version, ...rest } = before;
      expect(after).toMatchObject({ ...rest, ...changes });
      expect(after.version).not.toBe(version);
      expect(await side.port.findRegisteredClient(before.client_id)).toEqual(after);
    });

    it('lists by page, and by name and owner', async () => {
      const owner = `owner-${randomToken(6)}`;
      for (const name of ['One', 'Two', 'One']) await create({ client_name: name, owner });
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await side.port.listClients({ owner, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
        expect(page.clients.length).toBeLessThan(3);
        found.push(...page.clients.map(({ client_id }) => client_id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect([found.length, new Set(found).size]).toEqual([3, 3]);
      expect((await side.port.listClients({ owner, name: 'One', limit: 50 })).clients).toHaveLength(2);
      expect(await side.port.listClients({ owner: 'nobody', limit: 50 })).toEqual({ clients: [] });
      // Hydra v2.3.0 begins again.
      const unknown = await side.port.listClients({ limit: 2, cursor: 'not a cursor' }).catch((error: unknown) => error);
      if (unknown instanceof Error) expect(unknown).toBeInstanceOf(ClientRefused);
    });

    it('deletes a client, once, and reports unknown ids as missing', async () => {
      const { client_id } = await create();
      await side.port.deleteClient(client_id);
      for (const id of [client_id, 'nobody']) {
        expect(await side.port.findRegisteredClient(id)).toBeNull();
        await expect(side.port.deleteClient(id)).rejects.toBeInstanceOf(ChallengeUnknown);
        await expect(side.port.setClientSecret(id, 'a new secret')).rejects.toBeInstanceOf(ChallengeUnknown);
        await expect(side.port.changeClient(id, { owner: 'x' })).rejects.toBeInstanceOf(ChallengeUnknown);
      }
    });

    it('replaces a secret: the former one ends at once', async () => {
      const { client_id, version } = await create({ grant_types: ['client_credentials'], response_types: [], scope: 'openid' });
      expect([200, null]).toContain(await requestToken(side, client_id, 'the first secret'));
      await side.port.setClientSecret(client_id, 'the second secret');
      expect([200, null]).toContain(await requestToken(side, client_id, 'the second secret'));
      expect([401, null]).toContain(await requestToken(side, client_id, 'the first secret'));
      const after = await side.port.findRegisteredClient(client_id);
      expect(JSON.stringify(after)).not.toContain('secret"');
      // A change after it keeps the secret.
      if (after) await side.port.changeClient(client_id, { client_name: 'Changed' });
      expect([200, null]).toContain(await requestToken(side, client_id, 'the second secret'));
      expect(version).not.toBe('');
    });
  },
);

it('the adapter passes on why Hydra refuses a client', async () => {
  for (const leg of legs) {
    const side = await openUpstream(leg);
    const client = {
      client_id: 'refused',
      redirect_uris: ['https://shop.example.org/cb'],
      post_logout_redirect_uris: ['https://x.org/'],
    };
    const refusal = await side.port.createClient(client).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ClientRefused);
    expect((refusal as Error).message).toContain('post_logout_redirect_uri');
    await side.close();
  }
});

/** @returns the status; null for the fake */
async function requestToken({ publicUrl }: Side, id: string, secret: string): Promise<number | null> {
  if (publicUrl === null) return null;
  const authorization = `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString('base64')}`;
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'openid' });
  const answer = await fetch(`${publicUrl}/oauth2/token`, { method: 'POST', headers: { authorization }, body });
  return answer.status;
}

function openFake(): Promise<Side> {
  return Promise.resolve({ port: new FakeHydra(), publicUrl: null, close: () => Promise.resolve() });
}

async function openUpstream(leg: Leg): Promise<Side> {
  const scene = await Scene.open(leg);
  const { adminUrl, publicUrl } = scene.upstream;
  return { port: new OryHydraAdapter({ adminUrl, publicUrl, timeoutMs: 30_000 }), publicUrl, close: () => scene.close() };
}
