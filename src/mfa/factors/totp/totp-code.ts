/** The arithmetic of RFC 6238 for one code: which time step it belongs to. Spending the step is the account's storage's. */
import { verifySync } from 'otplib';

const STEP_SECONDS = 30;
const CODE = /^[0-9]{6}$/;

export interface CodeWindow {
  /** Moment of the check. */
  now: Date;
  /** Steps to each side whose code is taken. */
  steps: number;
}

/**
 * @param seed base32
 * @returns the number of the step, or null when it is no code of the window
 */
export function totpStepOf(seed: string, typed: string, { now, steps }: CodeWindow): number | null {
  // Spaces alone: apps show codes in groups (VAL-4). Digits of other scripts are no digits here.
  const token = typed.replaceAll(' ', '');
  if (!CODE.test(token)) return null;
  const epoch = Math.floor(now.getTime() / 1000);
  const verdict = verifySync({ secret: seed, token, epoch, epochTolerance: steps * STEP_SECONDS });
  return verdict.valid && 'timeStep' in verdict ? verdict.timeStep : null;
}
