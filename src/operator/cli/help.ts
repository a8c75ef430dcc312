/** The text of `--help`, for all commands or for one. */
import type { Command, Option } from './command.js';

/** Options of every command. */
export const SHARED_OPTIONS: Readonly<Record<string, Option>> = {
  json: { about: 'write JSON, and errors as JSON too' },
  url: { value: 'URL', about: 'address of the operator API; default: OPERATOR_URL, then http://localhost:3001' },
  'token-file': { value: 'FILE', about: 'file with the token of the operator API; default: OPERATOR_TOKEN' },
  help: { about: 'show this help' },
};

const TOKEN_NOTE = `The token is taken from --token-file, from OPERATOR_TOKEN or OPERATOR_TOKEN_FILE, from the first of OPERATOR_TOKENS, or,
outside production and for this machine alone, from what Foyer keeps in DATA_DIR. There is no option for a token or a password
itself: everybody on a machine can read the arguments of its processes.`;

const EXIT_NOTE = `Exit codes: 0 done, 1 failed or some lines of an import did, 2 wrong usage, 3 no such account or session, 4 conflict,
5 the API cannot be reached.`;

export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [synopsis(command), command.about] as const);
  return [
    'Usage: foyer <command> [options]',
    `Commands:\n${aligned(rows)}`,
    `Options of all commands:\n${optionLines(SHARED_OPTIONS)}`,
    TOKEN_NOTE,
    EXIT_NOTE,
    'foyer <command> --help describes one command.',
  ]
    .map((paragraph) => `${paragraph}\n`)
    .join('\n');
}

export function buildHelp(command: Command): string {
  const own = Object.keys(command.options).length > 0 ? [`Options:\n${optionLines(command.options)}`] : [];
  return [
    `Usage: foyer ${synopsis(command)} [options]`,
    `${command.about.charAt(0).toUpperCase()}${command.about.slice(1)}.`,
    ...own,
    `Options of all commands:\n${optionLines(SHARED_OPTIONS)}`,
    EXIT_NOTE,
  ]
    .map((paragraph) => `${paragraph}\n`)
    .join('\n');
}

export function synopsis({ name, operands }: Command): string {
  return [name, ...operands.map((operand) => `<${operand}>`)].join(' ');
}

function optionLines(options: Readonly<Record<string, Option>>): string {
  return aligned(
    Object.entries(options).map(([name, { value, fallback, about }]) => {
      const shownValue = value === undefined ? '' : fallback === undefined ? ` ${value}` : `[=${value}]`;
      return [`--${name}${shownValue}`, about];
    }),
  );
}

function aligned(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
