import { describe, expect, it } from '@jest/globals';
import { findTotpStep } from './totp-code.js';

/** The seed and codes of RFC 6238, appendix B (SHA-1), shortened to six digits. */
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const toWindow = (seconds: number, steps = 1): { now: Date; steps: number } => ({ now: new Date(seconds * 1000), steps });

describe('the step of a code', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
  ])('[VAL-4] is found at %d s for %s', async (seconds, code, step) => {
    expect(await findTotpStep(SEED, code, toWindow(seconds))).toBe(step);
  });

  it('[VAL-4] is the same with spaces anywhere', async () => {
    expect(await findTotpStep(SEED, ' 287 082 ', toWindow(59))).toBe(1);
  });

  it.each(['٢٨٧٠٨٢', '۲۸۷ ۰۸۲', '287٠٨٢'])('[VAL-4] is the same with Arabic digits in %j', async (code) => {
    expect(await findTotpStep(SEED, code, toWindow(59))).toBe(1);
  });

  it.each(['287082\n', '\t287082', '2870820', '28708', '', '２８７０８２', '28708a', '-87082', '2.7082', '287-082'])(
    '[VAL-4] is not found for %j',
    async (code) => {
      expect(await findTotpStep(SEED, code, toWindow(59))).toBeNull();
    },
  );

  it.each([
    [29, 0, null],
    [0, 1, 1],
    [29, 1, 1],
    [30, 0, 1],
    [59, 0, 1],
    [60, 0, null],
    [60, 1, 1],
    [89, 1, 1],
    [90, 1, null],
  ])('[MFV-8] at %d s, with %d accepted steps on each side, is %j for the code of step 1', async (seconds, steps, step) => {
    expect(await findTotpStep(SEED, '287082', toWindow(seconds, steps))).toBe(step);
  });
});
