/** Things that a page does after a while. */
import { useEffect, useState } from 'react';
import type { RefObject } from 'react';

/** @returns whether so many milliseconds have passed since the part came to life */
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

/** Sends the form by itself as soon as there is something to hand in. Its submit event does not come, so nothing holds it. */
export function useSubmitSoon(form: RefObject<HTMLFormElement | null>, token: string | null): void {
  useEffect(() => {
    if (token === null) return;
    const timer = setTimeout(() => form.current?.submit(), SUBMIT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [form, token]);
}
