/** The environment, the input and the output of the CLI. Tests provide their own. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { environment } from '../../config/environment.js';
import type { Environment } from '../../config/settings-read.js';
import { cutTo } from './shown-text.js';

export interface Terminal {
  env: Environment;
  out(text: string): void;
  err(text: string): void;
  /** Writes a part of a long result. Resolves when the output can accept more. */
  write(text: string): Promise<void>;
  /** Shows progress in a line that the next call replaces; absent if standard error is not a terminal. */
  progress?(text: string): void;
  /** Standard input in chunks. */
  input(): AsyncIterable<Uint8Array>;
  /** Reads all of standard input. If standard input is a terminal, reads one line and does not display the line. */
  readSecret(prompt: string): Promise<string>;
  /** Width of the window; absent if standard output is not a terminal, so that nothing is cut. */
  columns?: number;
  colours: boolean;
}

export function buildProcessTerminal(): Terminal {
  const { stdout, stderr, stdin } = process;
  // A reader may stop early (`| head`), which is not a failure.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  const env = environment();
  return {
    env,
    out: (output) => void stdout.write(output),
    err: (output) => void stderr.write(output),
    write: async (output) => {
      if (!stdout.write(output)) await once(stdout, 'drain');
    },
    ...(stderr.isTTY ? { progress: (text) => void stderr.write(`\r${cutTo(text, stderr.columns - 1)}\u001b[K`) } : {}),
    input: () => stdin,
    readSecret: (prompt) => (stdin.isTTY ? readHiddenLine(prompt) : text(stdin)),
    ...(stdout.isTTY ? { columns: stdout.columns } : {}),
    // Any value that is not empty turns colours off (https://no-color.org).
    colours: stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
  };
}

function readHiddenLine(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: sink, terminal: true });
  return new Promise((resolve) => {
    let line = '';
    lines.once('line', (input) => {
      line = input;
      lines.close();
    });
    // Ctrl+C and Ctrl+D close the interface without a line.
    lines.once('close', () => {
      process.stderr.write('\n');
      resolve(line);
    });
  });
}
