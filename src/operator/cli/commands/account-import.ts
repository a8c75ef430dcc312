/** Imports the accounts of a file in batches. Accounts that exist are not changed, so an interrupted import can be repeated. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { toCode } from '../../../config/system-error.js';
import type { ImportLineAnswer } from '../../wire.js';
import { CliFailure, buildUsageFailure } from '../cli-failure.js';
import type { Call, Command } from '../command.js';
import { ImportBatches, type Batch } from '../import-batches.js';
import { Progress, formatNumber } from '../progress.js';
import { sanitize, sanitizeJsonLine } from '../shown-text.js';
import { formatFacts } from '../table.js';
import { REASON_OPTION } from '../reason-option.js';

const STANDARD_INPUT = '-';

interface Input {
  name: string;
  chunks: AsyncIterable<Uint8Array>;
  bytes?: number;
}

export const accountImport: Command = {
  name: 'account import',
  about: 'import accounts from a file, one JSON object per line; "-" is standard input',
  operands: ['file'],
  options: { 'dry-run': { about: 'check the lines and report what would happen, but change nothing' }, ...REASON_OPTION },
  async run(call) {
    const input = await openInput(call);
    const report = new Report(call, input);
    const batches = new ImportBatches();
    try {
      for await (const batch of batches.split(input.chunks)) {
        const answers = await send(call, batch);
        batches.remember(batch, answers);
        await report.add(batch, answers);
      }
    } catch (error) {
      throw report.toFailure(error);
    }
    return report.end();
  },
};

async function send({ api, options }: Call, { lines }: Batch): Promise<ImportLineAnswer[]> {
  if (lines.length === 0) return [];
  const answers = await api.importLines(
    lines.map(({ text }) => text),
    options.has('dry-run'),
  );
  // The API numbers the lines within the batch, from 1.
  const toFileLine = (line: number | undefined): number => lines[(line ?? 0) - 1]?.number ?? 0;
  return answers.map((answer) => ({
    ...answer,
    line: toFileLine(answer.line),
    ...(answer.first_line === undefined ? {} : { first_line: toFileLine(answer.first_line) }),
  }));
}

/** Opens the file that is the first operand, or standard input. @throws CliFailure */
export async function openInput({ operands: [file = ''], terminal }: Call): Promise<Input> {
  if (file === STANDARD_INPUT) return { name: 'standard input', chunks: terminal.input() };
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw buildUsageFailure(`${JSON.stringify(file)} is a directory; name a file.`);
    return { name: file, chunks: createReadStream(file), ...(stats.isFile() ? { bytes: stats.size } : {}) };
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    throw buildUsageFailure(`${JSON.stringify(file)} cannot be read (${toCode(error) ?? 'unknown reason'}).`);
  }
}

/** @returns a CliFailure if the system could not read the input, otherwise the error itself */
export function toReadFailure(name: string, error: unknown): unknown {
  const code = error instanceof CliFailure ? undefined : toCode(error);
  return code === undefined ? error : buildUsageFailure(`${JSON.stringify(name)} cannot be read (${code}).`);
}

class Report {
  readonly #counts = { created: 0, would_create: 0, exists: 0, duplicate: 0, invalid: 0 };
  readonly #progress: Progress;
  #lineCount = 0;
  #lastLine = 0;

  constructor(
    private readonly call: Call,
    private readonly input: Input,
  ) {
    this.#progress = new Progress(call.terminal, 'lines');
  }

  async add(batch: Batch, answers: readonly ImportLineAnswer[]): Promise<void> {
    const allAnswers = [...batch.answers, ...answers].sort((one, other) => one.line - other.line);
    for (const answer of allAnswers) this.#counts[answer.result] += 1;
    this.#lineCount += allAnswers.length;
    this.#lastLine = allAnswers.at(-1)?.line ?? this.#lastLine;
    const text = allAnswers.map((answer) => this.#format(answer)).join('');
    if (text !== '') {
      this.#progress.end();
      await this.call.terminal.write(text);
    }
    const { bytes } = this.input;
    this.#progress.show(this.#lineCount, bytes === undefined ? undefined : batch.bytesRead / bytes);
  }

  async end(): Promise<boolean> {
    const { created, would_create, exists, duplicate, invalid } = this.#counts;
    const { options, terminal } = this.call;
    this.#progress.end();
    if (options.has('json')) {
      await terminal.write(sanitizeJsonLine({ summary: { lines: this.#lineCount, ...this.#counts } }));
    } else {
      const rows: [string, number][] = [
        ['Lines', this.#lineCount],
        options.has('dry-run') ? ['Would be created', would_create] : ['Created', created],
        ['Already exist', exists],
        ['Duplicates', duplicate],
        ['Invalid', invalid],
      ];
      terminal.out(formatFacts(rows.map(([name, count]) => [name, formatNumber(count)])));
    }
    return duplicate + invalid === 0;
  }

  toFailure(error: unknown): unknown {
    this.#progress.end();
    const failure = toReadFailure(this.input.name, error);
    if (!(failure instanceof CliFailure) || this.#lastLine === 0) return failure;
    const { exitCode, code, message } = failure;
    const progress = this.call.options.has('dry-run')
      ? `Only lines 1 to ${this.#lastLine} were checked.`
      : `Lines 1 to ${this.#lastLine} are done; run the command again to continue.`;
    return new CliFailure(exitCode, code, `${message} ${progress}`);
  }

  #format(answer: ImportLineAnswer): string {
    if (this.call.options.has('json')) return sanitizeJsonLine(answer);
    const { line, result, message = '', first_line } = answer;
    if (result !== 'invalid' && result !== 'duplicate') return '';
    const sentence =
      result === 'duplicate' ? `The username, id, subject or person is the same as in line ${first_line ?? 0}.` : message;
    return `${sanitize(this.input.name)}:${line}: ${sanitize(sentence)}\n`;
  }
}
