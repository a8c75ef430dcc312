/** The demo company, configured as in docs/demo.md, signs in the people of its group and refuses others. */
import { expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config/load-config.js';
import { Keys } from '../../src/config/keys.js';
import { buildCallbackUrl } from '../../src/providers/identity-providers.port.js';
import { ConfiguredIdentityProviders } from '../../src/providers/configured-identity-providers.adapter.js';
import { readText } from '../../test/support/documents.js';
import { chooseAtProvider } from '../../test/support/provider-installation.js';
import { TestClock } from '../../test/support/test-clock.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { startDemoProviders } from '../demo-providers/start-demo-providers.js';
import { startsDemoProviders, setUpDemoProviders } from './demo-providers.js';

it('the demo company admits people of the group and refuses others, and the other demo providers still start', async () => {
  const [port = 0] = await findFreePorts(1);
  const [, example = ''] = /OIDC_PROVIDERS='([^']+)' npm start/.exec(readText('docs/demo.md')) ?? [];
  const { config } = loadConfig({ OIDC_PROVIDERS: example.replace(':4455', `:${port}`), EMBEDDED_PROVIDERS_PORT: String(port) });
  expect(startsDemoProviders(config)).toBe(true);
  const { providers, clients } = setUpDemoProviders(config, new Keys(['a secret of this installation']));
  expect(providers.map(({ id }) => id)).toEqual(['google', 'microsoft', 'apple', 'company']);
  const demoProviders = await startDemoProviders({ host: 'localhost', port, clients });
  const adapter = new ConfiguredIdentityProviders({ providers, clock: new TestClock(), onFailure: () => undefined });
  const signIn = async (person: string) => {
    const redirectUri = buildCallbackUrl(config.publicUrl, 'company');
    const { url, transaction } = await adapter.begin({ provider: 'company', redirectUri, state: 'c3RhdGUtb2YtdGhlLXRlc3Q' });
    return adapter.finish(transaction, await chooseAtProvider(url, person));
  };
  try {
    expect(await signIn('nora')).toMatchObject({ isAdmitted: true, person: { username: 'nora', groups: ['staff'] } });
    expect((await signIn('jonas')).isAdmitted).toBe(false);
  } finally {
    await demoProviders.close();
  }
});

it('the demo providers do not start when any other provider is configured', () => {
  const provider = { id: 'real', name: 'Real', issuer: 'https://id.example', client_id: 'x', client_secret: 'y' };
  expect(startsDemoProviders(loadConfig({ OIDC_PROVIDERS: JSON.stringify([provider]) }).config)).toBe(false);
});
