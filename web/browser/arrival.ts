/** A page becomes another one by script: its title says so, and readers begin at its heading. */
import { useEffect } from 'react';
import type { RefObject } from 'react';

/** @param title null where the server wrote the page as it is: the browser has done both */
export function useArrival(title: string | null, heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (title === null) return;
    document.title = title;
    heading.current?.focus();
  }, [title, heading]);
}
