/**
 * A built gateway as a process that tests kill, on a database and a fake Hydra that outlive it. Tests use it like a
 * `TestGateway`; its services run in the process of the test, on the same database.
 */
import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import type { Database } from '../../src/database/database.js';
import { openDatabase } from '../../src/database/open-database.js';
import { FakeHydra } from '../../src/hydra/fake-hydra.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { startFakeAdminApi, type FakeAdminApi } from './fake-admin-api.js';
import { PASSWORD, type TestGateway } from './gateway.js';
import { processEnvironment } from './process-environment.js';
import { Replica } from './replica.js';
import { openModules } from './modules.js';
import { TestBrowser } from './test-browser.js';
import { TestClock } from './test-clock.js';
import { testConfig } from './test-config.js';
import { FRESH, isServed, waitUntil } from './upstream-waiting.js';

/** Many processes may start at the same moment. */
const TIMEOUT_MS = 180_000;
const SECRET = randomBytes(32).toString('hex');
const OPERATOR_TOKEN = randomBytes(32).toString('hex');

export class ProcessGateway implements TestGateway {
  readonly config = testConfig(() => ({ secrets: [SECRET] }));
  readonly logLines: TestGateway['logLines'] = [];

  private constructor(
    readonly clock: TestClock,
    readonly database: Database,
    readonly hydra: FakeHydra,
    private readonly parts: { replica: Replica; api: FakeAdminApi; modules: INestApplicationContext },
  ) {}

  /** @param env further settings */
  static async start(databaseUrl: string, env: NodeJS.ProcessEnv = {}): Promise<ProcessGateway> {
    const clock = new TestClock();
    const settings = { url: databaseUrl, poolSize: 4, dataDir: '' };
    const database = await openDatabase({ database: settings, clock, acquireTimeoutMs: TIMEOUT_MS });
    const hydra = new FakeHydra();
    const api = await startFakeAdminApi(() => hydra);
    const [port = 0, operatorPort = 0] = await findFreePorts(2);
    const replica = new Replica(port, `http://localhost:${operatorPort}/operator/v1`, {
      ...processEnvironment(),
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      OPERATOR_PORT: String(operatorPort),
      OPERATOR_TOKEN,
      DATABASE_URL: databaseUrl,
      HYDRA_ADMIN_URL: api.settings.adminUrl,
      HYDRA_PUBLIC_URL: api.settings.publicUrl,
      HYDRA_TIMEOUT_MS: '60000',
      SECRETS_SYSTEM: SECRET,
      // Fast hashes, because these stories do not depend on them.
      HASH_MEMORY_KIB: '64',
      HASH_ITERATIONS: '1',
      LOG_LEVEL: 'warn',
      ...env,
    });
    const config = testConfig(() => ({ secrets: [SECRET] }));
    const modules = await openModules({ database, clock, config });
    const gateway = new ProcessGateway(clock, database, hydra, { replica, api, modules });
    await gateway.restart();
    return gateway;
  }

  get url(): string {
    return `http://localhost:${this.parts.replica.port}`;
  }

  get<Part>(type: abstract new (...args: never[]) => Part): Part {
    return this.parts.modules.get(type);
  }

  browser(headers?: Record<string, string>): TestBrowser {
    return new TestBrowser(this.url, headers);
  }

  async account(username: string, more?: Parameters<TestGateway['account']>[1]): ReturnType<TestGateway['account']> {
    const account = await this.get(Accounts).create({ username, displayName: username, ...more });
    await this.get(SetPassword).setPassword(account.id, PASSWORD);
    return account;
  }

  /** @returns the status of the answer of the operator API */
  async operator(method: string, path: string): Promise<number> {
    const headers = { ...FRESH, authorization: `Bearer ${OPERATOR_TOKEN}` };
    return (await fetch(this.parts.replica.operatorUrl + path, { method, headers })).status;
  }

  async kill(): Promise<void> {
    await this.parts.replica.end('SIGKILL');
  }

  /** @throws with the output of the gateway if it does not become ready */
  async restart(): Promise<void> {
    const { replica } = this.parts;
    replica.start();
    await waitUntil(TIMEOUT_MS, () => isServed(`${this.url}/health/ready`)).catch((error: unknown) => {
      throw new Error(`The gateway is not ready:\n${replica.log}`, { cause: error });
    });
  }

  async close(): Promise<void> {
    await this.kill();
    const { api, modules } = this.parts;
    await Promise.all([api.close(), modules.close()]);
    await this.database.close();
  }
}
