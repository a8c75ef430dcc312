import { describe, expect, it } from '@jest/globals';
import { KeySignals } from './key-signals.js';

const NEVER_MS = 2 ** 31 - 1;

describe('KeySignals', () => {
  it('wakes the work that has waited longest for a key, and wakes it only once', async () => {
    const signals = new KeySignals();
    const woken: string[] = [];
    const firstWait = signals.wait(['a', 'x'], NEVER_MS).then(() => woken.push('one'));
    const secondWait = signals.wait(['a', 'y'], NEVER_MS).then(() => woken.push('two'));
    signals.signal('nobody');
    signals.signal('a');
    await firstWait;
    expect(woken).toEqual(['one']);
    signals.signal('x');
    signals.signal('y');
    await secondWait;
    expect(woken).toEqual(['one', 'two']);
  });

  it('wakes the work after the given time, even without a signal', async () => {
    await new KeySignals().wait(['a'], 1);
  });
});
