/**
 * Starts and stops one gateway: database, upstream, pages, the two listeners, housekeeping and mail. `main.ts` calls it for
 * a process of its own, the embedded launcher beside its other parts, the tests for themselves.
 */
import { NestFactory } from '@nestjs/core';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { AuditLog } from './accounts/audit/audit-log.js';
import { AppModule, operatorFoundation } from './app.module.js';
import type { Foundation } from './app.module.js';
import type { Config } from './config/config.js';
import { SystemClock } from './config/clock.js';
import type { Clock } from './config/clock.js';
import { Keys } from './config/keys.js';
import { openDatabase } from './database/open-database.js';

import { Assets } from './gateway/page/assets.js';
import { Lifecycle } from './gateway/http/lifecycle.js';
import { ListenerAdapter } from './gateway/http/listener.adapter.js';
import { createLog } from './gateway/http/log.js';
import { mountGateway } from './gateway/mount-gateway.js';
import type { Observers } from './gateway/mount-gateway.js';
import type { PageRenderer } from './gateway/page/page-renderer.js';
import { OryHydraAdapter } from './hydra/ory-hydra.adapter.js';
import { startHousekeeping } from './housekeeping.js';
import { startMailDelivery } from './mail-delivery.js';
import { observeInstallation } from './observe-installation.js';
import { createOperator } from './operator/api/create-operator.js';
import { OidcIdentityProviders } from './providers/oidc-identity-providers.adapter.js';
import { startTelemetry } from './telemetry/start-telemetry.js';
import { TELEMETRY_OFF } from './telemetry/telemetry.js';
import { startRevocationWorker } from './revocation-worker.js';

/** Folders of the built pages, beside the built server. */
const WEB_FOLDER = new URL('../web', import.meta.url);
const SSR_MODULE = new URL('../ssr/server.js', import.meta.url);

export interface RunningFoyer {
  /** Address of the gateway's listener. */
  url: string;
  /** Address of the operator API's listener. */
  operatorUrl: string;
  app: INestApplicationContext;
  /** Says "not ready", waits for the proxies to notice, finishes what runs, closes. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * @param clock moved by whoever tests against it
 * @throws ConfigError, DatabaseUnavailable, DatabaseNotReleased, DataDirectoryInUse, DataDirectoryUnusable, or the listener's error
 */
export async function startFoyer(config: Config, clock: Clock = new SystemClock()): Promise<RunningFoyer> {
  const { log, telemetry } = await observers(config);
  const database = await openDatabase({
    database: config.database,
    clock,
    telemetry,
    onEvent: ({ kind, message }) => log[kind === 'migrated' ? 'info' : 'warn']({ kind }, message),
  });
  try {
    const foundation: Foundation = {
      config,
      clock,
      database,
      log,
      keys: new Keys(config.secrets),
      telemetry,
      hydra: new OryHydraAdapter(config.hydra, telemetry),
      identityProviders: identityProviders(config, clock, { log, telemetry }),
      renderer: (await import(SSR_MODULE.href)) as PageRenderer,
      assets: await Assets.load(fileURLToPath(WEB_FOLDER), config.app),
    };
    return await listen(foundation);
  } catch (error) {
    await Promise.all([database.close(), telemetry.stop()]);
    throw error;
  }
}

/** The log and what else is told of the inside; each knows the other. */
async function observers({ log: { level }, telemetry: settings }: Config): Promise<Observers> {
  const telemetry = await startTelemetry(settings, ({ signal, isTaken, reason }) => {
    if (isTaken) log.info({ signal }, 'the receiver takes telemetry again');
    else log.warn({ signal, reason }, 'the receiver takes no telemetry: what does not fit into the queue is dropped');
  });
  const log: Logger = createLog(level, telemetry.isOn ? () => telemetry.ids() : undefined);
  return { log, telemetry };
}

function identityProviders({ providers }: Config, clock: Clock, { log, telemetry }: Observers): OidcIdentityProviders {
  return new OidcIdentityProviders({
    providers,
    clock,
    telemetry,
    onFailure: ({ provider, kind, message }) => log.warn({ provider, kind, reason: message }, 'sign-in at a provider failed'),
  });
}

async function listen(foundation: Foundation): Promise<RunningFoyer> {
  const { config, log, telemetry = TELEMETRY_OFF } = foundation;
  const app = await createGateway(foundation);
  const operator = await createOperator(operatorFoundation(app, foundation));
  await app.listen(config.port, config.host);
  try {
    await operator.listen(config.operator.port, config.operator.host);
  } catch (error) {
    await app.close();
    throw error;
  }
  await noteStart(app, foundation);
  const housekeeping = startHousekeeping(app, log);
  const mailDelivery = startMailDelivery(app, config, { log, telemetry });
  const revocationJobs = startRevocationWorker(app, log);
  const [url, operatorUrl] = await Promise.all([app.getUrl(), operator.getUrl()]);
  log.info({ url, operatorUrl, publicUrl: config.publicUrl }, 'gateway listens');
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    app.get(Lifecycle).drain();
    await new Promise((resolve) => setTimeout(resolve, config.http.drainMs));
    housekeeping.stop();
    await Promise.all([closeListener(app), closeListener(operator)]);
    await Promise.all([mailDelivery.stop(), revocationJobs.stop()]);
    await telemetry.stop();
    await foundation.database.close();
    await flushed(log);
  };
  return { url, operatorUrl, app, close: () => (closing ??= close()) };
}

/** With which secret it seals, under a name that tells nothing of it: so that a rotation shows in the trail. */
async function noteStart(app: INestApplicationContext, { config, keys }: Foundation): Promise<void> {
  const secret = keys.mac('key-id', '').slice(0, 8);
  const detail = { mode: config.mode, secret, secrets: config.secrets.length };
  await app.get(AuditLog).record({ kind: 'system.started', actor: 'system', detail });
}

/** The application without a listener, for `listen` and for tests. */
export async function createGateway(foundation: Foundation): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(foundation),
    new ListenerAdapter(foundation.config.http),
    {
      bodyParser: false,
      logger: false,
      abortOnError: false,
    },
  );
  const { config, log, telemetry = TELEMETRY_OFF } = foundation;
  mountGateway(app, config, { log, telemetry });
  observeInstallation(telemetry, app);
  await app.init();
  return app;
}

/** Requests that run are finished; connections that only wait are cut, or a browser's keep-alive would hold the process. */
async function closeListener(app: INestApplication<Server>): Promise<void> {
  const server = app.getHttpServer();
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
  }
}

function flushed(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}
