/** Changes the title and moves the focus to the heading when a script shows another view in the same document. */
import { useEffect, type RefObject } from 'react';

/** @param title null for the view that the server rendered: the browser has set its title and focus */
export function useViewChange(title: string | null, heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (title === null) return;
    document.title = title;
    heading.current?.focus();
  }, [title, heading]);
}

/** @param prefix the beginning of the title while the page shows an error; null if no error has appeared since the page was opened */
export function useErrorTitle(prefix: string | null): void {
  useEffect(() => {
    if (prefix !== null && !document.title.startsWith(prefix)) document.title = prefix + document.title;
  }, [prefix]);
}
