/** The theme, light or dark: the theme of the system, or the one that the operator has chosen in this browser. */
import { readPreference, storePreference } from './preferences.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function readTheme(): Theme {
  const preference = readPreference('theme');
  return THEMES.find((theme) => theme === preference) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: Theme): void {
  storePreference('theme', theme === 'system' ? null : theme);
  applyTheme(theme);
}
