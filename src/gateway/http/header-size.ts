/**
 * Proxies read the headers of an answer into a buffer of a fixed size (nginx: 4 kB) and answer 502 if they do not fit.
 */
import type { Response } from 'express';

/** 4 kB, less the headers that servers between the gateway and the proxy may add. */
const MAX_BYTES = 4096 - 512;
/**
 * The size of the lines that Node adds: the status line, `Date`, `Connection`, `Keep-Alive`, and `Content-Length` or `Transfer-Encoding`.
 */
const NODE_BYTES = 160;
/** A colon, a space and the end of the line. */
const LINE_BYTES = 4;

/** @param furtherHeaders headers that are not set yet, by name @returns whether the headers of the answer fit into a proxy's buffer */
export function headersFit(response: Response, furtherHeaders: Readonly<Record<string, readonly string[]>>): boolean {
  const lines = [...Object.entries(response.getHeaders()), ...Object.entries(furtherHeaders)].flatMap(([name, value]) =>
    [value ?? []].flat().map((item) => name.length + LINE_BYTES + Buffer.byteLength(String(item))),
  );
  return lines.reduce((sum, bytes) => sum + bytes, NODE_BYTES) <= MAX_BYTES;
}
