/** The preferences that this browser stores. The console also works in a browser that refuses to store them (private mode). */

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
