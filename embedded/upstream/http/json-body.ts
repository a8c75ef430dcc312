/**
 * Parses JSON bodies as Hydra does: only the first value counts, names match in any case, null leaves a field unset,
 * unknown fields are ignored, and the error names the field with a wrong type.
 */

/** Deeper than any body that clients of this API send, and far below the depth that overflows the stack. */
export const MAX_DEPTH = 200;

interface KindTypes {
  string: string;
  bool: boolean;
  int: number;
  strings: string[];
  object: Record<string, unknown>;
  /** A nested object, to be decoded with its own shape. */
  struct: Record<string, unknown>;
  any: unknown;
  /** A duration like `90s` or `1h30m`. */
  duration: string;
}
type Kind = keyof KindTypes;
export type Fields = Readonly<Record<string, Kind>>;
export type DecodedFields<F extends Fields> = { -readonly [K in keyof F]?: KindTypes[F[K]] };

export interface Shape<F extends Fields> {
  /** The name of the type in error messages. */
  type: string;
  fields: F;
}

/** The body is invalid. The message becomes part of the answer's description, except for consent requests. */
export class UnreadableBody extends Error {}

/** @throws UnreadableBody */
export function decodeBody<F extends Fields>(text: string, shape: Shape<F>): DecodedFields<F> {
  return decodeValue(parseFirst(text), shape);
}

/** @throws UnreadableBody */
export function decodeValue<F extends Fields>(value: unknown, { type, fields }: Shape<F>): DecodedFields<F> {
  if (value === null) return {};
  if (!isObject(value)) throw new UnreadableBody(`json: cannot unmarshal ${toJsonType(value)} into Go value of type ${type}`);
  const names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]));
  const result: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const name = names.get(key.toLowerCase());
    if (name === undefined || member === null) continue;
    const kind = fields[name] as Kind;
    requireKind(member, kind, `${type.replace(/^.*\./, '')}.${name}`);
    result[name] = member;
  }
  return result as DecodedFields<F>;
}

/** Parses the first JSON value of a text. @throws UnreadableBody */
export function parseFirst(text: string): unknown {
  if (text.trim() === '') throw new UnreadableBody('EOF');
  if (measureDepth(text) > MAX_DEPTH) throw new UnreadableBody('exceeded max depth');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return parsePrefix(text, (error as Error).message);
  }
}

/** The runtime's message contains the position where the first value ended or parsing failed, or only the unexpected character. */
function parsePrefix(text: string, message: string): unknown {
  const position = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length);
  const character = /Unexpected token '(.)'/u.exec(message)?.[1] ?? text[position];
  if (/after JSON/.test(message)) {
    try {
      return JSON.parse(text.slice(0, position)) as unknown;
    } catch {
      throw new UnreadableBody('invalid character after top-level value');
    }
  }
  if (character === undefined || /Unterminated|end of JSON/.test(message)) throw new UnreadableBody('unexpected EOF');
  const expectedPart = /property name/.test(message) ? 'object key string' : 'value';
  throw new UnreadableBody(`invalid character '${character}' looking for beginning of ${expectedPart}`);
}

const GO_TYPES: Record<Kind, string> = {
  string: 'string',
  bool: 'bool',
  int: 'int',
  strings: 'sqlxx.StringSliceJSONFormat',
  object: 'map[string]interface {}',
  struct: 'struct',
  any: 'interface {}',
  duration: 'x.NullDuration',
};

function requireKind(value: unknown, kind: Kind, field: string): void {
  const refuse = (actualType: string, type: string): never => {
    throw new UnreadableBody(`json: cannot unmarshal ${actualType} into Go struct field ${field} of type ${type}`);
  };
  if (kind === 'strings') {
    if (!Array.isArray(value)) return refuse(toJsonType(value), GO_TYPES.strings);
    const mismatch: unknown = value.find((item) => typeof item !== 'string');
    if (mismatch !== undefined) refuse(toJsonType(mismatch), 'string');
    return;
  }
  if (kind === 'duration') return requireDuration(value);
  if (kind === 'int' && typeof value === 'number' && !Number.isSafeInteger(value)) refuse(`number ${value}`, 'int');
  if (!hasKind(value, kind)) refuse(toJsonType(value), GO_TYPES[kind]);
}

function hasKind(value: unknown, kind: Exclude<Kind, 'strings' | 'duration'>): boolean {
  switch (kind) {
    case 'string':
      return typeof value === 'string';
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'number';
    case 'object':
    case 'struct':
      return isObject(value);
    case 'any':
      return true;
  }
}

function requireDuration(value: unknown): void {
  if (typeof value !== 'string' || toSeconds(value) === null) {
    throw new UnreadableBody(`time: invalid duration '${typeof value === 'string' ? value : toJsonType(value)}'`);
  }
}

const UNIT_SECONDS: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 };

/** The longest duration of Go: 63 bits of nanoseconds. */
const MAX_SECONDS = 9_223_372_036;

/** @returns whole seconds of a text like `1h30m`; null for another text or a longer duration than Go has */
export function toSeconds(duration: string): number | null {
  if (!/^(\d+(\.\d+)?(h|ms|us|ns|m|s))+$/.test(duration)) return null;
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|us|ns|m|s)/g)];
  const seconds = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNIT_SECONDS[unit ?? ''] ?? 0), 0);
  return seconds > MAX_SECONDS ? null : Math.floor(seconds);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toJsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function measureDepth(text: string): number {
  let depth = 0;
  let maxDepth = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isQuoted) {
      if (character === '\\') index++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{' || character === '[') maxDepth = Math.max(maxDepth, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return maxDepth;
}
