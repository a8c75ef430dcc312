/** Light or dark: as the system says, or as the operator has chosen in this browser. */
import { keep, readKept } from './kept.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function readTheme(): Theme {
  const kept = readKept('theme');
  return THEMES.find((theme) => theme === kept) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: Theme): void {
  keep('theme', theme === 'system' ? null : theme);
  applyTheme(theme);
}
