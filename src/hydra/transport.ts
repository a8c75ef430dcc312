/**
 * HTTP transport for requests of `@ory/client`, on node:http: axios and its own adapter need four times the CPU for a call.
 * One timeout for the whole exchange, a size limit for responses, no redirects, no proxies. It is an axios adapter too.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { AxiosError, AxiosHeaders } from 'axios';
import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { measuredCall } from '../telemetry/measured-call.js';
import type { CallEnd } from '../telemetry/measured-call.js';
import type { Telemetry } from '../telemetry/telemetry.js';

const ANSWER_LIMIT_BYTES = 1024 * 1024;
const MOST_CONNECTIONS = 64;

/** Traces and metrics show the path without values of the request. */
const CLIENT = /\/admin\/clients\/[^/]+$/;

/** The members of an axios request that are read here. */
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
export function transport(telemetry: Telemetry, ca?: string): Transport {
  const plain = new HttpAgent({ keepAlive: true, maxSockets: MOST_CONNECTIONS });
  const secure = new HttpsAgent({ keepAlive: true, maxSockets: MOST_CONNECTIONS, ...(ca === undefined ? {} : { ca }) });
  return (asked) => {
    const url = new URL(asked.url ?? '');
    const method = (asked.method ?? 'get').toUpperCase();
    const open = (): ClientRequest => {
      // The admin API belongs to this installation, so the trace context is passed on.
      const options = { method, headers: { ...headersOf(asked), ...telemetry.propagation() } };
      return url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: secure })
        : httpRequest(url, { ...options, agent: plain });
    };
    // axios names its own request in answers and errors; nothing here reads it.
    const config = asked as InternalAxiosRequestConfig;
    if (!telemetry.isOn) return exchange(open, config);
    const template = url.pathname.replace(CLIENT, '/admin/clients/{id}');
    return measuredCall({ telemetry, endOf }, { peer: 'hydra', method, url, template }, () => exchange(open, config));
  };
}

function endOf(outcome: AxiosResponse | Error): CallEnd {
  if (!(outcome instanceof Error)) return { status: outcome.status };
  const { response, code } = outcome as AxiosError;
  return response ? { status: response.status } : { error: code ?? AxiosError.ERR_NETWORK };
}

function exchange(open: () => ClientRequest, config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
  return new Promise((resolve, reject) => {
    const fail = (code: string): void => reject(new AxiosError(code, code, config));
    const request = open();
    const timer = setTimeout(
      () => request.destroy(Object.assign(new Error('Time-out'), { code: AxiosError.ECONNABORTED })),
      config.timeout,
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      fail(error.code ?? AxiosError.ERR_NETWORK);
    });
    request.on('response', (answer) => {
      read(answer).then(
        (text) => {
          clearTimeout(timer);
          finish(responseOf(answer, text, config), resolve, reject);
        },
        (error: unknown) => {
          clearTimeout(timer);
          request.destroy();
          fail(codeOf(error));
        },
      );
    });
    request.end(config.data);
  });
}

function read(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    answer.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > ANSWER_LIMIT_BYTES)
        answer.destroy(Object.assign(new Error('Too large'), { code: AxiosError.ERR_BAD_RESPONSE }));
      else chunks.push(chunk);
    });
    answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    answer.on('error', reject);
  });
}

function responseOf(answer: IncomingMessage, text: string, config: InternalAxiosRequestConfig): AxiosResponse {
  const { link } = answer.headers;
  const headers = link === undefined ? {} : { link: [link].flat().join(', ') };
  return { data: parsed(text), status: answer.statusCode ?? 0, statusText: answer.statusMessage ?? '', headers, config };
}

function finish(response: AxiosResponse, resolve: (response: AxiosResponse) => void, reject: (error: AxiosError) => void): void {
  if (response.status >= 200 && response.status < 300) return resolve(response);
  reject(new AxiosError(`Status ${response.status}`, AxiosError.ERR_BAD_RESPONSE, response.config, undefined, response));
}

/** Text that is not JSON stays a string; the readers refuse it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function headersOf({ headers: given, data }: HttpRequest): Record<string, string> {
  const headers = (given instanceof AxiosHeaders ? given.toJSON() : given) as Record<string, string>;
  return typeof data === 'string' ? { ...headers, 'Content-Length': String(Buffer.byteLength(data)) } : headers;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : AxiosError.ERR_NETWORK;
}
