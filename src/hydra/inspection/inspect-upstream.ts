/** Checks Hydra from outside: which API answers at each of its two addresses. Changes nothing. */
import type { AxiosInstance, AxiosResponse } from 'axios' with { 'resolution-mode': 'require' };
import type { Config } from '../../config/config.js';
import { explainNetworkError } from '../../config/system-error.js';
import { CLIENT_LIST, createAdminClient, isClientList } from '../admin-connection.js';
import { buildUpstreamUrl } from '../upstream-url.js';
import { toObjectOrEmpty, readOptionalText, type Wire } from '../wire.js';

/** Result for one address. `other`: a server answers, but not as expected. */
export type ApiState<Details> =
  | ({ state: 'as-expected' } & Details)
  | { state: 'other'; status: number }
  | { state: 'silent'; reason: string };

export interface UpstreamInspection {
  admin: ApiState<{ version: string | null; isReady: boolean }>;
  /** `hasDevices`: device authorization (RFC 8628). `hasRegistration`: anybody may register a client (RFC 7591). */
  public: ApiState<{ issuer: string; authorizationEndpoint: string; hasDevices: boolean; hasRegistration: boolean }>;
  /** The public API answers at the admin address. */
  publicAtAdmin: boolean;
  /** The admin API answers at the public address. */
  adminAtPublic: boolean;
  /** Time of Hydra's clock, from its answer; null if unknown. */
  serverTime: Date | null;
}

interface Answer {
  status: number;
  body: unknown;
  time: Date | null;
}

const DISCOVERY = '/.well-known/openid-configuration';

export async function inspectUpstream(settings: Config['hydra']): Promise<UpstreamInspection> {
  const connection = createAdminClient(settings);
  const requestAdmin = (path: string): Promise<Answer | string> =>
    callAdmin(connection, buildUpstreamUrl(settings.adminUrl, path));
  const requestPublic = (path: string): Promise<Answer | string> =>
    callPublic(buildUpstreamUrl(settings.publicUrl, path), settings.timeoutMs);
  const [clients, version, readiness, discovery, clientsAtPublic, discoveryAtAdmin] = await Promise.all([
    requestAdmin(CLIENT_LIST),
    requestAdmin('/version'),
    requestAdmin('/health/ready'),
    requestPublic(DISCOVERY),
    requestPublic(CLIENT_LIST),
    requestAdmin(DISCOVERY),
  ]);
  return {
    admin: toAdminState({ clients, version, readiness }),
    public: toPublicState(discovery),
    adminAtPublic: hasClientList(clientsAtPublic),
    publicAtAdmin: isDiscovery(discoveryAtAdmin),
    serverTime: typeof discovery === 'string' ? null : discovery.time,
  };
}

/** Reads the metadata at an address of Hydra's public API. */
export async function inspectPublicApi(url: string, timeoutMs: number): Promise<UpstreamInspection['public']> {
  return toPublicState(await callPublic(url + DISCOVERY, timeoutMs));
}

interface AdminAnswers {
  clients: Answer | string;
  version: Answer | string;
  readiness: Answer | string;
}

function toAdminState({ clients, version, readiness }: AdminAnswers): UpstreamInspection['admin'] {
  if (typeof clients === 'string') return { state: 'silent', reason: clients };
  if (!hasClientList(clients)) return { state: 'other', status: clients.status };
  const release = typeof version === 'string' ? undefined : readOptionalText(toObjectOrEmpty(version.body), 'version');
  return { state: 'as-expected', version: release ?? null, isReady: typeof readiness !== 'string' && readiness.status === 200 };
}

function toPublicState(discovery: Answer | string): UpstreamInspection['public'] {
  if (typeof discovery === 'string') return { state: 'silent', reason: discovery };
  const {
    issuer,
    authorization_endpoint: endpoint,
    device_authorization_endpoint: deviceEndpoint,
    registration_endpoint: registrationEndpoint,
  }: Wire = toObjectOrEmpty(discovery.body);
  if (typeof issuer !== 'string' || typeof endpoint !== 'string') return { state: 'other', status: discovery.status };
  const [hasDevices, hasRegistration] = [deviceEndpoint, registrationEndpoint].map((each) => typeof each === 'string') as [
    boolean,
    boolean,
  ];
  return { state: 'as-expected', issuer, authorizationEndpoint: endpoint, hasDevices, hasRegistration };
}

function hasClientList(answer: Answer | string): boolean {
  return typeof answer !== 'string' && isClientList(answer.status, answer.body);
}

function isDiscovery(answer: Answer | string): boolean {
  return toPublicState(answer).state === 'as-expected';
}

/** @returns the answer, or the reason why there was none */
async function callAdmin(connection: AxiosInstance, url: string): Promise<Answer | string> {
  try {
    const { status, data } = await connection.get<unknown>(url);
    return { status, body: data, time: null };
  } catch (error) {
    const { response, code } = error as { response?: AxiosResponse<unknown>; code?: string };
    return response ? { status: response.status, body: response.data, time: null } : (code ?? 'no reason given');
  }
}

async function callPublic(url: string, timeoutMs: number): Promise<Answer | string> {
  try {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { Connection: 'close' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body: unknown = await answer.json().catch(() => null);
    return { status: answer.status, body, time: readDate(answer.headers) };
  } catch (error) {
    return explainNetworkError(error);
  }
}

/** @returns the time in the header `Date`; null if there is none */
export function readDate(headers: Headers): Date | null {
  const time = new Date(headers.get('date') ?? '');
  return Number.isNaN(time.getTime()) ? null : time;
}
