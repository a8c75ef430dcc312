/**
 * Reads a parsed JSON value and collects every fault with its path in the document (RFC 6901): `/0/urls/1 is not …`. Apart from the
 * names in the path, the faults of the reader contain no part of the value, because that may be a secret.
 */
import { isObject, type Reading } from './settings-kinds.js';

export interface TextRule {
  /** A phrase that follows the path: "is not …". */
  fault: string;
  isValid: (text: string) => boolean;
  /** Whether the text may contain line breaks. */
  hasLines?: true;
}

interface NumberRule {
  least: number;
  most: number;
  fallback: number;
}

export class JsonReader {
  /** @param value a member, or undefined if it is absent */
  constructor(
    private readonly value: unknown,
    private readonly path = '',
    readonly faults: string[] = [],
  ) {}

  get isAbsent(): boolean {
    return this.value === undefined;
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  /** @returns readers of the members with these names. Other members are faults, and so is a value that is not an object. */
  members<Name extends string>(names: readonly Name[]): Record<Name, JsonReader> {
    if (!isObject(this.value)) this.addFault('is not a JSON object');
    const members = isObject(this.value) ? this.value : {};
    for (const unknownName of Object.keys(members).filter((member) => !names.some((name) => name === member))) {
      this.#enter(unknownName, undefined).addFault(`is not one of ${names.join(', ')}`);
    }
    return Object.fromEntries(names.map((name) => [name, this.#enter(name, members[name])])) as Record<Name, JsonReader>;
  }

  /** Reads one member, without checking the others or the value itself. */
  member(name: string): JsonReader {
    return this.#enter(name, isObject(this.value) ? this.value[name] : undefined);
  }

  /** @returns readers of the entries; none if the value is absent, or is not a list, which is a fault */
  entries(most: number): JsonReader[] {
    if (this.isAbsent) return [];
    if (!Array.isArray(this.value)) {
      this.addFault('is not a JSON list');
      return [];
    }
    if (this.value.length > most) this.addFault(`has more than ${most} entries`);
    return this.value.map((entry: unknown, index) => this.#enter(String(index), entry));
  }

  /** @returns the names of the members with their readers; none if the value is absent, or is not an object, which is a fault */
  pairs(most: number): [string, JsonReader][] {
    if (this.isAbsent) return [];
    if (!isObject(this.value)) {
      this.addFault('is not a JSON object');
      return [];
    }
    const pairs = Object.entries(this.value);
    if (pairs.length > most) this.addFault(`has more than ${most} members`);
    return pairs.map(([name, value]) => [name, this.#enter(name, value)]);
  }

  text({ fault, isValid, hasLines }: TextRule, fallback?: string): string {
    if (this.isAbsent && fallback !== undefined) return fallback;
    const { value } = this;
    if (typeof value === 'string' && value !== '' && (hasLines || !/\p{Cc}/u.test(value)) && isValid(value)) return value;
    this.addFault(this.isAbsent ? `is missing: it ${fault.replace(/^is not/, 'must be')}` : fault);
    return '';
  }

  optionalText(rule: TextRule): string | undefined {
    return this.isAbsent ? undefined : this.text(rule);
  }

  choice<Name extends string>(options: readonly Name[], fallback?: Name): Name {
    const choice = options.find((option) => option === (this.value ?? fallback));
    if (choice === undefined) this.addFault(`is not one of ${options.join(', ')}`);
    return choice ?? (options[0] as Name);
  }

  flag(fallback: boolean): boolean {
    if (this.isAbsent) return fallback;
    if (typeof this.value !== 'boolean') this.addFault('is neither true nor false');
    return this.value === true;
  }

  number({ least, most, fallback }: NumberRule): number {
    if (this.isAbsent) return fallback;
    if (typeof this.value === 'number' && Number.isInteger(this.value) && this.value >= least && this.value <= most)
      return this.value;
    this.addFault(`is not a whole number from ${least} to ${most}`);
    return fallback;
  }

  addFault(text: string): void {
    this.faults.push(`${this.path === '' ? 'the document' : this.path} ${text}`);
  }

  #enter(name: string, value: unknown): JsonReader {
    return new JsonReader(value, `${this.path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, this.faults);
  }
}

/** @returns the result of `read`, or all faults in one sentence that follows the name of the setting */
export function readJson<T>(parsed: unknown, read: (reader: JsonReader) => T): Reading<T> {
  const reader = new JsonReader(parsed);
  const value = read(reader);
  return reader.faults.length === 0
    ? { value }
    : { fault: `has ${reader.faults.length === 1 ? 'a fault' : 'faults'}: ${reader.faults.join('; ')}` };
}
