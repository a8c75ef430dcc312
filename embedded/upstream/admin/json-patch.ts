/** The operations of JSON Patch (RFC 6902) that are needed to change a client: add, replace, remove and test. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, MAX_DEPTH } from '../http/json-body.js';

export class UnusablePatch extends Error {}

interface Operation {
  op: string;
  path: string;
  value: unknown;
}

type Container = Record<string, unknown> | unknown[];

/** The index of an element of a list, in a path (RFC 6901, section 4). */
const INDEX = /^(0|[1-9]\d*)$/;

/** @returns a changed copy. @throws UnusablePatch */
export function applyPatch(document: Record<string, unknown>, patch: unknown): Record<string, unknown> {
  if (!Array.isArray(patch)) throw new UnusablePatch('A patch must be a list of operations.');
  const copy = structuredClone(document);
  for (const operation of patch) apply(copy, readOperation(operation));
  return copy;
}

function readOperation(value: unknown): Operation {
  if (!isObject(value)) throw new UnusablePatch('An operation must be an object.');
  const { op, path } = value;
  if (typeof op !== 'string' || typeof path !== 'string' || !path.startsWith('/')) {
    throw new UnusablePatch('An operation must have "op" and a "path" that begins with "/".');
  }
  // A path creates the objects that are missing, so a longer one would make a document that cannot be written as JSON.
  if (path.split('/').length > MAX_DEPTH) throw new UnusablePatch(`A path must have fewer than ${MAX_DEPTH} parts.`);
  return { op, path, value: value['value'] };
}

function apply(document: Container, { op, path, value }: Operation): void {
  const names = path
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const lastName = names.pop() ?? '';
  const parent = names.reduce<Container>((container, name) => stepInto(container, name), document);
  switch (op) {
    case 'add':
    case 'replace':
      return set(parent, lastName, { value, inserts: op === 'add' });
    case 'remove':
      return remove(parent, lastName);
    case 'test':
      if (!isDeepStrictEqual(read(parent, lastName), value)) throw new UnusablePatch(`${path} does not have the tested value.`);
      return;
    default:
      throw new UnusablePatch(`The operation "${op}" is not supported.`);
  }
}

function stepInto(container: Container, name: string): Container {
  const member = read(container, name);
  if (isObject(member) || Array.isArray(member)) return member;
  const child = {};
  set(container, name, { value: child, inserts: false });
  return child;
}

function read(container: Container, name: string): unknown {
  return hasMember(container, name) ? (container as Record<string, unknown>)[name] : undefined;
}

function hasMember(container: Container, name: string): boolean {
  return Object.hasOwn(container, name) && (!Array.isArray(container) || INDEX.test(name));
}

function set(container: Container, name: string, { value, inserts }: { value: unknown; inserts: boolean }): void {
  if (!Array.isArray(container)) {
    // This always sets an own property, so that "__proto__" is an ordinary name.
    Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  const index = name === '-' ? container.length : Number(name);
  if ((name !== '-' && !INDEX.test(name)) || index > container.length)
    throw new UnusablePatch(`There is no element ${name} in the list.`);
  container.splice(index, inserts ? 0 : 1, value);
}

function remove(container: Container, name: string): void {
  if (!hasMember(container, name)) throw new UnusablePatch(`There is no member ${name}.`);
  if (Array.isArray(container)) container.splice(Number(name), 1);
  else Reflect.deleteProperty(container, name);
}
