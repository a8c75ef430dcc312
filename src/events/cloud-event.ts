/** Writes events in the structured JSON form of CloudEvents 1.0. */
import type { SinkEvent } from './sink-event.js';
import { cutText } from '../config/cut-text.js';

/** Receivers may refuse larger events (CloudEvents 1.0, "Size Limits"). */
const MAX_BYTES = 64 * 1024;

/**
 * @param source the public address of the installation
 * @returns JSON of at most 64 KB: members of the detail that do not fit, the largest first, are left out and named in `left_out`
 */
export function toCloudEvent(event: SinkEvent, source: string): string {
  const members = new Map(Object.entries(event.detail));
  const omittedNames: string[] = [];
  for (;;) {
    const text = write({ ...event, detail: Object.fromEntries(members) }, source, omittedNames);
    const largest = findLargest(members);
    if (Buffer.byteLength(text) <= MAX_BYTES || largest === undefined) return text;
    members.delete(largest);
    // Names, too, may be long.
    omittedNames.push(cutText(largest, 100));
  }
}

function write(event: SinkEvent, source: string, omittedNames: readonly string[]): string {
  const { id, kind, at, actor, operator, account, address, requestId, detail } = event;
  return JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type: `foyer.${kind}`,
    time: at.toISOString(),
    ...(account ? { subject: account.id } : {}),
    datacontenttype: 'application/json',
    data: {
      kind,
      actor,
      operator,
      account,
      address,
      request_id: requestId,
      detail,
      ...(omittedNames.length > 0 ? { left_out: omittedNames } : {}),
    },
  });
}

function findLargest(members: ReadonlyMap<string, unknown>): string | undefined {
  const lengths = [...members].map(([name, value]) => ({ name, length: JSON.stringify(value).length }));
  return lengths.toSorted((left, right) => right.length - left.length)[0]?.name;
}
