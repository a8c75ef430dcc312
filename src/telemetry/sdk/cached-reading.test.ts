import { describe, expect, it } from '@jest/globals';
import { cacheReading } from './cached-reading.js';

describe('a cached reading', () => {
  it('is read once for concurrent readers, and cached for the next reader', async () => {
    let reads = 0;
    const read = cacheReading(() => Promise.resolve((reads += 1)));
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    expect(await read()).toBe(1);
  });

  it('is null if the read throws or rejects', async () => {
    const fail = (): never => {
      throw new Error('away');
    };
    expect(await cacheReading(fail)()).toBeNull();
    expect(await cacheReading(() => Promise.reject(new Error('away')))()).toBeNull();
  });

  it('is null while a read hangs, and the read is not started twice', async () => {
    let reads = 0;
    const read = cacheReading(() => {
      reads += 1;
      return new Promise<number>(() => undefined);
    }, 5);
    expect([await read(), await read()]).toEqual([null, null]);
    expect(reads).toBe(1);
  });
});
