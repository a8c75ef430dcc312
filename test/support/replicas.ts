/**
 * Two built gateways behind a proxy on one private PostgreSQL, with an upstream that can be switched off, a mailbox,
 * a client and people: a production setup on one machine.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startMailbox, type Mailbox } from '../../embedded/mailbox/start-mailbox.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { Balancer } from './balancer.js';
import { DEVICE_CLIENT } from './device.js';
import { OAuthClient } from './oauth-client.js';
import { PgBouncer } from './pgbouncer.js';
import { PostgresCluster } from './postgres-cluster.js';
import { Replica } from './replica.js';
import { SwitchableUpstream } from './switchable-upstream.js';
import type { Fields } from './test-browser.js';
import { AdminApi } from './upstream-admin.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { FRESH, waitUntil } from './upstream-waiting.js';
import { BrowserWalk, type Arrival } from './browser-walk.js';
import { processEnvironment } from './process-environment.js';

/** No server listens there; the test only reads the callback address. */
const APP = 'http://127.0.0.1:2/';
const DATABASE = 'foyer';
const TIMEOUT_MS = 180_000;
const OPERATOR_TOKEN = randomBytes(32).toString('hex');

export interface Person {
  id: string;
  username: string;
  password: string;
}

interface Options {
  /** Mode of a PgBouncer between the gateways and the server. */
  pooler?: 'transaction' | 'session';
  /** `main.js` of the previous version, which the first gateway runs. The second one is not started. */
  previous?: string;
  /** Settings of the first gateway in addition to the common ones; undefined removes a common one. */
  first?: NodeJS.ProcessEnv;
  /** Settings of the second gateway in addition to the common ones. */
  second?: (at: { origin: string; port: number }) => Promise<NodeJS.ProcessEnv>;
}

/** The settings of one gateway. */
interface Own {
  main?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
}

interface Parts {
  pooler: PgBouncer | null;
  gateways: readonly [Replica, Replica];
  balancer: Balancer;
  cluster: PostgresCluster;
  mailbox: Mailbox;
  upstream: SwitchableUpstream;
  client: OAuthClient;
}

export class Replicas {
  #people = 0;

  private constructor(readonly parts: Parts) {}

  static async start(options: Options = {}): Promise<Replicas> {
    const { pooler: mode, previous } = options;
    const [proxy = 0, first = 0, second = 0, publicPort = 0, adminPort = 0, ...more] = await findFreePorts(9);
    const [smtpPort = 0, webPort = 0, firstOperator = 0, secondOperator = 0] = more;
    const origin = `http://localhost:${proxy}`;
    const cluster = await PostgresCluster.create();
    await cluster.start();
    await cluster.execute(`create database ${DATABASE}`);
    const upstream = await SwitchableUpstream.make({ publicPort, adminPort, origin });
    const mailbox = await startMailbox({ host: 'localhost', smtpPort, webPort });
    const pooler = mode ? await PgBouncer.start(cluster, { pool_mode: mode, default_pool_size: 4, server_login_retry: 1 }) : null;
    const databaseUrl = (pooler ?? cluster).url(DATABASE);
    const settings = findSettings({ origin, upstream, databaseUrl, smtpUrl: mailbox.smtpUrl });
    const toReplica = (port: number, operatorPort: number, { main, env }: Own): Replica => {
      const ports = { PORT: String(port), OPERATOR_PORT: String(operatorPort) };
      return new Replica(port, `http://localhost:${operatorPort}/operator/v1`, { ...settings, ...ports, ...env }, main);
    };
    const env = await findSecondSettings(options, { origin, port: second });
    const gateways = [
      toReplica(first, firstOperator, { main: previous, env: options.first }),
      toReplica(second, secondOperator, { env }),
    ] as const;
    // Both start at the same time, and the lock of the migrations decides which one creates the tables.
    const started = previous === undefined ? gateways : [gateways[0]];
    for (const gateway of started) gateway.start();
    const balancer = await Balancer.start(proxy, [first, second]);
    const client = await registerClient(upstream);
    const replicas = new Replicas({ gateways, balancer, cluster, pooler, mailbox, upstream, client });
    await replicas.waitUntilReady(started.length);
    return replicas;
  }

  /** @throws with the output of the gateways after a timeout */
  async waitUntilReady(count: number): Promise<void> {
    const { balancer, gateways } = this.parts;
    await waitUntil(TIMEOUT_MS, async () => balancer.ready.length === count).catch((error: unknown) => {
      throw new Error(`Not ${count} gateways are ready:\n${gateways.map(({ log }) => log).join('\n')}`, { cause: error });
    });
  }

  /** Waits until every gateway answers `/health/ready` with 200 and this status. */
  async waitForStatus(status: 'ok' | 'degraded'): Promise<void> {
    await waitUntil(TIMEOUT_MS, async () => {
      const answers = await Promise.all(
        this.parts.gateways.map(async ({ port }) => {
          const answer = await fetch(`http://127.0.0.1:${port}${SERVER_PATHS.healthReady}`, { headers: FRESH });
          return answer.ok && ((await answer.json()) as { status: string }).status === status;
        }),
      );
      return answers.every(Boolean);
    });
  }

  browser(): BrowserWalk {
    return new BrowserWalk([APP]);
  }

  /** @param replica the gateway whose operator API is called */
  async operator(method: string, path: string, { body, replica = 0 }: { body?: object; replica?: 0 | 1 } = {}) {
    const answer = await fetch(this.parts.gateways[replica].operatorUrl + path, {
      method,
      headers: { ...FRESH, authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json()) as Record<string, string> };
  }

  async createPerson(): Promise<Person> {
    const person = { username: `person-${(this.#people += 1)}`, password: randomBytes(12).toString('hex') };
    const body = { ...person, email: `${person.username}@example.org` };
    const { status, json } = await this.operator('POST', '/accounts', { body });
    if (status !== 201) throw new Error(`The operator API answers ${status}: ${JSON.stringify(json)}`);
    return { ...person, id: json['id'] ?? '' };
  }

  /** @returns the login page of a new request */
  arrive(browser: BrowserWalk): Promise<Arrival> {
    return browser.go(this.parts.client.authorizationUrl({ scope: 'openid offline' }));
  }

  /** Performs the whole sign-in. @returns the last address, which is that of the app if it succeeded */
  async signIn(browser: BrowserWalk, person: Pick<Person, 'username' | 'password'>): Promise<Arrival> {
    const page = await this.arrive(browser);
    const next = await browser.submit(page, PATHS.loginNative, loginFields(page, person));
    return this.consent(browser, next);
  }

  /** Opens a page of the account area right after a sign-in. */
  async manage(browser: BrowserWalk, person: Person, path: string): Promise<Arrival> {
    const { client, balancer } = this.parts;
    const page = await browser.go(client.authorizationUrl({ scope: 'openid id' }));
    const { url } = await this.consent(browser, await browser.submit(page, PATHS.loginNative, loginFields(page, person)));
    const { access_token: token } = await client.redeem(url.searchParams.get('code') ?? '');
    const origin = `http://localhost:${balancer.port}`;
    await browser.go(`${origin}${PATHS.manage}?t=${encodeURIComponent(token)}`);
    return browser.go(origin + path);
  }

  /** Allows all scopes if this is the consent page. */
  async consent(browser: BrowserWalk, page: Arrival): Promise<Arrival> {
    return hasConsent(page) ? browser.submit(page, PATHS.consentAccept, consentFields(page)) : page;
  }

  async importLines(lines: readonly object[], replica: 0 | 1): Promise<void> {
    const answer = await fetch(`${this.parts.gateways[replica].operatorUrl}/imports`, {
      method: 'POST',
      headers: { ...FRESH, authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
    if (answer.status !== 200) throw new Error(`The import answers ${answer.status}: ${await answer.text()}`);
  }

  /** @returns whether this password signs in to the app */
  async canSignIn(username: string, password: string): Promise<boolean> {
    const { url } = await this.signIn(this.browser(), { username, password });
    return url.searchParams.has('code');
  }

  /** Queries the shared database. @returns the first column of the first row */
  async value(statement: string, values: readonly unknown[]): Promise<unknown> {
    const database = new pg.Client({ connectionString: this.parts.cluster.url(DATABASE) });
    await database.connect();
    try {
      const { rows } = await database.query({ text: statement, values: [...values], rowMode: 'array' });
      return (rows as unknown[][])[0]?.[0];
    } finally {
      await database.end();
    }
  }

  async close(): Promise<void> {
    const { gateways, balancer, mailbox, upstream, cluster, pooler } = this.parts;
    await Promise.all(gateways.map((gateway) => gateway.end('SIGKILL')));
    await Promise.all([balancer.close(), mailbox.close(), upstream.remove(), pooler?.stop()]);
    await cluster.remove();
  }
}

export function loginFields(page: Arrival, { username, password }: Pick<Person, 'username' | 'password'>): Fields {
  const { login } = page.state('login');
  return { _xsrf: login.xsrf_token, login_challenge: login.login_challenge, ticket: login.ticket, username, password };
}

function hasConsent({ url }: Arrival): boolean {
  return url.pathname === PATHS.consent;
}

function consentFields(page: Arrival): Fields {
  const { consent } = page.state('consent');
  const hidden = { _xsrf: consent.xsrf_token, consent_challenge: consent.consent_challenge, ticket: consent.ticket };
  return { ...hidden, scopes: consent.scopes.map(({ id }) => id) };
}

async function findSecondSettings({ second }: Options, address: { origin: string; port: number }): Promise<NodeJS.ProcessEnv> {
  return (await second?.(address)) ?? {};
}

function findSettings(addresses: {
  origin: string;
  upstream: SwitchableUpstream;
  databaseUrl: string;
  smtpUrl: string;
}): NodeJS.ProcessEnv {
  return {
    ...processEnvironment(),
    HOST: '127.0.0.1',
    PUBLIC_URL: addresses.origin,
    TRUST_PROXY: '1',
    DATABASE_URL: addresses.databaseUrl,
    HYDRA_PUBLIC_URL: addresses.upstream.publicUrl,
    HYDRA_ADMIN_URL: addresses.upstream.adminUrl,
    SECRETS_SYSTEM: randomBytes(32).toString('hex'),
    OPERATOR_TOKEN,
    SMTP_URL: addresses.smtpUrl,
    // Longer than the proxy needs to notice that a gateway is stopping, even on a busy machine.
    HTTP_DRAIN_MS: '5000',
    HYDRA_TIMEOUT_MS: '60000',
    LIMIT_ADDRESS_FAILURES: '100000',
    // Fast hashes, because these stories do not depend on them.
    HASH_MEMORY_KIB: '64',
    HASH_ITERATIONS: '1',
    LOG_LEVEL: 'warn',
  };
}

async function registerClient({ publicUrl, adminUrl }: SwitchableUpstream): Promise<OAuthClient> {
  const redirectUri = `${APP}callback`;
  const clientSecret = randomBytes(16).toString('hex');
  const { client_id: clientId } = await new AdminApi(adminUrl).createClient({
    client_name: 'Beispielportal',
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token', ...DEVICE_CLIENT.grant_types],
    response_types: ['code'],
    scope: 'openid offline id',
    token_endpoint_auth_method: 'client_secret_basic',
  });
  return new OAuthClient(publicUrl, { clientId, clientSecret, redirectUri });
}
