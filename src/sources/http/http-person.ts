/** Reads what the service of an HTTP source says of a person. A value of another kind than is documented is a fault of it. */
import { defined } from '../../config/defined.js';
import type { HttpSettings } from '../../config/source-settings.js';
import { folded } from '../../contract/folded-text.js';
import { isObject } from '../../config/settings-kinds.js';
import { toTakenGroups } from '../taken-groups.js';
import type { FoundPerson, SourcePerson } from '../user-source.port.js';
import { AnswerRefused } from './source-messages.js';

export interface FoundHttpPerson extends FoundPerson {
  person: SourcePerson;
  /** There are more groups than are taken over. */
  isCut: boolean;
}

const LONGEST_SUBJECT = 200;
const MOST_NAMES = 20;

/**
 * @param identifier that was asked for: the person has to have it. A service may take more spellings for the same name than the
 * limits on failed attempts do, and each would be counted on its own
 * @returns null for somebody of another name
 * @throws AnswerRefused
 */
export function readPerson(said: unknown, settings: HttpSettings, identifier: string | null): FoundHttpPerson | null {
  if (!isObject(said)) throw new AnswerRefused('its answer has no person');
  const names = toNames(said);
  const groups = settings.groups && toTakenGroups(toTexts(said, 'groups'), settings.groups);
  const displayName = textOf(said, 'display_name');
  const email = textOf(said, 'email');
  const person = {
    subject: toSubject(said),
    username: textOf(said, 'username') ?? '',
    ...(names.length > 1 ? { names } : {}),
    ...defined({ displayName }),
    ...defined({ email }),
    emailVerified: toFlag(said, 'email_verified', false) && settings.emailVerified,
    ...(settings.groups && groups ? { groups: groups.names, hasGroupName: settings.groups.groupName } : {}),
    attributes: toAttributes(said, settings),
    isActive: toFlag(said, 'active', true),
  };
  if (identifier !== null && !names.some((name) => folded(name) === folded(identifier))) return null;
  return { subject: person.subject, person, isCut: groups?.isCut === true };
}

type Said = Readonly<Record<string, unknown>>;

function toSubject(said: Said): string {
  const subject = textOf(said, 'sub') ?? '';
  if (subject === '' || subject.length > LONGEST_SUBJECT || /\p{Cc}/u.test(subject))
    throw new AnswerRefused('the member sub of a person is not an id');
  return subject;
}

/** Those that the person signs in with. */
function toNames(said: Said): string[] {
  const names = [textOf(said, 'username'), textOf(said, 'email'), ...toTexts(said, 'login').slice(0, MOST_NAMES)];
  return names.filter((name) => name !== undefined);
}

function textOf(said: Said, name: string): string | undefined {
  const value = said[name] ?? '';
  if (typeof value !== 'string') throw new AnswerRefused(`the member ${name} of a person is not a text`);
  return value.trim() === '' ? undefined : value.trim();
}

function toTexts(said: Said, name: string): string[] {
  const value = said[name] ?? [];
  if (!isTexts(value)) throw new AnswerRefused(`the member ${name} of a person is not a list of texts`);
  return value.map((text) => text.trim()).filter((text) => text !== '');
}

function toFlag(said: Said, name: string, fallback: boolean): boolean {
  const value = said[name] ?? fallback;
  if (typeof value !== 'boolean') throw new AnswerRefused(`the member ${name} of a person is neither true nor false`);
  return value;
}

function toAttributes(said: Said, { attributes }: HttpSettings): SourcePerson['attributes'] {
  const given = said['attributes'] ?? {};
  if (!isObject(given)) throw new AnswerRefused('the member attributes of a person is not an object');
  return Object.fromEntries(
    Object.entries(attributes).map(([name, from]) => {
      const value = Object.hasOwn(given, from) ? (given[from] ?? null) : null;
      if (value !== null && typeof value !== 'string' && !isTexts(value))
        throw new AnswerRefused('an attribute of a person is neither a text nor a list of texts');
      return [name, value === '' ? null : value];
    }),
  );
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
