/**
 * Starts everything that one command serves, in one process: the gateway first, because it locks the data directory, then
 * what stands beside it. A start that fails half way stops what had started. Knows the order, not the parts.
 */
import { join } from 'node:path';
import type { Config } from '../../src/config/config.js';
import { Keys } from '../../src/config/keys.js';
import { PATHS } from '../../src/contract/paths.js';
import type { RunningFoyer } from '../../src/start-foyer.js';
import type { Addresses } from './banner.js';
import type { Parts } from './parts.js';

const DEMO_CLIENT_ID = 'beispielportal';

export type LaunchedAddresses = Omit<Addresses, 'seconds'>;

interface Closable {
  close(): Promise<void>;
}

export class Launch {
  readonly #beside: Closable[] = [];
  #gateway: RunningFoyer | undefined;

  constructor(
    private readonly config: Config,
    private readonly parts: Parts,
  ) {}

  /** @throws what the failing part threw, after the others were stopped */
  async start(): Promise<LaunchedAddresses> {
    try {
      this.#gateway = await this.parts.startFoyer(this.config);
      const { publicUrl, operator, database } = this.config;
      const common = { gateway: publicUrl, operator: `http://${operator.host}:${operator.port}`, dataDir: database.dataDir };
      if (!this.config.embedded) return { ...common, upstream: this.config.hydra.publicUrl };
      return { ...common, embedded: await this.#startBeside(this.#gateway) };
    } catch (error) {
      await this.stop().catch(() => undefined);
      throw error;
    }
  }

  /** The gateway answers what it has begun while its upstream still stands; then the rest. */
  async stop(): Promise<void> {
    const gateway = this.#gateway;
    this.#gateway = undefined;
    try {
      await gateway?.close();
    } finally {
      await Promise.all(this.#beside.splice(0).map((part) => part.close()));
    }
  }

  async #startBeside({ app }: RunningFoyer): Promise<NonNullable<Addresses['embedded']>> {
    const { config, parts } = this;
    const keys = new Keys(config.secrets);
    const client = {
      id: DEMO_CLIENT_ID,
      secret: keys.mac('demo-account', 'client-secret'),
      baseUrl: `http://localhost:${config.embeddedPorts.demoApp}`,
    };
    const [upstream, mailbox, demoApp, account] = await settledAll([
      this.#keep(parts.startUpstream(upstreamSettings(config, keys))),
      this.#keep(
        parts.startMailbox({
          host: 'localhost',
          smtpPort: config.embeddedPorts.smtp,
          webPort: config.embeddedPorts.mailbox,
        }),
      ),
      this.#keep(
        parts.startDemoApp({
          host: 'localhost',
          port: config.embeddedPorts.demoApp,
          issuer: config.hydra.publicUrl,
          clientId: client.id,
          clientSecret: client.secret,
          baseUrl: client.baseUrl,
          gatewayUrl: config.publicUrl,
        }),
      ),
      parts.ensureDemoAccount(app, keys),
    ]);
    await parts.registerDemoClient(upstream.adminUrl, client);
    return {
      demoApp: demoApp.url,
      mailbox: mailbox.url,
      smtp: mailbox.smtpUrl,
      upstream: upstream.publicUrl,
      admin: upstream.adminUrl,
      account,
    };
  }

  async #keep<Part extends Closable>(starting: Promise<Part>): Promise<Part> {
    const part = await starting;
    this.#beside.push(part);
    return part;
  }
}

function upstreamSettings(config: Config, keys: Keys): Parameters<Parts['startUpstream']>[0] {
  const at = (path: string): string => `${config.publicUrl}${path}`;
  return {
    host: 'localhost',
    publicPort: config.embeddedPorts.upstreamPublic,
    adminPort: config.embeddedPorts.upstreamAdmin,
    urls: {
      login: at(PATHS.login),
      consent: at(PATHS.consent),
      logout: at(PATHS.logout),
      error: at(PATHS.error),
      registration: at(PATHS.register),
      postLogoutRedirect: at(PATHS.logoutCallback),
    },
    dataDir: join(config.database.dataDir, 'upstream'),
    secret: keys.derive('upstream').toString('base64url'),
  };
}

/** Like `Promise.all`, but waits for every part even when one fails: only then is it known what has to be stopped. */
async function settledAll<Work extends readonly Promise<unknown>[]>(
  work: readonly [...Work],
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
