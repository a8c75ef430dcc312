/** Choices of the operator that this browser keeps. A browser that refuses to keep them (private mode) only forgets them. */

export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(`foyer-console-${name}`);
  } catch {
    return null;
  }
}

/** @param value null forgets the choice */
export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`foyer-console-${name}`);
    else localStorage.setItem(`foyer-console-${name}`, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
