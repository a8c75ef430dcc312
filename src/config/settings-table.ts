/** The table of settings in the README, made from the settings themselves. */
import type { Setting } from './settings.js';
import { SETTING_GROUPS } from './settings.js';

const TABLE_BEGIN = '<!-- settings:begin · made by `npm run settings` -->';
const TABLE_END = '<!-- settings:end -->';

/** @returns Markdown, the two markers included */
export function settingsTable(): string {
  const groups = SETTING_GROUPS.map(({ title, settings }) =>
    [`| **${title}** | | |`, ...Object.values(settings).map(rowOf)].join('\n'),
  );
  return [
    TABLE_BEGIN,
    '<!-- prettier-ignore-start -->',
    '',
    '| setting | unset | meaning |',
    '| --- | --- | --- |',
    ...groups,
    '',
    '<!-- prettier-ignore-end -->',
    TABLE_END,
  ].join('\n');
}

/** @throws when the text has no markers @returns the text with a fresh table between them */
export function withSettingsTable(readme: string): string {
  const begin = readme.indexOf(TABLE_BEGIN);
  const end = readme.indexOf(TABLE_END);
  if (begin < 0 || end < begin) throw new Error(`The text lacks the lines\n${TABLE_BEGIN}\n${TABLE_END}`);
  return readme.slice(0, begin) + settingsTable() + readme.slice(end + TABLE_END.length);
}

function rowOf({ name, kind, fallback, unset, about, file }: Setting): string {
  const label = /[–`]/.test(kind.label) ? ` (${kind.label})` : '';
  return `| \`${name}\`${file ? ' (`_FILE`)' : ''} | ${unset ?? fallbackText(fallback)} | ${about}${label} |`;
}

function fallbackText(fallback: Setting['fallback']): string {
  return fallback === undefined || typeof fallback === 'object' ? '–' : `\`${fallback}\``;
}
