/** Waits that the product reports in whole seconds. They become shorter by the time of the database while a test runs. */
import { expect } from '@jest/globals';

/** Must be called before the wait begins. @returns a function that checks how many seconds of a wait are left */
export function watchWait(): (left: unknown, seconds: number) => void {
  const begun = performance.now();
  return (left, seconds) => {
    const passed = (performance.now() - begun) / 1000;
    expect(left).toBeLessThanOrEqual(seconds);
    expect(left).toBeGreaterThanOrEqual(Math.floor(seconds - passed));
  };
}
