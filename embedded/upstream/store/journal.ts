/**
 * The file of a store: a header line, then lines of changes. Changes that are flushed together are appended as one line. At the start,
 * after a failure, and when most lines are obsolete, all rows are written into a new file, which replaces the old one atomically. An
 * unreadable file is not changed, and the error names it. An incomplete last line, which a crash may leave, is dropped.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Table, id and row; if the row is null, it was deleted. */
export type Change = [table: string, id: string, row: object | null];

const HEAD = { format: 'foyer-upstream', version: 1 };
/** The file is rewritten if it has more lines than this and most of them are obsolete. */
const MIN_LINES_TO_REWRITE = 2000;
const MAX_LINES_PER_ROW = 4;

export class UnreadableStore extends Error {}

export interface Journal {
  note(change: Change): void;
  /** Writes the pending changes. A failure is reported, and the next call tries again. */
  flush(): void;
  /** Writes the pending changes and closes the file. @throws the system's error */
  close(): void;
}

export const MEMORY_JOURNAL: Journal = { note: () => undefined, flush: () => undefined, close: () => undefined };

/** @throws UnreadableStore naming the file, and the line if it is known */
export function readJournal(path: string): Change[] {
  if (!existsSync(path)) return [];
  const lines = readText(path).split('\n');
  const lastLine = lines.pop();
  const [head, ...changeLines] = lines;
  if (head === undefined) {
    if (lastLine === '') return [];
    throw new UnreadableStore(`${path} is not a file of the embedded upstream.`);
  }
  requireHead(path, head);
  return changeLines.flatMap((line, index) => parseLine(line, `${path}, line ${index + 2}`));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UnreadableStore(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function requireHead(path: string, line: string): void {
  const head = parseJson(line, `${path}, line 1`) as Partial<typeof HEAD> | null;
  if (head?.format !== HEAD.format) throw new UnreadableStore(`${path} is not a file of the embedded upstream.`);
  if (head.version !== HEAD.version)
    throw new UnreadableStore(`${path} was written by another version of the embedded upstream.`);
}

function parseLine(line: string, position: string): Change[] {
  const changes = parseJson(line, position);
  if (!Array.isArray(changes) || !changes.every(isChange)) throw new UnreadableStore(`${position} is damaged.`);
  return changes;
}

function parseJson(line: string, position: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    throw new UnreadableStore(`${position} is damaged.`);
  }
}

function isChange(value: unknown): value is Change {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [table, id, row] = value as unknown[];
  return typeof table === 'string' && typeof id === 'string' && typeof row === 'object';
}

export interface FileJournalParts {
  path: string;
  /** All rows, for rewriting the file. */
  listAll: () => Iterable<Change>;
  countRows: () => number;
  onFailure: (error: unknown) => void;
}

export class FileJournal implements Journal {
  #pendingChanges: Change[] = [];
  #lineCount = 0;
  #file: number | null = null;
  #hasFailed = false;

  constructor(private readonly parts: FileJournalParts) {}

  note(change: Change): void {
    this.#pendingChanges.push(change);
  }

  flush(): void {
    if (this.#pendingChanges.length === 0) return;
    try {
      // After a failure the last line may be incomplete, so the whole file is rewritten.
      if (this.#hasFailed || this.#file === null || this.#isMostlyObsolete()) this.rewrite();
      else this.#append(this.#file);
    } catch (error) {
      this.#hasFailed = true;
      this.parts.onFailure(error);
    }
  }

  close(): void {
    if (this.#pendingChanges.length > 0 || this.#hasFailed) this.rewrite();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** Writes everything into a new file, which then replaces the old one. */
  rewrite(): void {
    const { path } = this.parts;
    const lines = [JSON.stringify(HEAD)];
    for (const change of this.parts.listAll()) lines.push(JSON.stringify([change]));
    const draftPath = `${path}.new`;
    const file = openSync(draftPath, 'w', 0o600);
    try {
      writeText(file, `${lines.join('\n')}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draftPath, path);
    syncDirectory(dirname(path));
    if (this.#file !== null) closeSync(this.#file);
    this.#file = openSync(path, 'a', 0o600);
    this.#lineCount = lines.length;
    this.#pendingChanges = [];
    this.#hasFailed = false;
  }

  #append(file: number): void {
    writeText(file, `${JSON.stringify(this.#pendingChanges)}\n`);
    this.#lineCount++;
    this.#pendingChanges = [];
  }

  #isMostlyObsolete(): boolean {
    return this.#lineCount > MIN_LINES_TO_REWRITE && this.#lineCount > MAX_LINES_PER_ROW * this.parts.countRows();
  }
}

function writeText(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length;) offset += writeSync(file, bytes, offset);
}

/** Makes the rename durable. Some systems do not allow opening a directory; they write the rename later. */
function syncDirectory(path: string): void {
  let directory: number;
  try {
    directory = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(directory);
  } catch {
    // The rename has happened; only its durability is unknown.
  } finally {
    closeSync(directory);
  }
}
