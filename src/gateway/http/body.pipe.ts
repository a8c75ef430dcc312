/**
 * Converts a body or a query to its class and validates it; a parameter without a class is not changed. Only members of the class are read, so
 * `__proto__` and the like have no effect. `BodyRules` define how strict the check is and which errors it throws.
 */
import 'reflect-metadata';
import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { getMetadataStorage, validateSync } from 'class-validator';
import { READ_AS, type ReadValue } from './form-fields.decorators.js';

export interface InvalidMember {
  name: string;
  isMissing: boolean;
  /** Message of the first failed check. */
  message: string;
}

export interface BodyRules {
  /** For a list, a string or a number instead of an object. */
  notAnObject(): Error;
  /** For a request without a body, or with the body `null`; without this rule, such a body is treated as empty. */
  noBody?(): Error;
  /** For a member that the class does not have; if absent, such members are ignored. */
  unknownMember?(name: string, knownNames: readonly string[]): Error;
  /** @param members at least one */
  invalidMembers(members: readonly [InvalidMember, ...InvalidMember[]]): Error;
}

type Members = Readonly<Record<string, unknown>>;

/** Nest's types for a parameter without a class. */
const NO_CLASSES: readonly unknown[] = [undefined, Object, Array, String, Number, Boolean];

export class BodyPipe implements PipeTransform {
  constructor(private readonly toRules: (type: Type<object>) => BodyRules) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || NO_CLASSES.includes(metatype)) return value;
    return this.read(metatype as Type<object>, value);
  }

  /** @throws the errors of the class's rules */
  async read<Body extends object>(type: Type<Body>, value: unknown): Promise<Body> {
    const rules = this.toRules(type);
    const members = toMembers(value, rules);
    const checkedMembers = findCheckedMembers(type);
    const knownNames = checkedMembers.map(({ name }) => name);
    if (rules.unknownMember) {
      const unknownName = Object.keys(members).find((name) => !knownNames.includes(name));
      if (unknownName !== undefined) throw rules.unknownMember(unknownName, knownNames);
    }
    const body = new type();
    for (const member of checkedMembers) readMember(body as Record<string, unknown>, members, member);
    // The validator refuses a class without checks.
    const errors = knownNames.length === 0 ? [] : validateSync(body, { stopAtFirstError: true });
    const [firstError, ...otherErrors] = errors.map(({ property: name, constraints = {} }) => {
      return { name, isMissing: !Object.hasOwn(members, name), message: Object.values(constraints).join(' ') };
    });
    if (firstError) throw rules.invalidMembers([firstError, ...otherErrors]);
    return body;
  }
}

function toMembers(value: unknown, rules: BodyRules): Members {
  if (value === undefined || value === null) {
    if (rules.noBody) throw rules.noBody();
    return {};
  }
  if (typeof value !== 'object' || Array.isArray(value)) throw rules.notAnObject();
  return value as Members;
}

/**
 * At every validation, class-validator searches the checks of all classes for the checks of one class. The checks of a class do not
 * change, so the result of the first search is cached. class-validator still performs the validation.
 */
function cacheChecks(storage: ReturnType<typeof getMetadataStorage>): void {
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const cache = new WeakMap<object, ReturnType<typeof find>>();
  storage.getTargetValidationMetadatas = (type, ...options) => {
    if (options.some(Boolean)) return find(type, ...options);
    const checks = cache.get(type) ?? find(type, ...options);
    cache.set(type, checks);
    return checks;
  };
}
cacheChecks(getMetadataStorage());

interface CheckedMember {
  name: string;
  read: ReadValue | undefined;
}

const CHECKED_MEMBERS = new WeakMap<Type<object>, readonly CheckedMember[]>();

/** @returns all members with a check */
function findCheckedMembers(type: Type<object>): readonly CheckedMember[] {
  const cachedMembers = CHECKED_MEMBERS.get(type);
  if (cachedMembers) return cachedMembers;
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const members = [...new Set(checks.map(({ propertyName }) => propertyName))].map((name) => {
    return { name, read: Reflect.getMetadata(READ_AS, type.prototype as object, name) as ReadValue | undefined };
  });
  CHECKED_MEMBERS.set(type, members);
  return members;
}

/** An absent member without `ReadAs` keeps its default. */
function readMember(body: Record<string, unknown>, members: Members, { name, read }: CheckedMember): void {
  const isPresent = Object.hasOwn(members, name);
  if (read) body[name] = read(isPresent ? members[name] : undefined);
  else if (isPresent) body[name] = members[name];
}
