/** Runs the demo providers as a process, for a gateway in another process. */
import { given, givenFile, givenUrl } from './launch/own-settings.js';
import { serveUntilStopped } from './launch/serve-until-stopped.js';
import { standInClients } from './launch/stand-in-providers.js';
import type { DialectId } from './provider-stand-in/dialect.js';
import { startProviderStandIn } from './provider-stand-in/start-provider-stand-in.js';

const SECRETS: Partial<Record<DialectId, string>> = {
  google: 'GOOGLE_CLIENT_SECRET_FILE',
  microsoft: 'MICROSOFT_CLIENT_SECRET_FILE',
};

await serveUntilStopped('Stand-in for the providers', () => {
  const url = new URL(givenUrl('PROVIDERS_URL'));
  const toSecret = (id: DialectId): string | undefined => {
    const setting = SECRETS[id];
    return setting === undefined ? undefined : givenFile(setting);
  };
  return startProviderStandIn({
    host: given('PROVIDERS_HOST'),
    port: Number(url.port || 80),
    hosts: [url.hostname],
    clients: standInClients(givenUrl('FOYER_URL'), { toSecret, applePublicKey: givenFile('APPLE_PUBLIC_KEY_FILE') }),
    onFailure: (error) => process.stderr.write(`stand-in provider: ${String(error)}\n`),
  });
});
