import { defined } from '../config/defined.js';
import type { SinkSettings } from '../config/sink-settings.js';
import { createOtlpLogsTransport } from './transports/otlp-logs.js';
import { createSyslogTlsTransport } from './transports/syslog-tls.js';
import { createWebhookTransport } from './transports/webhook.js';
import type { Transport } from './transport.js';

interface TransportContext {
  /** The public address of the installation. */
  source: string;
  now: () => Date;
}

/** @returns the transport that delivers to a sink of this kind */
export function createTransport({ kind, address, secrets, ca }: SinkSettings, { source, now }: TransportContext): Transport {
  const trust = defined({ ca });
  if (kind === 'otlp') return createOtlpLogsTransport({ address, secrets, now, ...trust });
  if (kind === 'syslog') return createSyslogTlsTransport({ address, ...trust });
  return createWebhookTransport({ address, secrets, source, now, ...trust });
}
