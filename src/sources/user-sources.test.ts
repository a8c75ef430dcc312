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

const SILENT = pino({ level: 'silent' });

function withMaria(password: string): { staff: FakeUserSource; sources: UserSources } {
  const staff = new FakeUserSource('staff');
  const maria = { subject: 'id-of-maria', username: 'maria', emailVerified: false, attributes: {}, isActive: true, password };
  staff.people.push(maria);
  return { staff, sources: new UserSources([staff], SILENT) };
}

describe('a password that a source could take for none', () => {
  it.each(['', '\u0000', 'kupfer\u0000linde'])('[S-98] %j is not sent, with the work of one that is wrong', async (password) => {
    const { staff, sources } = withMaria(password);
    expect(await sources.check({ identifier: 'maria', password })).toEqual({ kind: 'unknown' });
    expect(await sources.verify({ source: 'staff', subject: 'id-of-maria' }, password)).toEqual({ kind: 'unknown' });
    expect(staff.calls).toEqual(['find', 'stand-in', 'find']);
  });
});

describe('a source that answers for another id than the one that was asked for', () => {
  it('[S-100] is not believed, also where it takes both for the same', async () => {
    const { staff, sources } = withMaria('kupfer linde 4821');
    const { find } = staff;
    staff.find = (key) => find.call(staff, 'subject' in key ? { subject: key.subject.toLowerCase() } : key);
    const asked = { source: 'staff', subject: 'ID-of-maria' };
    expect(await sources.verify(asked, 'kupfer linde 4821')).toEqual({ kind: 'unavailable', source: 'staff' });
    await expect(sources.describe('staff', asked.subject)).rejects.toMatchObject({ reason: 'it answers for another id' });
    expect(await sources.describe('staff', 'id-of-maria')).toMatchObject({ username: 'maria' });
  });
});

describe('a name', () => {
  it('belongs to every source before a provider', async () => {
    const { sources } = withMaria('kupfer linde 4821');
    expect(await sources.findEarlierSource('https://id.example', 'maria')).toBe('staff');
    expect(await sources.findEarlierSource('staff', 'maria')).toBeNull();
  });
});

describe('a source with a fault of this product', () => {
  it('fails one check, and does not end the process while another source is still asked', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const slow = new SlowSource('slow');
      const sources = new UserSources([slow, new BrokenSource('broken')], SILENT);
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
