/** A script shows another view in the same document: the title changes, and screen readers continue at the heading. */
import { useEffect, type RefObject } from 'react';

/** @param title null for the view that the server rendered: the browser has done both */
export function useViewChange(title: string | null, heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (title === null) return;
    document.title = title;
    heading.current?.focus();
  }, [title, heading]);
}

/** @param prefix what the title begins with while the page shows an error; null if it shows none that came after it was opened */
export function useErrorTitle(prefix: string | null): void {
  useEffect(() => {
    if (prefix !== null && !document.title.startsWith(prefix)) document.title = prefix + document.title;
  }, [prefix]);
}
