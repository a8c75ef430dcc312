/**
 * Reads and writes the file of breached passwords (`foyer breached build`). The file contains the first 56 bits of the SHA-1 of
 * each password in the published download that was found at least `minCount` times. In a file with a hundred million entries, a
 * password that was never breached is found by chance once in 700 million look-ups.
 *
 * The file consists of a header, a table with the number of entries before each of the 65,536 values of the first two bytes, and the
 * next five bytes of each hash in ascending order. All numbers are big-endian.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';

const MAGIC = 'FOYER-BP';
const VERSION = 1;
const HEADER_BYTES = 64;
const DIGEST_BYTES = 32;
const BUCKETS = 65_536;
const TABLE_BYTES = (BUCKETS + 1) * 4;
const ENTRIES_AT = HEADER_BYTES + TABLE_BYTES;
const ENTRY_BYTES = 5;
/** Number of hexadecimal digits of the bucket, and of bucket and entry together. */
const BUCKET_DIGITS = 4;
const STORED_DIGITS = 14;
const BLOCK_ENTRIES = 200_000;
const BLOCK_BYTES = BLOCK_ENTRIES * ENTRY_BYTES;
const MAX_ENTRIES = 0xff_ff_ff_ff;

const NOT_A_LIST = 'is not a list that `foyer breached build` has completed';
const DAMAGED_OR_TRUNCATED = 'is damaged or truncated: build it again';

const readFromDisk = promisify(read);

/** The file cannot be used. The message states the reason and does not name the file. */
export class BreachedListUnusable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BreachedListUnusable';
  }
}

export interface BreachedListFacts {
  /** Number of passwords. */
  count: number;
  /** How often a password had to be found in breaches to be in the file. */
  minCount: number;
  builtAt: Date;
}

export class BreachedList {
  private constructor(
    private readonly file: number,
    readonly facts: BreachedListFacts,
    private readonly table: Uint32Array,
    private readonly digest: Buffer,
  ) {}

  /**
   * Reads the header and the table, which stays in memory.
   * @throws BreachedListUnusable. Errors of the disk while reading are thrown unchanged.
   */
  static open(path: string): BreachedList {
    const file = openFile(path);
    try {
      return BreachedList.#read(file);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  static #read(file: number): BreachedList {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new BreachedListUnusable(NOT_A_LIST);
    const head = Buffer.alloc(ENTRIES_AT);
    requireAllBytes(readSync(file, head, 0, ENTRIES_AT, 0), ENTRIES_AT, NOT_A_LIST);
    if (head.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new BreachedListUnusable(NOT_A_LIST);
    const version = head.readUInt32BE(8);
    if (version !== VERSION)
      throw new BreachedListUnusable(
        `has version ${version}, and this version of Foyer reads version ${VERSION}: build it again`,
      );
    const count = Number(head.readBigUInt64BE(16));
    const table = Uint32Array.from({ length: BUCKETS + 1 }, (_, bucket) => head.readUInt32BE(HEADER_BYTES + bucket * 4));
    if (stats.size !== ENTRIES_AT + count * ENTRY_BYTES || table[BUCKETS] !== count || !isAscending(table))
      throw new BreachedListUnusable(DAMAGED_OR_TRUNCATED);
    const facts = { count, minCount: head.readUInt32BE(12), builtAt: new Date(Number(head.readBigUInt64BE(24))) };
    return new BreachedList(file, facts, table, head.subarray(32, 32 + DIGEST_BYTES));
  }

  /** Whether the list contains the password. Reads a few kilobytes. */
  async has(password: string): Promise<boolean> {
    const hash = createHash('sha1').update(password.normalize('NFC')).digest();
    const bucket = hash.readUInt16BE(0);
    const start = this.table[bucket] ?? 0;
    const entries = await this.#readEntries(start, this.table[bucket + 1] ?? start);
    return hasEntry(hash.readUIntBE(2, ENTRY_BYTES), entries);
  }

  /** Reads the table and all entries. @throws BreachedListUnusable if they have changed since the file was built */
  async verify(): Promise<void> {
    const { count } = this.facts;
    const hash = createHash('sha256');
    for (let start = 0; start < count; start += BLOCK_ENTRIES)
      hash.update(await this.#readEntries(start, Math.min(start + BLOCK_ENTRIES, count)));
    const table = Buffer.alloc(TABLE_BYTES);
    requireAllBytes(readSync(this.file, table, 0, TABLE_BYTES, HEADER_BYTES), TABLE_BYTES, DAMAGED_OR_TRUNCATED);
    if (!hash.update(table).digest().equals(this.digest)) throw new BreachedListUnusable('is damaged: build it again');
  }

  close(): void {
    closeSync(this.file);
  }

  /** @throws BreachedListUnusable if the file has become shorter. Errors of the disk are thrown unchanged. */
  async #readEntries(start: number, end: number): Promise<Buffer> {
    const length = (end - start) * ENTRY_BYTES;
    const { bytesRead, buffer } = await readFromDisk(
      this.file,
      Buffer.alloc(length),
      0,
      length,
      ENTRIES_AT + start * ENTRY_BYTES,
    );
    requireAllBytes(bytesRead, length, DAMAGED_OR_TRUNCATED);
    return buffer;
  }
}

/** Writes a list. The file appears under its name when it is complete. */
export class BreachedListWriter {
  readonly #counts = new Uint32Array(BUCKETS);
  readonly #hash: Hash = createHash('sha256');
  readonly #block = Buffer.alloc(BLOCK_BYTES);
  #usedBytes = 0;
  #count = 0;
  #lastDigits = '';

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
  ) {}

  static async create(path: string): Promise<BreachedListWriter> {
    const file = await open(toPartialPath(path), 'w', 0o644);
    const writer = new BreachedListWriter(file, path);
    try {
      await writeAllBytes(file, Buffer.alloc(ENTRIES_AT), 0);
    } catch (error) {
      await writer.discard();
      throw error;
    }
    return writer;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * @param hash at least `STORED_DIGITS` upper-case hexadecimal digits
   * @returns false if the hash sorts before the previous hash; a repeated hash is stored once
   * @throws BreachedListUnusable if the file would have too many entries
   */
  async add(hash: string): Promise<boolean> {
    const digits = hash.slice(0, STORED_DIGITS);
    if (digits === this.#lastDigits) return true;
    if (digits < this.#lastDigits) return false;
    if (this.#count === MAX_ENTRIES) throw new BreachedListUnusable(`would have more than ${MAX_ENTRIES} entries`);
    this.#lastDigits = digits;
    this.#count += 1;
    const bucket = Number.parseInt(digits.slice(0, BUCKET_DIGITS), 16);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#block.writeUIntBE(Number.parseInt(digits.slice(BUCKET_DIGITS), 16), this.#usedBytes, ENTRY_BYTES);
    this.#usedBytes += ENTRY_BYTES;
    if (this.#usedBytes === BLOCK_BYTES) await this.#flush();
    return true;
  }

  async finish({ minCount, builtAt }: Pick<BreachedListFacts, 'minCount' | 'builtAt'>): Promise<void> {
    await this.#flush();
    const table = Buffer.alloc(TABLE_BYTES);
    let sum = 0;
    for (const [bucket, count] of this.#counts.entries()) {
      table.writeUInt32BE(sum, bucket * 4);
      sum += count;
    }
    table.writeUInt32BE(sum, BUCKETS * 4);
    const header = Buffer.alloc(HEADER_BYTES);
    header.write(MAGIC, 'latin1');
    header.writeUInt32BE(VERSION, 8);
    header.writeUInt32BE(minCount, 12);
    header.writeBigUInt64BE(BigInt(this.#count), 16);
    header.writeBigUInt64BE(BigInt(builtAt.getTime()), 24);
    this.#hash.update(table).digest().copy(header, 32);
    await writeAllBytes(this.file, table, HEADER_BYTES);
    // The header comes last, because a file without a header is refused.
    await this.file.sync();
    await writeAllBytes(this.file, header, 0);
    await this.file.sync();
    await this.file.close();
    await rename(toPartialPath(this.path), this.path);
  }

  /** Removes the incomplete file. */
  async discard(): Promise<void> {
    await this.file.close();
    await rm(toPartialPath(this.path), { force: true });
  }

  async #flush(): Promise<void> {
    const position = ENTRIES_AT + this.#count * ENTRY_BYTES - this.#usedBytes;
    const entries = this.#block.subarray(0, this.#usedBytes);
    this.#hash.update(entries);
    await writeAllBytes(this.file, entries, position);
    this.#usedBytes = 0;
  }
}

const toPartialPath = (path: string): string => `${path}.part`;

/** @throws BreachedListUnusable */
function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BreachedListUnusable(`cannot be read (${code ?? message})`);
  }
}

/** @throws BreachedListUnusable */
function requireAllBytes(bytes: number, expectedBytes: number, message: string): void {
  if (bytes < expectedBytes) throw new BreachedListUnusable(message);
}

/** A single write may write only a part, for example if the disk becomes full; the next write then fails. */
async function writeAllBytes(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

function isAscending(table: Uint32Array): boolean {
  return table.every((entry, index) => index === 0 || entry >= (table[index - 1] ?? 0));
}

function hasEntry(target: number, entries: Buffer): boolean {
  let start = 0;
  let end = entries.length / ENTRY_BYTES;
  while (start < end) {
    const middle = (start + end) >>> 1;
    const entry = entries.readUIntBE(middle * ENTRY_BYTES, ENTRY_BYTES);
    if (entry === target) return true;
    if (entry < target) start = middle + 1;
    else end = middle;
  }
  return false;
}
