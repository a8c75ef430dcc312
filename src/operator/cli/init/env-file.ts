/**
 * Writes a file of settings that a shell, Node.js, systemd and Docker Compose read in the same way: simple values without quotes,
 * others in single quotes. Only the owner can read the file, because it contains secrets. A file that cannot be written completely
 * is removed.
 */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { toCode } from '../../../config/system-error.js';
import { CliFailure, EXIT, buildUsageFailure } from '../cli-failure.js';

const OWNER_ONLY = 0o600;
/** Characters without a special meaning in any reader of such files. */
const PLAIN_VALUE = /^[\w@%+=:,./?-]*$/;

const HEADER = [
  '# Settings of Foyer, written by foyer init. They contain secrets: keep this file out of version control, and apart from',
  '# backups of the database.',
];

/** @throws CliFailure for a value that such a file cannot contain */
export function formatEnvFile(settings: Readonly<Record<string, string>>): string {
  return `${[...HEADER, ...Object.entries(settings).map(([name, value]) => `${name}=${quote(name, value)}`)].join('\n')}\n`;
}

/** Whether the value needs no quotes. `docker run --env-file` treats quotes as part of a value. */
export function isPlain(value: string): boolean {
  return PLAIN_VALUE.test(value);
}

function quote(name: string, value: string): string {
  if (isPlain(value)) return value;
  if (!/['\p{Cc}]/u.test(value)) return `'${value}'`;
  throw buildUsageFailure(
    `${name} contains line breaks, other control characters or single quotes, which a file of settings cannot contain: unset it for this command, and set it in another way.`,
  );
}

/** Never overwrites a file. @throws CliFailure */
export function writeNewFile(path: string, text: string): void {
  const file = openNewFile(path);
  try {
    writeFileSync(file, text);
  } catch (error) {
    rmSync(path);
    throw buildUnwritableFailure(path, error);
  } finally {
    closeSync(file);
  }
}

function openNewFile(path: string): number {
  try {
    return openSync(path, 'wx', OWNER_ONLY);
  } catch (error) {
    if (toCode(error) === 'EEXIST') throw buildExistsFailure(path);
    throw buildUnwritableFailure(path, error);
  }
}

export function buildExistsFailure(path: string): CliFailure {
  const advice = 'Existing files are not overwritten: choose another file with --out, or move the existing one.';
  return new CliFailure(EXIT.conflict, 'exists', `${path} already exists. ${advice}`);
}

function buildUnwritableFailure(path: string, error: unknown): CliFailure {
  const message = `${path} cannot be written (${toCode(error) ?? 'unknown reason'}). Nothing was written.`;
  return new CliFailure(EXIT.failure, 'unwritable', message);
}
