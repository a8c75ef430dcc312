/**
 * What a row works with: one running upstream, its admin API, an ordinary client, and any number of browsers.
 * Rows share the upstream, so each row has its own browser and its own subject.
 */
import { randomUUID } from 'node:crypto';
import { OAuthClient } from '../../support/oauth-client.js';
import { exchange, toJson } from '../../support/upstream-answer.js';
import { AdminApi } from '../../support/upstream-admin.js';
import { Browser } from '../../support/upstream-browser.js';
import { hasCapability, type CapabilityName } from '../../../src/hydra/versions.js';
import { CookieJar } from '../../../test-kit/cookie-jar.js';
import type { Leg, Upstream, UpstreamSettings, UpstreamUrls } from '../../support/upstream-leg.js';
import { isServed, waitUntil } from '../../support/upstream-waiting.js';
import { tolerates, type ToleratedDifference } from './tolerated-differences.js';

/** Pages of the client; nothing listens there. */
export const CALLBACK = 'http://127.0.0.1:2/callback';
export const BYE = 'http://127.0.0.1:2/bye';
export const API_AUDIENCE = 'https://api.example';

const KEYS_WITHIN_MS = 60_000;

export class Scene {
  readonly admin: AdminApi;
  readonly #clients: string[] = [];
  #app: OAuthClient | undefined;

  private constructor(
    readonly upstream: Upstream,
    readonly issuer: string,
    private readonly leg: Leg,
  ) {
    this.admin = new AdminApi(upstream.adminUrl);
  }

  static async open(leg: Leg, settings: UpstreamSettings = {}): Promise<Scene> {
    const upstream = await leg.start(settings);
    try {
      const scene = new Scene(upstream, await findIssuer(upstream), leg);
      scene.#app = await scene.newApp();
      return scene;
    } catch (error) {
      await upstream.close();
      throw error;
    }
  }

  /** Whether the upstream has default lifetimes, because no operator has configured it. */
  get hasDefaultLifetimes(): boolean {
    return this.leg.configurable;
  }

  /** The confidential client that rows use when they need nothing special. */
  get app(): OAuthClient {
    if (this.#app === undefined) throw new Error('the scene is not open');
    return this.#app;
  }

  has(capability: CapabilityName): boolean {
    return hasCapability(this.leg.version, capability);
  }

  tolerates(difference: ToleratedDifference): boolean {
    return tolerates(this.leg.name, difference);
  }

  browser(): Browser {
    return new Browser(new CookieJar(() => this.upstream.now()));
  }

  /** The address of this page; undefined on a server that an operator has configured. */
  page(kind: keyof UpstreamUrls): string | undefined {
    return this.upstream.urls[kind];
  }

  async newApp(metadata: Record<string, unknown> = {}): Promise<OAuthClient> {
    const created = await this.admin.createClient({ ...ordinary, ...metadata });
    this.#clients.push(created.client_id);
    return new OAuthClient(this.upstream.publicUrl, {
      clientId: created.client_id,
      ...(created.client_secret === undefined ? {} : { clientSecret: created.client_secret }),
      redirectUri: CALLBACK,
    });
  }

  /** Deletes the clients on a server that continues to run. */
  async close(): Promise<void> {
    if (!this.leg.configurable) for (const id of this.#clients) await this.admin.send('DELETE', `/admin/clients/${id}`);
    await this.upstream.close();
  }
}

const ordinary = {
  client_secret: 'secretsecret',
  client_name: 'An "ordinary" app',
  redirect_uris: [CALLBACK],
  post_logout_redirect_uris: [BYE],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  scope: 'openid offline offline_access profile email',
  audience: [API_AUDIENCE],
  token_endpoint_auth_method: 'client_secret_basic',
};

/** The body that registers an ordinary confidential client with a new id. */
export const registration = (): Record<string, unknown> => ({ client_id: `app-${randomUUID()}`, ...ordinary });

/** The subject of a new person. */
export const newSubject = (): string => `person-${randomUUID()}`;

/**
 * The issuer from discovery. The keys are requested first: Hydra creates them at the first request, which may take longer
 * than it keeps a connection open on a busy machine.
 */
async function findIssuer({ publicUrl }: Upstream): Promise<string> {
  await waitUntil(KEYS_WITHIN_MS, () => isServed(`${publicUrl}/.well-known/jwks.json`));
  return toJson<{ issuer: string }>(await exchange(`${publicUrl}/.well-known/openid-configuration`)).issuer;
}
