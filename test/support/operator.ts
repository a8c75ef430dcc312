/**
 * The operator API for one test file, on a free port of the loopback address, over real services. With `database` given it
 * is one more replica of that installation.
 */
import { request } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { accountServices } from '../../src/accounts/account-services.js';
import { AccountExports } from '../../src/accounts/transfer/exports.js';
import { AccountImports } from '../../src/accounts/transfer/imports.js';
import { AccountSessions } from '../../src/accounts/sessions/account-sessions.js';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { Attempts } from '../../src/accounts/limits/attempts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { CredentialFreeze } from '../../src/accounts/account/credential-freeze.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { FactorResets } from '../../src/accounts/secrets/factor-resets.js';
import { Factors } from '../../src/accounts/factors/factors.js';
import { PasswordHasher } from '../../src/accounts/password/hasher.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { PasswordSignIn } from '../../src/accounts/password/sign-in.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { RevocationJobs } from '../../src/accounts/queue/revocation-jobs.js';
import type { Config } from '../../src/config/config.js';
import { Keys, randomToken } from '../../src/config/keys.js';
import type { Database } from '../../src/database/database.js';
import { faultOf } from '../../src/fault-of.js';
import { FakeHydra } from '../../src/hydra/fake-hydra.js';
import { Revocations } from '../../src/hydra/revocations.js';
import { createOperator } from '../../src/operator/api/create-operator.js';
import type { OperatorFoundation } from '../../src/operator/api/operator.module.js';
import { FakeIdentityProviders } from '../../src/providers/fake-identity-providers.js';
import { openTestDatabase } from './databases.js';
import { TestClock } from './test-clock.js';
import { testConfig } from './test-config.js';

export interface TestOperator {
  url: string;
  token: string;
  clock: TestClock;
  database: Database;
  hydra: FakeHydra;
  services: Services;
  logLines: Record<string, unknown>[];
  /** With the token, unless told otherwise. A body that is no text becomes JSON. */
  call(method: string, path: string, body?: unknown, headers?: OutgoingHttpHeaders): Promise<OperatorAnswer>;
  close(): Promise<void>;
}

export interface OperatorAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Throws when the answer is no JSON in UTF-8. */
  json: Record<string, unknown>;
}

export interface TestOperatorOptions {
  config?: (config: Config) => Partial<Config>;
  database?: Database;
  /** Changes what the API stands on. */
  foundation?: (foundation: OperatorFoundation) => Partial<OperatorFoundation>;
}

interface Services {
  accounts: Accounts;
  imports: AccountImports;
  exports: AccountExports;
  livingSessions: AccountSessions;
  hasher: PasswordHasher;
  attempts: Attempts;
  audit: AuditLog;
  sessions: BrowserSessions;
  factors: Factors;
  passwordResets: PasswordResets;
  factorResets: FactorResets;
  freeze: CredentialFreeze;
  identities: ExternalIdentities;
  setPassword: SetPassword;
  revocations: RevocationJobs;
  signIn: PasswordSignIn;
}

export async function startTestOperator(options: TestOperatorOptions = {}): Promise<TestOperator> {
  const token = randomToken();
  const own = testConfig(options.config);
  const config = { ...own, operator: { ...own.operator, token } };
  const clock = new TestClock();
  const database = options.database ?? (await openTestDatabase('pglite', clock));
  const services = servicesOf(accountServices({ config, clock, database, keys: new Keys(config.secrets) }));
  const hydra = new FakeHydra(config.hydra.publicUrl);
  const logLines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void logLines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const probes = [
    {
      name: 'database',
      isReady: () =>
        database.ping().then(
          () => true,
          () => false,
        ),
    },
    { name: 'upstream', isReady: () => hydra.isReady() },
  ];
  const identityProviders = new FakeIdentityProviders();
  const upstream = new Revocations({ queue: services.revocations, hydra, log });
  const foundation = { config, clock, log, upstream, identityProviders, probes, faultOf, ...services };
  const app = await createOperator({ ...foundation, ...options.foundation?.(foundation) });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    clock,
    database,
    hydra,
    services,
    logLines,
    call: (method, path, body, headers = {}) =>
      send({ method, port, path: `/operator/v1${path}`, body, headers: { authorization: `Bearer ${token}`, ...headers } }),
    close: async () => {
      await app.close();
      if (!options.database) await database.close();
    },
  };
}

function servicesOf(all: object[]): Services {
  const get = <Part>(type: abstract new (...args: never[]) => Part): Part => {
    const found = all.find((service) => service instanceof type);
    if (!found) throw new Error(`There is no ${type.name}.`);
    return found as Part;
  };
  return {
    accounts: get(Accounts),
    imports: get(AccountImports),
    exports: get(AccountExports),
    livingSessions: get(AccountSessions),
    hasher: get(PasswordHasher),
    attempts: get(Attempts),
    audit: get(AuditLog),
    sessions: get(BrowserSessions),
    factors: get(Factors),
    passwordResets: get(PasswordResets),
    factorResets: get(FactorResets),
    freeze: get(CredentialFreeze),
    identities: get(ExternalIdentities),
    setPassword: get(SetPassword),
    revocations: get(RevocationJobs),
    signIn: get(PasswordSignIn),
  };
}

interface Sent {
  method: string;
  port: number;
  path: string;
  body: unknown;
  headers: OutgoingHttpHeaders;
}

/** Over node:http: fetch would not send a foreign Host header, nor a body with DELETE as it stands. */
function send({ method, port, path, body, headers }: Sent): Promise<OperatorAnswer> {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = body === undefined ? undefined : isRaw ? Buffer.from(body as string) : Buffer.from(JSON.stringify(body));
  const about = bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {};
  const given = Object.fromEntries(Object.entries({ ...about, ...headers }).filter(([, value]) => value !== undefined));
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
