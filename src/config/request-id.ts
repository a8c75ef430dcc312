/**
 * Ids of requests: UUIDs of version 7 (RFC 9562, section 5.7), which begin with the time of the request. The events of a request are
 * found by that time, so that the audit log does not need an index on request ids, which every sign-in would have to update.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.js';

const UUID7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function createRequestId(clock: Pick<Clock, 'now'>): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(clock.now().getTime(), 0, 6);
  randomBytes(10).copy(bytes, 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** @returns the time at which the request arrived; null for a text that is not a UUID of version 7, such as an id from Foyer 0.2 */
export function findRequestTime(id: string): Date | null {
  const [, high = '', low = ''] = UUID7.exec(id) ?? [];
  return high === '' ? null : new Date(Number.parseInt(high + low, 16));
}
