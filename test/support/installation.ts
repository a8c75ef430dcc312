/**
 * A whole installation for tests in a browser: the built gateway in its own process with all embedded parts, or in
 * front of another upstream. Everything is at `localhost`, as WebAuthn requires.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { startDemoApp } from '../../embedded/demo-app/start-demo-app.js';
import { TELEVISION_CLIENT_ID, registerDemoClient } from '../../embedded/launch/demo-client.js';
import { startMailbox } from '../../embedded/mailbox/start-mailbox.js';
import { startRegistration } from '../../embedded/registration/start-registration.js';
import { MARIA } from '../../embedded/launch/demo-people.js';
import { OperatorApi, type ImportedPerson } from '../../test-kit/operator-api.js';
import { makeMigratedDataDirectory } from './databases.js';
import { StartedFoyer, choosePorts, type Ports } from './started-foyer.js';
import { toServedUrls, type Leg } from './upstream-leg.js';

export interface Person {
  username: string;
  password: string;
  email: string;
}

type Settings = Record<string, string>;
type MakeSettings = (gatewayUrl: string) => Promise<Settings>;

/** What a story knows about its installation. */
export interface Installation {
  /** The address of the demo app. */
  appUrl: string;
  gatewayUrl: string;
  issuer: string;
  /** The address of Hydra's admin API; unknown for a running installation. */
  adminUrl?: string;
  mailboxUrl: string;
  /** The address of the operator API and the console, which is at `localhost` like the gateway; unknown for a running installation. */
  operatorUrl?: string;
  /** The demo person, who is connected to Maria at the demo providers, if there are any. */
  person: Person;
  /** Creates a person called Maria Musterfrau, whom the story may change. @param more fields of an imported account */
  newPerson(more?: Partial<ImportedPerson>): Promise<Person>;
  /** A browser for all stories of the installation; without it, each group of stories opens its own. */
  chromium?: Browser;
  /** Starts the gateway again, with the same data. Only after `startInstallation`. @param more settings in addition to the current ones */
  restart?(more: Settings): Promise<void>;
  close(): Promise<void>;
}

/** The token for the operator API of installations that are started here. */
export const OPERATOR_TOKEN = randomBytes(32).toString('hex');
const CLIENT = { id: 'beispielportal', secret: randomBytes(16).toString('hex') };

/** The stories do not depend on the cost of a hash. */
export const FAST_HASHES = { HASH_MEMORY_KIB: '64', HASH_ITERATIONS: '1' };

/** Starts the same as `npm start`, with fast hashes. */
export async function startEmbedded(): Promise<Installation> {
  const [dataDir, ports] = [await makeMigratedDataDirectory('foyer-area'), await choosePorts()];
  const foyer = await StartedFoyer.start(dataDir, ports, { OPERATOR_TOKEN, ...FAST_HASHES });
  return {
    ...toEmbeddedInstallation(foyer, ports),
    close: async () => {
      await foyer.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** @param foyer was started with `OPERATOR_TOKEN`; the test stops it */
export function toEmbeddedInstallation(foyer: StartedFoyer, ports: Ports): Installation {
  return {
    appUrl: `http://localhost:${ports.EMBEDDED_DEMO_APP_PORT}`,
    gatewayUrl: `http://localhost:${ports.PORT}`,
    issuer: `http://localhost:${ports.EMBEDDED_UPSTREAM_PUBLIC_PORT}`,
    adminUrl: `http://localhost:${ports.EMBEDDED_UPSTREAM_ADMIN_PORT}`,
    mailboxUrl: `http://localhost:${ports.EMBEDDED_MAILBOX_PORT}`,
    operatorUrl: `http://localhost:${ports.OPERATOR_PORT}`,
    person: demoPerson(foyer.findValue('Password')),
    newPerson: (more) => createPerson(`http://localhost:${ports.OPERATOR_PORT}`, OPERATOR_TOKEN, more),
    close: () => Promise.resolve(),
  };
}

/**
 * Starts the gateway in front of another upstream, and the embedded parts here. If one does not start, those before it end.
 * @param settings further settings of the gateway, or what makes them from its address
 */
export async function startInstallation(leg: Leg, settings: Settings | MakeSettings = {}): Promise<Installation> {
  const started: (() => unknown)[] = [];
  const close = async () => {
    for (const end of started.splice(0).toReversed()) await end();
  };
  try {
    return { ...(await startParts(leg, settings, (end) => started.push(end))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startParts(
  leg: Leg,
  settings: Settings | MakeSettings,
  onStarted: (end: () => unknown) => void,
): Promise<Omit<Installation, 'close'>> {
  const [dataDir, ports] = [await makeMigratedDataDirectory('foyer-area'), await choosePorts()];
  onStarted(() => rmSync(dataDir, { recursive: true, force: true }));
  const gatewayUrl = `http://localhost:${ports.PORT}`;
  const appUrl = `http://localhost:${ports.EMBEDDED_DEMO_APP_PORT}`;
  const registrationUrl = `http://localhost:${ports.EMBEDDED_REGISTRATION_PORT}`;
  const upstream = await leg.start({ urls: toServedUrls(gatewayUrl) });
  onStarted(() => upstream.close());
  const mailbox = await startMailbox({
    host: 'localhost',
    smtpPort: ports.EMBEDDED_SMTP_PORT,
    webPort: ports.EMBEDDED_MAILBOX_PORT,
  });
  onStarted(() => mailbox.close());
  const common: Settings = {
    HYDRA_ADMIN_URL: upstream.adminUrl,
    HYDRA_PUBLIC_URL: upstream.publicUrl,
    SMTP_URL: mailbox.smtpUrl,
    OPERATOR_TOKEN,
    REG_HINT_NAMES: 'invitation',
    REGISTRATION_URL: registrationUrl,
    REGISTRATION_JWKS_URL: `${registrationUrl}/jwks`,
    CONSOLE_URL: `http://localhost:${ports.OPERATOR_PORT}`,
    ...(typeof settings === 'function' ? await settings(gatewayUrl) : settings),
  };
  let foyer = await StartedFoyer.start(dataDir, ports, common);
  onStarted(() => foyer.stop());
  const restart = async (more: Settings): Promise<void> => {
    await foyer.stop();
    foyer = await StartedFoyer.start(dataDir, ports, { ...common, ...more });
  };
  await registerDemoClient(upstream.adminUrl, { ...CLIENT, baseUrl: appUrl });
  const app = await startDemoApp({
    host: 'localhost',
    port: ports.EMBEDDED_DEMO_APP_PORT,
    issuer: upstream.publicUrl,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    televisionClientId: TELEVISION_CLIENT_ID,
    baseUrl: appUrl,
    gatewayUrl,
  });
  onStarted(() => app.close());
  const registration = await startRegistration({
    host: 'localhost',
    port: ports.EMBEDDED_REGISTRATION_PORT,
    gatewayUrl,
    issuer: registrationUrl,
  });
  onStarted(() => registration.close());
  const newPerson: Installation['newPerson'] = (more) =>
    createPerson(`http://localhost:${ports.OPERATOR_PORT}`, OPERATOR_TOKEN, more);
  return {
    appUrl,
    gatewayUrl,
    issuer: upstream.publicUrl,
    adminUrl: upstream.adminUrl,
    mailboxUrl: mailbox.url,
    operatorUrl: `http://localhost:${ports.OPERATOR_PORT}`,
    person: await newPerson(),
    newPerson,
    restart,
  };
}

/** @param password as shown on the terminal */
export function demoPerson(password: string): Person {
  return { username: MARIA.username, email: MARIA.email, password };
}

/** Creates a name that is unique, even if the stories have already run here. */
export function drawPerson(): Person {
  const username = `maria.${randomBytes(4).toString('hex')}`;
  return { username, email: `${username}@example.org`, password: randomBytes(12).toString('hex') };
}

/** Creates a person through the operator API. @param more further fields of an imported account */
export async function createPerson(
  operatorUrl: string,
  operatorToken: string,
  more: Partial<ImportedPerson> = {},
): Promise<Person> {
  const person = drawPerson();
  await new OperatorApi({ operatorUrl, operatorToken }).createAccount({ ...person, display_name: MARIA.displayName, ...more });
  return person;
}
