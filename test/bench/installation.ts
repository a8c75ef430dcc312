/**
 * The measured installation and its tools: PostgreSQL, upstream, gateway, clients, accounts. With PostgreSQL the gateway runs in
 * production mode, because React and the checks at the start differ there. `stop` ends everything that was started, in reverse order.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPassword, startPeopleService } from '../../embedded/people/people-service.js';
import { SERVER_PATHS } from '../../src/contract/paths.js';
import { Slapd, whyNoSlapd } from '../support/slapd.js';
import { PostgresCluster, whyNoCluster } from '../support/postgres-cluster.js';
import { processEnvironment } from '../support/process-environment.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { GatewayProcess } from './gateway-process.js';
import type { Person, Route, Routes, WalkKind } from './login-walk.js';
import type { UpstreamPlan } from './upstream-process.js';
import type { HydraPlan } from './hydra-process.js';
import { Worker } from './worker.js';

const CALLBACK = 'https://portal.example/callback';
const SCOPE = 'openid offline id profile email';
const ACCOUNTS = 16;

/** A real Hydra in place of the embedded upstream. */
export interface HydraOptions extends Pick<HydraPlan, 'binary' | 'settings'> {
  /** Parameters in the query of its DSN. */
  dsnParameters: string;
  /** Algorithm of a key that is created for ID tokens. If absent, Hydra creates its default key. */
  idTokenKey?: 'ES256';
}

export class Installation {
  readonly #undo: (() => Promise<unknown>)[] = [];
  readonly #operatorToken = randomBytes(32).toString('hex');
  readonly #hookKey = randomBytes(32).toString('hex');
  readonly notes: string[] = [];
  readonly people: Omit<Person, 'address'>[] = [];
  gatewayPort = 0;
  #routes: Routes | undefined;
  #operatorPort = 0;
  #env: NodeJS.ProcessEnv = {};
  /** Absent with the embedded database. */
  cluster: PostgresCluster | undefined;
  /** Process id; null with the embedded upstream. */
  hydraPid: number | null = null;
  readonly #gateways: GatewayProcess[] = [];

  constructor(
    private readonly self: string,
    private readonly hydra: HydraOptions | null = findDefaultHydra(),
  ) {}

  /** Starts a process of the benchmark, which `stop` ends. */
  startWorker(role: string): Worker {
    const worker = new Worker(this.self, [role]);
    this.#undo.push(() => worker.stop());
    return worker;
  }

  /** Starts everything except the gateway. */
  async start(): Promise<void> {
    const dataDir = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
    this.#undo.push(() => rm(dataDir, { recursive: true, force: true }));
    const databaseUrl = await this.#startDatabase();
    const [gatewayPort = 0, operatorPort = 0, publicPort = 0, adminPort = 0] = await findFreePorts(4);
    const scheme = databaseUrl === null ? 'http' : 'https';
    const gateway = `${scheme}://localhost:${gatewayPort}`;
    const issuer = `${scheme}://localhost:${publicPort}`;
    const upstream: UpstreamPlan = { gateway, issuer, publicPort, adminPort, hydra: await this.#buildHydraPlan() };
    this.notes.push(upstream.hydra ? `upstream: ${upstream.hydra.binary}` : 'upstream: the embedded one, in memory');
    this.hydraPid = await this.startWorker('upstream').ask<number | null>('start', upstream);
    if (this.hydra?.idTokenKey !== undefined) await createIdTokenKey(adminPort, this.hydra.idTokenKey);
    this.gatewayPort = gatewayPort;
    this.#operatorPort = operatorPort;
    const toRoute = async (kind: WalkKind): Promise<Route> => {
      const { clientId, clientSecret } = await registerClient(adminPort, kind, this.hydra !== null);
      const addresses = { authorizationUrl: buildAuthorizationUrl(issuer, clientId, kind), tokenUrl: `${issuer}/oauth2/token` };
      return {
        kind,
        gateway,
        callback: CALLBACK,
        clientId,
        ...(clientSecret === undefined ? {} : { clientSecret }),
        ...addresses,
      };
    };
    this.#routes = { consent: await toRoute('consent'), skipConsent: await toRoute('skipConsent') };
    this.#env = {
      ...processEnvironment(),
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: String(gatewayPort),
      PUBLIC_URL: gateway,
      HYDRA_PUBLIC_URL: issuer,
      HYDRA_ADMIN_URL: `http://127.0.0.1:${adminPort}`,
      OPERATOR_PORT: String(operatorPort),
      OPERATOR_TOKEN: this.#operatorToken,
      TOKEN_HOOK_KEY: this.#hookKey,
      SECRETS_SYSTEM: randomBytes(32).toString('hex'),
      TRUST_PROXY: '1',
      HTTP_DRAIN_MS: '0',
      DATA_DIR: dataDir,
      ...(databaseUrl === null ? {} : { NODE_ENV: 'production', DATABASE_URL: databaseUrl }),
    };
  }

  /** Base URL of the operator API, and its token. */
  get operator(): { url: string; token: string } {
    return { url: `http://127.0.0.1:${this.#operatorPort}`, token: this.#operatorToken };
  }

  /** What Hydra needs to call the token hook. */
  get tokenHook(): { url: string; key: string } {
    return { url: `${this.operator.url}/hooks/token`, key: this.#hookKey };
  }

  get routes(): Routes {
    if (!this.#routes) throw new Error('The installation has not been started.');
    return this.#routes;
  }

  /** @param more settings in addition to the settings of the installation @param port of a gateway beside the first one */
  async startGateway(more: NodeJS.ProcessEnv = {}, port = this.gatewayPort): Promise<GatewayProcess> {
    const gateway = await GatewayProcess.start({ ...this.#env, ...more }, port);
    this.#gateways.push(gateway);
    return gateway;
  }

  /** Starts gateways at other ports beside the one of `startGateway`. */
  async startMoreGateways(count: number): Promise<{ port: number; gateway: GatewayProcess }[]> {
    const ports = await findFreePorts(2 * count);
    const started: { port: number; gateway: GatewayProcess }[] = [];
    for (let index = 0; index < count; index++) {
      const [port = 0, operatorPort = 0] = ports.slice(2 * index);
      const own = { PORT: String(port), OPERATOR_PORT: String(operatorPort) };
      started.push({ port, gateway: await this.startGateway(own, port) });
    }
    return started;
  }

  async stopGateways(): Promise<void> {
    await Promise.all(this.#gateways.splice(0).map((gateway) => gateway.stop()));
  }

  /** Creates people with the operator API, as an operator does. */
  async createPeople(): Promise<void> {
    for (let index = 0; index < ACCOUNTS; index++) {
      const person = { username: `bench-${index}`, password: randomBytes(12).toString('hex') };
      const { username, password } = person;
      await postJson(
        `http://127.0.0.1:${this.#operatorPort}/operator/v1/accounts`,
        { username, password, display_name: `Person ${index}`, email: `${username}@example.org` },
        { authorization: `Bearer ${this.#operatorToken}` },
      );
      this.people.push(person);
    }
  }

  async listAccountIds(): Promise<string[]> {
    const headers = { authorization: `Bearer ${this.#operatorToken}` };
    const answer = await fetch(`${this.operator.url}/operator/v1/accounts?limit=${ACCOUNTS}`, { headers });
    const { accounts } = (await answer.json()) as { accounts: { id: string }[] };
    return accounts.map(({ id }) => id);
  }

  /**
   * Starts an OpenLDAP server with other people, over TLS.
   * @returns the settings of the gateway and the people; null without slapd
   */
  async startDirectory(): Promise<{ settings: NodeJS.ProcessEnv; people: Omit<Person, 'address'>[] } | null> {
    const missing = whyNoSlapd();
    if (missing !== null) {
      this.notes.push(`sign-ins with a directory were not measured: ${missing}`);
      return null;
    }
    const slapd = await Slapd.start(['index uid eq', 'index entryUUID eq']);
    this.#undo.push(() => slapd.stop());
    const people = Array.from({ length: ACCOUNTS }, (_, index) => {
      return { username: `directory-${index}`, password: randomBytes(12).toString('hex') };
    });
    for (const { username: uid, password } of people) slapd.addPerson({ uid, password, mail: `${uid}@example.org` });
    return { settings: { USER_SOURCES: JSON.stringify([slapd.entry()]) }, people };
  }

  /** Starts a user source over HTTP with other people, in this process. */
  async startService(): Promise<{ settings: NodeJS.ProcessEnv; people: Omit<Person, 'address'>[] }> {
    const people = Array.from({ length: ACCOUNTS }, (_, index) => {
      return { username: `service-${index}`, password: randomBytes(12).toString('hex') };
    });
    const service = await startPeopleService({
      host: 'localhost',
      port: 0,
      foyerUrl: this.routes.consent.gateway,
      foyerKeysUrl: `http://127.0.0.1:${this.gatewayPort}${SERVER_PATHS.sourceKeys}`,
      people: people.map(({ username, password }) => ({ sub: username, username, hash: hashPassword(password) })),
    });
    this.#undo.push(() => service.close());
    const entry = { id: 'shop', type: 'http', url: service.url, issuer: service.url, jwks_url: `${service.url}/jwks` };
    return { settings: { USER_SOURCES: JSON.stringify([entry]) }, people };
  }

  async stop(): Promise<void> {
    const steps = [() => this.stopGateways(), ...this.#undo.splice(0).reverse()];
    // A failed step must not prevent the others.
    for (const step of steps) await step().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }

  async #buildHydraPlan(): Promise<HydraPlan | null> {
    if (this.hydra === null) return null;
    const { binary, settings, dsnParameters } = this.hydra;
    await this.cluster?.execute('create database hydra');
    const dsn = this.cluster
      ? [`${this.cluster.url('hydra')}&sslmode=disable`, dsnParameters].filter(Boolean).join('&')
      : 'memory';
    return { binary, settings, dsn };
  }

  async #startDatabase(): Promise<string | null> {
    const missing = whyNoCluster();
    if (missing !== null) {
      const note = `NOT representative of an installation: PGlite in the gateway and development mode (${missing})`;
      process.stderr.write(`${note}\n`);
      this.notes.push(note);
      return null;
    }
    const cluster = await PostgresCluster.create();
    this.#undo.push(() => cluster.remove());
    await cluster.start();
    this.cluster = cluster;
    this.notes.push('database: PostgreSQL, a private cluster without fsync; gateway in production mode, LOG_LEVEL=warn');
    return cluster.url();
  }
}

function findDefaultHydra(): HydraOptions | null {
  const binary = process.env['HYDRA_BIN'];
  return binary ? { binary, settings: { LOG_LEVEL: 'error' }, dsnParameters: 'max_conns=40' } : null;
}

/** Creates a key for ID tokens. Hydra signs with the newest key of this set. */
async function createIdTokenKey(adminPort: number, alg: string): Promise<void> {
  await postJson(`http://127.0.0.1:${adminPort}/admin/keys/hydra.openid.id-token`, { alg, use: 'sig', kid: alg });
}

/** @param hasSecret true for a client with a secret that Hydra generates, as most apps have one */
async function registerClient(
  adminPort: number,
  kind: WalkKind,
  hasSecret: boolean,
): Promise<Pick<Route, 'clientId' | 'clientSecret'>> {
  const { client_id: clientId, client_secret: clientSecret } = await postJson<{ client_id: string; client_secret?: string }>(
    `http://127.0.0.1:${adminPort}/admin/clients`,
    {
      client_name: 'Beispielportal',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: SCOPE,
      token_endpoint_auth_method: hasSecret ? 'client_secret_post' : 'none',
      skip_consent: kind === 'skipConsent',
    },
  );
  return { clientId, ...(clientSecret === undefined || !hasSecret ? {} : { clientSecret }) };
}

function buildAuthorizationUrl(issuer: string, client: string, kind: WalkKind): string {
  const url = new URL('/oauth2/auth', issuer);
  // People sign in repeatedly, and Hydra asks them for consent each time if the client does not skip it.
  const parameters = {
    client_id: client,
    response_type: 'code',
    scope: SCOPE,
    redirect_uri: CALLBACK,
    state: 'state-12345678',
    ...(kind === 'consent' ? { prompt: 'consent' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

async function postJson<T>(url: string, body: object, headers: Record<string, string> = {}): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${answer.status} from ${url}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
