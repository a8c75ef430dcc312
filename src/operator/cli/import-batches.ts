/**
 * Groups the lines of a file into batches that the API accepts. Keeps a short hash of the name, the id, the subject
 * and the person of each accepted line, about sixty bytes for each, so that duplicates are found across the whole file.
 */
import { createHash } from 'node:crypto';
import { usernameKey } from '../../accounts/account/username.js';
import { IMPORT_LIMITS, type ImportLineAnswer } from '../wire.js';
import { LONGEST_LINE_BYTES, fileLines, type FileLine } from './file-lines.js';

export interface Batch {
  lines: readonly { number: number; text: string; marks: readonly string[] }[];
  /** For lines that need not be sent. */
  answers: readonly ImportLineAnswer[];
  bytesRead: number;
}

const MOST_LINES = IMPORT_LIMITS.lines / 2;
const MOST_BYTES = IMPORT_LIMITS.bytes / 2;
/** The server hashes a plain password, which takes as long as many lines without one. */
const WEIGHT_OF_PASSWORD = 20;
const MARK_BYTES = 12;

const FAULTS = {
  too_long: { error: 'too_large', message: `The line is longer than ${LONGEST_LINE_BYTES / 1024} kB.` },
  not_utf8: { error: 'bad_text', message: 'The line is not valid UTF-8.' },
} as const;

export class ImportBatches {
  /** Hashes of what accounts cannot share, with the line of their first occurrence. */
  readonly #seen = new Map<string, number>();

  /** Empty lines are skipped. */
  async *of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Batch, void> {
    let open = new OpenBatch();
    for await (const line of fileLines(chunks)) {
      if (line.text?.trim() === '') continue;
      const read = this.#read(line);
      if (!open.hasRoomFor(read)) {
        yield open;
        open = new OpenBatch();
      }
      open.add(read, line.bytesRead);
    }
    if (!open.isEmpty) yield open;
  }

  /** A refused line may appear again with a correction. */
  remember({ lines }: Batch, answers: readonly ImportLineAnswer[]): void {
    for (const [index, { number, marks }] of lines.entries()) {
      const result = answers[index]?.result;
      if (result !== 'invalid' && result !== 'duplicate') for (const mark of marks) this.#seen.set(mark, number);
    }
  }

  #read({ number, text, fault }: FileLine): ReadLine {
    if (text === null) return { number, answer: { line: number, result: 'invalid', ...FAULTS[fault ?? 'not_utf8'] } };
    const { username, id, subject, source, source_subject: person, password } = toMembers(text);
    const marks = [
      ...markOf('name', usernameKey(username)),
      ...markOf('subject', id.toLowerCase()),
      ...markOf('subject', subject),
      ...markOf('person', person === '' ? '' : `${source} ${person}`),
    ];
    const first = marks.flatMap((mark) => this.#seen.get(mark) ?? [])[0];
    if (first !== undefined) return { number, answer: { line: number, result: 'duplicate', username, first_line: first } };
    return { number, text, marks, weight: password === '' ? 1 : WEIGHT_OF_PASSWORD };
  }
}

type ReadLine = { number: number } & ({ answer: ImportLineAnswer } | { text: string; marks: string[]; weight: number });

class OpenBatch implements Batch {
  readonly lines: { number: number; text: string; marks: readonly string[] }[] = [];
  readonly answers: ImportLineAnswer[] = [];
  bytesRead = 0;
  #weight = 0;
  #bytes = 0;

  get isEmpty(): boolean {
    return this.lines.length + this.answers.length === 0;
  }

  hasRoomFor(line: ReadLine): boolean {
    if (this.isEmpty) return true;
    if ('answer' in line) return this.answers.length < MOST_LINES;
    return this.#weight + line.weight <= MOST_LINES && this.#bytes + Buffer.byteLength(line.text) <= MOST_BYTES;
  }

  add(line: ReadLine, bytesRead: number): void {
    this.bytesRead = bytesRead;
    if ('answer' in line) {
      this.answers.push(line.answer);
      return;
    }
    const { number, text, marks, weight } = line;
    this.lines.push({ number, text, marks });
    this.#weight += weight;
    this.#bytes += Buffer.byteLength(text) + 1;
  }
}

/** Other faults of a line are reported by the API. */
function toMembers(text: string): Record<'username' | 'id' | 'subject' | 'source' | 'source_subject' | 'password', string> {
  const read = objectIn(text);
  const said = (name: string): string => (typeof read[name] === 'string' ? read[name] : '');
  return {
    username: said('username'),
    id: said('id'),
    subject: said('subject'),
    source: said('source'),
    source_subject: said('source_subject'),
    password: said('password'),
  };
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function markOf(kind: string, value: string | null): string[] {
  if (value === null || value === '') return [];
  return [createHash('sha256').update(`${kind} ${value}`).digest().toString('latin1', 0, MARK_BYTES)];
}
