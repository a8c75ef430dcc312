/** The shape of a command, and what it gets to work with. `commands.ts` lists them all. */
import type { OperatorClient } from './operator-client.js';
import type { Terminal } from './terminal.js';
import { usage } from './cli-failure.js';

export interface Option {
  /** What stands for the value in the help; without one the option is a switch. */
  value?: string;
  /** May be given several times. */
  multiple?: boolean;
  about: string;
}

export interface Command {
  /** As it is typed: `account create`. */
  name: string;
  about: string;
  /** Names of what follows, each needed. */
  operands: readonly string[];
  options: Readonly<Record<string, Option>>;
  /** @returns false when it did what it should and there is bad news: exit code 1 */
  run(call: Call): Promise<boolean>;
}

export interface Call {
  operands: readonly string[];
  options: GivenOptions;
  /** Looked for when it is first asked for. @throws CliFailure where it is not known */
  readonly api: OperatorClient;
  terminal: Terminal;
  /** Writes JSON for machines, or what `people` says. */
  print(value: unknown, people: () => string): void;
  /** For people, beside the result. */
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
