/**
 * Starts and stops one gateway: database, pages, the two listeners, the workers. `main.ts` starts it as a process, the embedded launcher
 * starts it with or without an imitation of Hydra, and tests start it directly.
 */
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { useStoredCounterKey } from './accounts/limits/counter-key.js';
import { AppModule, FoundationModule, WorkersModule, type Foundation } from './app.module.js';
import type { Config } from './config/config.js';
import { environment } from './config/environment.js';
import { SystemClock, type Clock } from './config/clock.js';
import { Keys } from './config/keys.js';
import { openDatabase } from './database/open-database.js';
import { Assets } from './gateway/page/assets.js';
import { Lifecycle } from './gateway/http/lifecycle.js';
import { ListenerAdapter } from './gateway/http/listener.adapter.js';
import { createLog } from './gateway/http/log.js';
import { MountGateway } from './gateway/mount-gateway.js';
import type { CreateRenderer } from './gateway/page/page-renderer.js';
import { PhraseFiles } from './gateway/page/phrase-files.js';
import { createClientLooks } from './hydra/client-looks.js';
import { OryHydraAdapter } from './hydra/ory-hydra.adapter.js';
import { createOperator } from './operator/api/create-operator.js';
import { ConsoleFiles } from './operator/console/console-files.js';
import { StartCheck } from './operator/doctor/start-check.js';
import { ConfiguredIdentityProviders } from './providers/configured-identity-providers.adapter.js';
import { releaseStartMemory } from './release-start-memory.js';
import { createUserSources } from './sources/create-user-sources.js';
import { startTelemetry } from './telemetry/start-telemetry.js';
import { TELEMETRY_OFF, type Telemetry } from './telemetry/telemetry.js';

/** The built pages, next to the built server. */
const WEB_FOLDER = new URL('../web', import.meta.url);
/** The built console, next to the built server. */
const CONSOLE_FOLDER = new URL('../console', import.meta.url);
const SSR_MODULE = new URL('../ssr/server.js', import.meta.url);

const QUIET = { logger: false, abortOnError: false } as const;

export interface RunningFoyer {
  /** Address of the gateway's listener. */
  url: string;
  /** Address of the operator API's listener. */
  operatorUrl: string;
  app: INestApplicationContext;
  /**
   * Reports "not ready", waits for the proxies to notice, finishes the running requests, and closes. A second call returns the same
   * promise.
   */
  close(): Promise<void>;
}

/**
 * @param clock tests pass a clock that they can set
 * @throws ConfigError, DatabaseUnavailable, PoolerUnsuitable, DatabaseNotReleased, DataDirectoryInUse, DataDirectoryUnusable, or an error
 *   of a listener
 */
export async function startFoyer(config: Config, clock: Clock = new SystemClock()): Promise<RunningFoyer> {
  const { log, telemetry } = await createObservers(config);
  const database = await openDatabase({
    database: config.database,
    clock,
    telemetry,
    onEvent: ({ kind, message }) => log[kind === 'migrated' || kind === 'pooled' ? 'info' : 'warn']({ kind }, message),
  });
  try {
    const keys = new Keys(config.secrets);
    if (!(await useStoredCounterKey(keys, database))) {
      log.error(
        'no secret in SECRETS_SYSTEM decrypts the key of the attempt counters, so failed attempts are counted from zero again',
      );
    }
    const { createRenderer } = (await import(SSR_MODULE.href)) as { createRenderer: CreateRenderer };
    const { offered } = config.language;
    const renderer = createRenderer(offered.all());
    const foundation: Foundation = {
      config,
      clock,
      database,
      log,
      environment: environment(),
      keys,
      telemetry,
      hydra: new OryHydraAdapter(config.hydra, telemetry, createClientLooks(config.app, log)),
      identityProviders: createIdentityProviders(config, clock, { log, telemetry }),
      sources: createUserSources(config.sources, { clock, log, keys, publicUrl: config.publicUrl, telemetry }),
      renderer,
      assets: await Assets.load(fileURLToPath(WEB_FOLDER), config.app, new PhraseFiles(offered.locales, renderer)),
    };
    return await listen(foundation);
  } catch (error) {
    await Promise.all([database.close(), telemetry.stop()]);
    throw error;
  }
}

interface Observers {
  log: Logger;
  telemetry: Telemetry;
}

/** Creates the log and the telemetry together, because each uses the other. */
async function createObservers({ log: { level }, telemetry: settings }: Config): Promise<Observers> {
  const telemetry = await startTelemetry(settings, ({ signal, isAccepting, reason }) => {
    if (isAccepting) log.info({ signal }, 'the receiver accepts telemetry again');
    else log.warn({ signal, reason }, 'the receiver does not accept telemetry: data that cannot be exported is dropped');
  });
  const log: Logger = createLog(level, {
    extraMembers: telemetry.isOn ? () => telemetry.getTraceIds() : undefined,
    onDropped: (lines) => telemetry.count('foyer.log.dropped', {}, lines),
  });
  telemetry.count('foyer.log.dropped', {}, 0);
  return { log, telemetry };
}

function createIdentityProviders(
  { providers }: Config,
  clock: Clock,
  { log, telemetry }: Observers,
): ConfiguredIdentityProviders {
  return new ConfiguredIdentityProviders({
    providers,
    clock,
    telemetry,
    onFailure: ({ provider, kind, message }) => log.warn({ provider, kind, reason: message }, 'sign-in at a provider failed'),
  });
}

async function listen(foundation: Foundation): Promise<RunningFoyer> {
  const { config, log, telemetry = TELEMETRY_OFF } = foundation;
  const app = await createGateway(foundation);
  const consoleFiles = config.console ? await ConsoleFiles.load(fileURLToPath(CONSOLE_FOLDER)) : null;
  const operator = await createOperator({
    gateway: app,
    foundation: FoundationModule.register(foundation),
    config,
    consoleFiles,
  });
  releaseStartMemory();
  // The gateway listens last: when it reports that it is ready, the operator API answers too.
  await operator.listen(config.operator.port, config.operator.host);
  try {
    await app.listen(config.port, config.host);
  } catch (error) {
    await operator.close();
    throw error;
  }
  const workers = await createWorkers(foundation, app, [app, operator]);
  const [url, operatorUrl] = await Promise.all([app.getUrl(), operator.getUrl()]);
  log.info({ url, operatorUrl, publicUrl: config.publicUrl }, 'gateway listens');
  const check = new StartCheck({ config, sources: foundation.sources, log, telemetry });
  // The embedded parts start after the gateway, so the check would not find them yet.
  if (!config.embedded) void check.run();
  let shutdown: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    app.get(Lifecycle).drain();
    check.stop();
    await new Promise((resolve) => setTimeout(resolve, config.http.drainMs));
    await workers.close();
    await telemetry.stop();
    await Promise.all([foundation.sources.close(), foundation.database.close()]);
    await flush(log);
  };
  return { url, operatorUrl, app, close: () => (shutdown ??= close()) };
}

/** Creates the gateway without listening. Tests use it too. */
export async function createGateway(foundation: Foundation): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.register(foundation),
    new ListenerAdapter(foundation.config.http),
    { bodyParser: false, ...QUIET },
  );
  app.get(MountGateway).applyTo(app);
  await app.init();
  return app;
}

/**
 * Starts the background workers.
 * @param listeners closed with the workers: after their timers stop, before their running work is awaited; also closed if the workers
 *   cannot start
 */
export async function createWorkers(
  foundation: Foundation,
  gateway: INestApplicationContext,
  listeners: readonly INestApplication<Server>[] = [],
): Promise<INestApplicationContext> {
  try {
    return await NestFactory.createApplicationContext(WorkersModule.register(foundation, gateway, listeners), QUIET);
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()));
    throw error;
  }
}

function flush(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}
