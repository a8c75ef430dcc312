/**
 * A demo provider for Apple on another site: cookies ignore ports, so on `localhost` everything is one site, and a
 * post from there would send all cookies. On 127.0.0.1 the browser sends the same cookies as with the real Apple.
 */
import { generateKeyPairSync } from 'node:crypto';
import { startDemoProviders, type DemoProviders } from '../../embedded/demo-providers/start-demo-providers.js';
import { buildCallbackUrl } from '../../src/providers/identity-providers.port.js';

const HOST = '127.0.0.1';
const KEY = { teamId: 'FOYERTEAM1', keyId: 'FOYERKEY01' };

export interface CrossSiteApple {
  /** Settings of a gateway that uses it as Apple. */
  env: Record<string, string>;
  demoProviders: DemoProviders;
}

export async function startCrossSiteApple(publicUrl: string, port: number): Promise<CrossSiteApple> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const client = (id: string) => ({ id: `client-of-${id}`, redirectUris: [buildCallbackUrl(publicUrl, id)] });
  const demoProviders = await startDemoProviders({
    host: HOST,
    port,
    clients: {
      google: client('google'),
      microsoft: client('microsoft'),
      company: client('company'),
      apple: { ...client('apple'), key: { ...KEY, publicKey } },
    },
  });
  const env = {
    APPLE_CLIENT_ID: client('apple').id,
    APPLE_TEAM_ID: KEY.teamId,
    APPLE_KEY_ID: KEY.keyId,
    APPLE_PRIVATE_KEY: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    APPLE_ISSUER: `http://${HOST}:${port}/apple`,
  };
  return { env, demoProviders };
}
