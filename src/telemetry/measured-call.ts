/** Records the span and the duration of one HTTP request to another system. */
import type { AttributesOf } from './catalogue.js';
import type { Telemetry } from './telemetry.js';
import { defined } from '../config/defined.js';

type Attributes = AttributesOf<'http.client.request.duration'>;

export interface CallPlan {
  peer: Attributes['foyer.peer'];
  /** In upper case. */
  method: string;
  url: URL;
  /** The path, with placeholders for the parts that differ between requests. */
  template?: string;
  provider?: string;
}

export interface CallEnd {
  status?: number | undefined;
  /** The code of a network error, or the name of an error; if absent, a status of 400 or above is recorded as the error. */
  error?: string | undefined;
}

/** @param toCallEnd maps the result, or the thrown error, to the status or error that is recorded */
export async function measureCall<T>(
  { telemetry, toCallEnd }: { telemetry: Telemetry; toCallEnd: (outcome: T | Error) => CallEnd },
  { peer, method, url, template, provider }: CallPlan,
  work: () => Promise<T>,
): Promise<T> {
  if (!telemetry.isOn) return work();
  const commonAttributes: Attributes = {
    'foyer.peer': peer,
    'http.request.method': method as Attributes['http.request.method'],
    'url.template': template,
    'foyer.provider': provider,
  };
  const server = { 'server.address': url.hostname, 'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
  const name = `${method} ${template ?? peer}`;
  return telemetry.runInSpan({ span: 'call', name, attributes: { ...commonAttributes, ...server } }, async (span) => {
    const startedAt = performance.now();
    const recordEnd = (outcome: T | Error): void => {
      const { status, error = status !== undefined && status >= 400 ? String(status) : undefined } = toCallEnd(outcome);
      const endAttributes = { 'http.response.status_code': status, ...defined({ 'error.type': error }) };
      span.set(endAttributes);
      telemetry.record('http.client.request.duration', (performance.now() - startedAt) / 1000, {
        ...commonAttributes,
        ...endAttributes,
      });
    };
    try {
      const result = await work();
      recordEnd(result);
      return result;
    } catch (error) {
      recordEnd(error instanceof Error ? error : new Error('unknown'));
      throw error;
    }
  });
}
