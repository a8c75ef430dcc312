/** Parses the command line into a command, its arguments and options, or throws a sentence about the fault. */
import { parseArgs } from 'node:util';
import { toCode } from '../../config/system-error.js';
import { usage } from './cli-failure.js';
import { GivenOptions, type Command, type Option, type OptionValue } from './command.js';
import { SHARED_OPTIONS, synopsis } from './help.js';
import { shown } from './shown-text.js';

export type Arguments =
  /** Help for one command, or for all commands that start with the typed words. */
  | { kind: 'help'; commands: readonly Command[] }
  | { kind: 'call'; command: Command; operands: readonly string[]; options: GivenOptions };

/** Refused before they are parsed, and never repeated, because a secret follows. */
const SECRETS: readonly [RegExp, string][] = [
  [
    /^--?(password|passwd|pw|p)(=|$)/i,
    'A password is never an argument, because all users of this machine can read arguments. Use --password-stdin or --password-generate.',
  ],
  [
    /^--?(operator-)?token(=|$)/i,
    'A token is never an argument, because all users of this machine can read arguments. Use OPERATOR_TOKEN or --token-file.',
  ],
];

/** @throws CliFailure with exit code 2 */
export function readArguments(args: readonly string[], commands: readonly Command[]): Arguments {
  refuseSecrets(args);
  const { values, words } = parse(args, commands);
  if (values['help'] === true || words[0] === 'help') {
    const asked = words[0] === 'help' ? words.slice(1) : words;
    const one = longestMatch(asked, commands);
    return { kind: 'help', commands: one ? [one] : beginningWith(asked, commands) };
  }
  const command = longestMatch(words, commands);
  if (!command) throw unknownCommand(words);
  const operands = words.slice(command.name.split(' ').length);
  requireOwnOptions(values, command);
  if (operands.length !== command.operands.length || operands.includes('')) {
    throw usage(`Usage: foyer ${synopsis(command)} [options]`);
  }
  return { kind: 'call', command, operands, options: new GivenOptions(values) };
}

function refuseSecrets(args: readonly string[]): void {
  for (const arg of args) {
    const [, refusal] = SECRETS.find(([pattern]) => pattern.test(arg)) ?? [];
    if (refusal !== undefined) throw usage(refusal);
  }
}

/**
 * Parses with the options of all commands, so that options may stand anywhere. An option has the same type in every
 * command.
 */
function parse(args: readonly string[], commands: readonly Command[]): { values: Record<string, OptionValue>; words: string[] } {
  const known = Object.assign({}, ...commands.map(({ options }) => options), SHARED_OPTIONS) as Record<string, Option>;
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value, multiple = false }]) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, { type, multiple, ...(name === 'help' ? { short: 'h' } : {}) }];
    }),
  );
  // `parseArgs` knows no value that may be left out.
  const complete = args.map((arg) => {
    const { fallback } = (arg.startsWith('--') ? known[arg.slice(2)] : undefined) ?? {};
    return fallback === undefined ? arg : `${arg}=${fallback}`;
  });
  try {
    const { values, positionals, tokens } = parseArgs({ args: complete, options, allowPositionals: true, tokens: true });
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const twice = names.find((name, index) => names.indexOf(name) !== index && known[name]?.multiple !== true);
    if (twice !== undefined) throw usage(`--${twice} is given twice.`);
    return { values, words: positionals };
  } catch (error) {
    if (toCode(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    // The rest of Node's message is about positional arguments that look like options.
    const [sentence = ''] = shown((error as Error).message).split(/\.\s/, 1);
    throw usage(`${sentence.replace(/\.$/, '')}. foyer --help lists all options.`);
  }
}

function longestMatch(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const matching = commands.filter(({ name }) => name.split(' ').every((word, index) => words[index] === word));
  return matching.reduce<Command | undefined>(
    (best, next) => (best && best.name.length > next.name.length ? best : next),
    undefined,
  );
}

function beginningWith(words: readonly string[], commands: readonly Command[]): readonly Command[] {
  const found = commands.filter(({ name }) => words.every((word, index) => name.split(' ')[index] === word));
  if (found.length === 0) throw unknownCommand(words);
  return found;
}

function requireOwnOptions(values: Record<string, OptionValue>, { name, options }: Command): void {
  const foreign = Object.keys(values).find((option) => !(option in options) && !(option in SHARED_OPTIONS));
  if (foreign !== undefined) throw usage(`foyer ${name} takes no --${foreign}; foyer ${name} --help says what it takes.`);
}

function unknownCommand(words: readonly string[]) {
  if (words.join('') === '') return usage('A command is required; foyer --help lists all commands.');
  return usage(`There is no command "${shown(words.join(' '))}"; foyer --help lists all commands.`);
}
