/** Tests whether the console is at an origin, with the calls that a page of the console makes, but without a session. */
import { explainNetworkError } from '../../config/system-error.js';
import { isObject } from '../../config/settings-kinds.js';
import { CONSOLE_PATHS } from '../console/console-paths.js';
import { OPERATOR_API } from '../wire.js';
import { probeGateway } from './gateway-probe.js';

export type ConsoleProbe =
  /** `hasApi`: whether the origin leads to the operator API too, and not only to the pages of the console. */
  | { state: 'console'; hasApi: boolean }
  /**
   * `off`: an operator API without a console; `other-address`: a console with another CONSOLE_URL; `unknown-host`: an operator API
   * that does not accept the host name; `gateway`: the sign-in pages.
   */
  | { state: 'off' | 'other-address' | 'unknown-host' | 'gateway' }
  | { state: 'other'; status: number }
  | { state: 'silent'; reason: string };

const TIMEOUT_MS = 5000;
const STATES: Readonly<Partial<Record<string, ConsoleProbe>>> = {
  unauthorized: { state: 'off' },
  forbidden: { state: 'other-address' },
  host_unknown: { state: 'unknown-host' },
};

/**
 * Never throws.
 * @param base the origin to test
 * @param consoleUrl the expected CONSOLE_URL; a console with another CONSOLE_URL refuses the calls
 */
export async function probeConsole(base: string, consoleUrl: string): Promise<ConsoleProbe> {
  try {
    const [session, api] = await Promise.all(
      [CONSOLE_PATHS.session, `${OPERATOR_API}/health`].map((path) => request(base + path, consoleUrl)),
    );
    if (session?.code === 'signed_out') return { state: 'console', hasApi: api?.code === 'signed_out' };
    const probe = STATES[session?.code ?? ''];
    if (probe) return probe;
    const { state } = await probeGateway(base);
    return state === 'foyer' ? { state: 'gateway' } : { state: 'other', status: session?.status ?? 0 };
  } catch (error) {
    return { state: 'silent', reason: explainNetworkError(error) };
  }
}

/** @returns the status, and the code of an error of the operator API */
async function request(url: string, origin: string): Promise<{ status: number; code: string | null }> {
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: { 'X-Foyer-Console': 'background', Origin: origin, Connection: 'close' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body: unknown = await answer.json().catch(() => null);
  return { status: answer.status, code: isObject(body) && typeof body['error'] === 'string' ? body['error'] : null };
}
