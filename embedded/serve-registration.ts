/** Runs the demo registration service as a process, for a gateway in another process. */
import { readSetting, readUrlSetting } from './launch/own-settings.js';
import { serveUntilStopped } from './launch/serve-until-stopped.js';
import { startRegistration } from './registration/start-registration.js';

await serveUntilStopped('Registration service', () => {
  const issuer = readUrlSetting('SERVICE_URL');
  return startRegistration({
    host: readSetting('SERVICE_HOST'),
    port: Number(new URL(issuer).port || 80),
    hosts: [readSetting('SERVICE_NAME')],
    gatewayUrl: readUrlSetting('FOYER_URL'),
    gatewayKeysUrl: readUrlSetting('FOYER_KEYS_URL'),
    issuer,
    onFailure: (error) => process.stderr.write(`registration service: ${String(error)}\n`),
  });
});
