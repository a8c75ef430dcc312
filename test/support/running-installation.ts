/**
 * An installation that is not started in this process: docker-compose.yml (`FOYER_E2E=compose`), or a running one at
 * the addresses in `FOYER_E2E_APP_URL` and the variables below.
 */
import { hasCapability } from '../../src/hydra/versions.js';
import { ComposeProject } from './compose-project.js';
import { createPerson, demoPerson, inventPerson, type Installation } from './installation.js';
import type { MissingLeg } from './upstream-leg.js';

export interface RunningLeg {
  name: string;
  start(): Promise<Installation>;
  /** Whether the people of the demo are unchanged, because their stories change them. */
  hasDemoPeople: boolean;
  /** Whether its Hydra supports device authorization. */
  hasDevices: boolean;
  /** Present if there are two gateways that can be stopped one at a time. */
  gateways?: readonly Gateway[];
}

export interface Gateway {
  name: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const ADDRESSES = ['FOYER_E2E_APP_URL', 'FOYER_E2E_URL', 'FOYER_E2E_MAILBOX_URL', 'FOYER_E2E_OPERATOR_URL'] as const;

export async function findRunningLeg(env: Environment): Promise<RunningLeg | MissingLeg> {
  if (env['FOYER_E2E'] === 'compose') return composeLeg(env);
  return env['FOYER_E2E_APP_URL'] ? findGivenLeg(env) : { name: 'docker-compose.yml', missing: 'npm run e2e:compose starts it' };
}

async function composeLeg(env: Environment): Promise<RunningLeg | MissingLeg> {
  const name = 'docker-compose.yml';
  const project = await ComposeProject.prepare(env);
  const missing = await project.whyNot();
  if (missing !== null) return { name, missing };
  const toGateway = (service: string): Gateway => ({
    name: service,
    stop: () => project.stop(service),
    start: () => project.start(service),
  });
  return {
    name,
    start: () => startComposed(project),
    hasDemoPeople: true,
    hasDevices: hasCapability(env['HYDRA_IMAGE']?.split(':').at(-1) ?? '', 'deviceFlow'),
    gateways: ['foyer', 'foyer-second'].map(toGateway),
  };
}

async function startComposed(project: ComposeProject): Promise<Installation> {
  const said = await project.up();
  const password = /^Password +(\S+)$/m.exec(said)?.[1];
  if (password === undefined) throw new Error(`The last job shows no password:\n${said}`);
  const toUrl = (setting: keyof ComposeProject['ports']): string => `http://localhost:${project.ports[setting]}`;
  return {
    appUrl: toUrl('DEMO_PORT'),
    gatewayUrl: toUrl('FOYER_PORT'),
    issuer: toUrl('HYDRA_PORT'),
    mailboxUrl: toUrl('MAILBOX_PORT'),
    person: demoPerson(password),
    newPerson: async () => {
      const person = inventPerson();
      const named = ['--username', person.username, '--name', 'Maria Musterfrau', '--email', person.email];
      await project.exec('foyer', ['foyer', 'account', 'create', ...named, '--password-stdin'], person.password);
      return person;
    },
    close: () => project.down(),
  };
}

/** @throws if addresses are given and no server answers, because that is a fault and not a reason to skip */
async function findGivenLeg(env: Environment): Promise<RunningLeg | MissingLeg> {
  const name = 'the installation that runs';
  const needed = [...ADDRESSES, 'FOYER_E2E_OPERATOR_TOKEN'];
  const wanting = needed.filter((one) => !env[one]);
  if (wanting.length > 0) return { name, missing: `${wanting.join(', ')} ${wanting.length > 1 ? 'are' : 'is'} not set` };
  const [appUrl = '', gatewayUrl = '', mailboxUrl = '', operatorUrl = ''] = ADDRESSES.map((one) => env[one]?.replace(/\/$/, ''));
  const password = env['FOYER_E2E_PASSWORD'] ?? '';
  const newPerson: Installation['newPerson'] = () => createPerson(operatorUrl, env['FOYER_E2E_OPERATOR_TOKEN'] ?? '');
  const issuer = await findIssuer(appUrl);
  const person = password === '' ? await newPerson() : demoPerson(password);
  const close = (): Promise<void> => Promise.resolve();
  const installation: Installation = { appUrl, gatewayUrl, issuer, mailboxUrl, person, newPerson, close };
  return {
    name: `${name} at ${appUrl}`,
    start: () => Promise.resolve(installation),
    hasDemoPeople: password !== '',
    hasDevices: await offersDevices(issuer),
  };
}

async function offersDevices(issuer: string): Promise<boolean> {
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  return 'device_authorization_endpoint' in (metadata as object);
}

/** The issuer to which the app redirects a person. */
async function findIssuer(appUrl: string): Promise<string> {
  const { headers } = await fetch(`${appUrl}/sign-in`, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').origin;
}
