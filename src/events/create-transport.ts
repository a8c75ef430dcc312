import { defined } from '../config/defined.js';
import type { SinkSettings } from '../config/sink-settings.js';
import { createWebhookTransport } from './transports/webhook.js';
import type { Transport } from './transport.js';

interface TransportContext {
  /** The public address of the installation. */
  source: string;
  now: () => Date;
}

/** @returns what delivers to a sink of this kind */
export function createTransport({ address, secrets, ca }: SinkSettings, { source, now }: TransportContext): Transport {
  return createWebhookTransport({ address, secrets, source, now, ...defined({ ca }) });
}
