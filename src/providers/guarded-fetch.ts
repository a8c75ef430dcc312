/**
 * Sends all requests to providers, with a timeout for the whole call, a size limit, no redirects, and JSON only. Any violation
 * throws ProviderUnavailable; 4xx responses except 429 are passed on.
 */
import type { CustomFetch } from 'openid-client';
import { toCode } from '../config/system-error.js';
import { measureCall, type CallEnd } from '../telemetry/measured-call.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { ProviderUnavailable } from './provider.errors.js';

/** Twenty times the largest known answer, Microsoft's keys. */
const ANSWER_LIMIT_BYTES = 512 * 1024;

export interface FetchOptions {
  timeoutMs: number;
  provider: string;
  telemetry: Telemetry;
  /** Whether an answer may also be a JSON list. */
  acceptsLists?: boolean;
}

export function buildGuardedFetch({ timeoutMs, provider, telemetry, acceptsLists = false }: FetchOptions): CustomFetch {
  const limitedFetch = buildLimitedFetch(timeoutMs, acceptsLists);
  return (url, options) => {
    const plan = { peer: 'provider', provider, method: options.method, url: new URL(url) } as const;
    // The trace context is not sent, so that the provider cannot correlate requests.
    return measureCall({ telemetry, toCallEnd }, plan, () => limitedFetch(url, options));
  };
}

function toCallEnd(outcome: Response | Error): CallEnd {
  return outcome instanceof Error ? { error: outcome.name } : { status: outcome.status };
}

function buildLimitedFetch(timeoutMs: number, acceptsLists: boolean): CustomFetch {
  return async (url, { body, headers, method }) => {
    const address = toLoggedAddress(url);
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, {
        body: body as NonNullable<RequestInit['body']> | null,
        headers,
        method,
        redirect: 'manual',
        signal,
      });
      const text = await readText(response, address);
      requireReadable(response.status, address);
      if (response.status === 200 && !isJson(text, acceptsLists))
        throw new ProviderUnavailable(`${address}: not a JSON object${acceptsLists ? ' or list' : ''}`);
      return new Response(text, { status: response.status, headers: { 'content-type': findContentType(response) } });
    } catch (error) {
      throw error instanceof ProviderUnavailable ? error : new ProviderUnavailable(`${address}: ${toReason(error)}`);
    }
  };
}

function requireReadable(status: number, address: string): void {
  if (status === 429 || status >= 500 || (status >= 300 && status < 400) || (status > 200 && status < 300)) {
    throw new ProviderUnavailable(`${address}: status ${status}`);
  }
}

async function readText(response: Response, address: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > ANSWER_LIMIT_BYTES) throw new ProviderUnavailable(`${address}: the answer is too large`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isJson(text: string, acceptsLists: boolean): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && (acceptsLists || !Array.isArray(value));
  } catch {
    return false;
  }
}

/** @returns host and path without the query, which must not be logged */
function toLoggedAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}

function findContentType(response: Response): string {
  return response.headers.get('content-type') ?? 'application/octet-stream';
}

function toReason(error: unknown): string {
  const { name, cause } = Object(error) as { name?: unknown; cause?: unknown };
  return name === 'TimeoutError' ? 'no answer in time' : (toCode(cause) ?? 'no answer');
}
