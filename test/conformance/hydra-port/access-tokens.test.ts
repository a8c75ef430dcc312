/** Reading access tokens and clients: the fake and the adapter in front of the embedded upstream behave in the same way. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomToken } from '../../../src/config/keys.js';
import { FakeHydra } from '../../../src/hydra/fake-hydra.js';
import { UpstreamUnavailable } from '../../../src/hydra/hydra.errors.js';
import type { HydraPort } from '../../../src/hydra/hydra.port.js';
import { OryHydraAdapter } from '../../../src/hydra/ory-hydra.adapter.js';
import { embeddedLeg } from '../../support/upstream-embedded.js';
import { Scene, newSubject } from '../upstream/scene.js';
import { signInForTokens } from '../upstream/walk.js';

interface Granted {
  subject: string;
  clientId: string;
  access: string;
  refresh: string;
  idToken: string;
}

interface Side {
  port: HydraPort;
  grant(): Promise<Granted>;
  revoke(granted: Granted): Promise<void>;
  close(): Promise<void>;
}

describe.each([
  ['the fake', openFake],
  ['the adapter on the embedded upstream', openEmbedded],
] as const)('%s', (_, open) => {
  let side: Side;
  beforeAll(async () => {
    side = await open();
  });
  afterAll(() => side.close());

  it('reports the subject, the client and the scope of an access token', async () => {
    const { subject, clientId, access } = await side.grant();
    const token = await side.port.introspect(access);
    expect(token).toMatchObject({ subject, clientId, scopes: ['openid', 'offline'], audience: [] });
    const expiresInMs = (token?.expiresAt?.getTime() ?? 0) - Date.now();
    expect(expiresInMs).toBeGreaterThan(3_000_000);
    expect(expiresInMs).toBeLessThan(3_700_000);
    expect(Math.abs((token?.issuedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(100_000);
  });

  it('[S-74] does not accept a refresh token, an ID token, or any other text', async () => {
    const { refresh, idToken, access } = await side.grant();
    for (const token of [refresh, idToken, `${access}x`, randomToken(), 'ory_at_x.y', ' ', 'ä€']) {
      expect(await side.port.introspect(token)).toBeNull();
    }
  });

  it('[S-74] does not accept a revoked token', async () => {
    const granted = await side.grant();
    await side.revoke(granted);
    expect(await side.port.introspect(granted.access)).toBeNull();
  });

  it('reads a client, and reports an unknown id as missing', async () => {
    const { clientId } = await side.grant();
    expect(await side.port.getClient(clientId)).toMatchObject({
      id: clientId,
      name: 'An "ordinary" app',
      redirectUris: ['http://127.0.0.1:2/callback'],
      foyer: { returnUrls: [] },
    });
    for (const id of ['nobody', '../health/ready', 'a/b?c']) expect(await side.port.getClient(id)).toBeNull();
  });
});

it('distinguishes an unreachable upstream from an invalid token', async () => {
  const fake = new FakeHydra();
  fake.fail();
  const settings = { adminUrl: 'http://127.0.0.1:1', publicUrl: 'http://127.0.0.1:1', timeoutMs: 500 };
  for (const port of [fake, new OryHydraAdapter(settings)]) {
    await expect(port.introspect('x')).rejects.toBeInstanceOf(UpstreamUnavailable);
    await expect(port.getClient('x')).rejects.toBeInstanceOf(UpstreamUnavailable);
  }
});

async function openFake(): Promise<Side> {
  const port = new FakeHydra();
  return {
    port,
    grant: async () => {
      const subject = newSubject();
      const [access, refresh, idToken] = [randomToken(), randomToken(), `a.${randomToken()}.c`];
      const clientId = `app-${randomToken(6)}`;
      const redirectUris = ['http://127.0.0.1:2/callback'];
      port.addClient(port.client({ id: clientId, name: 'An "ordinary" app', redirectUris }));
      const expiresAt = new Date(Date.now() + 3_599_000);
      port.addToken(access, { subject, clientId, scopes: ['openid', 'offline'], issuedAt: new Date(), expiresAt });
      return { subject, clientId, access, refresh, idToken };
    },
    revoke: async ({ access }) => port.revokeToken(access),
    close: async () => undefined,
  };
}

async function openEmbedded(): Promise<Side> {
  const scene = await Scene.open(embeddedLeg);
  const { adminUrl, publicUrl } = scene.upstream;
  const port = new OryHydraAdapter({ adminUrl, publicUrl, timeoutMs: 30_000 });
  return {
    port,
    grant: async () => {
      const subject = newSubject();
      const { tokens } = await signInForTokens(scene, scene.browser(), { login: { subject } });
      const { access_token: access, refresh_token: refresh = '', id_token: idToken = '' } = tokens;
      return { subject, clientId: scene.app.id, access, refresh, idToken };
    },
    revoke: ({ subject }) => port.revokeConsents(subject),
    close: () => scene.close(),
  };
}
