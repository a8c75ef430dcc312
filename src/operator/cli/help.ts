/** Builds the text of `--help` for all commands or for one command. */
import type { Command, Option } from './command.js';

/** The options of all commands. */
export const SHARED_OPTIONS: Readonly<Record<string, Option>> = {
  json: { about: 'write the result, or the error, as JSON' },
  url: { value: 'URL', about: 'address of the operator API; default: OPERATOR_URL, or OPERATOR_HOST and OPERATOR_PORT' },
  'token-file': { value: 'FILE', about: 'file with the token of the operator API; default: OPERATOR_TOKEN' },
  help: { about: 'show this help' },
};

const TOKEN_NOTE = `The token is taken from --token-file, from OPERATOR_TOKEN or OPERATOR_TOKEN_FILE, or is the first of OPERATOR_TOKENS. If none of
them is given, the token that Foyer generated in DATA_DIR is used, but only outside production and for an API on this machine. No
option takes a token or a password itself, because all users of a machine can read the arguments of its processes.`;

const EXIT_NOTE = `Exit codes: 0 success, 1 failure, a negative result, or lines of an import that failed, 2 wrong usage, 3 the account or
another object does not exist, 4 conflict, 5 the API cannot be reached, 6 the operation waits for a second operator.`;

export function buildOverview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [buildSynopsis(command), command.about] as const);
  return [
    'Usage: foyer <command> [options]',
    `Commands:\n${alignColumns(rows)}`,
    `Options of all commands:\n${formatOptions(SHARED_OPTIONS)}`,
    TOKEN_NOTE,
    EXIT_NOTE,
    'foyer <command> --help describes one command.',
  ]
    .map((paragraph) => `${paragraph}\n`)
    .join('\n');
}

export function buildHelp(command: Command): string {
  const ownOptions = Object.keys(command.options).length > 0 ? [`Options:\n${formatOptions(command.options)}`] : [];
  return [
    `Usage: foyer ${buildSynopsis(command)} [options]`,
    `${command.about.charAt(0).toUpperCase()}${command.about.slice(1)}.`,
    ...ownOptions,
    `Options of all commands:\n${formatOptions(SHARED_OPTIONS)}`,
    EXIT_NOTE,
  ]
    .map((paragraph) => `${paragraph}\n`)
    .join('\n');
}

export function buildSynopsis({ name, operands, mayOmitOperands }: Command): string {
  return [name, ...operands.map((operand) => (mayOmitOperands ? `[${operand}]` : `<${operand}>`))].join(' ');
}

function formatOptions(options: Readonly<Record<string, Option>>): string {
  return alignColumns(
    Object.entries(options).map(([name, { value, fallback, about }]) => {
      const placeholder = value === undefined ? '' : fallback === undefined ? ` ${value}` : `[=${value}]`;
      return [`--${name}${placeholder}`, about];
    }),
  );
}

function alignColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, about]) => `  ${term.padEnd(width)}  ${about}`).join('\n');
}
