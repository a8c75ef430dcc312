/** Actions after a delay. */
import { useEffect, useState } from 'react';
import type { RefObject } from 'react';

/** @returns whether so many milliseconds have passed since the component was mounted */
export function usePassed(milliseconds: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return passed;
}

/** MFV-5: long enough to be seen, short enough not to be a wait. */
const SUBMIT_AFTER_MS = 100;

/** Submits the form once there is a token. `submit()` fires no submit event, so nothing prevents it. */
export function useSubmitSoon(form: RefObject<HTMLFormElement | null>, token: string | null): void {
  useEffect(() => {
    if (token === null) return;
    const timer = setTimeout(() => form.current?.submit(), SUBMIT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [form, token]);
}
