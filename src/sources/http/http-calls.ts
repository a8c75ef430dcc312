/**
 * Requests to the service of an HTTP source, on connections that are kept open. One time limit covers connecting, the request and
 * the whole answer, but not the wait for a slot; the size of the answer is limited; redirects are not followed and proxies are not
 * used. A service that does not answer, or that takes long to fail, gets no requests for a few seconds, so that people do not wait
 * for it.
 */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../../config/clock.js';
import { defined } from '../../config/defined.js';
import type { HttpSettings } from '../../config/source-settings.js';
import { toCode } from '../../config/system-error.js';
import { measureCall } from '../../telemetry/measured-call.js';
import { TELEMETRY_OFF, type Telemetry } from '../../telemetry/telemetry.js';
import { Slots, SlotsFull } from '../slots.js';

interface HttpRequest {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface HttpAnswer {
  status: number;
  /** Media type without parameters, in lower case. */
  type: string;
  /** Null if the body is too large. */
  body: string | null;
  /**
   * How far the clock of the service is ahead of the clock of this process, from the header `Date`; null without a valid header.
   */
  aheadSeconds: number | null;
}

/** The service did not answer, or was not asked because of a pause or too many requests. The message is for the log. */
export class NoAnswer extends Error {
  constructor(
    message: string,
    /** A kept connection ended before an answer: the service has probably closed it while it was idle, and may be asked again. */
    readonly isStale = false,
  ) {
    super(message);
    this.name = 'NoAnswer';
  }
}

const MAX_CONNECTIONS = 64;
const MAX_WAITING = 1024;
const MAX_BYTES = 64 * 1024;
const PAUSE_MS = 5000;
/** If an error (500 and more) took this long, the service also gets no requests for `PAUSE_MS`. */
const SLOW_FAILURE_MS = 1000;

export class HttpCalls {
  readonly #httpAgent = new HttpAgent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  readonly #httpsAgent: HttpsAgent;
  readonly #slots = new Slots({ maxRunning: MAX_CONNECTIONS, maxWaiting: MAX_WAITING });
  #pausedUntil = 0;
  #reason = '';

  constructor(
    private readonly settings: Pick<HttpSettings, 'ca' | 'timeoutMs'>,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {
    const { ca } = settings;
    this.#httpsAgent = new HttpsAgent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, ...defined({ ca }) });
  }

  /** @param buildBody called when the request is sent, and again if it is sent again @throws NoAnswer */
  post(url: string, type: string, buildBody: () => Promise<string>): Promise<HttpAnswer> {
    return this.#request(url, async () => ({
      method: 'POST',
      headers: { 'content-type': type, accept: type },
      body: await buildBody(),
    }));
  }

  /** @throws NoAnswer */
  get(url: string, type: string): Promise<HttpAnswer> {
    return this.#request(url, async () => ({ method: 'GET', headers: { accept: type }, body: '' }));
  }

  close(): void {
    this.#httpAgent.destroy();
    this.#httpsAgent.destroy();
  }

  async #request(url: string, build: () => Promise<HttpRequest>): Promise<HttpAnswer> {
    this.#requireNotPaused();
    const send = async (): Promise<HttpAnswer> => this.#send(new URL(url), await build());
    const answer = this.#slots.run(async () => {
      // Another request may have failed while this one waited.
      this.#requireNotPaused();
      try {
        return await send();
      } catch (error) {
        if (error instanceof NoAnswer && error.isStale) return send();
        throw error;
      }
    });
    return answer.catch((error: unknown) => {
      throw error instanceof SlotsFull ? new NoAnswer('too many requests at once') : error;
    });
  }

  async #send(url: URL, message: HttpRequest): Promise<HttpAnswer> {
    const { telemetry } = this;
    const toCallEnd = (outcome: HttpAnswer | Error) =>
      outcome instanceof Error ? { error: outcome.name } : { status: outcome.status };
    const plan = { peer: 'source', method: message.method, url } as const;
    const begunAt = this.clock.now().getTime();
    try {
      const answer = await measureCall({ telemetry, toCallEnd }, plan, () => this.#exchange(url, message));
      const isSlow = this.clock.now().getTime() - begunAt >= SLOW_FAILURE_MS;
      if (answer.status >= 500 && isSlow) this.#pause(`it failed slowly (HTTP ${answer.status})`);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer && !error.isStale) this.#pause(error.message);
      throw error;
    }
  }

  #pause(reason: string): void {
    this.#pausedUntil = this.clock.now().getTime() + PAUSE_MS;
    this.#reason = reason;
  }

  #requireNotPaused(): void {
    if (this.#pausedUntil > this.clock.now().getTime()) throw new NoAnswer(`${this.#reason} a moment ago`);
  }

  async #exchange(url: URL, message: HttpRequest): Promise<HttpAnswer> {
    const request = this.#open(url, message);
    const state = { isLate: false, isBegun: false };
    const timer = setTimeout(() => {
      state.isLate = true;
      request.destroy();
    }, this.settings.timeoutMs);
    try {
      const response = await waitForResponse(request, message.body);
      state.isBegun = true;
      const { statusCode: status = 0, headers } = response;
      const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
      return { status, type, body: await readText(response), aheadSeconds: this.#toAheadSeconds(headers.date) };
    } catch (error) {
      request.destroy();
      if (state.isLate) throw new NoAnswer('no answer in time');
      throw new NoAnswer(toReason(error), request.reusedSocket && !state.isBegun);
    } finally {
      clearTimeout(timer);
    }
  }

  #open(url: URL, { method, headers: contentHeaders, body }: HttpRequest): ClientRequest {
    const headers = { ...contentHeaders, 'content-length': Buffer.byteLength(body) };
    return url.protocol === 'https:'
      ? httpsRequest(url, { method, headers, agent: this.#httpsAgent })
      : httpRequest(url, { method, headers, agent: this.#httpAgent });
  }

  #toAheadSeconds(date: string | undefined): number | null {
    const serviceTime = Date.parse(date ?? '');
    return Number.isNaN(serviceTime) ? null : Math.round((serviceTime - this.clock.now().getTime()) / 1000);
  }
}

function waitForResponse(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // The handler stays registered, because a socket may report an error twice, also after the answer has begun.
    request.on('error', reject);
    request.on('response', resolve);
    // After `101 Switching Protocols`, Node emits neither an error nor a response.
    request.on('close', () => reject(new Error('The connection was closed.')));
    request.end(body);
  });
}

async function readText(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * @returns a code of the network, TLS or the HTTP parser, because messages may contain received data; `no answer` without a code
 */
function toReason(error: unknown): string {
  return toCode(error) ?? 'no answer';
}
