/** Parses a command line into a command, its operands and its options. */
import { parseArgs } from 'node:util';
import { toCode } from '../../config/system-error.js';
import { buildUsageFailure, type CliFailure } from './cli-failure.js';
import { GivenOptions, type Command, type Option, type OptionValue } from './command.js';
import { SHARED_OPTIONS, buildSynopsis } from './help.js';
import { sanitize } from './shown-text.js';

export type Arguments =
  /** Help for one command, or for all commands that begin with the typed words. */
  | { kind: 'help'; commands: readonly Command[] }
  | { kind: 'call'; command: Command; operands: readonly string[]; options: GivenOptions };

/** Options that are refused before they are parsed and never repeated in a message, because a secret follows them. */
const SECRET_OPTIONS: readonly [RegExp, string][] = [
  [
    /^--?(password|passwd|pw|p)(=|$)/i,
    'A password must not be an argument, because all users of this machine can read arguments. Use --password-stdin or --password-generate.',
  ],
  [
    /^--?(operator-)?token(=|$)/i,
    'A token must not be an argument, because all users of this machine can read arguments. Use OPERATOR_TOKEN or --token-file.',
  ],
];

/** @throws CliFailure with exit code 2 */
export function readArguments(args: readonly string[], commands: readonly Command[]): Arguments {
  refuseSecrets(args);
  const { values, words } = parse(args, commands);
  if (values['help'] === true || words[0] === 'help') {
    const topic = words[0] === 'help' ? words.slice(1) : words;
    const match = findLongestMatch(topic, commands);
    return { kind: 'help', commands: match ? [match] : findByPrefix(topic, commands) };
  }
  const command = findLongestMatch(words, commands);
  if (!command) throw buildUnknownCommandFailure(words);
  const operands = words.slice(command.name.split(' ').length);
  requireOwnOptions(values, command);
  const isOmitted = operands.length === 0 && command.mayOmitOperands === true;
  if ((operands.length !== command.operands.length && !isOmitted) || operands.includes('')) {
    const fault = operands.includes('') ? 'An argument is empty.' : 'The number of arguments is wrong.';
    throw buildUsageFailure(`${fault} Usage: foyer ${buildSynopsis(command)} [options]`);
  }
  return { kind: 'call', command, operands, options: new GivenOptions(values) };
}

function refuseSecrets(args: readonly string[]): void {
  for (const arg of args) {
    const [, message] = SECRET_OPTIONS.find(([pattern]) => pattern.test(arg)) ?? [];
    if (message !== undefined) throw buildUsageFailure(message);
  }
}

/** Parses with the options of all commands, so that an option may precede the command. An option has the same type in all commands. */
function parse(args: readonly string[], commands: readonly Command[]): { values: Record<string, OptionValue>; words: string[] } {
  const allOptions = Object.assign({}, ...commands.map(({ options }) => options), SHARED_OPTIONS) as Record<string, Option>;
  const options = Object.fromEntries(
    Object.entries(allOptions).map(([name, { value, multiple = false }]) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, { type, multiple, ...(name === 'help' ? { short: 'h' } : {}) }];
    }),
  );
  // `parseArgs` does not support optional values.
  const completeArgs = args.map((arg) => {
    const { fallback } = (arg.startsWith('--') ? allOptions[arg.slice(2)] : undefined) ?? {};
    return fallback === undefined ? arg : `${arg}=${fallback}`;
  });
  try {
    const { values, positionals, tokens } = parseArgs({ args: completeArgs, options, allowPositionals: true, tokens: true });
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const duplicate = names.find((name, index) => names.indexOf(name) !== index && allOptions[name]?.multiple !== true);
    if (duplicate !== undefined) throw buildUsageFailure(`--${duplicate} must not be repeated.`);
    return { values, words: positionals };
  } catch (error) {
    if (toCode(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    // The rest of the message of Node.js explains how to pass arguments that begin with `-`.
    const [sentence = ''] = sanitize((error as Error).message).split(/\.\s/, 1);
    throw buildUsageFailure(`${sentence.replace(/\.$/, '')}. foyer --help lists all options.`);
  }
}

function findLongestMatch(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const candidates = commands.filter(({ name }) => name.split(' ').every((word, index) => words[index] === word));
  return candidates.reduce<Command | undefined>(
    (longestMatch, candidate) => (longestMatch && longestMatch.name.length > candidate.name.length ? longestMatch : candidate),
    undefined,
  );
}

function findByPrefix(words: readonly string[], commands: readonly Command[]): readonly Command[] {
  const matches = commands.filter(({ name }) => words.every((word, index) => name.split(' ')[index] === word));
  if (matches.length === 0) throw buildUnknownCommandFailure(words);
  return matches;
}

function requireOwnOptions(values: Record<string, OptionValue>, { name, options }: Command): void {
  const foreignOption = Object.keys(values).find((option) => !(option in options) && !(option in SHARED_OPTIONS));
  if (foreignOption !== undefined)
    throw buildUsageFailure(`foyer ${name} has no option --${foreignOption}; foyer ${name} --help lists its options.`);
}

function buildUnknownCommandFailure(words: readonly string[]): CliFailure {
  if (words.join('') === '') return buildUsageFailure('A command is required; foyer --help lists all commands.');
  return buildUsageFailure(`There is no command "${sanitize(words.join(' '))}"; foyer --help lists all commands.`);
}
