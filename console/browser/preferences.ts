/** The preferences that this browser stores. A browser that refuses to store them (private mode) only forgets them. */

export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(`foyer-console-${name}`);
  } catch {
    return null;
  }
}

/** @param value null removes the preference */
export function storePreference(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`foyer-console-${name}`);
    else localStorage.setItem(`foyer-console-${name}`, value);
  } catch {
    // The preference then lasts as long as the page.
  }
}
