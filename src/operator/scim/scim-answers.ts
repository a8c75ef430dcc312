/** The answers to SCIM clients: resources with `meta`, lists, and errors (RFC 7644, sections 3.4.2, 3.9 and 3.12). */
import type { ServerResponse } from 'node:http';
import type { ScimGroup } from '../../accounts/scim/scim-groups.js';
import type { Membership } from '../../accounts/scim/scim-lists.js';
import { ScimRefused, invalidValue } from '../../accounts/scim/scim-refused.js';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from '../../accounts/scim/scim-schema.js';
import type { ScimUser } from '../../accounts/scim/scim-users.js';
import { isObject } from '../../config/settings-kinds.js';
import type { OperatorFault } from '../api/operator-fault.js';

const SCIM_TYPE = 'application/scim+json; charset=utf-8';
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

export type Answer = Readonly<Record<string, unknown>>;

export function toUserAnswer({ id, active, resource, ...row }: ScimUser, groups: readonly Membership[], baseUrl: string): Answer {
  const memberships = groups.map((group) => ({
    value: group.id,
    $ref: `${baseUrl}/Groups/${group.id}`,
    display: group.name,
    type: 'direct',
  }));
  return {
    schemas: resource[ENTERPRISE_SCHEMA] === undefined ? [USER_SCHEMA] : [USER_SCHEMA, ENTERPRISE_SCHEMA],
    id,
    ...resource,
    active,
    ...(memberships.length > 0 ? { groups: memberships } : {}),
    meta: toMeta('User', { id, ...row }, baseUrl),
  };
}

/** @param members ids of the members; undefined if they were not read */
export function toGroupAnswer(group: ScimGroup, members: readonly string[] | undefined, baseUrl: string): Answer {
  const references = members?.map((id) => ({ value: id, $ref: `${baseUrl}/Users/${id}`, type: 'User' }));
  return {
    schemas: [GROUP_SCHEMA],
    id: group.id,
    ...(group.externalId === null ? {} : { externalId: group.externalId }),
    displayName: group.displayName,
    ...(references && references.length > 0 ? { members: references } : {}),
    meta: toMeta('Group', group, baseUrl),
  };
}

function toMeta(
  resourceType: 'User' | 'Group',
  { id, createdAt, modifiedAt, version }: Pick<ScimUser, 'id' | 'createdAt' | 'modifiedAt' | 'version'>,
  baseUrl: string,
): Answer {
  return {
    resourceType,
    created: createdAt.toISOString(),
    lastModified: modifiedAt.toISOString(),
    location: `${baseUrl}/${resourceType}s/${id}`,
    version: toETag(version),
  };
}

function toETag(version: number): string {
  return `W/"${version}"`;
}

export function toListAnswer(resources: readonly unknown[], totalResults: number, startIndex: number): Answer {
  return { schemas: [LIST_SCHEMA], totalResults, startIndex, itemsPerPage: resources.length, Resources: resources };
}

export function send(
  response: ServerResponse,
  answer: Answer,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> | undefined } = {},
): void {
  response.writeHead(status, { 'Content-Type': SCIM_TYPE, ...headers }).end(JSON.stringify(answer));
}

export function sendResource(
  response: ServerResponse,
  answer: Answer,
  { status, version }: { status: number; version: number },
): void {
  const { meta } = answer;
  const location = isObject(meta) && typeof meta['location'] === 'string' ? { Location: meta['location'] } : {};
  send(response, answer, { status, headers: { ETag: toETag(version), ...location } });
}

/** @param fault the refusal of a SCIM call, or an error that the listener itself returns, such as 401 for a wrong token */
export function sendError(response: ServerResponse, fault: ScimRefused | OperatorFault): void {
  const scimType = fault instanceof ScimRefused ? fault.scimType : null;
  const headers = fault instanceof ScimRefused ? {} : fault.hints.headers;
  const error = {
    schemas: [ERROR_SCHEMA],
    status: String(fault.status),
    ...(scimType ? { scimType } : {}),
    detail: fault.message,
  };
  send(response, error, { status: fault.status, headers });
}

/** The members of a resource that a client requests (RFC 7644, section 3.9). */
export interface Projection {
  /** Names in lower case; absent if all members are requested. */
  attributes?: readonly string[];
  excludedAttributes: readonly string[];
}

/** Members that are always returned (RFC 7643, section 7). */
const REQUIRED_MEMBERS = ['schemas', 'id'];
/** The number of names is limited, because each name is compared with every part of every resource. */
const MAX_NAMES = 100;
const CORE_PREFIX = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** @throws ScimRefused */
export function readProjection({ attributes, excludedAttributes }: Readonly<Record<string, unknown>>): Projection {
  const requestedNames = readNames(attributes, 'attributes');
  const excludedNames = readNames(excludedAttributes, 'excludedAttributes');
  if (requestedNames && excludedNames)
    throw new ScimRefused(400, 'invalidValue', 'attributes and excludedAttributes cannot be used together.', 'attributes');
  return { ...(requestedNames ? { attributes: requestedNames } : {}), excludedAttributes: excludedNames ?? [] };
}

/** @param value a list of names, or names joined by commas @param parameter the name of the parameter, for errors */
function readNames(value: unknown, parameter: string): string[] | undefined {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  // Nested lists could be so deep that joining them overflows the stack.
  if (Array.isArray(value) && !list.every((name) => typeof name === 'string'))
    throw invalidValue(parameter, 'must be a list of names');
  const text = list.filter((name) => typeof name === 'string').join(',');
  if (text.trim() === '') return undefined;
  const names = new Set(text.split(',').map((name) => name.trim().toLowerCase().replace(CORE_PREFIX, '')));
  if (names.size > MAX_NAMES) throw invalidValue(parameter, `has more than ${MAX_NAMES} names`);
  return [...names];
}

/** Whether the projection contains a member or a part of it. */
export function includesMember({ attributes, excludedAttributes }: Projection, name: string): boolean {
  const isNamed = (list: readonly string[]): boolean => list.some((path) => path === name || path.startsWith(`${name}.`));
  return attributes ? isNamed(attributes) : !excludedAttributes.includes(name);
}

export function project(answer: Answer, { attributes, excludedAttributes }: Projection): Answer {
  const entries = Object.entries(answer).flatMap(([name, value]) => {
    if (REQUIRED_MEMBERS.includes(name)) return [[name, value] as const];
    const projectedValue = attributes ? keepParts(name, value, attributes) : dropParts(name, value, excludedAttributes);
    return projectedValue === undefined ? [] : [[name, projectedValue] as const];
  });
  return Object.fromEntries(entries);
}

/** @returns the path below the member, without the dot or, in an extension, the colon; null if the path names no part of the member */
function toPartPath(name: string, path: string): string | null {
  const prefix = name.toLowerCase();
  const isPart = path.startsWith(`${prefix}.`) || (prefix.includes(':') && path.startsWith(`${prefix}:`));
  return isPart ? path.slice(prefix.length + 1) : null;
}

function keepParts(name: string, value: unknown, attributes: readonly string[]): unknown {
  if (attributes.includes(name.toLowerCase())) return value;
  if (!hasParts(value)) return undefined;
  const partPaths = attributes.flatMap((path) => toPartPath(name, path) ?? []);
  return partPaths.length === 0 ? undefined : mapValue(value, (partName, part) => keepParts(partName, part, partPaths));
}

function dropParts(name: string, value: unknown, excludedAttributes: readonly string[]): unknown {
  if (excludedAttributes.includes(name.toLowerCase())) return undefined;
  if (!hasParts(value)) return value;
  const partPaths = excludedAttributes.flatMap((path) => toPartPath(name, path) ?? []);
  return partPaths.length === 0 ? value : mapValue(value, (partName, part) => dropParts(partName, part, partPaths));
}

function hasParts(value: unknown): boolean {
  return Array.isArray(value) || isObject(value);
}

function mapValue(value: unknown, map: (name: string, part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => mapValue(element, map));
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).map(([name, part]) => [name, map(name, part)] as const);
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
}
