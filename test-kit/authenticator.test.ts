import { describe, expect, it } from '@jest/globals';
import { Authenticator } from './authenticator.js';

describe('an authenticator app', () => {
  it('returns each code once, also to simultaneous requests', async () => {
    let nowMs = 0;
    const pass = async (milliseconds: number): Promise<void> => {
      await Promise.resolve();
      nowMs += milliseconds;
    };
    const app = Authenticator.createRandom({ now: () => new Date(nowMs), pass });
    const codes = await Promise.all(Array.from({ length: 4 }, () => app.freshCode()));
    expect(new Set(codes).size).toBe(4);
  });
});
