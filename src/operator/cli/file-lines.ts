/**
 * Splits a stream into lines, and keeps at most one line in memory. A line that is not UTF-8, or longer than `MAX_LINE_BYTES`, is
 * yielded with its number and without its text.
 */
export interface FileLine {
  /** Number of the line, from 1. */
  number: number;
  /** Null for a line that cannot be read. */
  text: string | null;
  fault?: 'too_long' | 'not_utf8';
  /** Number of bytes from the start of the stream to the end of the line. */
  bytesRead: number;
}

export const MAX_LINE_BYTES = 64 * 1024;

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

export async function* splitLines(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<FileLine, void> {
  const line = new Line();
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      line.add(chunk.subarray(start, end), 1);
      yield line.take();
      start = end + 1;
    }
    line.add(chunk.subarray(start), 0);
  }
  // The last line may lack its line break.
  if (!line.isEmpty) yield line.take();
}

class Line {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #number = 0;
  #bytesRead = 0;

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** @param lineBreakBytes number of bytes of the line break after the part */
  add(part: Uint8Array, lineBreakBytes: number): void {
    this.#bytes += part.length;
    this.#bytesRead += part.length + lineBreakBytes;
    if (this.#bytes > MAX_LINE_BYTES) this.#parts = [];
    // The part is copied, because the stream may reuse its buffer.
    else if (part.length > 0) this.#parts.push(Uint8Array.from(part));
  }

  take(): FileLine {
    const content = this.#decode();
    this.#number += 1;
    this.#parts = [];
    this.#bytes = 0;
    return { number: this.#number, bytesRead: this.#bytesRead, ...content };
  }

  #decode(): Pick<FileLine, 'text' | 'fault'> {
    if (this.#bytes > MAX_LINE_BYTES) return { text: null, fault: 'too_long' };
    try {
      const text = this.#decoder.decode(Buffer.concat(this.#parts));
      return { text: this.#number === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
    } catch {
      return { text: null, fault: 'not_utf8' };
    }
  }
}
