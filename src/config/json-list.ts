/** Builds kinds of values for settings that are a JSON list of objects with known members. */
import { fromJson, isObject, type Kind, type Reading } from './settings-kinds.js';

type Entry = Readonly<Record<string, unknown>>;

/** `text` follows "has a fault in entry 1: it". The text contains no part of the entry, because that may be a secret. */
export interface EntryFault {
  text: string;
  applies: (entry: Entry) => boolean;
}

interface ListRules {
  /** Plural noun for the entries, such as `tokens`. */
  items: string;
  members: readonly string[];
  /** The faults that an entry may have, checked in this order. */
  faults: readonly EntryFault[];
  /** A member whose value must be unique, and the fault if it is not. */
  unique?: { member: string; fault: (value: string) => string };
}

/** @param read converts an entry without faults */
export function jsonList<T>(rules: ListRules, read: (entry: Entry) => T): Kind<readonly T[]> {
  return { label: 'JSON', read: (value) => fromJson(value, (parsed) => readList(parsed, rules, read)) };
}

function readList<T>(
  parsed: unknown,
  { items, members, faults, unique }: ListRules,
  read: (entry: Entry) => T,
): Reading<readonly T[]> {
  if (!Array.isArray(parsed)) return { fault: `is not a JSON list of ${items}` };
  const unknownMember: EntryFault = {
    text: `has a member that is not one of ${members.join(', ')}`,
    applies: (entry) => Object.keys(entry).some((member) => !members.includes(member)),
  };
  for (const [index, entry] of parsed.entries()) {
    const fault = isObject(entry)
      ? [unknownMember, ...faults].find((rule) => rule.applies(entry))
      : { text: 'is not a JSON object' };
    if (fault) return { fault: `has a fault in entry ${index + 1}: it ${fault.text}` };
  }
  const entries = parsed as Entry[];
  if (unique === undefined) return { value: entries.map(read) };
  const ids = entries.map((entry) => entry[unique.member] as string);
  const duplicateId = ids.find((id, index) => ids.indexOf(id) !== index);
  return duplicateId === undefined ? { value: entries.map(read) } : { fault: unique.fault(duplicateId) };
}
