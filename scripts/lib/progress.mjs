/** Terminal output while parts run: one line per part, and the output of failed parts. */
import { stripVTControlCharacters } from 'node:util';

const MARKS = { passed: 'ok     ', failed: 'FAILED ', skipped: 'SKIPPED' };

export function say(line = '') {
  process.stdout.write(`${line}\n`);
}

/** @param {{ name: string, status: keyof typeof MARKS, seconds: number, output: string, note?: string }} result */
export function sayResult({ name, status, seconds, output, note }) {
  const remark = note ?? (status === 'skipped' ? output : '');
  say(`${MARKS[status]} ${name.padEnd(22)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${remark}`.trimEnd());
  if (status === 'failed') sayOutput(output);
}

/** Prints the output of a program, indented, and without colours if standard output is not a terminal. */
export function sayOutput(output) {
  const text = process.stdout.isTTY ? output : stripVTControlCharacters(output);
  for (const line of text.trimEnd().split('\n')) say(`        ${line}`);
}

/** Prints the last line of a run. @returns {0 | 1} the exit code; also 1 if nothing passed */
export function sayTotal({ passed, failed, skipped }) {
  say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 || passed === 0 ? 1 : 0;
}
