import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileJournal, readJournal, UnreadableStore, type Change } from './journal.js';

const HEAD = '{"format":"foyer-upstream","version":1}\n';

describe('FileJournal', () => {
  let directory: string;
  let path: string;
  let rows: Map<string, Change>;
  let failures: unknown[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'foyer-upstream-'));
    path = join(directory, 'upstream.jsonl');
    rows = new Map();
    failures = [];
  });

  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  function open(): FileJournal {
    const journal = new FileJournal({
      path,
      listAll: () => rows.values(),
      countRows: () => rows.size,
      onFailure: (error) => failures.push(error),
    });
    journal.rewrite();
    return journal;
  }

  function change(journal: FileJournal, id: string, row: object | null): void {
    const entry: Change = ['things', id, row];
    if (row) rows.set(id, entry);
    else rows.delete(id);
    journal.note(entry);
  }

  it('reads the changes in order, even if the journal was not closed', () => {
    const journal = open();
    change(journal, 'a', { n: 1 });
    change(journal, 'b', { n: 2 });
    journal.flush();
    change(journal, 'a', null);
    journal.flush();

    expect(readJournal(path)).toEqual([
      ['things', 'a', { n: 1 }],
      ['things', 'b', { n: 2 }],
      ['things', 'a', null],
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    journal.close();
  });

  it('rewrites the file when most of its lines are obsolete', () => {
    const journal = open();
    for (let turn = 0; turn < 5000; turn++) {
      change(journal, 'only', { turn });
      journal.flush();
    }
    journal.close();

    expect(readFileSync(path, 'utf8').split('\n').length).toBeLessThan(2100);
    expect(readJournal(path).at(-1)).toEqual(['things', 'only', { turn: 4999 }]);
  });

  it('keeps changes that it could not write, and writes them with the next change', () => {
    const journal = open();
    rmSync(directory, { recursive: true });
    // Simulates a failed disk: neither the file nor its replacement can be written.
    writeFileSync(directory, 'not a directory');
    journal.close();
    const lateJournal = new FileJournal({
      path,
      listAll: () => rows.values(),
      countRows: () => rows.size,
      onFailure: (error) => failures.push(error),
    });
    change(lateJournal, 'a', { n: 1 });
    lateJournal.flush();
    expect(failures).toHaveLength(1);
    expect(() => lateJournal.close()).toThrow();

    rmSync(directory);
    mkdirSync(directory);
    change(lateJournal, 'b', { n: 2 });
    lateJournal.flush();
    lateJournal.close();
    expect(readJournal(path)).toEqual([
      ['things', 'a', { n: 1 }],
      ['things', 'b', { n: 2 }],
    ]);
  });

  it('leaves no temporary file', () => {
    open().close();
    expect(existsSync(`${path}.new`)).toBe(false);
  });
});

describe('readJournal', () => {
  let directory: string;
  let path: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'foyer-upstream-'));
    path = join(directory, 'upstream.jsonl');
  });

  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it('returns no changes for a missing or an empty file', () => {
    expect(readJournal(path)).toEqual([]);
    writeFileSync(path, '');
    expect(readJournal(path)).toEqual([]);
  });

  it('drops an incomplete last line, which a crash may leave', () => {
    writeFileSync(path, `${HEAD}[["things","a",{"n":1}]]\n[["things","b",{"n"`);
    expect(readJournal(path)).toEqual([['things', 'a', { n: 1 }]]);
  });

  it.each([
    ['another file', 'hello\n', 'line 1 is damaged'],
    ['text without a line break', 'hello', 'is not a file of the embedded upstream'],
    ['other JSON', '{"a":1}\n', 'is not a file of the embedded upstream'],
    ['a later version', '{"format":"foyer-upstream","version":2}\n', 'another version'],
    ['a damaged line', `${HEAD}[["things","a",{"n":1}]]\n[["things"\n[]\n`, 'line 3 is damaged'],
    ['a line of another shape', `${HEAD}{"a":1}\n`, 'line 2 is damaged'],
    ['a change of another shape', `${HEAD}[["things",5,{}]]\n`, 'line 2 is damaged'],
  ])('refuses %s, names the file and does not change it', (_, text, reason) => {
    writeFileSync(path, text);
    expect(() => readJournal(path)).toThrow(UnreadableStore);
    expect(() => readJournal(path)).toThrow(path);
    expect(() => readJournal(path)).toThrow(reason);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('refuses a path that cannot be read', () => {
    mkdirSync(path);
    expect(() => readJournal(path)).toThrow(UnreadableStore);
  });

  it('reads lines that were appended by hand', () => {
    writeFileSync(path, HEAD);
    appendFileSync(path, '[["things","a",{}],["things","b",null]]\n');
    expect(readJournal(path)).toHaveLength(2);
  });
});
