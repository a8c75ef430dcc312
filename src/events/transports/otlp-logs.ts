/**
 * Sends events as log records of OpenTelemetry: OTLP over HTTP in JSON (OpenTelemetry Protocol, section "OTLP/HTTP"). The exporter of
 * OpenTelemetry is not used, because it reports success for records that the receiver has rejected (partial success).
 */
import { defined } from '../../config/defined.js';
import { findFoyerVersion } from '../../config/foyer-version.js';
import { toOcsf } from '../ocsf/to-ocsf.js';
import type { SinkEvent } from '../sink-event.js';
import type { DeliveryAnswer, Transport } from '../transport.js';
import { toDeliveryAnswer } from './answer.js';
import { HttpPost, type HttpAnswer, type NoHttpAnswer } from './http-post.js';

const TIME_LIMIT_MS = 10_000;
const DEFAULT_PATH = '/v1/logs';

export interface OtlpLogsSettings {
  /** Address of the receiver; the path `/` is replaced by `/v1/logs`. */
  address: string;
  /** Values of the header `authorization`; the second is tried if the receiver refuses the first. */
  secrets: readonly string[];
  /** PEM of the authorities to trust; if absent, those that Node.js trusts. */
  ca?: string;
  now: () => Date;
  timeLimitMs?: number;
}

/** The severities of OCSF, with their numbers and texts in OpenTelemetry. */
const SEVERITIES: Readonly<Record<number, readonly [number: number, text: string]>> = {
  1: [9, 'INFO'],
  2: [10, 'INFO2'],
  3: [13, 'WARN'],
  4: [17, 'ERROR'],
};

export function createOtlpLogsTransport(settings: OtlpLogsSettings): Transport {
  const { secrets, ca, now, timeLimitMs = TIME_LIMIT_MS } = settings;
  const address = new URL(settings.address);
  if (address.pathname === '/') address.pathname = DEFAULT_PATH;
  const http = new HttpPost({ address, ...defined({ ca }) });
  return {
    async deliver(event) {
      const deadline = performance.now() + timeLimitMs;
      const body = JSON.stringify(toExportRequest(event, now()));
      const [firstSecret, secondSecret] = secrets;
      const answer = await http.send(body, toHeaders(firstSecret), deadline);
      const isSecretRefused = answer.kind === 'answer' && (answer.status === 401 || answer.status === 403);
      const finalAnswer =
        isSecretRefused && secondSecret !== undefined ? await http.send(body, toHeaders(secondSecret), deadline) : answer;
      return toOtlpAnswer(finalAnswer, toDeliveryAnswer(finalAnswer, { event, secrets }));
    },
    async close() {
      http.close();
    },
  };
}

function toHeaders(secret: string | undefined): Record<string, string> {
  return { 'content-type': 'application/json', accept: 'application/json', ...defined({ authorization: secret }) };
}

function toOtlpAnswer(answer: HttpAnswer | NoHttpAnswer, delivery: DeliveryAnswer): DeliveryAnswer {
  if (answer.kind === 'failure' || !delivery.isDelivered) return delivery;
  const { status, type, body } = answer;
  // A page for people, such as the error page of a proxy, is not an answer of the receiver.
  if (type === 'text/html') return { ...delivery, isDelivered: false, status: `${status}, a page` };
  if (countRejectedRecords(body) > 0) return { ...delivery, isDelivered: false, isRefused: true, status: `${status}, rejected` };
  return delivery;
}

/** @returns the number of rejected records; 0 if the answer does not contain it, because receivers may leave it out */
function countRejectedRecords(body: string): number {
  try {
    const { partialSuccess } = JSON.parse(body) as { partialSuccess?: { rejectedLogRecords?: unknown } };
    // The number is a 64-bit integer, so it is a string in JSON.
    return Number(partialSuccess?.rejectedLogRecords ?? 0) || 0;
  } catch {
    return 0;
  }
}

/** @returns JSON of ExportLogsServiceRequest with one record, whose body is the event in OCSF */
function toExportRequest(event: SinkEvent, now: Date): object {
  const ocsf = toOcsf(event);
  const [severityNumber, severityText] = SEVERITIES[ocsf.severity_id] ?? [0, ''];
  const version = findFoyerVersion();
  const record = {
    timeUnixNano: toNanoseconds(event.at),
    observedTimeUnixNano: toNanoseconds(now),
    severityNumber,
    severityText,
    eventName: event.kind,
    body: toAnyValue(ocsf),
    attributes: toKeyValues(
      defined({
        // Collectors before version 1.5 of the protocol do not support the member `eventName`.
        'event.name': event.kind,
        'log.record.uid': event.id,
        'client.address': event.address ?? undefined,
        'user.id': event.account?.id,
        'user.name': event.account?.username,
        'user.email': event.account?.email,
        'foyer.actor': event.actor,
        'foyer.operator': event.operator ?? undefined,
        'foyer.request_id': event.requestId ?? undefined,
      }),
    ),
  };
  const resource = { attributes: toKeyValues({ 'service.name': 'foyer', 'service.version': version }) };
  return { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'foyer.audit', version }, logRecords: [record] }] }] };
}

/** 64-bit integers are strings in the JSON of Protocol Buffers. */
function toNanoseconds(time: Date): string {
  return `${time.getTime()}000000`;
}

function toKeyValues(members: Readonly<Record<string, unknown>>): { key: string; value: object }[] {
  return Object.entries(members).map(([key, value]) => ({ key, value: toAnyValue(value) }));
}

function toAnyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toAnyValue) } };
  if (typeof value === 'object' && value !== null)
    return { kvlistValue: { values: toKeyValues(value as Record<string, unknown>) } };
  return {};
}
