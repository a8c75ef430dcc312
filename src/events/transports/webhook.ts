/**
 * Sends events to a webhook: CloudEvents 1.0 in structured JSON, signed in the form of Standard Webhooks. Redirects are not followed,
 * proxies are not used, one time limit covers a whole try, and little of an answer is read.
 */
import { createHmac } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { defined } from '../../config/defined.js';
import { toCode } from '../../config/system-error.js';
import { toCloudEvent } from '../cloud-event.js';
import type { DeliveryAnswer, Transport } from '../transport.js';

const TIME_LIMIT_MS = 10_000;
const MAX_CONNECTIONS = 16;
const MAX_ANSWER_BYTES = 4096;
const MAX_SHOWN = 500;

export interface WebhookSettings {
  address: string;
  /** One or two keys `whsec_…`; each signs. */
  secrets: readonly string[];
  /** PEM of the authorities to trust; if absent, the authorities of the system. */
  ca?: string;
  /** Member `source` of the events: the public address of the installation. */
  source: string;
  now: () => Date;
  timeLimitMs?: number;
}

const REASONS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate of another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate of an unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate of an unknown authority',
  CERT_HAS_EXPIRED: 'certificate has expired',
  ENOTFOUND: 'unknown host name',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
};

export function createWebhookTransport({
  address,
  secrets,
  ca,
  source,
  now,
  timeLimitMs = TIME_LIMIT_MS,
}: WebhookSettings): Transport {
  const url = new URL(address);
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const agent = url.protocol === 'https:' ? new HttpsAgent({ ...options, ...defined({ ca }) }) : new HttpAgent(options);
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return {
    deliver(event) {
      const body = toCloudEvent(event, source);
      const seconds = String(Math.floor(now().getTime() / 1000));
      const signed = `${event.id}.${seconds}.${body}`;
      const headers = {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'Foyer',
        'webhook-id': event.id,
        'webhook-timestamp': seconds,
        'webhook-signature': keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' '),
      };
      return send(() => open(url, { method: 'POST', agent, headers }), body, timeLimitMs);
    },
    async close() {
      agent.destroy();
    },
  };
}

async function send(open: () => ClientRequest, body: string, timeLimitMs: number): Promise<DeliveryAnswer> {
  const first = await sendOnce(open, body, timeLimitMs);
  // The receiver had closed the idle connection before it could read the request.
  return first.isStale ? sendOnce(open, body, timeLimitMs) : first;
}

async function sendOnce(
  open: () => ClientRequest,
  body: string,
  timeLimitMs: number,
): Promise<DeliveryAnswer & { isStale?: boolean }> {
  const request = open();
  const state = { isLate: false };
  const timer = setTimeout(() => {
    state.isLate = true;
    request.destroy(new Error('late'));
  }, timeLimitMs);
  let response: IncomingMessage | undefined;
  try {
    response = await waitForResponse(request, body);
    const { statusCode: status = 0, headers } = response;
    const retryAfterSeconds = toSeconds(headers['retry-after']);
    const shown = toShown(await readBeginning(response));
    return { isDelivered: status >= 200 && status < 300, status: String(status), body: shown, ...defined({ retryAfterSeconds }) };
  } catch (error) {
    request.destroy();
    if (state.isLate) return { isDelivered: false, status: 'timeout', body: '' };
    const isStale = request.reusedSocket && response === undefined;
    return { isDelivered: false, status: toReason(error), body: '', isStale };
  } finally {
    clearTimeout(timer);
  }
}

function waitForResponse(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', resolve);
    request.end(body);
  });
}

/** Reads no further than what is stored. The connection of a longer answer is closed. */
async function readBeginning(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES);
}

function toShown(bytes: Buffer): string {
  const text = bytes.toString('utf8').replace(/\p{C}+/gu, ' ');
  return [...text.trim()].slice(0, MAX_SHOWN).join('');
}

/** Reads seconds; the other form, a date, would need the clock of the receiver. */
function toSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

function toReason(error: unknown): string {
  const code = toCode(error) ?? 'no answer';
  return REASONS[code] ?? code;
}
