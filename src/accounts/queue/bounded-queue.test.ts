import { describe, expect, it } from '@jest/globals';
import { BoundedQueue } from './bounded-queue.js';

const NEVER_MS = 2 ** 31 - 1;

describe('BoundedQueue', () => {
  it('lets one work at a time for a key, in the order of coming, and other keys beside it', async () => {
    const line = new BoundedQueue({ perKey: 10, inAll: 10 });
    const order: string[] = [];
    let finish: () => void = () => undefined;
    const first = line.inTurn('a', () => new Promise<void>((resolve) => (finish = resolve)).then(() => void order.push('first')));
    const rest = ['second', 'third'].map((name) => line.inTurn('a', async () => order.push(name)));
    await line.inTurn('b', async () => order.push('other'));
    expect(order).toEqual(['other']);
    finish();
    await Promise.all([first, ...rest]);
    expect(order).toEqual(['other', 'first', 'second', 'third']);
  });

  it('goes on after one that fails', async () => {
    const line = new BoundedQueue({ perKey: 10, inAll: 10 });
    const failing = line.inTurn('a', () => Promise.reject(new Error('mine')));
    const next = line.inTurn('a', async () => 'next');
    await expect(failing).rejects.toThrow('mine');
    expect(await next).toBe('next');
    expect(await line.inTurn('a', async () => 'again')).toBe('again');
  });

  it('turns away beyond its length, for one key and in all', async () => {
    const line = new BoundedQueue({ perKey: 2, inAll: 3 });
    let finish: () => void = () => undefined;
    const end = new Promise<void>((resolve) => (finish = resolve));
    const came = ['a', 'a', 'a', 'a', 'b', 'b', 'b'].map((key) => line.inTurn(key, () => end.then(() => key)));
    expect(await came[3]).toBeNull();
    expect(await came[6]).toBeNull();
    finish();
    expect(await Promise.all(came)).toEqual(['a', 'a', 'a', null, 'b', 'b', null]);
  });

  it('wakes the longest sleeper of a key, once, whichever of its keys is nudged', async () => {
    const line = new BoundedQueue({ perKey: 1, inAll: 1 });
    const woken: string[] = [];
    const one = line.sleep(['a', 'x'], NEVER_MS).then(() => woken.push('one'));
    const two = line.sleep(['a', 'y'], NEVER_MS).then(() => woken.push('two'));
    line.nudge('nobody');
    line.nudge('a');
    await one;
    expect(woken).toEqual(['one']);
    line.nudge('x');
    line.nudge('y');
    await two;
    expect(woken).toEqual(['one', 'two']);
  });

  it('wakes by itself after the time', async () => {
    await new BoundedQueue({ perKey: 1, inAll: 1 }).sleep(['a'], 1);
  });
});
