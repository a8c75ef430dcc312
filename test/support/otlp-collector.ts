/** A receiver of OTLP over HTTP in JSON (OpenTelemetry protocol, section "OTLP/HTTP"), which can be set to refuse. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface WireAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean };
}

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: WireAttribute[];
  status: { code?: number; message?: string };
}

export interface ReceivedSpan extends Omit<WireSpan, 'attributes'> {
  attributes: Record<string, string | number | boolean | undefined>;
}

export interface OtlpCollector {
  endpoint: string;
  /** Bodies as received. */
  bodies: string[];
  headers: IncomingHttpHeaders[];
  spans(): ReceivedSpan[];
  /** Names of the metrics of the last export. */
  metrics(): string[];
  /** Sets the status of further answers. */
  answer(status: number): void;
  close(): Promise<void>;
}

interface Delivery {
  resourceSpans?: { scopeSpans: { spans: WireSpan[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: { name: string }[] }[] }[];
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      headers.push(request.headers);
      if (status === 200) bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const deliveries = (): Delivery[] => bodies.map((body) => JSON.parse(body) as Delivery);
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    spans: () =>
      deliveries()
        .flatMap(({ resourceSpans = [] }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
        .map((span) => ({
          ...span,
          attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, toValue(value)])),
        })),
    metrics: () => {
      const last = deliveries().findLast(({ resourceMetrics }) => resourceMetrics)?.resourceMetrics ?? [];
      return last.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name)));
    },
    answer: (next) => (status = next),
    close: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  };
}

function toValue(value: WireAttribute['value']): string | number | boolean | undefined {
  return value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue;
}
