/**
 * Posts to one receiver, on connections that are kept open. Redirects are not followed, because an event would be sent to an address that
 * the operator has not configured. Proxies are not used. One time limit covers a whole try, and only the beginning of an answer is read.
 */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { defined } from '../../config/defined.js';
import { toFailureWords } from './failure-words.js';

const MAX_CONNECTIONS = 16;
const MAX_ANSWER_BYTES = 64 * 1024;

interface HttpPostSettings {
  address: URL;
  /** PEM of the authorities to trust; if absent, those that Node.js trusts. */
  ca?: string;
}

export interface HttpAnswer {
  kind: 'answer';
  status: number;
  /** Media type without parameters, in lower case. */
  type: string;
  /** At most 64 KB. */
  body: string;
  retryAfterSeconds?: number;
}

/** The failure of a try without an answer; `reason` describes it for people. */
export interface NoHttpAnswer {
  kind: 'failure';
  reason: string;
}

export class HttpPost {
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #open: typeof httpRequest;
  readonly #address: URL;

  constructor({ address, ca }: HttpPostSettings) {
    const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    const isSecure = address.protocol === 'https:';
    this.#address = address;
    this.#agent = isSecure
      ? new HttpsAgent({ ...options, ...defined({ ca }), rejectUnauthorized: true })
      : new HttpAgent(options);
    this.#open = isSecure ? httpsRequest : httpRequest;
  }

  /** @param deadline the end of the time limit for this try, on the clock of `performance.now()` */
  async send(body: string, headers: Readonly<Record<string, string>>, deadline: number): Promise<HttpAnswer | NoHttpAnswer> {
    const firstAnswer = await this.#sendOnce(body, headers, deadline);
    // `stale`: a reused connection failed before an answer; the receiver has probably closed it while it was idle.
    return firstAnswer.kind === 'stale' ? this.#sendOnce(body, headers, deadline).then(toFinalAnswer) : firstAnswer;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #sendOnce(
    body: string,
    headers: Readonly<Record<string, string>>,
    deadline: number,
  ): Promise<HttpAnswer | NoHttpAnswer | { kind: 'stale'; reason: string }> {
    const length = String(Buffer.byteLength(body));
    const options = {
      method: 'POST',
      agent: this.#agent,
      headers: { ...headers, 'content-length': length, 'user-agent': 'Foyer' },
    };
    const request = this.#open(this.#address, options);
    const state = { isLate: false, isAnswered: false };
    const end = (): void => {
      state.isLate = true;
      request.destroy(new Error('late'));
    };
    const timer = setTimeout(end, Math.max(deadline - performance.now(), 0));
    try {
      const response = await waitForResponse(request, body);
      state.isAnswered = true;
      return await readAnswer(response);
    } catch (error) {
      request.destroy();
      if (state.isLate) return { kind: 'failure', reason: 'timeout' };
      return { kind: request.reusedSocket && !state.isAnswered ? 'stale' : 'failure', reason: toFailureWords(error) };
    } finally {
      clearTimeout(timer);
    }
  }
}

function toFinalAnswer(answer: HttpAnswer | NoHttpAnswer | { kind: 'stale'; reason: string }): HttpAnswer | NoHttpAnswer {
  return answer.kind === 'stale' ? { ...answer, kind: 'failure' } : answer;
}

class SocketClosed extends Error {
  readonly code = 'ECONNRESET';
}

function waitForResponse(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', resolve);
    // After `101 Switching Protocols`, Node emits neither an error nor a response.
    request.on('close', () => reject(new SocketClosed()));
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = response;
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop closes the connection of a longer answer.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_ANSWER_BYTES) break;
  }
  const body = Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return { kind: 'answer', status, type, body, ...defined({ retryAfterSeconds: toSeconds(headers['retry-after']) }) };
}

/** Reads the seconds of `Retry-After`. A date, its other form, is ignored, because it depends on the clock of the receiver. */
function toSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
