/**
 * Reads the group, or the operations of a PATCH (RFC 7644, section 3.5.2), that a client sends. The stored members are not loaded,
 * because a group may have many thousands: a change contains only the members to add and to remove, or the new members.
 */
import { isObject } from '../../config/settings-kinds.js';
import { isAccountId } from '../account/account.js';
import { checkName } from '../account/fields.js';
import { AccountError } from '../account/account.errors.js';
import { parseFilter, toMembers } from './scim-filter.js';
import type { Operation } from './scim-patch.js';
import { GROUP_ATTRIBUTES, GROUP_SCHEMA } from './scim-schema.js';
import { readResource, readValue, type ScimResource } from './scim-resource.js';
import { ScimRefused, invalidValue } from './scim-refused.js';

/** Maximum number of members that one call adds, and of members that it removes. */
const MAX_MEMBERS = 20_000;

export interface GroupChange {
  displayName?: string;
  externalId?: string | null;
  /** Whether the accounts in `addedIds` replace all members. */
  isReplaced: boolean;
  /** Well-formed ids of accounts, in lower case, not looked up. */
  addedIds: ReadonlySet<string>;
  /** Ids that the client sent, in lower case; they may be unknown. */
  removedIds: ReadonlySet<string>;
}

type Draft = GroupChange & { addedIds: Set<string>; removedIds: Set<string> };

const MEMBERS = /^members(?:\[(.*)\])?$/is;

/** @throws ScimRefused */
export function readGroup(body: unknown): GroupChange & { displayName: string } {
  const { members, ...rest } = isObject(body) ? splitMembers(body) : { members: undefined };
  const resource: ScimResource = readResource(isObject(body) ? rest : body, GROUP_ATTRIBUTES, GROUP_SCHEMA);
  const displayName = readName(resource['displayName']);
  const externalId = resource['externalId'];
  const addedMembers = new Set(readMembers(members));
  return {
    displayName,
    externalId: typeof externalId === 'string' ? externalId : null,
    isReplaced: true,
    addedIds: addedMembers,
    removedIds: new Set(),
  };
}

/** @throws ScimRefused */
export function readGroupPatch(operations: readonly Operation[]): GroupChange {
  const draft: Draft = { isReplaced: false, addedIds: new Set(), removedIds: new Set() };
  for (const { op, path, value } of operations) {
    if (path !== undefined) applyAtPath(draft, { op, path, value });
    else if (isObject(value)) applyWithoutPath(draft, op, value);
    else throw invalidValue('value', 'must be a JSON object, because the operation has no path');
  }
  if (draft.addedIds.size > MAX_MEMBERS || draft.removedIds.size > MAX_MEMBERS) throw buildTooManyRefusal();
  return draft;
}

/** Okta sends `{"id": …, "displayName": …}` without a path. */
function applyWithoutPath(draft: Draft, op: Operation['op'], value: Readonly<Record<string, unknown>>): void {
  for (const [name, member] of Object.entries(value))
    if (['displayname', 'externalid', 'members'].includes(name.toLowerCase()))
      applyAtPath(draft, { op, path: name, value: member });
}

function applyAtPath(draft: Draft, { op, path: fullPath, value }: Required<Operation>): void {
  const path = fullPath.replace(new RegExp(`^${GROUP_SCHEMA}:`, 'i'), '');
  const name = path.toLowerCase();
  if (name === 'displayname') {
    if (op === 'remove') throw new ScimRefused(400, 'mutability', 'displayName cannot be removed.', 'displayName');
    draft.displayName = readName(value);
  } else if (name === 'externalid') {
    draft.externalId = op === 'remove' ? null : readExternalId(value);
  } else if (['id', 'meta', 'schemas'].includes(name)) {
    throw new ScimRefused(400, 'mutability', `${name} is read-only.`, name);
  } else {
    const match = MEMBERS.exec(path);
    if (!match)
      throw new ScimRefused(400, 'invalidPath', 'A path of the operations does not name a supported attribute.', 'path');
    changeMembers(draft, { op, value }, match[1]);
  }
}

function changeMembers(draft: Draft, { op, value }: Operation, filter: string | undefined): void {
  if (filter !== undefined) {
    if (op !== 'remove')
      throw new ScimRefused(400, 'invalidPath', 'A filter of members is allowed only in a remove operation.', 'path');
    return removeMember(draft, readFilterId(filter));
  }
  const hasValue = value !== undefined && value !== null;
  if (op === 'remove' && hasValue) {
    for (const id of readIds(value)) removeMember(draft, id);
    return;
  }
  if (op !== 'add') {
    draft.isReplaced = true;
    draft.addedIds.clear();
    draft.removedIds.clear();
  }
  if (op === 'remove') return;
  for (const id of readMembers(value)) {
    draft.addedIds.add(id);
    draft.removedIds.delete(id);
  }
}

function removeMember(draft: Draft, id: string): void {
  draft.addedIds.delete(id);
  if (!draft.isReplaced) draft.removedIds.add(id);
}

/** @returns the id in a filter `value eq "…"` @throws ScimRefused */
function readFilterId(filter: string): string {
  const members = toMembers(parseFilter(filter, 'invalidPath')) ?? {};
  const [name, value] = Object.entries(members)[0] ?? [];
  if (Object.keys(members).length === 1 && name?.toLowerCase() === 'value' && typeof value === 'string')
    return value.toLowerCase();
  throw new ScimRefused(400, 'invalidPath', 'A filter of members must have the form value eq "id".', 'path');
}

function readName(value: unknown): string {
  if (value !== undefined && value !== null && typeof value !== 'string') throw invalidValue('displayName', 'must be a string');
  if (typeof value !== 'string' || value.trim() === '') throw invalidValue('displayName', 'is missing');
  try {
    return checkName('groups', value);
  } catch (error) {
    if (!(error instanceof AccountError)) throw error;
    throw invalidValue('displayName', 'must be a printable name of at most 128 characters');
  }
}

function readExternalId(value: unknown): string | null {
  const attribute = GROUP_ATTRIBUTES.get('externalid');
  const externalId = attribute && readValue(attribute, value, 'externalId');
  return typeof externalId === 'string' ? externalId : null;
}

/** Members have their own limit and are not read as values of a resource. */
function splitMembers(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(body);
  const members = entries.filter(([name]) => name.toLowerCase() === 'members').map(([, value]) => value);
  const rest = entries.filter(([name]) => name.toLowerCase() !== 'members');
  if (members.length > 1) throw new ScimRefused(400, 'invalidSyntax', 'members is given twice.', 'members');
  return { ...Object.fromEntries(rest), members: members[0] };
}

/** @returns ids, not looked up @throws ScimRefused for a value that cannot be an id, for a group as a member, and for too many members */
function readMembers(value: unknown): string[] {
  const ids = readIds(value);
  if (ids.every(isAccountId)) return ids;
  throw invalidValue('members', 'contains an id that does not belong to a person of the source');
}

function readIds(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_MEMBERS) throw buildTooManyRefusal();
  return list.map((entry) => {
    const member = isObject(entry)
      ? Object.fromEntries(Object.entries(entry).map(([name, part]) => [name.toLowerCase(), part]))
      : {};
    const id = typeof entry === 'string' ? entry : member['value'];
    if (typeof id !== 'string') throw invalidValue('members', 'must be a list of objects with the id of a person as value');
    if (typeof member['type'] === 'string' && member['type'].toLowerCase() === 'group')
      throw invalidValue('members', 'must contain only people; groups in groups are not supported');
    return id.toLowerCase();
  });
}

function buildTooManyRefusal(): ScimRefused {
  return new ScimRefused(400, 'tooMany', `members may have at most ${MAX_MEMBERS} values in one call.`, 'members');
}
