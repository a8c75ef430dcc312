/** Runs a command line. Uses standard input, standard output and standard error through a `Terminal`, which tests can replace. */
import { defined } from '../../config/defined.js';
import { CliFailure, EXIT, type ExitCode } from './cli-failure.js';
import { COMMANDS } from './commands.js';
import { findConnection } from './connection.js';
import { buildHelp, buildOverview } from './help.js';
import { OperatorClient } from './operator-client.js';
import { readArguments, type Arguments } from './read-arguments.js';
import { sanitize, sanitizeJson } from './shown-text.js';
import type { Terminal } from './terminal.js';

/** The warning after a change that was made while Hydra did not answer. */
const HYDRA_UNAVAILABLE =
  'Hydra did not answer. Foyer no longer accepts the ended sessions, and repeats the call to Hydra until it succeeds.';

/** @param args the arguments after the name of the program @returns the exit code */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    const parsedArguments = readArguments(args, COMMANDS);
    if (parsedArguments.kind === 'call') return (await call(parsedArguments, terminal)) ? EXIT.ok : EXIT.failure;
    const [command, ...otherCommands] = parsedArguments.commands;
    terminal.out(command && otherCommands.length === 0 ? buildHelp(command) : buildOverview(parsedArguments.commands));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    const { code, message, exitCode } = error;
    terminal.err(args.includes('--json') ? sanitizeJson({ error: code, message }) : `foyer: ${sanitize(message)}\n`);
    return exitCode;
  }
}

function call({ command, operands, options }: Extract<Arguments, { kind: 'call' }>, terminal: Terminal): Promise<boolean> {
  const connection = { url: options.text('url'), tokenFile: options.text('token-file'), env: terminal.env };
  const warn = (sentence: string): void => terminal.err(`${sanitize(sentence)}\n`);
  return command.run({
    operands,
    options,
    terminal,
    get api() {
      return new OperatorClient({ ...findConnection(connection), ...defined({ reason: options.text('reason') }) });
    },
    print(value, format) {
      terminal.out(options.has('json') ? sanitizeJson(value) : format());
      if ('upstream' in value && value.upstream === 'unavailable') warn(HYDRA_UNAVAILABLE);
    },
    warn,
  });
}
