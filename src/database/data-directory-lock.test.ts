import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockDataDirectory, type DataDirectoryLock, type LockOptions } from './data-directory-lock.js';
import { DataDirectoryInUse } from './database.errors.js';
import type { ProcessIdentity, ProcessTable } from './process-identity.js';

const LIVE_PROCESS: ProcessIdentity = { pid: 100, host: 'here', start: '5' };
const DEAD_PROCESS: ProcessIdentity = { pid: 200, host: 'here', start: '5' };
const REUSED_PID: ProcessIdentity = { pid: 100, host: 'here', start: '4' };
const OTHER_CONTAINER: ProcessIdentity = { pid: 100, host: 'another container', start: '5' };
const processes: ProcessTable = {
  self: () => ({ pid: 300, host: 'here', start: '9' }),
  findStart: (pid) => ({ 100: '5', 300: '9' })[pid] ?? null,
};

describe('lock of the data directory', () => {
  let directory: string;
  const locks: DataDirectoryLock[] = [];

  async function lock(options: LockOptions = {}): Promise<DataDirectoryLock> {
    const newLock = await lockDataDirectory(directory, { processes, pause: async () => undefined, ...options });
    locks.push(newLock);
    return newLock;
  }

  async function claim(content: string): Promise<string> {
    const path = join(directory, `claim-other${Math.random()}.json`);
    await writeFile(path, content);
    return path;
  }

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'foyer-lock-'));
  });

  afterEach(async () => {
    for (const newLock of locks.splice(0)) await newLock.release();
    await rm(directory, { recursive: true });
  });

  it('is held by one process at a time, and is free after its release', async () => {
    const first = await lock();
    await expect(lock()).rejects.toThrow(DataDirectoryInUse);
    await expect(lock()).rejects.toThrow(/DATA_DIR.*DATABASE_URL/);
    await first.release();
    await lock();
    expect(await readdir(directory)).toHaveLength(1);
  });

  it.each([
    ['a dead process', DEAD_PROCESS],
    ['a process whose pid now belongs to another process', REUSED_PID],
  ])('is taken over from %s', async (_, owner) => {
    await claim(JSON.stringify(owner));
    await lock();
    expect(await readdir(directory)).toHaveLength(1);
  });

  it('is never taken from a process that is alive', async () => {
    await claim(JSON.stringify(LIVE_PROCESS));
    await expect(lock()).rejects.toThrow(/\(pid 100,/);
    expect(await readdir(directory)).toHaveLength(1);
  });

  it('is not taken from another container while its heartbeat continues', async () => {
    const path = await claim(JSON.stringify(OTHER_CONTAINER));
    let beats = 0;
    const pause = async (): Promise<void> => utimes(path, new Date(), new Date(1000 * ++beats));
    await expect(lock({ pause })).rejects.toThrow(DataDirectoryInUse);
  });

  it('is taken over from another container after a long time without a heartbeat', async () => {
    await claim(JSON.stringify(OTHER_CONTAINER));
    let waitedMs = 0;
    const pause = async (milliseconds: number): Promise<void> => void (waitedMs += milliseconds);
    await lock({ pause });
    expect(waitedMs).toBe(10_000);
  });

  it.each([[''], ['{'], ['null'], ['[]'], ['{"pid":"x"}'], ['\u0000\u0001'], ['"text"']])(
    'takes over the unreadable claim %j only after a long time without a heartbeat',
    async (content) => {
      const path = await claim(content);
      let beats = 0;
      const beat = async (): Promise<void> => utimes(path, new Date(), new Date(1000 * ++beats));
      await expect(lock({ pause: beat })).rejects.toThrow(DataDirectoryInUse);
      await lock();
    },
  );

  it('is given to at most one of many processes that start together, and to one of them in the end', async () => {
    const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds / 20));
    let winners = 0;
    for (let round = 0; round < 5; round++) {
      const results = await Promise.allSettled(Array.from({ length: 6 }, () => lock({ pause })));
      const successes = results.filter(({ status }) => status === 'fulfilled');
      expect(successes.length).toBeLessThanOrEqual(1);
      winners += successes.length;
      for (const newLock of locks.splice(0)) await newLock.release();
    }
    expect(winners).toBeGreaterThan(0);
    await lock();
  });

  it('reports to its holder that its claim was removed', async () => {
    let lose: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (lose = resolve));
    await lock({ onLost: lose });
    for (const name of await readdir(directory)) await rm(join(directory, name));
    await stopped;
  });
});
