/**
 * Sends events to a webhook as CloudEvents 1.0 in structured JSON, signed in the form of Standard Webhooks.
 */
import { createHmac } from 'node:crypto';
import { defined } from '../../config/defined.js';
import { toCloudEvent } from '../cloud-event.js';
import type { Transport } from '../transport.js';
import { toDeliveryAnswer } from './answer.js';
import { HttpPost } from './http-post.js';

const TIME_LIMIT_MS = 10_000;

export interface WebhookSettings {
  address: string;
  /** One or two keys `whsec_…`; the event is signed with each. */
  secrets: readonly string[];
  /** PEM of the authorities to trust; if absent, those that Node.js trusts. */
  ca?: string;
  /** Member `source` of the events: the public address of the installation. */
  source: string;
  now: () => Date;
  timeLimitMs?: number;
}

export function createWebhookTransport({
  address,
  secrets,
  ca,
  source,
  now,
  timeLimitMs = TIME_LIMIT_MS,
}: WebhookSettings): Transport {
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  const http = new HttpPost({ address: new URL(address), ...defined({ ca }) });
  return {
    async deliver(event) {
      const deadline = performance.now() + timeLimitMs;
      const body = toCloudEvent(event, source);
      const seconds = String(Math.floor(now().getTime() / 1000));
      const content = `${event.id}.${seconds}.${body}`;
      const headers = {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'webhook-id': event.id,
        'webhook-timestamp': seconds,
        'webhook-signature': keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`).join(' '),
      };
      return toDeliveryAnswer(await http.send(body, headers, deadline), { event, secrets });
    },
    async close() {
      http.close();
    },
  };
}
