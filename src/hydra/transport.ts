/**
 * HTTP transport for requests of `@ory/client`, on node:http: axios and its own adapter need four times the CPU time for a call.
 * One timeout for the whole exchange, a size limit for responses, no redirects, no proxies. The transport is also an axios adapter.
 */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { AxiosError, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { measureCall, type CallEnd } from '../telemetry/measured-call.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { defined } from '../config/defined.js';

const ANSWER_LIMIT_BYTES = 1024 * 1024;
const MAX_CONNECTIONS = 64;

/** Matches the path of one client, whose id traces and metrics do not show. */
const CLIENT_PATH = /\/admin\/clients\/[^/]+$/;

/** The members of an axios request that this transport reads. */
export interface HttpRequest {
  /** Absolute. */
  url?: string | undefined;
  method?: string | undefined;
  headers?: object | undefined;
  /** Serialised. */
  data?: unknown;
  /** Milliseconds. */
  timeout?: number | undefined;
}

/** @throws AxiosError */
export type Transport = (request: HttpRequest) => Promise<AxiosResponse>;

/** @param ca PEM of the authority that signed the server's certificate */
export function createTransport(telemetry: Telemetry, ca?: string): Transport {
  const plainAgent = new HttpAgent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const secureAgent = new HttpsAgent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, ...defined({ ca }) });
  const buildAddress = createAddressBuilder();
  return (request) => {
    const url = request.url ?? '';
    const method = (request.method ?? 'get').toUpperCase();
    const createRequest = (): ClientRequest => {
      const address = buildAddress(url);
      // The admin API belongs to this installation, so the trace context is passed on.
      const options = { ...address, method, headers: { ...toHeaders(request), ...telemetry.buildTraceHeaders() } };
      return address.protocol === 'https:'
        ? httpsRequest({ ...options, agent: secureAgent })
        : httpRequest({ ...options, agent: plainAgent });
    };
    // axios puts its request into responses and errors; Foyer does not read it there.
    const config = request as InternalAxiosRequestConfig;
    if (!telemetry.isOn) return exchange(createRequest, config);
    const call = { peer: 'hydra', method, url: new URL(url) } as const;
    const template = call.url.pathname.replace(CLIENT_PATH, '/admin/clients/{id}');
    return measureCall({ telemetry, toCallEnd }, { ...call, template }, () => exchange(createRequest, config));
  };
}

const PARTS = /^(https?:\/\/[^/?#]+)(\/[^#]*)$/;

/** Creates a function that builds addresses. It parses an origin only if the previous address had another one. */
function createAddressBuilder(): (url: string) => RequestOptions {
  const cache = { origin: '', options: {} };
  return (url) => {
    const [, origin, path] = PARTS.exec(url) ?? [];
    if (origin === undefined) return urlToHttpOptions(new URL(url));
    if (origin !== cache.origin) Object.assign(cache, { origin, options: urlToHttpOptions(new URL(origin)) });
    return { ...cache.options, path };
  };
}

function toCallEnd(outcome: AxiosResponse | Error): CallEnd {
  if (!(outcome instanceof Error)) return { status: outcome.status };
  const { response, code } = outcome as AxiosError;
  return response ? { status: response.status } : { error: code ?? AxiosError.ERR_NETWORK };
}

function exchange(createRequest: () => ClientRequest, config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
  return new Promise((resolve, reject) => {
    const request = createRequest();
    const timer = setTimeout(
      () => request.destroy(Object.assign(new Error('Time-out'), { code: AxiosError.ECONNABORTED })),
      config.timeout,
    );
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      request.destroy();
      const code = toCode(error);
      reject(new AxiosError(code, code, config));
    };
    // After `101 Switching Protocols`, Node emits neither an error nor a response.
    const failUnanswered = (): void => fail(new Error('The connection was closed.'));
    request.on('error', fail);
    request.on('close', failUnanswered);
    request.on('response', (answer) => {
      // The connection may close before the end of the answer is read.
      request.off('close', failUnanswered);
      read(answer, fail, (text) => {
        clearTimeout(timer);
        finish(toResponse(answer, text, config), resolve, reject);
      });
    });
    request.end(config.data);
  });
}

function read(answer: IncomingMessage, fail: (error: unknown) => void, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  answer.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > ANSWER_LIMIT_BYTES) answer.destroy(Object.assign(new Error('Too large'), { code: AxiosError.ERR_BAD_RESPONSE }));
    else chunks.push(chunk);
  });
  answer.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
  answer.on('error', fail);
}

function toResponse(answer: IncomingMessage, text: string, config: InternalAxiosRequestConfig): AxiosResponse {
  const { link } = answer.headers;
  const headers = link === undefined ? {} : { link: [link].flat().join(', ') };
  return { data: parseJson(text), status: answer.statusCode ?? 0, statusText: answer.statusMessage ?? '', headers, config };
}

function finish(response: AxiosResponse, resolve: (response: AxiosResponse) => void, reject: (error: AxiosError) => void): void {
  if (response.status >= 200 && response.status < 300) return resolve(response);
  reject(new AxiosError(`Status ${response.status}`, AxiosError.ERR_BAD_RESPONSE, response.config, undefined, response));
}

/** Text that is not JSON stays a string, which the functions that read answers refuse. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toHeaders({ headers: requestHeaders, data }: HttpRequest): Record<string, string> {
  const headers = (requestHeaders instanceof AxiosHeaders ? requestHeaders.toJSON() : requestHeaders) as Record<string, string>;
  return typeof data === 'string' ? { ...headers, 'Content-Length': String(Buffer.byteLength(data)) } : headers;
}

function toCode(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? code : AxiosError.ERR_NETWORK;
}
