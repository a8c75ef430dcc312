/** Generates the table in docs/settings.md from the settings. */
import { buildMarkedTable, withGeneratedPart } from './generated-part.js';
import { SETTINGS, SETTING_GROUPS, type Setting } from './settings.js';

const MARKS = { begin: '<!-- settings:begin · made by `npm run settings` -->', end: '<!-- settings:end -->' };

/** @returns Markdown, including the two marks */
export function buildSettingsTable(): string {
  const groups = SETTING_GROUPS.map(({ title, sections }) =>
    [`| **${title}** | | |`, ...sections.flatMap((name) => Object.values<Setting>(SETTINGS[name]).map(toRow))].join('\n'),
  );
  return buildMarkedTable(MARKS, ['| setting | unset | meaning |', '| --- | --- | --- |', ...groups]);
}

/** @throws if the text does not contain the marks @returns the text with the new table between them */
export function withSettingsTable(page: string): string {
  return withGeneratedPart(page, MARKS, buildSettingsTable());
}

function toRow({ name, kind, fallback, fallbackText, about, file }: Setting): string {
  const label = /[–`]/.test(kind.label) ? ` (${kind.label})` : '';
  return `| \`${name}\`${file ? ' (`_FILE`)' : ''} | ${fallbackText ?? toFallbackText(fallback)} | ${about}${label} |`;
}

function toFallbackText(fallback: Setting['fallback']): string {
  return fallback === undefined || typeof fallback === 'object' ? '–' : `\`${fallback}\``;
}
