/** Hooks that use timers. */
import { useEffect, useState, type RefObject } from 'react';

/** @returns whether this many milliseconds have passed since the component was mounted */
export function useHasElapsed(milliseconds: number): boolean {
  const [hasElapsed, setHasElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasElapsed(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return hasElapsed;
}

const SECOND_MS = 1_000;

/** @returns the remaining seconds, calculated from the clock, because browsers slow down the timers of hidden pages */
export function useSecondsLeft(seconds: number): number {
  const [remaining, setRemaining] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * SECOND_MS;
    const timer = setInterval(() => {
      const rest = Math.max(Math.ceil((end - Date.now()) / SECOND_MS), 0);
      setRemaining(rest);
      if (rest === 0) clearInterval(timer);
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [seconds]);
  return remaining;
}

/** MFV-5: long enough for people to notice the result, short enough not to feel like a wait. */
const SUBMIT_AFTER_MS = 100;

/**
 * Submits the form when there is a value to submit, such as a factor token. `submit()` fires no submit event, so the handler that
 * prevents a second press does not run.
 */
export function useSubmitSoon(form: RefObject<HTMLFormElement | null>, value: string | null): void {
  useEffect(() => {
    if (value === null) return;
    const timer = setTimeout(() => form.current?.submit(), SUBMIT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [form, value]);
}
