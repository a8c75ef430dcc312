/**
 * Turns a body or a query into its class and takes nothing else: an unknown member, a missing one and one of a wrong type
 * are refused by name. Whether a text is a good name or address is for the accounts to say.
 */
import type { PipeTransform } from '@nestjs/common';
import { getMetadataStorage, validate } from 'class-validator';
import { OperatorFault } from './operator-fault.js';

const LONGEST_QUOTE = 40;

export class StrictPipe<Members extends object> implements PipeTransform<unknown, Promise<Members>> {
  readonly #known: readonly string[];

  constructor(private readonly type: new () => Members) {
    const metadata = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    this.#known = [...new Set(metadata.map(({ propertyName }) => propertyName))];
  }

  async transform(given: unknown): Promise<Members> {
    const members = Object.entries(given ?? {});
    for (const [name] of members) requireKnown(name, this.#known);
    // Only known names are written: `__proto__` and its like never are.
    const value = Object.assign(new this.type(), Object.fromEntries(members));
    const [fault] = await validate(value, { stopAtFirstError: true });
    if (!fault) return value;
    const field = fault.property;
    if (!members.some(([name]) => name === field)) {
      throw new OperatorFault(400, 'missing', `${field} is missing.`, { field });
    }
    throw new OperatorFault(400, 'wrong_type', Object.values(fault.constraints ?? {}).join(' '), { field });
  }
}

/** For calls whose address says it all. */
export class NothingPipe implements PipeTransform<unknown, undefined> {
  transform(given: unknown): undefined {
    for (const name of Object.keys(given ?? {})) requireKnown(name, []);
  }
}

function requireKnown(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const field = name.length > LONGEST_QUOTE ? `${name.slice(0, LONGEST_QUOTE)}…` : name;
  const takes = known.length === 0 ? 'nothing' : known.join(', ');
  throw new OperatorFault(400, 'unknown_member', `${JSON.stringify(field)} is unknown here; this call takes ${takes}.`, {
    field,
  });
}
