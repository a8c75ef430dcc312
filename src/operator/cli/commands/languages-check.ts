/** Checks language files as the start of a gateway does, but also reports missing phrases as faults. Foyer need not be running. */
import { readLanguages } from '../../../config/language-files.js';
import type { Command } from '../command.js';
import { sanitize } from '../shown-text.js';
import { formatTable } from '../table.js';

export const languagesCheck: Command = {
  name: 'languages check',
  about: 'check the language files for LOCALES_DIR; exit code 1 if one has a fault',
  operands: ['DIRECTORY'],
  options: {},
  run({ operands: [directory = ''], print, terminal }) {
    const { languages, faults, incompleteFiles } = readLanguages({ offered: ['all'], directory });
    const rows = languages.all().map(({ locale, name, dates, dir }) => ({ locale, name, dates, dir }));
    const columns = (['locale', 'name', 'dates', 'dir'] as const).map((title) => ({
      title: title.toUpperCase(),
      value: (row: (typeof rows)[number]) => row[title],
    }));
    const missingPhrases = incompleteFiles.flatMap((file) =>
      file.missingKeys.map((key) => `${file.locale}.json: ${key}: is missing`),
    );
    const problems = [...faults.map((fault) => fault.replace(/^LOCALES_DIR: /, '')), ...missingPhrases];
    print({ languages: rows, faults: problems }, () =>
      problems.length > 0 ? problems.map((problem) => `${sanitize(problem)}\n`).join('') : formatTable(columns, rows, terminal),
    );
    return Promise.resolve(problems.length === 0);
  },
};
