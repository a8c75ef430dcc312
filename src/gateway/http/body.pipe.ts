/**
 * Converts a body or a query to its class; all external input is validated here. Only members of the class are read, so
 * `__proto__` and the like are ignored, and no value is traversed, however deep it is. `BodyRules` define how strict it
 * is and which errors it throws.
 */
import 'reflect-metadata';
import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { getMetadataStorage, validate } from 'class-validator';
import { READ_AS } from './form-fields.decorators.js';
import type { ReadValue } from './form-fields.decorators.js';

export interface InvalidMember {
  name: string;
  isMissing: boolean;
  /** Message of the first failed check. */
  message: string;
}

export interface BodyRules {
  /** For a list, a string or a number instead of an object. */
  notAnObject(): Error;
  /** For a request without a body; if absent, the body counts as empty. */
  noBody?(): Error;
  /** For a member that the class does not have; if absent, such members are ignored. */
  unknown?(name: string, known: readonly string[]): Error;
  /** @param members at least one */
  invalid(members: readonly [InvalidMember, ...InvalidMember[]]): Error;
}

type Members = Readonly<Record<string, unknown>>;

/** Nest's types for a parameter without a class. */
const NO_CLASSES: readonly unknown[] = [undefined, Object, Array, String, Number, Boolean];

export class BodyPipe implements PipeTransform {
  constructor(private readonly rulesOf: (type: Type<object>) => BodyRules) {}

  transform(given: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || NO_CLASSES.includes(metatype)) return given;
    return this.read(metatype as Type<object>, given);
  }

  /** @throws the errors of the class's rules */
  async read<Body extends object>(type: Type<Body>, given: unknown): Promise<Body> {
    const rules = this.rulesOf(type);
    const members = membersOf(given, rules);
    const known = namesOf(type);
    const unknown = Object.keys(members).find((name) => !known.includes(name));
    if (unknown !== undefined && rules.unknown) throw rules.unknown(unknown, known);
    const body = Object.assign(new type(), ...known.map((name) => memberOf(type, members, name))) as Body;
    // The validator refuses a class without checks.
    const errors = known.length === 0 ? [] : await validate(body, { stopAtFirstError: true });
    const [first, ...others] = errors.map(({ property: name, constraints = {} }) => {
      return { name, isMissing: !Object.hasOwn(members, name), message: Object.values(constraints).join(' ') };
    });
    if (first) throw rules.invalid([first, ...others]);
    return body;
  }
}

function membersOf(given: unknown, rules: BodyRules): Members {
  if (given === undefined || given === null) {
    if (rules.noBody) throw rules.noBody();
    return {};
  }
  if (typeof given !== 'object' || Array.isArray(given)) throw rules.notAnObject();
  return given as Members;
}

/** @returns the names of all members with a check */
function namesOf(type: Type<object>): readonly string[] {
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return [...new Set(checks.map(({ propertyName }) => propertyName))];
}

/** @returns an empty object for an absent member: its default stays */
function memberOf(type: Type<object>, members: Members, name: string): Members {
  const isThere = Object.hasOwn(members, name);
  const read = Reflect.getMetadata(READ_AS, type.prototype as object, name) as ReadValue | undefined;
  if (read) return { [name]: read(isThere ? members[name] : undefined) };
  return isThere ? { [name]: members[name] } : {};
}
