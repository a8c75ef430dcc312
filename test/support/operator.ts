/**
 * The operator API for one test file, on a free port of the loopback address, with real services. With `database` it
 * is a further replica of that installation.
 */
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { Type } from '@nestjs/common';
import { AccountsModule } from '../../src/accounts/accounts.module.js';
import { OperatorApprovals } from '../../src/accounts/operators/operator-approvals.js';
import { OperatorGrants } from '../../src/accounts/operators/operator-grants.js';
import { SupportChecks } from '../../src/accounts/operators/support-checks.js';
import { OperatorSessions } from '../../src/accounts/operators/operator-sessions.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { AccountExports } from '../../src/accounts/transfer/exports.js';
import { AccountImports } from '../../src/accounts/transfer/imports.js';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { SourceAccounts } from '../../src/accounts/identities/source-accounts.js';
import { SourceNames } from '../../src/accounts/identities/source-names.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import { PasswordAttempts } from '../../src/accounts/password/password-attempts.js';
import { FoundationModule, QueuesModule, type Foundation } from '../../src/app.module.js';
import type { Config } from '../../src/config/config.js';
import { randomToken } from '../../src/config/keys.js';
import type { Database } from '../../src/database/database.js';
import { ReadinessModule } from '../../src/gateway/readiness.module.js';
import { FakeHydra } from '../../src/hydra/fake-hydra.js';
import { HydraModule } from '../../src/hydra/hydra.module.js';
import { FactorsModule } from '../../src/mfa/factors.module.js';
import { createOperator } from '../../src/operator/api/create-operator.js';
import { JobWorker } from '../../src/operator/api/job-worker.js';
import { openTestDatabase } from './databases.js';
import { openModules, testFoundation } from './modules.js';
import { TestClock } from './test-clock.js';
import { testConfig } from './test-config.js';

export interface TestOperator {
  url: string;
  token: string;
  config: Config;
  clock: TestClock;
  database: Database;
  hydra: FakeHydra;
  services: Services;
  /** Runs the jobs on many accounts that are due. */
  runJobs(): Promise<void>;
  logLines: Record<string, unknown>[];
  /** Calls the API, with the token by default. A body that is not a string is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: OutgoingHttpHeaders): Promise<OperatorAnswer>;
  close(): Promise<void>;
}

export interface OperatorAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Throws if the answer is not JSON in UTF-8. */
  json: Record<string, unknown>;
}

export interface TestOperatorOptions {
  config?: (config: Config) => Partial<Config>;
  database?: Database;
  /** Changes the values with which the API is created. */
  foundation?: (foundation: Foundation) => Partial<Foundation>;
  /** Replaces providers that the API uses. */
  instead?: Replacement | readonly Replacement[];
  /** Receives each request before the API. */
  onRequest?: (request: IncomingMessage) => void;
}

interface Replacement {
  part: Type<object>;
  build: (real: never) => object;
}

interface Services {
  approvals: OperatorApprovals;
  supportChecks: SupportChecks;
  grants: OperatorGrants;
  operatorSessions: OperatorSessions;
  audit: AuditLog;
  accounts: Accounts;
  imports: AccountImports;
  exports: AccountExports;
  sessions: BrowserSessions;
  identities: ExternalIdentities;
  signIn: PasswordAttempts;
  sourceAccounts: SourceAccounts;
  sourceNames: SourceNames;
  mails: OutboxClaims;
  passwords: SetPassword;
  secrets: OneTimeSecrets;
}

export async function startTestOperator(options: TestOperatorOptions = {}): Promise<TestOperator> {
  const token = randomToken();
  const own = testConfig(options.config);
  const config = { ...own, operator: { ...own.operator, token } };
  const clock = new TestClock();
  const database = options.database ?? (await openTestDatabase('either', clock));
  const hydra = new FakeHydra(config.hydra.publicUrl);
  const logLines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void logLines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const plain = testFoundation({ config, clock, database, hydra, log });
  const foundation = { ...plain, ...options.foundation?.(plain) };
  const modules = await openModules(foundation, [AccountsModule, FactorsModule, HydraModule, QueuesModule, ReadinessModule]);
  const replacements = [options.instead ?? []].flat();
  const get = <Part>(type: Type<Part>): Part => modules.get(type, { strict: false });
  const gateway = {
    get: (type: Type<object>) => replacements.find(({ part }) => part === type)?.build(get(type) as never) ?? get(type),
  };
  const app = await createOperator({
    gateway: gateway as typeof modules,
    foundation: FoundationModule.register(foundation),
    config: foundation.config,
    consoleFiles: null,
  });
  if (options.onRequest) app.getHttpServer().prependListener('request', options.onRequest);
  const jobs = app.get(JobWorker);
  // Tests run the jobs themselves.
  jobs.pause();
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    config,
    clock,
    database,
    hydra,
    services: {
      approvals: get(OperatorApprovals),
      supportChecks: get(SupportChecks),
      grants: get(OperatorGrants),
      operatorSessions: get(OperatorSessions),
      audit: get(AuditLog),
      accounts: get(Accounts),
      imports: get(AccountImports),
      exports: get(AccountExports),
      sessions: get(BrowserSessions),
      identities: get(ExternalIdentities),
      signIn: get(PasswordAttempts),
      sourceAccounts: get(SourceAccounts),
      sourceNames: get(SourceNames),
      mails: get(OutboxClaims),
      passwords: get(SetPassword),
      secrets: get(OneTimeSecrets),
    },
    logLines,
    runJobs: () => jobs.wake(),
    call: (method, path, body, headers = {}) =>
      send({ method, port, path: `/operator/v1${path}`, body, headers: { authorization: `Bearer ${token}`, ...headers } }),
    close: async () => {
      await app.close();
      if (!options.database) await database.close();
    },
  };
}

interface OperatorRequest {
  method: string;
  port: number;
  path: string;
  body: unknown;
  headers: OutgoingHttpHeaders;
}

/** Uses node:http, because fetch sends neither a foreign Host header nor an unchanged body with DELETE. */
export function send({ method, port, path, body, headers }: OperatorRequest): Promise<OperatorAnswer> {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = body === undefined ? undefined : isRaw ? Buffer.from(body as string) : Buffer.from(JSON.stringify(body));
  const bodyHeaders = bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {};
  const given = Object.fromEntries(Object.entries({ ...bodyHeaders, ...headers }).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers: given, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          get json() {
            if (response.headers['content-type'] !== 'application/json; charset=utf-8') throw new Error(`No JSON: ${text}`);
            return JSON.parse(text) as Record<string, unknown>;
          },
        });
      });
      response.once('error', reject);
    });
    call.once('error', reject);
    call.end(bytes);
  });
}
