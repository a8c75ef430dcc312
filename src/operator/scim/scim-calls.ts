/** What the routes of people and groups share: queries of lists, versions in headers, and reports of refused calls for operators. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { OPERATOR_REFUSED, ScimFaults, type NamedCall } from '../../accounts/scim/scim-faults.js';
import { readConditions } from '../../accounts/scim/scim-filter.js';
import type { ListQuery } from '../../accounts/scim/scim-lists.js';
import { OperatorChangeRefused, ScimRefused, invalidValue } from '../../accounts/scim/scim-refused.js';
import { toScimSource } from '../../config/stored-sources.js';
import { LOG } from '../../config/log.token.js';
import { isObject } from '../../config/settings-kinds.js';
import type { ScimCall } from './scim-access.js';

export const MAX_COUNT = 200;
const MAX_START = 100_000_000;
const ETAG = /^(?:W\/)?"(\d{1,15})"$/;
/** Statuses of refusals that require the client or an operator to act. */
const REPORTED_STATUSES = [400, 403, 409];

export interface ReadQuery extends ListQuery {
  startIndex: number;
}

/** @param members the members of the query, or of the body of `.search` @throws ScimRefused */
export function readListQuery(members: Readonly<Record<string, unknown>>, resource: 'User' | 'Group'): ReadQuery {
  const filter = readText(members['filter'], 'filter');
  const sortBy = readText(members['sortBy'], 'sortBy');
  const sortOrder = readText(members['sortOrder'], 'sortOrder')?.toLowerCase() ?? 'ascending';
  if (sortOrder !== 'ascending' && sortOrder !== 'descending') throw invalidValue('sortOrder', 'must be ascending or descending');
  // A start below 1 is read as 1, a count below 0 as 0 (RFC 7644, section 3.4.2.4).
  const startIndex = Math.max(readNumber(members['startIndex'], 'startIndex', 1), 1);
  const count = Math.max(readNumber(members['count'], 'count', MAX_COUNT), 0);
  return {
    conditions: filter === undefined ? [] : readConditions(filter, resource),
    ...(sortBy === undefined ? {} : { sortBy }),
    isDescending: sortOrder === 'descending',
    startIndex,
    offset: startIndex - 1,
    limit: Math.min(count, MAX_COUNT),
  };
}

function readText(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw invalidValue(name, 'must be given once, as a string');
}

function readNumber(value: unknown, name: string, fallback: number): number {
  if (value === undefined || value === null || value === '') return fallback;
  const text = typeof value === 'number' ? String(value) : value;
  const isNumber = typeof text === 'string' && /^-?\d{1,10}$/.test(text);
  if (!isNumber) throw invalidValue(name, 'must be a whole number of at most 10 digits');
  return Math.min(Number(text), MAX_START);
}

/** @returns the versions in `If-Match`, of which the resource has to have one; absent if the client accepts any version */
export function readVersions({ ifMatch }: ScimCall): { versions?: number[] } {
  if (ifMatch === undefined || ifMatch.trim() === '*') return {};
  const versions = ifMatch.split(',').map((tag) => ETAG.exec(tag.trim())?.[1]);
  // A tag in another format matches no version.
  return { versions: versions.flatMap((version) => (version === undefined ? [] : [Number(version)])) };
}

export function isUnchanged({ ifNoneMatch }: ScimCall, version: number): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => ETAG.exec(tag.trim())?.[1] === String(version));
}

/** Names a call for operators: a new resource by the `externalId` or the name that the client sends, an existing resource by its id. */
export function nameCall({ source, method, id, body }: ScimCall, resource: 'User' | 'Group'): NamedCall {
  const subject = id === '' ? toSubject(body, resource === 'User' ? 'userName' : 'displayName') : `id:${id}`;
  return { source: toScimSource(source.id), method, resource, subject };
}

function toSubject(body: unknown, name: 'userName' | 'displayName'): string {
  const members = isObject(body) ? body : {};
  const member = ['externalId', name].find((key) => typeof members[key] === 'string' && members[key] !== '');
  return member === undefined ? 'unnamed' : `${member}:${String(members[member])}`;
}

@Injectable()
export class ScimCalls {
  constructor(
    private readonly faults: ScimFaults,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * Runs a change. A refusal with one of `REPORTED_STATUSES` is stored for operators. A success deletes earlier refusals of the same
   * call, except refusals to change an operator.
   * @param findAccount finds the account that has the username or the verified e-mail address in the body. Called if the status of the
   * refusal is 409, or if it is 403 and the path has no id
   * @throws the errors of the change
   */
  async run<T>(
    call: NamedCall,
    change: () => Promise<T>,
    findAccount: () => Promise<string | null> = async () => null,
  ): Promise<T> {
    let result: T;
    try {
      result = await change();
    } catch (error) {
      if (error instanceof ScimRefused && REPORTED_STATUSES.includes(error.status)) {
        const isNamed = error.status !== 409 && call.subject.startsWith('id:');
        const accountId = isNamed ? call.subject.slice('id:'.length) : error.status === 400 ? null : await findAccount();
        const { source, method } = call;
        if (error instanceof OperatorChangeRefused)
          this.log.warn({ source, account: accountId, method, field: error.field }, 'SCIM: a change of an operator was refused');
        await this.faults.note({ ...call, ...toCause(error), accountId });
      }
      throw error;
    }
    await this.faults.forget(call);
    return result;
  }

  /** Reports something to operators about a change that succeeded. */
  async note(call: NamedCall, cause: { code: string; detail: string; accountId: string }): Promise<void> {
    await this.faults.note({ ...call, field: '', ...cause });
  }
}

function toCause(error: ScimRefused): { code: string; field: string; detail: string } {
  const { scimType, status, field, message: detail } = error;
  return { code: error instanceof OperatorChangeRefused ? OPERATOR_REFUSED : (scimType ?? String(status)), field, detail };
}
