/** The interface of a command, and what a command receives when it runs. `commands.ts` lists all commands. */
import type { OperatorClient } from './operator-client.js';
import type { Terminal } from './terminal.js';
import { buildUsageFailure } from './cli-failure.js';

export interface Option {
  /** Placeholder of the value in the help; an option without a placeholder takes no value. */
  value?: string;
  /** Value of an option that is typed without a value; another value follows the option after `=`. */
  fallback?: string;
  /** Whether the option may be repeated. */
  multiple?: boolean;
  about: string;
}

export interface Command {
  /** The words that an operator types, such as `account create`. */
  name: string;
  about: string;
  /** Names of the positional arguments; all are required, unless `mayOmitOperands`. */
  operands: readonly string[];
  /** Whether the operands may be omitted, because an option replaces them. */
  mayOmitOperands?: true;
  options: Readonly<Record<string, Option>>;
  /** @returns false, for exit code 1, if the command worked but its result is negative */
  run(call: Call): Promise<boolean>;
}

export interface Call {
  operands: readonly string[];
  options: GivenOptions;
  /** Each access creates a client. @throws CliFailure without a token, or if a setting or option for the connection is not valid */
  readonly api: OperatorClient;
  terminal: Terminal;
  /** Writes `value` as JSON with --json, otherwise the text of `format`. Warns if `value` reports that Hydra did not answer. */
  print(value: object, format: () => string): void;
  /** Writes a sentence for people to standard error. */
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
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }

  /** @throws CliFailure if the value is not a JSON object */
  jsonObject(name: string): Record<string, unknown> | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    } catch {
      // The error below covers text that is not JSON as well as JSON that is not an object.
    }
    throw buildUsageFailure(`--${name} requires a JSON object.`);
  }

  requireText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw buildUsageFailure(`--${name} is required.`);
    return value;
  }
}
