/** Turns an error of a use case that a person can correct into a value, which the form shows. */
import { CallFailed } from '../../gateway/http/calls.js';

/** @returns the error that a person can correct; null on success. Rethrows all others */
export async function catchFailure(work: () => Promise<void>): Promise<CallFailed | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof CallFailed) return error;
    throw error;
  }
}
