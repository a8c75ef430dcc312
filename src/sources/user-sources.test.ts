import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { FakeUserSource } from './fake-user-source.js';
import { UserSources } from './user-sources.js';

class BrokenSource extends FakeUserSource {
  override async find(): Promise<never> {
    throw new TypeError('of the test');
  }
}

class SlowSource extends FakeUserSource {
  answer: () => void = () => undefined;

  override async find(): Promise<null> {
    await new Promise<void>((resolve) => (this.answer = resolve));
    return null;
  }
}

describe('a source with a fault of this product', () => {
  it('fails one check, and does not end the process while another source is still asked', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const slow = new SlowSource('slow');
      const sources = new UserSources([slow, new BrokenSource('broken')], pino({ level: 'silent' }));
      const checked = sources.check({ identifier: 'maria', password: 'any' });
      // Node reports it once the queue of microtasks is empty.
      await new Promise((resolve) => setImmediate(resolve));
      slow.answer();
      await expect(checked).rejects.toThrow(TypeError);
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});
