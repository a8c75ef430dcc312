/**
 * Bodies of calls, read member by member (ERR-3): a wrong type is refused, what is not asked for is passed over, so that
 * nothing gets in that no line here names.
 */
import { CallFailed } from '../../gateway/http/calls.js';

export type CallBody = Readonly<Record<string, unknown>>;

/** @throws CallFailed for anything but a JSON object */
export function callBody(value: unknown): CallBody {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable();
  return value as CallBody;
}

/** @returns empty when it is missing. Throws CallFailed for anything but a text, and for NUL, which PostgreSQL refuses */
export function bodyText(body: CallBody, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined) return '';
  if (typeof value !== 'string' || value.includes('\u0000')) throw unreadable();
  return value;
}

/** @returns false when it is missing. Throws CallFailed for anything but a truth value */
export function bodyFlag(body: CallBody, name: string): boolean {
  const value = Object.hasOwn(body, name) ? body[name] : false;
  if (typeof value !== 'boolean') throw unreadable();
  return value;
}

/** What a security key answered: an object, or its JSON. Throws CallFailed for anything else */
export function bodyCredential(body: CallBody, name: string): object | string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  return typeof value === 'string' ? value : callBody(value);
}

function unreadable(): CallFailed {
  return new CallFailed('could not parse request');
}
