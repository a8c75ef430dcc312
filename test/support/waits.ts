/** Waits that the product tells in whole seconds: they go on by the time of the database while a test runs, however long that takes. */
import { expect } from '@jest/globals';

/** To be called before the wait begins. @returns expects that these seconds are what is left of a wait of so many */
export function watchWait(): (left: unknown, seconds: number) => void {
  const begun = performance.now();
  return (left, seconds) => {
    const passed = (performance.now() - begun) / 1000;
    expect(left).toBeLessThanOrEqual(seconds);
    expect(left).toBeGreaterThanOrEqual(Math.floor(seconds - passed));
  };
}
