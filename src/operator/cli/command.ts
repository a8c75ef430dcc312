/** The shape of a command, and the objects that it receives. `commands.ts` lists all commands. */
import type { OperatorClient } from './operator-client.js';
import type { Terminal } from './terminal.js';
import { usage } from './cli-failure.js';

export interface Option {
  /** Placeholder of the value in the help; without one the option is a switch. */
  value?: string;
  /** The value where none is given; another one follows a `=`. */
  fallback?: string;
  /** May be given more than once. */
  multiple?: boolean;
  about: string;
}

export interface Command {
  /** As typed: `account create`. */
  name: string;
  about: string;
  /** Names of the positional arguments; all are required. */
  operands: readonly string[];
  options: Readonly<Record<string, Option>>;
  /** @returns false if the command worked but the result is negative: exit code 1 */
  run(call: Call): Promise<boolean>;
}

export interface Call {
  operands: readonly string[];
  options: GivenOptions;
  /** Created on first use. @throws CliFailure if the address or token is not known */
  readonly api: OperatorClient;
  terminal: Terminal;
  /** Writes JSON for programs, or the text of `people`. Warns if `value` says that Hydra did not answer. */
  print(value: object, people: () => string): void;
  /** For people, on standard error. */
  warn(sentence: string): void;
}

export type OptionValue = string | boolean | (string | boolean)[] | undefined;

export class GivenOptions {
  constructor(private readonly values: Readonly<Record<string, OptionValue>>) {}

  has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  texts(name: string): string[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  }

  requireText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw usage(`--${name} is needed.`);
    return value;
  }
}
