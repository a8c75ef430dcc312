/**
 * Notifies clients of the end of a session directly (OpenID Connect Back-Channel Logout, section 2.5). This happens in
 * the background. A notification is sent again for a short time if there was no answer or a status of 500 or above. A failure that
 * remains is reported.
 */
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

/** How long to wait before each attempt. */
const ATTEMPT_DELAYS_MS = [0, 250, 1000];
const TIMEOUT_MS = 5000;
/** The maximum number of notifications at the same time, so that ending many sessions does not use all connections. */
const MAX_CONCURRENT = 64;

export interface LogoutNotification {
  clientId: string;
  url: string;
  token: string;
}

export class BackChannel {
  readonly #closeController = new AbortController();
  #runningCount = 0;

  constructor(
    private readonly onFailure: (clientId: string, reason: string) => void,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Starts the notification and returns at once. It never throws. */
  notify(notification: LogoutNotification): void {
    if (this.#runningCount >= MAX_CONCURRENT) return this.onFailure(notification.clientId, 'too many concurrent notifications');
    this.#runningCount++;
    void this.#deliver(notification).finally(() => this.#runningCount--);
  }

  /** Cancels all notifications in progress. */
  close(): void {
    this.#closeController.abort();
  }

  async #deliver({ clientId, url, token }: LogoutNotification): Promise<void> {
    const { signal } = this.#closeController;
    let reason = '';
    for (const delayMs of ATTEMPT_DELAYS_MS) {
      try {
        await delay(delayMs, undefined, { signal, ref: false });
        const status = await post(
          url,
          new URLSearchParams({ logout_token: token }).toString(),
          AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]),
        );
        if (status === 200 || status === 204) return;
        reason = `status ${status}`;
        if (status < 500) break;
      } catch (error) {
        if (signal.aborted) return;
        reason = (error as NodeJS.ErrnoException).code ?? 'unreachable';
      }
    }
    this.onFailure(clientId, reason);
  }
}

/** @returns the status; the body is not read */
function post(url: string, body: string, signal: AbortSignal): Promise<number> {
  const { protocol } = new URL(url);
  const send = protocol === 'https:' ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(body) };
    const request = send(url, { method: 'POST', agent: false, headers, signal }, (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject);
    // After `101 Switching Protocols`, Node emits neither an error nor a response.
    request.on('close', () => reject(new Error('The connection was closed.')));
    request.end(body);
  });
}
