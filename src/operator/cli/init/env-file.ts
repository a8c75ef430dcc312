/**
 * Writes a settings file that a shell, Node.js, systemd and compose read in the same way: simple values without
 * quotes, others in single quotes. It contains secrets, so only the owner can read it, and it is written completely
 * or not at all.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { toCode } from '../../../config/system-error.js';
import { CliFailure, EXIT, usage } from '../cli-failure.js';

const OWNER_ONLY = 0o600;
/** Characters without a special meaning in any reader of such files. */
const PLAIN = /^[\w@%+=:,./?-]*$/;

const HEADER = [
  '# Settings of Foyer, made by `foyer init`. There are secrets among them: keep this file out of version control, and',
  '# apart from backups of the database.',
];

/** @throws CliFailure for a value that such a file cannot contain */
export function envText(settings: Readonly<Record<string, string>>): string {
  return `${[...HEADER, ...Object.entries(settings).map(([name, value]) => `${name}=${quoted(name, value)}`)].join('\n')}\n`;
}

/** `docker run --env-file` treats quotes as part of the value. */
export function isPlain(value: string): boolean {
  return PLAIN.test(value);
}

function quoted(name: string, value: string): string {
  if (isPlain(value)) return value;
  if (!/['\p{Cc}]/u.test(value)) return `'${value}'`;
  throw usage(`${name} holds line breaks or single quotes, which a file of settings cannot hold; put it elsewhere.`);
}

/** @throws CliFailure; an existing file is never overwritten */
export function writeNew(path: string, text: string): void {
  const file = opened(path);
  try {
    writeSync(file, text);
  } catch (error) {
    rmSync(path);
    throw unwritable(path, error);
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'wx', OWNER_ONLY);
  } catch (error) {
    if (toCode(error) === 'EEXIST') throw isThere(path);
    throw unwritable(path, error);
  }
}

export function isThere(path: string): CliFailure {
  const advice = 'Existing files are not overwritten: choose another file with --out, or move the existing one.';
  return new CliFailure(EXIT.conflict, 'exists', `${path} is there already. ${advice}`);
}

function unwritable(path: string, error: unknown): CliFailure {
  const message = `${path} cannot be written (${toCode(error) ?? 'unknown reason'}). Nothing was.`;
  return new CliFailure(EXIT.failure, 'unwritable', message);
}
