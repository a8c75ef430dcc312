/** Formats the report of the doctor for a terminal: each finding and, unless all is well, how to fix it. */
import { padTo, sanitize, measureWidth } from '../cli/shown-text.js';
import type { Diagnosis } from './examine.js';
import type { Level } from './finding.js';

export interface ReportLayout {
  /** Width of the terminal. */
  columns?: number;
  colours: boolean;
}

const MARKS: Record<Level, string> = { ok: 'ok', hint: 'hint', fault: 'FAULT' };
const PAINT: Record<Level | 'title' | 'quiet' | 'end', string> = {
  ok: '\u001b[32m',
  hint: '\u001b[33m',
  fault: '\u001b[1;31m',
  title: '\u001b[1m',
  quiet: '\u001b[2m',
  end: '\u001b[0m',
};
const MAX_COLUMNS = 110;
const MIN_COLUMNS = 40;
const MARK_WIDTH = 5;
const INDENT = `  ${' '.repeat(MARK_WIDTH)}  `;

export function report({ findings, counts }: Diagnosis, { columns = MAX_COLUMNS, colours }: ReportLayout): string {
  const paint = (kind: keyof typeof PAINT, text: string): string => (colours ? `${PAINT[kind]}${text}${PAINT.end}` : text);
  const room = Math.max(Math.min(columns, MAX_COLUMNS), MIN_COLUMNS) - INDENT.length;
  const titles = [...new Set(findings.map(({ check }) => check))];
  const paragraphs = titles.map((title) => {
    const own = findings.filter(({ check }) => check === title);
    const lines = own.flatMap(({ level, what, fix }) => {
      const [first = '', ...more] = wrapText(sanitize(what), room);
      const fixLines =
        fix === undefined
          ? []
          : wrapText(sanitize(fix), room - 2).map((line, index) => (index === 0 ? `→ ${line}` : `  ${line}`));
      return [
        `  ${paint(level, padTo(MARKS[level], MARK_WIDTH))}  ${first}`,
        ...more.map((line) => INDENT + line),
        ...fixLines.map((line) => INDENT + paint('quiet', line)),
      ];
    });
    return [paint('title', sanitize(title)), ...lines].map((line) => `${line}\n`).join('');
  });
  return [...paragraphs, `${summarize(counts)}\n`].join('\n');
}

function summarize({ ok, hint, fault }: Diagnosis['counts']): string {
  const formatCount = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  const verdict = fault === 0 ? 'No faults' : formatCount(fault, 'fault');
  return `${verdict}, ${formatCount(hint, 'hint')}, ${ok} ok.`;
}

function wrapText(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && measureWidth(line) + 1 + measureWidth(word) > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
