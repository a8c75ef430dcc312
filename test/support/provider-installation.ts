/** The demo providers on a free port, a configured adapter, and a person who signs in there. */
import { generateKeyPairSync } from 'node:crypto';
import type { ProviderSettings } from '../../src/config/config.js';
import type { ExternalIdentity, ProviderRequest, ProviderStart } from '../../src/providers/identity-providers.port.js';
import { ConfiguredIdentityProviders, type ProviderFailure } from '../../src/providers/configured-identity-providers.adapter.js';
import { DIALECT_IDS, type DialectId, type DemoProviderClient } from '../../embedded/demo-providers/dialect.js';
import { startDemoProviders, type DemoProviders } from '../../embedded/demo-providers/start-demo-providers.js';
import { TestClock } from './test-clock.js';

const STATE = 'c3RhdGUtb2YtdGhlLXRlc3QtMDEyMzQ1Njc4OWFiY2Q';

export interface ProviderInstallation {
  demoProviders: DemoProviders;
  clock: TestClock;
  /** PEM of the private key whose public key Apple and the company know. */
  privateKey: string;
  failures: ProviderFailure[];
  providers: ConfiguredIdentityProviders;
  /** Creates a further adapter, as after a restart or with other settings. */
  adapter(change?: (settings: ProviderSettings) => ProviderSettings, timeoutMs?: number): ConfiguredIdentityProviders;
  begin(provider: DialectId, more?: Partial<ProviderRequest>, adapter?: ConfiguredIdentityProviders): Promise<ProviderStart>;
  /** Performs the whole sign-in. @param person null declines at the provider */
  signIn(provider: DialectId, person?: string | null, adapter?: ConfiguredIdentityProviders): Promise<ExternalIdentity>;
  close(): Promise<void>;
}

export function toRedirectUri(provider: string): string {
  return `https://foyer.example/login/${provider}/callback`;
}

/** @param origin the address of a further gateway that people return to */
export async function startProviderInstallation(origin = 'http://localhost:3000'): Promise<ProviderInstallation> {
  const clock = new TestClock();
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const client = (id: DialectId): DemoProviderClient => ({
    id: `foyer at/${id}`,
    // The second address belongs to a test gateway.
    redirectUris: [toRedirectUri(id), `${origin}/login/${id}/callback`],
    ...(id === 'apple' ? { key: { teamId: 'TEAM123456', keyId: 'KEY1234567', publicKey } } : { secret: `of:${id}/+ä` }),
    ...(id === 'company' ? { assertionKey: publicKey } : {}),
  });
  const clients = Object.fromEntries(DIALECT_IDS.map((id) => [id, client(id)])) as Record<DialectId, DemoProviderClient>;
  const demoProviders = await startDemoProviders({ host: 'localhost', port: 0, clients, now: () => clock.now() });
  const settings = DIALECT_IDS.map((id) => findSettings(id, { demoProviders, client: clients[id], privateKey }));
  const failures: ProviderFailure[] = [];
  const adapter: ProviderInstallation['adapter'] = (change = (one) => one, timeoutMs = 30_000) =>
    new ConfiguredIdentityProviders({
      providers: settings.map(change),
      clock,
      onFailure: (failure) => void failures.push(failure),
      timeoutMs,
    });
  const providers = adapter();
  const begin: ProviderInstallation['begin'] = (provider, more = {}, list = providers) =>
    list.begin({ provider, redirectUri: toRedirectUri(provider), state: STATE, ...more });
  return {
    demoProviders,
    clock,
    privateKey,
    failures,
    providers,
    adapter,
    begin,
    signIn: async (provider, person = 'maria', list = providers) => {
      const { url, transaction } = await begin(provider, {}, list);
      return list.finish(transaction, await chooseAtProvider(url, person));
    },
    close: () => demoProviders.close(),
  };
}

interface RegisteredClient {
  demoProviders: DemoProviders;
  client: DemoProviderClient;
  privateKey: string;
}

function findSettings(id: DialectId, { demoProviders, client, privateKey }: RegisteredClient): ProviderSettings {
  const common = { id, name: id, clientId: client.id, scopes: id === 'apple' ? ['name'] : ['openid', 'profile'] };
  const secret = { kind: 'secret', secret: client.secret ?? '' } as const;
  if (id === 'apple') {
    const credential = { kind: 'apple-key', teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey } as const;
    return { ...common, dialect: 'apple', issuer: `${demoProviders.url}/apple`, credential };
  }
  if (id === 'company') return { ...common, dialect: 'oidc', issuer: `${demoProviders.url}/company/`, credential: secret };
  return { ...common, dialect: id, issuer: `${demoProviders.url}/${id}`, credential: secret };
}

/**
 * Opens the provider's page and clicks a person's button. @returns the parameters that the browser returns with, by
 * query or by form
 */
export async function chooseAtProvider(url: string, person: string | null): Promise<URLSearchParams> {
  const shown = await fetch(url, { redirect: 'manual' });
  const html = await shown.text();
  const waiting = /name="request" value="([^"]+)"/.exec(html)?.[1];
  const action = /action="(\/[a-z]+\/choice)"/.exec(html)?.[1];
  if (waiting === undefined || action === undefined) return answerIn(shown, html);
  const body = new URLSearchParams({ request: waiting, ...(person === null ? { cancel: '1' } : { person }) });
  const answered = await fetch(new URL(action, url), { method: 'POST', body, redirect: 'manual' });
  return answerIn(answered, await answered.text());
}

function answerIn(response: Response, html: string): URLSearchParams {
  const location = response.headers.get('location');
  if (location !== null) return new URL(location).searchParams;
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  if (fields.length === 0) throw new Error(`The provider answers nothing that goes back (${response.status}): ${html}`);
  return new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, unescapeHtml(value)]));
}

function unescapeHtml(value: string): string {
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
