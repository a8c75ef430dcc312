/**
 * The whole gateway for one test file: a real Nest application on a free port, a real database, a fake upstream, and
 * pages rendered from source. Tests send HTTP requests with `TestBrowser`.
 */
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { pino } from 'pino';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import type { Foundation } from '../../src/app.module.js';
import { findUndescribedMembers } from '../../src/accounts/audit/catalogue.js';
import type { AuditKind } from '../../src/accounts/audit/kinds.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import type { Config } from '../../src/config/config.js';
import { Keys } from '../../src/config/keys.js';
import type { Database } from '../../src/database/database.js';
import { openDatabase } from '../../src/database/open-database.js';
import { DatabaseReadiness } from '../../src/database/readiness.js';
import { Readiness } from '../../src/gateway/http/health.controller.js';
import { Assets } from '../../src/gateway/page/assets.js';
import type { CreateRenderer } from '../../src/gateway/page/page-renderer.js';
import type { HydraPort } from '../../src/hydra/hydra.port.js';
import { FakeHydra } from '../../src/hydra/fake-hydra.js';
import type { IdentityProviders } from '../../src/providers/identity-providers.port.js';
import { ConfiguredIdentityProviders } from '../../src/providers/configured-identity-providers.adapter.js';
import { RegistrationService } from '../../src/providers/registration/registration-service.js';
import { createUserSources } from '../../src/sources/create-user-sources.js';
import { UserSources } from '../../src/sources/user-sources.js';
import type { UserSource } from '../../src/sources/user-source.port.js';
import { createGateway } from '../../src/start-foyer.js';
import type { Telemetry } from '../../src/telemetry/telemetry.js';
import { openBeside, openTestDatabase, type DatabaseKind } from './databases.js';
import { TestBrowser } from './test-browser.js';
import { TestClock } from './test-clock.js';
import { testConfig } from './test-config.js';

export const PASSWORD = 'kupfer linde 4821';
const POOL_SIZE = 4;
/** A database of a test is ready, however busy the machine is. */
const TIMEOUT_MS = 180_000;

export interface TestGateway {
  url: string;
  config: Config;
  clock: TestClock;
  database: Database;
  hydra: FakeHydra;
  logLines: Record<string, unknown>[];
  /** A provider of the application by its class. */
  get<Part>(type: abstract new (...args: never[]) => Part): Part;
  browser(headers?: Record<string, string>): TestBrowser;
  /** Creates an account with `PASSWORD`. */
  account(username: string, more?: Partial<Parameters<Accounts['create']>[0]>): Promise<Account>;
  close(): Promise<void>;
}

/** A gateway in this process. */
export interface InProcessGateway extends TestGateway {
  /** The values with which the application was created. */
  foundation: Foundation;
  /** Like `close`, but the database stays open. */
  end(): Promise<void>;
}

export interface TestGatewayOptions {
  config?: (config: Config) => Partial<Config>;
  /** `either` by default. */
  kind?: DatabaseKind;
  /** The address of a database on a server instead of a new one; used with the time limits of the product. */
  databaseUrl?: string;
  /** A database on a server instead of a new one, used over separate connections as by another gateway. */
  beside?: Database;
  hydra?: HydraPort;
  identityProviders?: IdentityProviders;
  /** The user sources, instead of those of the configuration. */
  sources?: readonly UserSource[];
  /** Listening port; default: a free one. */
  port?: number;
  /** An earlier gateway, which is ended; the new one takes over its database and clock. */
  earlier?: InProcessGateway;
  telemetry?: Telemetry;
}

/** A variable and not a literal, because another TypeScript project compiles the pages. */
const PAGES = ['..', '..', 'web', 'server.js'].join('/');

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<InProcessGateway> {
  const config = testConfig(options.config);
  await options.earlier?.end();
  const clock = options.earlier?.clock ?? new TestClock();
  const database = options.earlier?.database ?? (await toDatabase(options, clock));
  const hydra = new FakeHydra(config.hydra.publicUrl);
  const logLines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'debug', mixin: () => options.telemetry?.getTraceIds() ?? {} },
    { write: (line: string) => void logLines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const keys = new Keys(config.secrets);
  const { createRenderer } = (await import(PAGES)) as { createRenderer: CreateRenderer };
  const { publicUrl } = config;
  const sources = options.sources
    ? new UserSources(options.sources, log)
    : createUserSources(config.sources, { clock, log, keys, publicUrl });
  const foundation: Foundation = {
    config,
    sources,
    clock,
    database,
    log,
    keys,
    hydra: options.hydra ?? hydra,
    identityProviders:
      options.identityProviders ??
      new ConfiguredIdentityProviders({ providers: config.providers, clock, onFailure: () => undefined }),
    renderer: createRenderer(config.language.offered.all()),
    assets: Assets.createEmpty(config.app),
    ...(options.telemetry ? { telemetry: options.telemetry } : {}),
  };
  const app = await createGateway(foundation);
  if (options.databaseUrl === undefined) app.get(DatabaseReadiness).timeoutMs = TIMEOUT_MS;
  app.get(Readiness).optionalProbeMs = TIMEOUT_MS;
  app.get(RegistrationService).keysTimeoutMs = TIMEOUT_MS;
  await app.listen(options.port ?? 0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const end = async (): Promise<void> => {
    try {
      await requireDescribedEvents(database);
    } finally {
      await app.close();
      await sources.close();
    }
  };
  return {
    url,
    config,
    clock,
    database,
    hydra,
    logLines,
    foundation,
    get: (type) => app.get(type),
    browser: (headers) => new TestBrowser(url, headers),
    account: async (username, more) => {
      const account = await app.get(Accounts).create({ username, displayName: username, ...more });
      const faults = await app.get(SetPassword).setPassword(account.id, PASSWORD);
      if (faults.length > 0) throw new Error(`The test's password is refused: ${faults.join()}`);
      return account;
    },
    end,
    close: async () => {
      try {
        await end();
      } finally {
        await database.close();
      }
    },
  };
}

/**
 * Compares what the tests of a file have recorded with the catalogue of events, which other systems rely on.
 * @throws if an event has a member that the catalogue does not have
 */
async function requireDescribedEvents(database: Database): Promise<void> {
  const query = sql<{ kind: AuditKind; members: string[] }>`
    select kind, array_agg(distinct name) as members from audit_event, jsonb_object_keys(detail) name group by kind`;
  // Some tests end with a database that does not answer.
  const { rows } = await query.execute(database.db).catch(() => ({ rows: [] }));
  const unknown = rows.flatMap(({ kind, members }) => findUndescribedMembers(kind, members).map((name) => `${kind}: ${name}`));
  if (unknown.length > 0) throw new Error(`src/accounts/audit/catalogue.ts lacks ${unknown.join(', ')}`);
}

function toDatabase(options: TestGatewayOptions, clock: TestClock): Promise<Database> {
  const { databaseUrl: url, beside, kind, telemetry } = options;
  if (beside) return openBeside(beside, clock);
  if (url === undefined) return openTestDatabase(kind ?? 'either', clock, telemetry);
  return openDatabase({ database: { url, poolSize: POOL_SIZE, dataDir: '' }, clock });
}
