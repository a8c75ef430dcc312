/**
 * A whole installation for tests in a browser: the built gateway in a process of its own, an upstream, the demo app as a
 * connected client, a mailbox, and one person. Everything listens on `localhost`, as WebAuthn wants it.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoApp } from '../../embedded/demo-app/start-demo-app.js';
import { registerDemoClient } from '../../embedded/launch/demo-client.js';
import { startMailbox } from '../../embedded/mailbox/start-mailbox.js';
import { startRegistration } from '../../embedded/registration/start-registration.js';
import { PATHS } from '../../src/contract/paths.js';
import { StartedFoyer, choosePorts } from './started-foyer.js';
import type { Ports } from './started-foyer.js';
import { servedUrls } from './upstream-leg.js';
import type { Leg } from './upstream-leg.js';

export interface AreaInstallation {
  appUrl: string;
  areaUrl: string;
  mailboxUrl: string;
  person: { username: string; password: string };
  close(): Promise<void>;
}

const CLIENT = { id: 'beispielportal', secret: randomBytes(16).toString('hex') };

/** What one command starts. */
export async function embeddedInstallation(): Promise<AreaInstallation> {
  const [dataDir, ports] = [mkdtempSync(join(tmpdir(), 'foyer-area-')), await choosePorts()];
  const foyer = await StartedFoyer.ready(dataDir, ports);
  return {
    appUrl: `http://localhost:${ports.EMBEDDED_DEMO_APP_PORT}`,
    areaUrl: `http://localhost:${ports.PORT}${PATHS.manage}`,
    mailboxUrl: `http://localhost:${ports.EMBEDDED_MAILBOX_PORT}`,
    person: { username: foyer.told('Account'), password: foyer.told('Password') },
    close: async () => {
      await foyer.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The gateway in front of another upstream; what the one command starts beside it is started here. */
export async function installationOn(leg: Leg): Promise<AreaInstallation> {
  const [dataDir, ports] = [mkdtempSync(join(tmpdir(), 'foyer-area-')), await choosePorts()];
  const gatewayUrl = `http://localhost:${ports.PORT}`;
  const appUrl = `http://localhost:${ports.EMBEDDED_DEMO_APP_PORT}`;
  const registrationUrl = `http://localhost:${ports.EMBEDDED_REGISTRATION_PORT}`;
  const operatorToken = randomBytes(32).toString('hex');
  const upstream = await leg.start({ urls: servedUrls(gatewayUrl) });
  const mailbox = await startMailbox({
    host: 'localhost',
    smtpPort: ports.EMBEDDED_SMTP_PORT,
    webPort: ports.EMBEDDED_MAILBOX_PORT,
  });
  const foyer = await StartedFoyer.ready(dataDir, ports, {
    HYDRA_ADMIN_URL: upstream.adminUrl,
    HYDRA_PUBLIC_URL: upstream.publicUrl,
    SMTP_URL: mailbox.smtpUrl,
    OPERATOR_TOKEN: operatorToken,
    REG_HINT_NAMES: 'invitation',
    REGISTRATION_URL: registrationUrl,
    REGISTRATION_JWKS_URL: `${registrationUrl}/jwks`,
  });
  await registerDemoClient(upstream.adminUrl, { ...CLIENT, baseUrl: appUrl });
  const app = await startDemoApp({
    host: 'localhost',
    port: ports.EMBEDDED_DEMO_APP_PORT,
    issuer: upstream.publicUrl,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    baseUrl: appUrl,
    gatewayUrl,
  });
  const registration = await startRegistration({
    host: 'localhost',
    port: ports.EMBEDDED_REGISTRATION_PORT,
    gatewayUrl,
    issuer: registrationUrl,
  });
  return {
    appUrl,
    areaUrl: gatewayUrl + PATHS.manage,
    mailboxUrl: mailbox.url,
    person: await createPerson(ports, operatorToken),
    close: async () => {
      await foyer.stop();
      await Promise.all([app.close(), registration.close(), mailbox.close(), upstream.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function createPerson(ports: Ports, token: string): Promise<AreaInstallation['person']> {
  const person = { username: 'maria.musterfrau', password: randomBytes(12).toString('hex') };
  const answer = await fetch(`http://localhost:${ports.OPERATOR_PORT}/operator/v1/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...person, display_name: 'Maria Musterfrau', email: 'maria@example.org' }),
  });
  if (answer.status !== 201) throw new Error(`The operator API answers ${answer.status}: ${await answer.text()}`);
  return person;
}
