/**
 * Changes the title of the document when a script shows another view or an error. For another
 * view, the focus also moves to its heading.
 */
import { useEffect, type RefObject } from 'react';

/** @param title null for the view that the server rendered: the browser has set its title and focus */
export function useViewChange(title: string | null, heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (title === null) return;
    document.title = title;
    heading.current?.focus();
  }, [title, heading]);
}

/**
 * Puts a prefix in front of the title when a script shows an error. The prefix stays when the error disappears.
 * @param prefix null if the title does not change
 */
export function useErrorTitle(prefix: string | null): void {
  useEffect(() => {
    if (prefix !== null && !document.title.startsWith(prefix)) document.title = prefix + document.title;
  }, [prefix]);
}
