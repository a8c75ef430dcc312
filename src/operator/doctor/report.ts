/** Formats the report of the doctor for a terminal: each finding and, unless its state is good, how to fix it. */
import { padTo, sanitize, measureWidth } from '../cli/shown-text.js';
import type { Diagnosis } from './examine.js';
import type { Level } from './finding.js';

export interface ReportLayout {
  /** Width of the terminal. */
  columns?: number;
  colours: boolean;
}

const MARKS: Record<Level, string> = { ok: 'ok', hint: 'hint', fault: 'FAULT' };
/** Escape sequences of a terminal. */
const COLOURS: Record<Level | 'title' | 'fix' | 'end', string> = {
  ok: '\u001b[32m',
  hint: '\u001b[33m',
  fault: '\u001b[1;31m',
  title: '\u001b[1m',
  fix: '\u001b[2m',
  end: '\u001b[0m',
};
const MAX_COLUMNS = 110;
const MIN_COLUMNS = 40;
const MARK_WIDTH = 5;
const INDENT = `  ${' '.repeat(MARK_WIDTH)}  `;

export function formatReport({ findings, counts }: Diagnosis, { columns = MAX_COLUMNS, colours }: ReportLayout): string {
  const colour = (kind: keyof typeof COLOURS, text: string): string => (colours ? `${COLOURS[kind]}${text}${COLOURS.end}` : text);
  const width = Math.max(Math.min(columns, MAX_COLUMNS), MIN_COLUMNS) - INDENT.length;
  const titles = [...new Set(findings.map(({ check }) => check))];
  const paragraphs = titles.map((title) => {
    const ownFindings = findings.filter(({ check }) => check === title);
    const lines = ownFindings.flatMap(({ level, what, fix }) => {
      const [firstLine = '', ...otherLines] = wrapText(sanitize(what), width);
      const fixLines =
        fix === undefined
          ? []
          : wrapText(sanitize(fix), width - 2).map((line, index) => (index === 0 ? `→ ${line}` : `  ${line}`));
      return [
        `  ${colour(level, padTo(MARKS[level], MARK_WIDTH))}  ${firstLine}`,
        ...otherLines.map((line) => INDENT + line),
        ...fixLines.map((line) => INDENT + colour('fix', line)),
      ];
    });
    return [colour('title', sanitize(title)), ...lines].map((line) => `${line}\n`).join('');
  });
  return [...paragraphs, `${summarize(counts)}\n`].join('\n');
}

function summarize({ ok, hint, fault }: Diagnosis['counts']): string {
  const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const verdict = fault === 0 ? 'No faults' : formatCount(fault, 'fault');
  return `${verdict}, ${formatCount(hint, 'hint')}, ${ok} ok.`;
}

function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && measureWidth(line) + 1 + measureWidth(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
