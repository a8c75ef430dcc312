/** Runs the demo app as a process, with an external upstream. */
import { startDemoApp } from './demo-app/start-demo-app.js';
import { TELEVISION_CLIENT_ID } from './launch/demo-client.js';
import { readDemoClient, readSetting, readUrlSetting } from './launch/own-settings.js';
import { serveUntilStopped } from './launch/serve-until-stopped.js';

await serveUntilStopped('Demo app', () => {
  const { id, secret, baseUrl } = readDemoClient();
  return startDemoApp({
    host: readSetting('DEMO_HOST'),
    port: Number(new URL(baseUrl).port || 80),
    issuer: readUrlSetting('ISSUER'),
    clientId: id,
    clientSecret: secret,
    televisionClientId: TELEVISION_CLIENT_ID,
    baseUrl,
    gatewayUrl: readUrlSetting('FOYER_URL'),
    mailboxUrl: readUrlSetting('MAILBOX_URL'),
    onFailure: (error) => process.stderr.write(`demo app: ${String(error)}\n`),
  });
});
