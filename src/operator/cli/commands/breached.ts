/** Builds and checks the list of breached passwords for `BREACHED_LIST`. Foyer need not be running. */
import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BreachedList, BreachedListUnusable, BreachedListWriter } from '../../../accounts/password/breached-list.js';
import { SystemClock } from '../../../config/clock.js';
import { CliFailure, EXIT, buildUsageFailure } from '../cli-failure.js';
import type { Command } from '../command.js';
import { formatNumber, Progress } from '../progress.js';

/** A file of the download. */
interface Part {
  path: string;
  /** The first digits of all hashes in a range file, which is named after them; empty for a download in one file. */
  prefix: string;
}

const HASH_DIGITS = 40;
const RANGE_FILE = /^([0-9A-F]{5})(?:\.txt)?$/i;
const LINE = /^([0-9A-F]+):(\d{1,10})$/i;

export const breachedBuild: Command = {
  name: 'breached build',
  about: 'build the list for BREACHED_LIST from the download of Pwned Passwords (SHA-1)',
  operands: ['DOWNLOAD', 'LIST'],
  options: { least: { value: 'COUNT', about: 'leave out passwords that were found less often; default: 1' } },
  async run({ operands: [download = '', path = ''], options, print, terminal }) {
    const minCount = readMinCount(options.text('least') ?? '1');
    const parts = await listParts(download);
    const writer = await BreachedListWriter.create(path).catch((error: unknown) => {
      throw toFailure(path, error);
    });
    try {
      const progress = new Progress(terminal, 'passwords');
      for (const [index, part] of parts.entries())
        await addPart(writer, part, { minCount, onRead: (share) => progress.show(writer.count, (index + share) / parts.length) });
      progress.end();
      if (writer.count === 0)
        throw buildFailure(`${download} contains no password that was found at least ${formatTimes(minCount)}.`);
      await writer.finish({ minCount, builtAt: new SystemClock().now() });
    } catch (error) {
      await writer.discard();
      throw toFailure(path, error);
    }
    print({ list: path, passwords: writer.count, least: minCount }, () => `${path}: ${formatNumber(writer.count)} passwords\n`);
    return true;
  },
};

export const breachedCheck: Command = {
  name: 'breached check',
  about: 'read a list of breached passwords completely; exit code 1 if it cannot be used',
  operands: ['LIST'],
  options: {},
  async run({ operands: [path = ''], print }) {
    try {
      const list = BreachedList.open(path);
      const { count, minCount, builtAt } = list.facts;
      await list.verify();
      list.close();
      const date = builtAt.toISOString();
      const text = `${path}: ${formatNumber(count)} passwords, found at least ${formatTimes(minCount)}, built on ${date.slice(0, 10)}\n`;
      print({ list: path, passwords: count, least: minCount, built_at: date }, () => text);
      return true;
    } catch (error) {
      throw toFailure(path, error);
    }
  },
};

/** The largest number that the head of a list can store. */
const MAX_MIN_COUNT = 4_294_967_295;

function readMinCount(text: string): number {
  const minCount = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (minCount < 1 || minCount > MAX_MIN_COUNT)
    throw buildUsageFailure(`--least must be a whole number from 1 to ${MAX_MIN_COUNT}.`);
  return minCount;
}

/** @returns the file, or the range files of a folder in the order of their hashes */
async function listParts(download: string): Promise<Part[]> {
  try {
    const stats = await stat(download);
    if (!stats.isDirectory()) return [{ path: download, prefix: '' }];
    const names = (await readdir(download)).filter((name) => RANGE_FILE.test(name));
    if (names.length === 0) throw buildFailure(`${download} contains no files with names such as 0018A.txt.`);
    return names
      .map((name) => ({ path: join(download, name), prefix: name.slice(0, 5).toUpperCase() }))
      .toSorted((one, other) => (one.prefix < other.prefix ? -1 : 1));
  } catch (error) {
    throw toFailure(download, error);
  }
}

interface PartOptions {
  minCount: number;
  /** @param share part of the file, from 0 to 1 */
  onRead(share: number): void;
}

/** @throws CliFailure that names the first invalid line */
async function addPart(writer: BreachedListWriter, { path, prefix }: Part, { minCount, onRead }: PartOptions): Promise<void> {
  let number = 0;
  for await (const { lines, share } of prefix === '' ? readBlocks(path) : readWholeFile(path)) {
    for (const line of lines) {
      number += 1;
      if (line.trim() === '') continue;
      const [, digits = '', count = ''] = LINE.exec(line.trimEnd()) ?? [];
      const hash = prefix + digits.toUpperCase();
      if (hash.length !== HASH_DIGITS)
        throw buildFailure(`${path}: line ${number} is not HASH:COUNT, where HASH is ${describeHash(prefix)}.`);
      if (Number(count) >= minCount && !(await writer.add(hash)))
        throw buildFailure(`${path}: line ${number} sorts before an earlier line: the download must be ordered by hash.`);
    }
    onRead(share);
  }
}

interface Block {
  lines: string[];
  /** The part of the file that has been read so far, from 0 to 1. */
  share: number;
}

/** Reads a file in blocks, because a download in one file has about a billion lines. */
async function* readBlocks(path: string): AsyncGenerator<Block, void> {
  const { size } = await stat(path);
  let rest = '';
  let bytesRead = 0;
  for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
    const text = String(chunk);
    bytesRead += text.length;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield { lines, share: Math.min(bytesRead / Math.max(size, 1), 1) };
  }
  yield { lines: [rest], share: 1 };
}

/** Reads a whole file, because a download in range files has about a million small files. */
async function* readWholeFile(path: string): AsyncGenerator<Block, void> {
  yield { lines: (await readFile(path, 'latin1')).split('\n'), share: 1 };
}

function describeHash(prefix: string): string {
  if (prefix === '') return 'the SHA-1 of a password';
  return `the last ${HASH_DIGITS - prefix.length} digits of a SHA-1 that begins with ${prefix}`;
}

function buildFailure(message: string): CliFailure {
  return new CliFailure(EXIT.failure, 'breached_list', message);
}

function toFailure(path: string, error: unknown): unknown {
  if (error instanceof BreachedListUnusable) return buildFailure(`${path} ${error.message}.`);
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return buildFailure(`${(error as NodeJS.ErrnoException).path ?? path}: ${syscall} failed (${code}).`);
}

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`);
