/**
 * Groups the lines of a file into batches that the API accepts. To find duplicates in the whole file, stores short hashes of the
 * username, id, subject and person of each accepted line. Each hash takes about 60 bytes of memory.
 */
import { createHash } from 'node:crypto';
import { toUsernameKey } from '../../accounts/account/username.js';
import { IMPORT_LIMITS, type ImportLineAnswer } from '../wire.js';
import { MAX_LINE_BYTES, splitLines, type FileLine } from './file-lines.js';

export interface Batch {
  lines: readonly { number: number; text: string; keyHashes: readonly string[] }[];
  /** Results of lines that need not be sent. */
  answers: readonly ImportLineAnswer[];
  bytesRead: number;
}

const MAX_LINES = IMPORT_LIMITS.lines / 2;
const MAX_BYTES = IMPORT_LIMITS.bytes / 2;
/** The API hashes a plain password, which takes as long as importing many lines without a password. */
const PASSWORD_WEIGHT = 20;
const KEY_HASH_BYTES = 12;

const FAULTS = {
  too_long: { error: 'too_large', message: `The line is longer than ${MAX_LINE_BYTES / 1024} kB.` },
  not_utf8: { error: 'bad_text', message: 'The line is not valid UTF-8.' },
} as const;

export class ImportBatches {
  /** Hashes of values that two accounts cannot share, with the number of the line that has the value. */
  readonly #lineByKeyHash = new Map<string, number>();

  /** Skips empty lines. */
  async *split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Batch, void> {
    let batch = new OpenBatch();
    for await (const line of splitLines(chunks)) {
      if (line.text?.trim() === '') continue;
      const parsedLine = this.#parse(line);
      if (!batch.hasRoomFor(parsedLine)) {
        yield batch;
        batch = new OpenBatch();
      }
      batch.add(parsedLine, line.bytesRead);
    }
    if (!batch.isEmpty) yield batch;
  }

  /** Remembers the accepted lines. A refused line may appear again in the file with a correction. */
  remember({ lines }: Batch, answers: readonly ImportLineAnswer[]): void {
    for (const [index, { number, keyHashes }] of lines.entries()) {
      const result = answers[index]?.result;
      if (result !== 'invalid' && result !== 'duplicate') for (const hash of keyHashes) this.#lineByKeyHash.set(hash, number);
    }
  }

  #parse({ number, text, fault }: FileLine): ParsedLine {
    if (text === null) return { number, answer: { line: number, result: 'invalid', ...FAULTS[fault ?? 'not_utf8'] } };
    const { username, id, subject, source, source_subject: person, password } = toMembers(text);
    const keyHashes = [
      ...hashKey('name', toUsernameKey(username)),
      ...hashKey('subject', id.toLowerCase()),
      ...hashKey('subject', subject),
      ...hashKey('person', person === '' ? '' : `${source} ${person}`),
    ];
    const firstLine = keyHashes.flatMap((hash) => this.#lineByKeyHash.get(hash) ?? [])[0];
    if (firstLine !== undefined)
      return { number, answer: { line: number, result: 'duplicate', username, first_line: firstLine } };
    return { number, text, keyHashes, weight: password === '' ? 1 : PASSWORD_WEIGHT };
  }
}

type ParsedLine = { number: number } & ({ answer: ImportLineAnswer } | { text: string; keyHashes: string[]; weight: number });

class OpenBatch implements Batch {
  readonly lines: { number: number; text: string; keyHashes: readonly string[] }[] = [];
  readonly answers: ImportLineAnswer[] = [];
  bytesRead = 0;
  #weight = 0;
  #bytes = 0;

  get isEmpty(): boolean {
    return this.lines.length + this.answers.length === 0;
  }

  hasRoomFor(line: ParsedLine): boolean {
    if (this.isEmpty) return true;
    if ('answer' in line) return this.answers.length < MAX_LINES;
    return this.#weight + line.weight <= MAX_LINES && this.#bytes + Buffer.byteLength(line.text) <= MAX_BYTES;
  }

  add(line: ParsedLine, bytesRead: number): void {
    this.bytesRead = bytesRead;
    if ('answer' in line) {
      this.answers.push(line.answer);
      return;
    }
    const { number, text, keyHashes, weight } = line;
    this.lines.push({ number, text, keyHashes });
    this.#weight += weight;
    this.#bytes += Buffer.byteLength(text) + 1;
  }
}

/** Reads the members that are compared with other lines, and the password. The API reports the faults of a line. */
function toMembers(text: string): Record<'username' | 'id' | 'subject' | 'source' | 'source_subject' | 'password', string> {
  const members = parseObject(text);
  const toText = (name: string): string => (typeof members[name] === 'string' ? members[name] : '');
  return {
    username: toText('username'),
    id: toText('id'),
    subject: toText('subject'),
    source: toText('source'),
    source_subject: toText('source_subject'),
    password: toText('password'),
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function hashKey(kind: string, value: string | null): string[] {
  if (value === null || value === '') return [];
  return [createHash('sha256').update(`${kind} ${value}`).digest().toString('latin1', 0, KEY_HASH_BYTES)];
}
