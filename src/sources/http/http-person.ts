/** Reads a person from an answer of an HTTP source. The answer is refused if a value that is read has an undocumented type. */
import { defined } from '../../config/defined.js';
import type { HttpSettings } from '../../config/source-settings.js';
import { foldText } from '../../contract/folded-text.js';
import { isObject } from '../../config/settings-kinds.js';
import { selectGroups } from '../group-selection.js';
import type { FoundPerson, SourcePerson } from '../user-source.port.js';
import { AnswerRefused } from './source-messages.js';

export interface FoundHttpPerson extends FoundPerson {
  person: SourcePerson;
  /** The person has more groups than the setting `most` allows; the other groups are left out. */
  isCut: boolean;
}

const MAX_SUBJECT_LENGTH = 200;
const MAX_NAMES = 20;

/**
 * @param identifier the name that was looked up; null for a lookup by subject
 * @returns null if the person does not have that name: a service may accept spellings of a name that the limits on failed attempts
 * treat as different names, and each spelling would have its own counter
 * @throws AnswerRefused
 */
export function readPerson(members: unknown, settings: HttpSettings, identifier: string | null): FoundHttpPerson | null {
  if (!isObject(members)) throw new AnswerRefused('its answer has no person');
  const names = toNames(members);
  const groups = settings.groups && selectGroups(toTexts(members, 'groups'), settings.groups);
  const displayName = toText(members, 'display_name');
  const email = toText(members, 'email');
  const person = {
    subject: toSubject(members),
    username: toText(members, 'username') ?? '',
    ...(names.length > 1 ? { names } : {}),
    ...defined({ displayName }),
    ...defined({ email }),
    emailVerified: toFlag(members, 'email_verified', false) && settings.emailVerified,
    ...(settings.groups && groups ? { groups: groups.names, hasGroupName: settings.groups.groupName } : {}),
    attributes: toAttributes(members, settings),
    isActive: toFlag(members, 'active', true),
  };
  if (identifier !== null && !names.some((name) => foldText(name) === foldText(identifier))) return null;
  return { subject: person.subject, person, isCut: groups?.isCut === true };
}

type Members = Readonly<Record<string, unknown>>;

function toSubject(members: Members): string {
  const subject = toText(members, 'sub') ?? '';
  if (subject === '' || subject.length > MAX_SUBJECT_LENGTH || /\p{Cc}/u.test(subject))
    throw new AnswerRefused(
      `the member sub of a person is empty, longer than ${MAX_SUBJECT_LENGTH} characters, or contains control characters`,
    );
  return subject;
}

/** @returns the names with which the person can sign in */
function toNames(members: Members): string[] {
  const names = [toText(members, 'username'), toText(members, 'email'), ...toTexts(members, 'login').slice(0, MAX_NAMES)];
  return names.filter((name) => name !== undefined);
}

function toText(members: Members, name: string): string | undefined {
  const value = members[name] ?? '';
  if (typeof value !== 'string') throw new AnswerRefused(`the member ${name} of a person is not a string`);
  return value.trim() === '' ? undefined : value.trim();
}

function toTexts(members: Members, name: string): string[] {
  const value = members[name] ?? [];
  if (!isTextList(value)) throw new AnswerRefused(`the member ${name} of a person is not a list of strings`);
  return value.map((text) => text.trim()).filter((text) => text !== '');
}

function toFlag(members: Members, name: string, fallback: boolean): boolean {
  const value = members[name] ?? fallback;
  if (typeof value !== 'boolean') throw new AnswerRefused(`the member ${name} of a person is neither true nor false`);
  return value;
}

function toAttributes(members: Members, { attributes }: HttpSettings): SourcePerson['attributes'] {
  const values = members['attributes'] ?? {};
  if (!isObject(values)) throw new AnswerRefused('the member attributes of a person is not an object');
  return Object.fromEntries(
    Object.entries(attributes).map(([name, member]) => {
      const value = Object.hasOwn(values, member) ? (values[member] ?? null) : null;
      if (value !== null && typeof value !== 'string' && !isTextList(value))
        throw new AnswerRefused('an attribute of a person is neither a string nor a list of strings');
      return [name, value === '' ? null : value];
    }),
  );
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
