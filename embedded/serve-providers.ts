/** Runs the demo providers as a process, for a gateway in another process. */
import { readSetting, readFileSetting, readUrlSetting } from './launch/own-settings.js';
import { serveUntilStopped } from './launch/serve-until-stopped.js';
import { buildProviderClients } from './launch/demo-providers.js';
import type { DialectId } from './demo-providers/dialect.js';
import { startDemoProviders } from './demo-providers/start-demo-providers.js';

const SECRET_SETTINGS: Partial<Record<DialectId, string>> = {
  google: 'GOOGLE_CLIENT_SECRET_FILE',
  microsoft: 'MICROSOFT_CLIENT_SECRET_FILE',
};

await serveUntilStopped('Demo providers', () => {
  const url = new URL(readUrlSetting('PROVIDERS_URL'));
  const toSecret = (id: DialectId): string | undefined => {
    const setting = SECRET_SETTINGS[id];
    return setting === undefined ? undefined : readFileSetting(setting);
  };
  return startDemoProviders({
    host: readSetting('PROVIDERS_HOST'),
    port: Number(url.port || 80),
    hosts: [url.hostname],
    clients: buildProviderClients(readUrlSetting('FOYER_URL'), {
      toSecret,
      applePublicKey: readFileSetting('APPLE_PUBLIC_KEY_FILE'),
    }),
    onFailure: (error) => process.stderr.write(`demo providers: ${String(error)}\n`),
  });
});
