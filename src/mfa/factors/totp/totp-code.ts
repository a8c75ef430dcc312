/** Finds the time step that a code belongs to (RFC 6238). `totp.records.ts` consumes the step. */
import { toAsciiDigits } from '../../../contract/typed-digits.js';

const STEP_SECONDS = 30;
const CODE = /^[0-9]{6}$/;

export interface CodeWindow {
  /** The time of the check. */
  now: Date;
  /** Number of steps before and after the current one that are accepted. */
  steps: number;
}

/**
 * @param seed base32
 * @returns the number of the step; null if the code does not have six digits or belongs to no step of the window
 */
export async function findTotpStep(seed: string, code: string, { now, steps }: CodeWindow): Promise<number | null> {
  // People may type the spaces with which apps group the digits of a code (VAL-4).
  const digits = toAsciiDigits(code).replaceAll(' ', '');
  if (!CODE.test(digits)) return null;
  const epoch = Math.floor(now.getTime() / 1000);
  const { verifySync } = await import('otplib');
  const verdict = verifySync({ secret: seed, token: digits, epoch, epochTolerance: steps * STEP_SECONDS });
  return verdict.valid && 'timeStep' in verdict ? verdict.timeStep : null;
}
