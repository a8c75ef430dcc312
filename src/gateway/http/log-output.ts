/**
 * Standard output as the destination of the log. Lines that cannot be written are dropped and counted: a full volume, a
 * closed pipe or a collector that no longer reads costs log lines, never a request.
 */
import { fstatSync, write } from 'node:fs';

/** @param done called with an error, or with the number of bytes that were written */
export type Writer = (
  chunk: Buffer,
  done: (error: NodeJS.ErrnoException | null | undefined, writtenBytes: number) => void,
) => void;

export interface LogOutputOptions {
  /** How many bytes of lines may wait while they cannot be written. */
  mostBytes?: number;
  /** @param lines number of lines that were dropped since the last call */
  onDropped?: (lines: number) => void;
  /** Called after the first write that succeeds again. @param lines number of lines that were dropped before that write */
  onRecovered?: (lines: number) => void;
}

const MAX_BYTES = 4 * 1024 * 1024;
const RETRY_MS = 100;
const FLUSH_MS = 1000;
const NEW_LINE = 10;

/** The destination of a pino logger. */
export class LogOutput {
  readonly #options: LogOutputOptions;
  readonly #mostBytes: number;
  #lines: string[] = [];
  #bytes = 0;
  #isWriting = false;
  /** Whether the last write ended in the middle of a line. */
  #isCut = false;
  #unreportedDrops = 0;
  readonly #whenEmpty = new Set<() => void>();

  constructor(
    private readonly writer: Writer,
    options: LogOutputOptions = {},
  ) {
    this.#options = options;
    this.#mostBytes = options.mostBytes ?? MAX_BYTES;
  }

  /** @param line with its line break */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > this.#mostBytes) return this.#drop(1);
    this.#bytes += bytes;
    this.#lines.push(line);
    if (!this.#isWriting) this.#writeLines();
  }

  /** @param done called once, when all lines are written or dropped, or after a second */
  flush(done: () => void): void {
    if (!this.#isWriting) return done();
    const end = (): void => {
      clearTimeout(timeout);
      this.#whenEmpty.delete(end);
      done();
    };
    const timeout = setTimeout(end, FLUSH_MS);
    this.#whenEmpty.add(end);
  }

  #writeLines(): void {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#isWriting = true;
    this.#send(Buffer.from(this.#isCut ? `\n${text}` : text));
  }

  #send(chunk: Buffer): void {
    this.writer(chunk, (error, writtenBytes) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#send(chunk), RETRY_MS).unref();
        return;
      }
      if (error) this.#drop(countLines(chunk));
      else {
        this.#isCut = chunk[writtenBytes - 1] !== NEW_LINE;
        if (writtenBytes < chunk.length) return this.#send(chunk.subarray(writtenBytes));
        this.#reportRecovery();
      }
      this.#bytes = this.#lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
      if (this.#lines.length > 0) return this.#writeLines();
      this.#isWriting = false;
      for (const end of this.#whenEmpty) end();
    });
  }

  #drop(lines: number): void {
    this.#unreportedDrops += lines;
    this.#options.onDropped?.(lines);
  }

  #reportRecovery(): void {
    const lines = this.#unreportedDrops;
    this.#unreportedDrops = 0;
    if (lines > 0) this.#options.onRecovered?.(lines);
  }
}

/** Does not count the line break that ends a line cut by an earlier write. */
function countLines(chunk: Buffer): number {
  return chunk.reduce((sum, byte) => sum + (byte === NEW_LINE ? 1 : 0), 0) - (chunk[0] === NEW_LINE ? 1 : 0);
}

/**
 * Writes to a pipe or socket through Node's stream, which never blocks, and to a file through its descriptor, because the
 * stream would stop forever when the volume is full for the first time.
 */
export function createStandardWriter(): Writer {
  const { stdout } = process;
  const kind = fstatSync(stdout.fd);
  if (!kind.isFIFO() && !kind.isSocket()) return createFileWriter(stdout.fd);
  stdout.on('error', () => undefined);
  return (chunk, done) => void stdout.write(chunk, (error) => done(error, chunk.length));
}

export function createFileWriter(descriptor: number): Writer {
  return (chunk, done) => write(descriptor, chunk, done);
}
