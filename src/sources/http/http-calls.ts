/**
 * Requests to the service of an HTTP source, on connections that are kept: one time limit for all of a request, an answer of
 * limited size, no redirects, no proxies. A request that waits for a connection has not begun. A service that does not answer,
 * or needs long to say that it fails, is left alone for a moment, so that nobody waits for it twice.
 */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../../config/clock.js';
import { defined } from '../../config/defined.js';
import type { HttpSettings } from '../../config/source-settings.js';
import { toCode } from '../../config/system-error.js';
import { measuredCall } from '../../telemetry/measured-call.js';
import { TELEMETRY_OFF, type Telemetry } from '../../telemetry/telemetry.js';
import { Slots } from '../slots.js';

interface Sent {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface HttpAnswer {
  status: number;
  /** Media type without parameters, in lower case. */
  type: string;
  /** Null: it is too large. */
  body: string | null;
  /** How far the clock of the service is ahead of this one, in seconds, as far as it says so (header `Date`). */
  aheadSeconds: number | null;
}

/** There was no answer. The message is for the log. */
export class NoAnswer extends Error {
  constructor(
    message: string,
    /** The service had closed an idle connection: another one may be used at once. */
    readonly isStale = false,
  ) {
    super(message);
    this.name = 'NoAnswer';
  }
}

const MOST_CONNECTIONS = 64;
const MOST_WAITING = 1024;
const MOST_BYTES = 64 * 1024;
const SILENCE_MS = 5000;
/** A service that needs longer to say that it fails (500 and more) is left alone, too. */
const SLOW_FAILURE_MS = 1000;

export class HttpCalls {
  readonly #plain = new HttpAgent({ keepAlive: true, maxSockets: MOST_CONNECTIONS });
  readonly #secure: HttpsAgent;
  readonly #slots = new Slots({ atOnce: MOST_CONNECTIONS, waiting: MOST_WAITING });
  #silentUntil = 0;
  #reason = '';

  constructor(
    private readonly settings: Pick<HttpSettings, 'ca' | 'timeoutMs'>,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {
    const { ca } = settings;
    this.#secure = new HttpsAgent({ keepAlive: true, maxSockets: MOST_CONNECTIONS, ...defined({ ca }) });
  }

  /** @param body made when it is its turn, and once more where a kept connection turned out to be closed. @throws NoAnswer */
  post(url: string, type: string, body: () => Promise<string>): Promise<HttpAnswer> {
    return this.#asked(url, async () => ({
      method: 'POST',
      headers: { 'content-type': type, accept: type },
      body: await body(),
    }));
  }

  /** @throws NoAnswer */
  get(url: string, type: string): Promise<HttpAnswer> {
    return this.#asked(url, async () => ({ method: 'GET', headers: { accept: type }, body: '' }));
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }

  async #asked(url: string, made: () => Promise<Sent>): Promise<HttpAnswer> {
    this.#requireNotSilent();
    const send = async (): Promise<HttpAnswer> => this.#sent(new URL(url), await made());
    const turn = this.#slots.run(async () => {
      // One before it may have failed meanwhile.
      this.#requireNotSilent();
      try {
        return await send();
      } catch (error) {
        if (error instanceof NoAnswer && error.isStale) return send();
        throw error;
      }
    });
    return turn.catch((error: unknown) => {
      throw error instanceof RangeError ? new NoAnswer('too many questions at once') : error;
    });
  }

  async #sent(url: URL, sent: Sent): Promise<HttpAnswer> {
    const { telemetry } = this;
    const toCallEnd = (outcome: HttpAnswer | Error) =>
      outcome instanceof Error ? { error: outcome.name } : { status: outcome.status };
    const plan = { peer: 'source', method: sent.method, url } as const;
    const begunAt = this.clock.now().getTime();
    try {
      const answer = await measuredCall({ telemetry, toCallEnd }, plan, () => this.#exchange(url, sent));
      const isSlow = this.clock.now().getTime() - begunAt >= SLOW_FAILURE_MS;
      if (answer.status >= 500 && isSlow) this.#leaveAlone(`it failed slowly (HTTP ${answer.status})`);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer && !error.isStale) this.#leaveAlone(error.message);
      throw error;
    }
  }

  #leaveAlone(reason: string): void {
    this.#silentUntil = this.clock.now().getTime() + SILENCE_MS;
    this.#reason = reason;
  }

  #requireNotSilent(): void {
    if (this.#silentUntil > this.clock.now().getTime()) throw new NoAnswer(`${this.#reason} a moment ago`);
  }

  async #exchange(url: URL, sent: Sent): Promise<HttpAnswer> {
    const request = this.#open(url, sent);
    const state = { isLate: false, isBegun: false };
    const timer = setTimeout(() => {
      state.isLate = true;
      request.destroy();
    }, this.settings.timeoutMs);
    try {
      const response = await answerTo(request, sent.body);
      state.isBegun = true;
      const { statusCode: status = 0, headers } = response;
      const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
      return { status, type, body: await textOf(response), aheadSeconds: this.#aheadOf(headers.date) };
    } catch (error) {
      request.destroy();
      if (state.isLate) throw new NoAnswer('no answer in time');
      throw new NoAnswer(toReason(error), request.reusedSocket && !state.isBegun);
    } finally {
      clearTimeout(timer);
    }
  }

  #open(url: URL, { method, headers: given, body }: Sent): ClientRequest {
    const headers = { ...given, 'content-length': Buffer.byteLength(body) };
    return url.protocol === 'https:'
      ? httpsRequest(url, { method, headers, agent: this.#secure })
      : httpRequest(url, { method, headers, agent: this.#plain });
  }

  #aheadOf(date: string | undefined): number | null {
    const said = Date.parse(date ?? '');
    return Number.isNaN(said) ? null : Math.round((said - this.clock.now().getTime()) / 1000);
  }
}

function answerTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // It stays: an error may come twice, and after the answer began.
    request.on('error', reject);
    request.on('response', resolve);
    request.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Codes of the network, of TLS and of the HTTP parser; their messages may contain what was received. */
function toReason(error: unknown): string {
  return toCode(error) ?? 'no answer';
}
