/** Writes all accounts in import format, one JSON object on each line. Secrets are included only on request. */
import { open, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { toCode } from '../../../config/system-error.js';
import { CliFailure, buildUsageFailure } from '../cli-failure.js';
import type { Call, Command } from '../command.js';
import { Progress, formatNumber } from '../progress.js';
import { sanitizeJsonLine } from '../shown-text.js';
import { REASON_OPTION } from '../reason-option.js';

const LINES_PER_WRITE = 200;
const OWNER_ONLY = 0o600;

export const accountExport: Command = {
  name: 'account export',
  about: 'write all accounts in import format, without security keys and recovery codes',
  operands: [],
  options: {
    output: { value: 'FILE', about: 'write to a new file that only its owner can read; default: standard output' },
    'with-hashes': { about: 'include password hashes; recorded in the audit log' },
    'with-totp': { about: 'include unencrypted seeds of authenticator apps; recorded in the audit log' },
    ...REASON_OPTION,
  },
  async run(call) {
    const { options, terminal } = call;
    const file = options.text('output');
    const hasSecrets = options.has('with-hashes') || options.has('with-totp');
    if (file === undefined) {
      if (hasSecrets && terminal.columns !== undefined)
        throw buildUsageFailure('Secrets are not shown on a terminal: use --output FILE.');
      await write(call, (text) => terminal.write(text));
      return true;
    }
    const count = await writeFile(file, (put) => write(call, put));
    call.print(
      { file, accounts: count },
      () => `${count === 1 ? '1 account was' : `${formatNumber(count)} accounts were`} written to ${file}.\n`,
    );
    return true;
  },
};

type Put = (text: string) => Promise<void>;

async function write({ api, options, terminal }: Call, put: Put): Promise<number> {
  const progress = new Progress(terminal, 'accounts');
  let count = 0;
  let lines: string[] = [];
  const query = { password_hashes: String(options.has('with-hashes')), totp_secrets: String(options.has('with-totp')) };
  try {
    for await (const line of api.exportLines(query)) {
      lines.push(sanitizeJsonLine(line));
      count += 1;
      if (lines.length < LINES_PER_WRITE) continue;
      await put(lines.join(''));
      lines = [];
      progress.show(count);
    }
    await put(lines.join(''));
    return count;
  } finally {
    progress.end();
  }
}

/** Writes to a temporary file and renames it at the end, so that an incomplete export is never mistaken for a complete one. */
async function writeFile(file: string, work: (put: Put) => Promise<number>): Promise<number> {
  if (existsSync(file)) throw buildUsageFailure(`${JSON.stringify(file)} already exists; use another name or remove it.`);
  const temporaryFile = `${file}.part`;
  try {
    await rm(temporaryFile, { force: true });
    const handle = await open(temporaryFile, 'wx', OWNER_ONLY);
    let count: number;
    try {
      count = await work((text) => handle.appendFile(text));
    } finally {
      await handle.close();
    }
    await rename(temporaryFile, file);
    return count;
  } catch (error) {
    await rm(temporaryFile, { force: true });
    const code = toCode(error);
    if (error instanceof CliFailure || code === undefined) throw error;
    throw buildUsageFailure(`${JSON.stringify(file)} cannot be written (${code}).`);
  }
}
