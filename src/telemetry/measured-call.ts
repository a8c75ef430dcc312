/** One call over HTTP to another system: its span and its duration, by what is known of it beforehand and how it ended. */
import type { AttributesOf } from './catalogue.js';
import type { Telemetry } from './telemetry.js';

type Attributes = AttributesOf<'http.client.request.duration'>;

export interface CallPlan {
  peer: Attributes['foyer.peer'];
  /** In capitals. */
  method: string;
  url: URL;
  /** The path without what is different in each request. */
  template?: string;
  provider?: string;
}

export interface CallEnd {
  status?: number | undefined;
  /** A code of the network, or the name of an error. */
  error?: string | undefined;
}

/**
 * @param endOf what came of it; asked of the result, or of what was thrown
 */
export async function measuredCall<T>(
  { telemetry, endOf }: { telemetry: Telemetry; endOf: (outcome: T | Error) => CallEnd },
  { peer, method, url, template, provider }: CallPlan,
  work: () => Promise<T>,
): Promise<T> {
  if (!telemetry.isOn) return work();
  const known: Attributes = {
    'foyer.peer': peer,
    'http.request.method': method as Attributes['http.request.method'],
    'url.template': template,
    'foyer.provider': provider,
  };
  const server = { 'server.address': url.hostname, 'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
  const name = `${method} ${template ?? peer}`;
  return telemetry.span({ span: 'call', name, attributes: { ...known, ...server } }, async (span) => {
    const begun = performance.now();
    const end = (outcome: T | Error): void => {
      const { status, error = status !== undefined && status >= 400 ? String(status) : undefined } = endOf(outcome);
      const ended = { 'http.response.status_code': status, ...(error === undefined ? {} : { 'error.type': error }) };
      span.set(ended);
      telemetry.record('http.client.request.duration', (performance.now() - begun) / 1000, { ...known, ...ended });
    };
    try {
      const result = await work();
      end(result);
      return result;
    } catch (error) {
      end(error instanceof Error ? error : new Error('unknown'));
      throw error;
    }
  });
}
