/**
 * A file of settings that a shell, Node.js, systemd and compose read alike: plain values stand as they are, others in single
 * quotes. It holds secrets, so only its owner may read it, and it is whole or not there.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { codeOf } from '../../../config/system-error.js';
import { CliFailure, EXIT, usage } from '../cli-failure.js';

const OWNER_ONLY = 0o600;
/** What no reader of such files takes for anything but itself. */
const PLAIN = /^[\w@%+=:,./?-]*$/;

const HEADER = [
  '# Settings of Foyer, made by `foyer init`. There are secrets among them: keep this file out of version control, and',
  '# apart from backups of the database.',
];

/** @throws CliFailure for a value that such a file cannot hold */
export function envText(settings: Readonly<Record<string, string>>): string {
  return `${[...HEADER, ...Object.entries(settings).map(([name, value]) => `${name}=${quoted(name, value)}`)].join('\n')}\n`;
}

/** docker run --env-file takes quotes for a part of the value. */
export function isPlain(value: string): boolean {
  return PLAIN.test(value);
}

function quoted(name: string, value: string): string {
  if (isPlain(value)) return value;
  if (!/['\p{Cc}]/u.test(value)) return `'${value}'`;
  throw usage(`${name} holds line breaks or single quotes, which a file of settings cannot hold; put it elsewhere.`);
}

/** @throws CliFailure; what was there before is never touched */
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
    if (codeOf(error) === 'EEXIST') throw isThere(path);
    throw unwritable(path, error);
  }
}

export function isThere(path: string): CliFailure {
  const advice = 'Nothing is overwritten: name another file with --out, or move that one away.';
  return new CliFailure(EXIT.conflict, 'exists', `${path} is there already. ${advice}`);
}

function unwritable(path: string, error: unknown): CliFailure {
  const message = `${path} cannot be written (${codeOf(error) ?? 'unknown reason'}). Nothing was.`;
  return new CliFailure(EXIT.failure, 'unwritable', message);
}
