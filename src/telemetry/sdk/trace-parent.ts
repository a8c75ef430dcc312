/** Reads and writes the header `traceparent` (W3C Trace Context, level 1). `tracestate` is not forwarded, because nothing here uses it. */
import { TraceFlags, type SpanContext } from '@opentelemetry/api';

/** Later versions of the header begin in the same way, and may have more fields. An id of zeros is invalid (section 3.2.2). */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

const LENGTH_OF_VERSION_00 = 55;

export function readTraceParent(header: string | undefined): SpanContext | null {
  if (header === undefined || header.length > 200) return null;
  if (header.startsWith('00-') && header.length !== LENGTH_OF_VERSION_00) return null;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

export function writeTraceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}
