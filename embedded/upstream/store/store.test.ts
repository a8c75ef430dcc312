import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UnreadableStore } from './journal.js';
import { DirectoryInUse } from './lock-file.js';
import { Store } from './store.js';

describe('Store', () => {
  let directory: string;
  const openStores: Store[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'foyer-upstream-'));
  });

  afterEach(() => {
    for (const store of openStores.splice(0)) store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function openStore(): Store {
    const store = Store.open(directory, (error) => {
      throw error;
    });
    openStores.push(store);
    return store;
  }

  const buildSession = (id: string, subject = 'alice') => ({ id, subject, authenticatedAt: 1, expiresAt: 2 });

  it('finds rows by the current value of a lookup, and no longer after their deletion', () => {
    const { sessions } = openStore();
    sessions.put('a', buildSession('a'));
    sessions.put('b', buildSession('b'));
    sessions.put('b', buildSession('b', 'bob'));

    expect(sessions.listMatching('subject', 'alice').map(([id]) => id)).toEqual(['a']);
    expect(sessions.listMatching('subject', 'bob').map(([id]) => id)).toEqual(['b']);
    expect([sessions.delete('a'), sessions.delete('a')]).toEqual([true, false]);
    expect(sessions.listMatching('subject', 'alice')).toEqual([]);
    expect(sessions.size).toBe(1);
  });

  it('writes changes without an await between them as one line', async () => {
    const store = openStore();
    store.sessions.put('a', buildSession('a'));
    store.sessions.put('b', buildSession('b'));
    store.sessions.delete('a');
    await nextTurn();

    const lines = readFileSync(join(directory, 'upstream.jsonl'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1] ?? '')).toHaveLength(3);
  });

  it('restores all rows after a restart', () => {
    const firstStore = openStore();
    firstStore.sessions.put('a', buildSession('a'));
    firstStore.sessions.put('b', buildSession('b'));
    firstStore.sessions.delete('b');
    firstStore.close();

    const secondStore = openStore();
    expect([...secondStore.sessions.entries()]).toEqual([['a', buildSession('a')]]);
    expect(secondStore.sessions.listMatching('subject', 'alice')).toHaveLength(1);
  });

  it('is not healthy while it cannot write, and writes all pending changes with the next change', async () => {
    const failures: unknown[] = [];
    const store = Store.open(directory, (error) => failures.push(error));
    openStores.push(store);
    // A directory with the name of the new file prevents its creation.
    const obstacle = join(directory, 'upstream.jsonl.new');
    mkdirSync(obstacle);
    for (let turn = 0; store.isHealthy && turn < 5000; turn++) {
      store.sessions.put('a', { ...buildSession('a'), expiresAt: turn });
      await nextTurn();
    }
    expect([store.isHealthy, failures.length]).toEqual([false, 1]);

    store.sessions.put('b', buildSession('b'));
    await nextTurn();
    rmSync(obstacle, { recursive: true });
    store.sessions.put('c', buildSession('c'));
    await nextTurn();
    expect(store.isHealthy).toBe(true);
    store.close();
    expect([...openStore().sessions.entries()].map(([id]) => id)).toEqual(['a', 'b', 'c']);
  });

  it('refuses a second owner while it is open, and accepts one after it was closed', () => {
    const store = openStore();
    expect(() => openStore()).toThrow(DirectoryInUse);
    store.close();
    expect(() => openStore()).not.toThrow();
  });

  it('ignores a lock that a crash has left', () => {
    // No process has the first id, because it is above the maximum.
    for (const content of ['4194305', String(process.pid), 'nonsense', '']) {
      writeFileSync(join(directory, 'upstream.lock'), content);
      expect(() => openStore().close()).not.toThrow();
    }
  });

  it('refuses to open while another process holds the lock', () => {
    writeFileSync(join(directory, 'upstream.lock'), String(process.ppid));
    expect(() => openStore()).toThrow(`Process ${process.ppid} already uses this data directory`);
  });

  it('leaves a lock of a crash to the process that is removing it', () => {
    writeFileSync(join(directory, 'upstream.lock'), '4194305');
    writeFileSync(join(directory, 'upstream.lock.removal'), String(process.ppid));
    expect(() => openStore()).toThrow(DirectoryInUse);
    expect(readFileSync(join(directory, 'upstream.lock'), 'utf8')).toBe('4194305');
    writeFileSync(join(directory, 'upstream.lock.removal'), '4194305');
    openStore().close();
    expect(readdirSync(directory).filter((name) => name.includes('.lock'))).toEqual([]);
  });

  it('refuses a file with an unknown table, does not change it, and releases the directory', () => {
    const path = join(directory, 'upstream.jsonl');
    writeFileSync(path, '{"format":"foyer-upstream","version":1}\n[["elsewhere","a",{}]]\n');
    expect(() => openStore()).toThrow(UnreadableStore);
    expect(readFileSync(path, 'utf8')).toContain('elsewhere');
    expect(existsSync(join(directory, 'upstream.lock'))).toBe(false);
  });
});
