/** Runs the demo registration service as a process, for a gateway in another process. */
import { given, givenUrl } from './launch/own-settings.js';
import { serveUntilStopped } from './launch/serve-until-stopped.js';
import { startRegistration } from './registration/start-registration.js';

await serveUntilStopped('Registration service', () => {
  const issuer = givenUrl('SERVICE_URL');
  return startRegistration({
    host: given('SERVICE_HOST'),
    port: Number(new URL(issuer).port || 80),
    hosts: [given('SERVICE_NAME')],
    gatewayUrl: givenUrl('FOYER_URL'),
    gatewayKeysUrl: givenUrl('FOYER_KEYS_URL'),
    issuer,
    onFailure: (error) => process.stderr.write(`registration service: ${String(error)}\n`),
  });
});
