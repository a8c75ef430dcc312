/**
 * Writes an event as a syslog message (RFC 5424) in the frame of syslog over TLS (RFC 5425, section 4.3). The text is JSON in ASCII:
 * other text would need a byte order mark (RFC 5424, section 6.4), which JSON parsers refuse.
 */
import { hostname } from 'node:os';
import { findFoyerVersion } from '../../config/foyer-version.js';
import { toOcsf, type OcsfEvent } from '../ocsf/to-ocsf.js';
import type { SinkEvent } from '../sink-event.js';

/** Security and authorization messages (RFC 5424, section 6.2.1). */
const FACILITY = 10;
/** The severities of OCSF with their numbers in syslog: informational, notice, warning, error. */
const SEVERITIES: Readonly<Record<number, number>> = { 1: 6, 2: 5, 3: 4, 4: 3 };
/** Receivers should accept this length (RFC 5425, section 4.3.1); they may truncate or discard longer messages (RFC 5424, section 6.1). */
const MAX_BYTES = 8192;
/** The enterprise number for documentation (RFC 5612), because the project has no number of its own. */
const ENTERPRISE = 32473;
const NONE = '-';

/** @returns the bytes of one frame; an event that is too long lacks its long members, and is marked as truncated */
export function toSyslogFrame(event: SinkEvent): Buffer {
  const ocsf = toOcsf(event);
  const head = toHead(event, ocsf);
  const message = Buffer.from(`${head} ${toShortJson(ocsf, MAX_BYTES - Buffer.byteLength(head) - 1)}`);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}

function toHead(event: SinkEvent, { severity_id }: OcsfEvent): string {
  const { id, kind, at, actor, operator, account, address, requestId } = event;
  const priority = FACILITY * 8 + (SEVERITIES[severity_id] ?? 6);
  const origin = toElement('origin', { software: 'Foyer', swVersion: findFoyerVersion() });
  const element = toElement(`foyer@${ENTERPRISE}`, {
    id,
    kind,
    actor,
    operator,
    account: account?.id,
    username: account?.username,
    email: account?.email,
    address,
    request: requestId,
  });
  return `<${priority}>1 ${at.toISOString()} ${toHeaderField(hostname(), 255)} foyer ${NONE} ${toHeaderField(kind, 32)} ${origin}${element}`;
}

/** Converts a text to a field of the header, which allows only printable ASCII. */
function toHeaderField(text: string, length: number): string {
  return text.replaceAll(/[^!-~]/g, '').slice(0, length) || NONE;
}

/** @param params the parameters; absent ones are left out, and long values are cut */
function toElement(name: string, params: Readonly<Record<string, string | null | undefined>>): string {
  const texts = Object.entries(params).flatMap(([key, value]) => (value ? ` ${key}="${escape(value)}"` : []));
  return `[${name}${texts.join('')}]`;
}

const MAX_PARAM_LENGTH = 256;

/**
 * Escapes the characters that would end the value (RFC 5424, section 6.3.3). Line breaks become spaces, because they could forge another
 * message in a file of the receiver.
 */
function escape(value: string): string {
  const shortValue = [...value].slice(0, MAX_PARAM_LENGTH).join('');
  return shortValue.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/["\\\]]/g, '\\$&');
}

function toShortJson(ocsf: OcsfEvent, maxBytes: number): string {
  const wholeText = toAscii(ocsf);
  if (wholeText.length <= maxBytes) return wholeText;
  const sizeKilobytes = Math.ceil(wholeText.length / 1000);
  const metadata = { ...(ocsf['metadata'] as object), is_truncated: true, untruncated_size: sizeKilobytes };
  const shortEvent = { ...ocsf, metadata, unmapped: undefined, comment: undefined };
  const shortText = toAscii(shortEvent);
  if (shortText.length <= maxBytes) return shortText;
  // The schema requires `privileges`, so the list becomes empty. The remaining members are short, because the product limits them.
  return toAscii({ ...shortEvent, status_detail: undefined, ...('privileges' in ocsf ? { privileges: [] } : {}) });
}

/** Writes JSON with all characters outside ASCII escaped, and also DEL, the one ASCII control character that `JSON.stringify` does not escape. */
function toAscii(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
