/**
 * Writes an event as a syslog message (RFC 5424) in the frame of syslog over TLS (RFC 5425, section 4.3). The text is JSON in ASCII:
 * anything else would need a byte order mark before it (RFC 5424, section 6.4), which parsers of JSON refuse.
 */
import { hostname } from 'node:os';
import { findFoyerVersion } from '../../config/foyer-version.js';
import { toOcsf, type OcsfEvent } from '../ocsf/to-ocsf.js';
import type { SinkEvent } from '../sink-event.js';

/** Security and authorization messages (RFC 5424, section 6.2.1). */
const FACILITY = 10;
/** Severities of OCSF as syslog numbers them: informational, notice, warning, error. */
const SEVERITIES: Readonly<Record<number, number>> = { 1: 6, 2: 5, 3: 4, 4: 3 };
/** Receivers may cut what is longer (RFC 5425, section 4.3.1). */
const MAX_BYTES = 8192;
/** The number for documentation (RFC 5612): the project has none of its own at IANA. */
const ENTERPRISE = 32473;
const NONE = '-';

/** @returns the bytes of one frame; an event that is too long lacks what is long, and says so */
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
  return `<${priority}>1 ${at.toISOString()} ${toToken(hostname(), 255)} foyer ${NONE} ${toToken(kind, 32)} ${origin}${element}`;
}

/** A field of the header, in the characters that it allows. */
function toToken(text: string, length: number): string {
  return text.replaceAll(/[^!-~]/g, '').slice(0, length) || NONE;
}

/** @param params those that are absent are left out, and long ones are cut */
function toElement(name: string, params: Readonly<Record<string, string | null | undefined>>): string {
  const written = Object.entries(params).flatMap(([key, value]) => (value ? ` ${key}="${escape(value)}"` : []));
  return `[${name}${written.join('')}]`;
}

const MAX_PARAM = 256;

/** Escapes what would end the value (RFC 5424, section 6.3.3). A line break could forge another message in a file of the receiver. */
function escape(value: string): string {
  const cut = [...value].slice(0, MAX_PARAM).join('');
  return cut.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/["\\\]]/g, '\\$&');
}

function toShortJson(ocsf: OcsfEvent, maxBytes: number): string {
  const whole = toAscii(ocsf);
  if (whole.length <= maxBytes) return whole;
  const metadata = { ...(ocsf['metadata'] as object), is_truncated: true, untruncated_size: whole.length };
  const shorter = { ...ocsf, metadata, unmapped: undefined, comment: undefined };
  const short = toAscii(shorter);
  if (short.length <= maxBytes) return short;
  // An empty list, because the schema requires it. What is left is short by the limits of the product.
  return toAscii({ ...shorter, status_detail: undefined, ...('privileges' in ocsf ? { privileges: [] } : {}) });
}

/** JSON in which everything outside ASCII is escaped, and also the one control character that JSON allows. */
function toAscii(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
