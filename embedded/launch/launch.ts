/**
 * Starts all parts of `npm start` in one process: the gateway first, because it locks the data directory, then the
 * other parts. If a part fails to start, the started parts are stopped. This file defines the order of the parts and their settings.
 */
import { join } from 'node:path';
import type { Config } from '../../src/config/config.js';
import { usesDemoSource } from '../../src/config/demo-source.js';
import { Keys } from '../../src/config/keys.js';
import { toListenerUrl } from '../../src/operator/doctor/gateway-probe.js';
import type { RunningFoyer } from '../../src/start-foyer.js';
import { buildGatewayUrls } from '../upstream/gateway-urls.js';
import type { Addresses } from './banner.js';
import { DEMO_CLIENT_ID, TELEVISION_CLIENT_ID, type DemoClient } from './demo-client.js';
import type { Parts } from './parts.js';
import { startsDemoProviders, setUpDemoProviders, toDemoProvidersUrl, type DemoProvidersSetUp } from './demo-providers.js';

type RegistrationSettings = Parameters<Parts['startRegistration']>[0];

export type LaunchedAddresses = Omit<Addresses, 'seconds'>;

interface Closable {
  close(): Promise<void>;
}

export class Launch {
  readonly #otherParts: Closable[] = [];
  #gateway: RunningFoyer | undefined;

  constructor(
    private readonly config: Config,
    private readonly parts: Parts,
  ) {}

  /** @throws the error of the failed part, after the others were stopped */
  async start(): Promise<LaunchedAddresses> {
    try {
      const keys = new Keys(this.config.secrets);
      const demoProviders = startsDemoProviders(this.config) ? setUpDemoProviders(this.config, keys) : null;
      this.#gateway = await this.parts.startFoyer(
        demoProviders ? { ...this.config, providers: demoProviders.providers } : this.config,
      );
      const { publicUrl, operator, database } = this.config;
      const commonAddresses = {
        gateway: publicUrl,
        operator: toListenerUrl(operator, operator.tls ? 'https' : 'http'),
        ...(database.url === undefined ? { dataDir: database.dataDir } : {}),
      };
      if (!this.config.embedded) return { ...commonAddresses, upstream: this.config.hydra.publicUrl };
      return { ...commonAddresses, embedded: await this.#startOtherParts(this.#gateway, keys, demoProviders) };
    } catch (error) {
      await this.stop().catch(() => undefined);
      throw error;
    }
  }

  /** Stops the gateway first, so that it finishes its requests while its upstream still runs; then the other parts. */
  async stop(): Promise<void> {
    const gateway = this.#gateway;
    this.#gateway = undefined;
    try {
      await gateway?.close();
    } finally {
      await Promise.all(this.#otherParts.splice(0).map((part) => part.close()));
    }
  }

  async #startOtherParts(
    { app }: RunningFoyer,
    keys: Keys,
    demoProviders: DemoProvidersSetUp | null,
  ): Promise<NonNullable<Addresses['embedded']>> {
    const { config, parts } = this;
    const { embeddedPorts: ports } = config;
    const client = {
      id: DEMO_CLIENT_ID,
      secret: keys.mac('demo-account', 'client-secret'),
      baseUrl: `http://localhost:${ports.demoApp}`,
    };
    const [upstream, mailbox, demoApp, providers, account, operator, registration, people] = await waitForAll([
      this.#keep(parts.startUpstream(toUpstreamSettings(config, keys))),
      this.#keep(parts.startMailbox({ host: 'localhost', smtpPort: ports.smtp, webPort: ports.mailbox })),
      this.#keep(this.#startDemoApp(client)),
      demoProviders ? this.#keep(this.#startProviders(demoProviders)) : Promise.resolve(undefined),
      parts.ensureDemoAccount(app, keys, demoProviders && toDemoProvidersUrl(config)),
      config.console ? parts.ensureDemoOperator(app, keys) : Promise.resolve(undefined),
      this.#keep(parts.startRegistration(toRegistrationSettings(config))),
      usesDemoSource(config) ? this.#keep(parts.startPeople(config, keys)) : Promise.resolve(undefined),
    ]);
    if (demoProviders) await parts.createDemoPeople(app, toDemoProvidersUrl(config));
    await parts.registerDemoClient(upstream.adminUrl, client);
    return {
      demoApp: demoApp.url,
      mailbox: mailbox.url,
      smtp: mailbox.smtpUrl,
      upstream: upstream.publicUrl,
      admin: upstream.adminUrl,
      ...(providers ? { providers: providers.url } : {}),
      registration: registration.url,
      ...(people ? { people } : {}),
      account,
      ...(config.console && operator ? { console: { url: `${config.console.url}/console/`, operator } } : {}),
    };
  }

  #startDemoApp({ id, secret, baseUrl }: DemoClient): ReturnType<Parts['startDemoApp']> {
    const { embeddedPorts, hydra, publicUrl } = this.config;
    return this.parts.startDemoApp({
      host: 'localhost',
      port: embeddedPorts.demoApp,
      issuer: hydra.publicUrl,
      clientId: id,
      clientSecret: secret,
      televisionClientId: TELEVISION_CLIENT_ID,
      baseUrl,
      gatewayUrl: publicUrl,
      mailboxUrl: `http://localhost:${embeddedPorts.mailbox}`,
    });
  }

  #startProviders({ clients }: DemoProvidersSetUp): ReturnType<Parts['startDemoProviders']> {
    return this.parts.startDemoProviders({ host: 'localhost', port: this.config.embeddedPorts.providers, clients });
  }

  async #keep<Part extends Closable>(start: Promise<Part>): Promise<Part> {
    const part = await start;
    this.#otherParts.push(part);
    return part;
  }
}

function toUpstreamSettings(config: Config, keys: Keys): Parameters<Parts['startUpstream']>[0] {
  return {
    host: 'localhost',
    publicPort: config.embeddedPorts.upstreamPublic,
    adminPort: config.embeddedPorts.upstreamAdmin,
    urls: buildGatewayUrls(config.publicUrl),
    dataDir: join(config.database.dataDir, 'upstream'),
    secret: keys.derive('upstream').toString('base64url'),
  };
}

function toRegistrationSettings({ publicUrl, embeddedPorts: { registration: port } }: Config): RegistrationSettings {
  return { host: 'localhost', port, gatewayUrl: publicUrl, issuer: `http://localhost:${port}` };
}

/** Like `Promise.all`, but waits for all parts even if one fails, because only then is it known which parts must be stopped. */
async function waitForAll<Work extends readonly Promise<unknown>[]>(
  work: readonly [...Work],
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
