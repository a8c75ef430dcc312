/** Inspects the gateway by requests to its public address, and to the address on which it listens. */
import { setTimeout } from 'node:timers/promises';
import type { Config } from '../../config/config.js';
import { isLoopback } from '../../config/safe-address.js';
import { explainNetworkError } from '../../config/system-error.js';
import { PATHS, SERVER_PATHS } from '../../contract/paths.js';
import { readDate } from '../../hydra/inspection/inspect-upstream.js';

export type ProbeResult =
  | {
      state: 'foyer';
      isReady: boolean;
      /** The parts that `/health/ready` names as the reason why the gateway is not ready. */
      failingParts: string[];
      setsSecureCookies: boolean;
      time: Date | null;
    }
  /** Another program answers. */
  | { state: 'other'; status: number }
  | { state: 'silent'; reason: string };

export interface GatewayInspection {
  /** The result at PUBLIC_URL. */
  publicProbe: ProbeResult;
  /** The result at HOST and PORT. */
  listener: ProbeResult;
  listenerUrl: string;
}

const TIMEOUT_MS = 5000;
const READY_TRIES = 5;
const READY_PAUSE_MS = 500;
const WILDCARD_ADDRESSES = ['0.0.0.0', '::'];
const OWN_COOKIE = /^(__Host-)?foyer=/;

export async function inspectGateway(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): Promise<GatewayInspection> {
  const listenerUrl = toListenerUrl(config);
  const [publicProbe, listener] = await Promise.all([probeGateway(config.publicUrl), probeGateway(listenerUrl)]);
  return { publicProbe, listener, listenerUrl };
}

/** @returns the origin at which this machine reaches the listener */
export function toListenerUrl({ host, port }: Pick<Config, 'host' | 'port'>, scheme: 'http' | 'https' = 'http'): string {
  const name = WILDCARD_ADDRESSES.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return new URL(`${scheme}://${name}:${port}`).origin;
}

/** Whether a public address is that of the listener, without a proxy. `localhost` and addresses such as 127.0.0.1 are one machine. */
export function isListener(publicUrl: string, listenerUrl: string): boolean {
  const [publicAddress, listenerAddress] = [new URL(publicUrl), new URL(listenerUrl)];
  const isSameHost = isLoopback(publicAddress.hostname) && isLoopback(listenerAddress.hostname);
  if (isSameHost) publicAddress.hostname = listenerAddress.hostname;
  return publicAddress.origin === listenerAddress.origin;
}

/** Checks whether the gateway with the sign-in pages answers at an origin. Never throws. */
export async function probeGateway(base: string): Promise<ProbeResult> {
  try {
    const [liveAnswer, readiness, loginPage] = await Promise.all([
      requestHeaders(base + SERVER_PATHS.healthLive),
      requestReadiness(base),
      requestHeaders(base + PATHS.login),
    ]);
    // The login page, opened without a challenge, is recognised by its cookie.
    const ownCookie = loginPage.headers.getSetCookie().find((line) => OWN_COOKIE.test(line));
    if (liveAnswer.status !== 200 || ownCookie === undefined) return { state: 'other', status: liveAnswer.status };
    return {
      state: 'foyer',
      ...readiness,
      setsSecureCookies: ownCookie.startsWith('__Host-'),
      time: readDate(liveAnswer.headers),
    };
  } catch (error) {
    return { state: 'silent', reason: explainNetworkError(error) };
  }
}

type Readiness = Pick<Extract<ProbeResult, { state: 'foyer' }>, 'isReady' | 'failingParts'>;

/** Tries several times, because a gateway waits only one or two seconds for its parts, which may need longer on a busy machine. */
async function requestReadiness(base: string): Promise<Readiness> {
  for (let tries = 1; ; tries += 1) {
    const answer = await request(base + SERVER_PATHS.healthReady);
    const body: unknown = await answer.json().catch(() => null);
    const parts = Object.entries(typeof body === 'object' && body !== null ? body : {});
    const failingParts = parts.flatMap(([part, state]) => (part !== 'status' && state !== 'ok' ? [part] : []));
    if (answer.status === 200 || tries === READY_TRIES) return { isReady: answer.status === 200, failingParts };
    await setTimeout(READY_PAUSE_MS);
  }
}

async function requestHeaders(url: string): Promise<Response> {
  const answer = await request(url);
  await answer.body?.cancel();
  return answer;
}

function request(url: string): Promise<Response> {
  // A server may close an idle connection at the moment at which the next request would use it.
  return fetch(url, { redirect: 'manual', headers: { Connection: 'close' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
}
