/**
 * Turns a body or a query into its class: the one place where what came from outside is read. Only members that the class
 * names are taken, so `__proto__` and its like never are, and no value is walked, however deep it is. `BodyRules` say how
 * strict it is and how a refusal is answered.
 */
import 'reflect-metadata';
import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { getMetadataStorage, validate } from 'class-validator';
import { READ_AS } from './form-fields.decorators.js';
import type { ReadValue } from './form-fields.decorators.js';

export interface InvalidMember {
  name: string;
  isMissing: boolean;
  /** Of the first check that failed. */
  message: string;
}

export interface BodyRules {
  /** For a list, a text or a number in the place of an object. */
  notAnObject(): Error;
  /** For a request without a body; where left out it counts as one without members. */
  noBody?(): Error;
  /** For a member that the class does not have; where left out such members are passed over. */
  unknown?(name: string, known: readonly string[]): Error;
  /** @param members at least one */
  invalid(members: readonly [InvalidMember, ...InvalidMember[]]): Error;
}

type Members = Readonly<Record<string, unknown>>;

/** What Nest says of a parameter that has no class of its own. */
const NO_CLASSES: readonly unknown[] = [undefined, Object, Array, String, Number, Boolean];

export class BodyPipe implements PipeTransform {
  constructor(private readonly rulesOf: (type: Type<object>) => BodyRules) {}

  transform(given: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || NO_CLASSES.includes(metatype)) return given;
    return this.read(metatype as Type<object>, given);
  }

  /** @throws what the rules of the class say */
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

/** @returns the names of all members that have a check */
function namesOf(type: Type<object>): readonly string[] {
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return [...new Set(checks.map(({ propertyName }) => propertyName))];
}

/** @returns nothing for a member that did not come: its default stays */
function memberOf(type: Type<object>, members: Members, name: string): Members {
  const isThere = Object.hasOwn(members, name);
  const read = Reflect.getMetadata(READ_AS, type.prototype as object, name) as ReadValue | undefined;
  if (read) return { [name]: read(isThere ? members[name] : undefined) };
  return isThere ? { [name]: members[name] } : {};
}
