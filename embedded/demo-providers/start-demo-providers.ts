/**
 * One site that simulates Google, Microsoft, Apple and a company's OpenID provider, so that people can try and test provider
 * sign-in without them. The protocol is real, and the people are made up. The site must not be used in production.
 */
import { json, page, redirect, text, type Reply } from '../site/reply.js';
import type { SiteRequest } from '../site/read-request.js';
import type { Routes } from '../site/route-table.js';
import { startSite } from '../site/start-site.js';
import { createFileHandler } from '../site/static-file.js';
import { DIALECT_IDS, type DialectId, type DemoProviderClient } from './dialect.js';
import { DIALECTS } from './dialects.js';
import { Faults, isFaultName, type Endpoint, type FaultName } from './faults.js';
import { buildErrorPage } from './pages/notice.page.js';
import { buildOverviewPage } from './pages/overview.page.js';
import { PEOPLE } from './people.js';
import { toLanguage } from './phrases.js';
import { DemoProvider, type ExtraClaims } from './demo-provider.js';

export interface DemoProvidersSettings {
  host: string;
  port: number;
  /** Additional host names besides the loopback ones. */
  hosts?: readonly string[];
  clients: Readonly<Record<DialectId, DemoProviderClient>>;
  now?: () => Date;
  onFailure?: (error: unknown) => void;
}

export interface DemoProviders {
  url: string;
  /** @param fault null disables the active fault */
  setFault(dialect: DialectId, fault: FaultName | null): void;
  /** @param claims added to the provider's own until the next `setClaims`; a claim of the same name replaces the provider's */
  setClaims(dialect: DialectId, claims: ExtraClaims): void;
  rollKeys(dialect: DialectId): void;
  forgetConsents(dialect: DialectId): void;
  /** Number of calls by servers so far. */
  calls(dialect: DialectId, endpoint: Endpoint): number;
  close(): Promise<void>;
}

const INVALID_CONTROL = `The body must be a JSON object. "provider" is one of: ${DIALECT_IDS.join(', ')}. "fault" is the name of a fault, or null for none. "action", which replaces "fault", is "roll" or "forget".\n`;

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** @throws the listening error */
export async function startDemoProviders(settings: DemoProvidersSettings): Promise<DemoProviders> {
  const { clients, hosts = [], now = () => new Date(), onFailure } = settings;
  const faults = new Faults();
  const createProvider = (id: DialectId): DemoProvider =>
    new DemoProvider({ dialect: DIALECTS[id], client: clients[id], faults, now });
  const providers = {
    google: createProvider('google'),
    microsoft: createProvider('microsoft'),
    apple: createProvider('apple'),
    company: createProvider('company'),
  };
  const site = await startSite({
    host: settings.host,
    port: settings.port,
    hosts,
    headers: { 'content-security-policy': POLICY },
    routes: {
      ...Object.fromEntries(Object.values(providers).flatMap((provider) => Object.entries(provider.routes()))),
      ...buildControlRoutes(providers, faults, clients),
      'GET /demo-providers.css': createFileHandler('site/site.css', 'demo-providers/demo-providers.css'),
    },
    renderError: (status, _message, request) => page(buildErrorPage(toLanguage(request)), status),
    ...(onFailure ? { onFailure } : {}),
  });
  return {
    url: site.url,
    setFault: (dialect, fault) => faults.set(dialect, fault),
    setClaims: (dialect, claims) => void (providers[dialect].extraClaims = claims),
    rollKeys: (dialect) => providers[dialect].keys.replace(),
    forgetConsents: (dialect) => providers[dialect].grants.forgetConsents(),
    calls: (dialect, endpoint) => providers[dialect].calls[endpoint],
    close: () => site.close(),
  };
}

type ProvidersByDialect = Readonly<Record<DialectId, DemoProvider>>;

/** The overview, and the routes that control the providers: forms for people, and `POST /api/control` with JSON for programs. */
function buildControlRoutes(providers: ProvidersByDialect, faults: Faults, clients: DemoProvidersSettings['clients']): Routes {
  const apply = ({ provider, action, fault }: Record<string, unknown>): boolean => {
    const id = DIALECT_IDS.find((candidate) => candidate === provider);
    if (!id) return false;
    if (action === 'roll') providers[id].keys.replace();
    else if (action === 'forget') providers[id].grants.forgetConsents();
    else if (action !== undefined || (fault && !isFaultName(fault))) return false;
    else faults.set(id, isFaultName(fault) ? fault : null);
    return true;
  };
  return {
    'GET /': (request) => showOverview(request, faults, clients),
    'POST /control': (request) => {
      apply(Object.fromEntries(new URLSearchParams(request.body)));
      return redirect('/');
    },
    'POST /api/control': ({ body }) => (apply(readJson(body)) ? json({ done: true }) : text(INVALID_CONTROL, 400)),
  };
}

function showOverview(request: SiteRequest, faults: Faults, clients: DemoProvidersSettings['clients']): Reply {
  const providers = DIALECT_IDS.map((id) => ({
    dialect: DIALECTS[id],
    fault: faults.find(id),
    subjects: Object.fromEntries(PEOPLE.map((person) => [person.key, DIALECTS[id].subject(person, clients[id].id)])),
  }));
  return page(buildOverviewPage(toLanguage(request), providers));
}

function readJson(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
