import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { BoundedQueue, KeyedQueue } from './bounded-queue.js';

function createHeldWork(): { end: Promise<void>; finish: () => void } {
  let finish: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (finish = resolve));
  return { end, finish: () => finish() };
}

describe('BoundedQueue', () => {
  it('runs and queues work up to its limits, and refuses the rest', async () => {
    const queue = new BoundedQueue({ concurrency: 2, maxWaiting: 1 });
    const { end, finish } = createHeldWork();
    const results = ['one', 'two', 'three', 'four'].map((name) => queue.run(() => end.then(() => name)));
    expect([results[3], queue.runningCount, queue.waitingCount, queue.isEmpty]).toEqual([null, 2, 1, false]);
    finish();
    expect(await Promise.all(results.map(async (done) => done))).toEqual(['one', 'two', 'three', null]);
    expect(queue.isEmpty).toBe(true);
    expect(await queue.run(async () => 'again')).toBe('again');
  });

  it('runs preferred work before all other waiting work, and limits it separately', async () => {
    const queue = new BoundedQueue({ concurrency: 1, maxWaiting: 1 });
    const { end, finish } = createHeldWork();
    const order: string[] = [];
    const add = (name: string, isPreferred: boolean) => queue.run(() => end.then(() => order.push(name)), { isPreferred });
    const ordinaryResults = ['running', 'ordinary', 'refused'].map((name) => add(name, false));
    const preferredResults = ['first', 'second', 'full'].map((name) => add(name, true));
    expect([ordinaryResults[2], preferredResults[2], queue.waitingCount]).toEqual([null, null, 3]);
    finish();
    await Promise.all([...ordinaryResults, ...preferredResults]);
    expect(order).toEqual(['running', 'first', 'second', 'ordinary']);
    expect(queue.isEmpty).toBe(true);
  });

  it('runs work in the context of the code that added it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const queue = new BoundedQueue({ concurrency: 1, maxWaiting: 3 });
    const results = ['one', 'two', 'three'].map((name) =>
      storage.run(name, () => queue.run(async () => Promise.resolve().then(() => storage.getStore()))),
    );
    expect(await Promise.all(results.map(async (done) => done))).toEqual(['one', 'two', 'three']);
  });
});

describe('KeyedQueue', () => {
  it('runs the work of one key in sequence, and the work of other keys in parallel', async () => {
    const queue = new KeyedQueue({ perKey: 10, total: 10 });
    const order: string[] = [];
    const { end, finish } = createHeldWork();
    const firstResult = queue.run('a', () => end.then(() => order.push('first')));
    const otherResults = ['second', 'third'].map((name) => queue.run('a', async () => order.push(name)));
    await queue.run('b', async () => order.push('other'));
    expect([order, queue.waitingCount]).toEqual([['other'], 2]);
    finish();
    await Promise.all([firstResult, ...otherResults]);
    expect([order, queue.waitingCount]).toEqual([['other', 'first', 'second', 'third'], 0]);
  });

  it('continues after a failure', async () => {
    const queue = new KeyedQueue({ perKey: 10, total: 10 });
    const failedResult = queue.run('a', () => Promise.reject(new Error('mine')));
    const nextResult = queue.run('a', async () => 'next');
    await expect(failedResult).rejects.toThrow('mine');
    expect(await nextResult).toBe('next');
    expect(await queue.run('a', async () => 'again')).toBe('again');
  });

  it('refuses work beyond the limit of one key and the limit of all keys', async () => {
    const queue = new KeyedQueue({ perKey: 2, total: 3 });
    const { end, finish } = createHeldWork();
    const results = ['a', 'a', 'a', 'a', 'b', 'b', 'b'].map((key) => queue.run(key, () => end.then(() => key)));
    expect(await results[3]).toBeNull();
    expect(await results[6]).toBeNull();
    finish();
    expect(await Promise.all(results)).toEqual(['a', 'a', 'a', null, 'b', 'b', null]);
  });
});
