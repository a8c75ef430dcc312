import { describe, expect, it } from '@jest/globals';
import { readTraceParent, writeTraceParent } from './trace-parent.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceparent', () => {
  it.each(['00', '01'])('is read and written with the flags %s', (flags) => {
    const header = `00-${TRACE}-${SPAN}-${flags}`;
    const context = readTraceParent(header);
    expect(context).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: Number(flags), isRemote: true });
    expect(context && writeTraceParent(context)).toBe(header);
  });

  it('is read from a later version, as far as its format is known', () => {
    expect(readTraceParent(`cc-${TRACE}-${SPAN}-03-more`)?.traceFlags).toBe(1);
  });

  it.each([
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-01${'x'.repeat(300)}`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-`,
    `00-${TRACE}-${SPAN}-01-more`,
  ])('is not read from %p', (header) => {
    expect(readTraceParent(header)).toBeNull();
  });
});
