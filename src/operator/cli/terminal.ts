/** What the CLI knows of the world besides the API; a test gives its own. */
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
  /** For long results: resolves when the reader has room for more. */
  write(text: string): Promise<void>;
  /** Says how far long work is, in one line that the next one replaces; absent where nobody watches. */
  progress?(text: string): void;
  /** Standard input, piece by piece. */
  input(): AsyncIterable<Uint8Array>;
  /** Everything on standard input; from a keyboard one line, which is not shown. */
  readSecret(prompt: string): Promise<string>;
  /** Width of the window; absent where the output goes elsewhere, and is not cut. */
  columns?: number;
  colours: boolean;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, stdin } = process;
  // A reader that has seen enough (`| head`) is no failure.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  const env = environment();
  return {
    env,
    out: (written) => void stdout.write(written),
    err: (written) => void stderr.write(written),
    write: async (written) => {
      if (!stdout.write(written)) await once(stdout, 'drain');
    },
    ...(stderr.isTTY ? { progress: (text) => void stderr.write(`\r${cutTo(text, stderr.columns - 1)}\u001b[K`) } : {}),
    input: () => stdin,
    readSecret: (prompt) => (stdin.isTTY ? readHiddenLine(prompt) : text(stdin)),
    ...(stdout.isTTY ? { columns: stdout.columns } : {}),
    // https://no-color.org: any value that is not empty.
    colours: stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
  };
}

function readHiddenLine(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  return new Promise((resolve) => {
    let line = '';
    lines.once('line', (typed) => {
      line = typed;
      lines.close();
    });
    // Also after Ctrl+C and Ctrl+D: then nothing was typed.
    lines.once('close', () => {
      process.stderr.write('\n');
      resolve(line);
    });
  });
}
