import { describe, expect, it } from '@jest/globals';
import { cacheReading } from './cached-reading.js';

describe('a cached reading', () => {
  it('asks once for all who look at the same moment, and keeps the answer for the next', async () => {
    let asked = 0;
    const read = cacheReading(() => Promise.resolve((asked += 1)));
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    expect(await read()).toBe(1);
  });

  it('is nothing where reading fails, at once or later', async () => {
    const fail = (): never => {
      throw new Error('away');
    };
    expect(await cacheReading(fail)()).toBeNull();
    expect(await cacheReading(() => Promise.reject(new Error('away')))()).toBeNull();
  });

  it('does not wait for what hangs, and does not begin it twice', async () => {
    let asked = 0;
    const read = cacheReading(() => {
      asked += 1;
      return new Promise<number>(() => undefined);
    }, 5);
    expect([await read(), await read()]).toEqual([null, null]);
    expect(asked).toBe(1);
  });
});
