import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { FakeUserSource } from './fake-user-source.js';
import { UserSources } from './user-sources.js';

class BrokenSource extends FakeUserSource {
  override async find(): Promise<never> {
    throw new TypeError('The test has broken this source.');
  }
}

class SlowSource extends FakeUserSource {
  answer: () => void = () => undefined;

  override async find(): Promise<null> {
    await new Promise<void>((resolve) => (this.answer = resolve));
    return null;
  }
}

const SILENT_LOG = pino({ level: 'silent' });

function buildSourceWithMaria(password: string): { staff: FakeUserSource; sources: UserSources } {
  const staff = new FakeUserSource('staff');
  const maria = { subject: 'id-of-maria', username: 'maria', emailVerified: false, attributes: {}, isActive: true, password };
  staff.people.push(maria);
  return { staff, sources: new UserSources([staff], SILENT_LOG) };
}

describe('a password that is empty or contains a NUL', () => {
  it.each(['', '\u0000', 'kupfer\u0000linde'])(
    '[S-98] %j is not sent, and a check with it takes as much work as with a wrong password',
    async (password) => {
      const { staff, sources } = buildSourceWithMaria(password);
      expect(await sources.check({ identifier: 'maria', password })).toEqual({ kind: 'unknown' });
      expect(await sources.verify({ source: 'staff', subject: 'id-of-maria' }, password)).toEqual({ kind: 'unknown' });
      expect(staff.calls).toEqual(['find', 'verify-dummy', 'find']);
    },
  );
});

describe('an answer of a source about another id', () => {
  it('[S-100] is refused, even if the source treats both ids as the same', async () => {
    const { staff, sources } = buildSourceWithMaria('kupfer linde 4821');
    const { find } = staff;
    staff.find = (key) => find.call(staff, 'subject' in key ? { subject: key.subject.toLowerCase() } : key);
    const owner = { source: 'staff', subject: 'ID-of-maria' };
    expect(await sources.verify(owner, 'kupfer linde 4821')).toEqual({ kind: 'unavailable', source: 'staff' });
    await expect(sources.describe('staff', owner.subject)).rejects.toMatchObject({ reason: 'it answers for another id' });
    expect(await sources.describe('staff', 'id-of-maria')).toMatchObject({ username: 'maria' });
  });
});

describe('a name', () => {
  it('belongs to a user source rather than to a provider', async () => {
    const { sources } = buildSourceWithMaria('kupfer linde 4821');
    expect(await sources.findEarlierSource('https://id.example', 'maria')).toBe('staff');
    expect(await sources.findEarlierSource('staff', 'maria')).toBeNull();
  });
});

describe('a source whose code has a defect', () => {
  it('fails one check, but does not end the process while another source has not answered', async () => {
    const unhandledReasons: unknown[] = [];
    const collect = (reason: unknown): void => void unhandledReasons.push(reason);
    process.on('unhandledRejection', collect);
    try {
      const slowSource = new SlowSource('slow');
      const sources = new UserSources([slowSource, new BrokenSource('broken')], SILENT_LOG);
      const result = sources.check({ identifier: 'maria', password: 'any' });
      // Node reports an unhandled rejection when the queue of microtasks is empty.
      await new Promise((resolve) => setImmediate(resolve));
      slowSource.answer();
      await expect(result).rejects.toThrow(TypeError);
      expect(unhandledReasons).toEqual([]);
    } finally {
      process.off('unhandledRejection', collect);
    }
  });
});
