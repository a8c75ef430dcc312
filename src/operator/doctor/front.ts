/** Probes the gateway from outside: at its public address and at the configured listener. */
import type { Config } from '../../config/config.js';
import { networkReason } from '../../config/system-error.js';
import { PATHS, SERVER_PATHS } from '../../contract/paths.js';

export type ProbeResult =
  | { state: 'foyer'; isReady: boolean; setsSecureCookies: boolean; time: Date | null }
  /** Something answers, but not this product. */
  | { state: 'other'; status: number }
  | { state: 'silent'; reason: string };

export interface FrontInspection {
  /** At PUBLIC_URL. */
  people: ProbeResult;
  /** At HOST and PORT. */
  listener: ProbeResult;
  listenerUrl: string;
}

const PATIENCE_MS = 5000;
const EVERY_ADDRESS = ['0.0.0.0', '::'];
const OWN_COOKIE = /^(__Host-)?foyer=/;

export async function inspectFront(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): Promise<FrontInspection> {
  const listenerUrl = listenerOf(config);
  const [people, listener] = await Promise.all([look(config.publicUrl), look(listenerUrl)]);
  return { people, listener, listenerUrl };
}

function listenerOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = EVERY_ADDRESS.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return new URL(`http://${name}:${port}`).origin;
}

async function look(base: string): Promise<ProbeResult> {
  try {
    const [live, ready, page] = await Promise.all(
      [SERVER_PATHS.healthLive, SERVER_PATHS.healthReady, PATHS.login].map((path) => ask(base + path)),
    );
    // A page without a challenge is recognised by its cookie.
    const own = page?.headers.getSetCookie().find((line) => OWN_COOKIE.test(line));
    if (live?.status !== 200 || own === undefined) return { state: 'other', status: live?.status ?? 0 };
    const date = live.headers.get('date');
    return {
      state: 'foyer',
      isReady: ready?.status === 200,
      setsSecureCookies: own.startsWith('__Host-'),
      time: date === null ? null : new Date(date),
    };
  } catch (error) {
    return { state: 'silent', reason: networkReason(error) };
  }
}

async function ask(url: string): Promise<Response> {
  // The other side may close a reused connection before the next request.
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: { Connection: 'close' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await answer.body?.cancel();
  return answer;
}
