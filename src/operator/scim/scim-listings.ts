/** Lists, searches and describes people and groups for SCIM clients (RFC 7644, section 3.4). */
import { Injectable } from '@nestjs/common';
import { FILTERS, findForeignPath } from '../../accounts/scim/scim-filter.js';
import type { ScimGroup } from '../../accounts/scim/scim-groups.js';
import { ScimLists } from '../../accounts/scim/scim-lists.js';
import type { ScimUser } from '../../accounts/scim/scim-users.js';
import type { ScimCall } from './scim-access.js';
import { needs, project, readProjection, toGroupAnswer, toListAnswer, toUserAnswer, type Answer } from './scim-answers.js';
import { readListQuery, type ReadQuery } from './scim-calls.js';

type Resource = keyof typeof FILTERS;

interface Part {
  answers: Answer[];
  total: number;
}

const NOTHING: Part = { answers: [], total: 0 };

@Injectable()
export class ScimListings {
  constructor(private readonly lists: ScimLists) {}

  /** @param given of the query, or of the body of `.search` @throws ScimRefused */
  async list(call: ScimCall, resource: Resource, given: ScimCall['query']): Promise<Answer> {
    const query = readListQuery(given, resource);
    const { answers, total } = await this.#read(call, { resource, query, given });
    return toListAnswer(answers, total, query.startIndex);
  }

  /** Searches people, and then groups. A filter by an attribute that only one of them has finds nothing of the other. @throws ScimRefused */
  async search(call: ScimCall, given: ScimCall['query']): Promise<Answer> {
    const { filter } = given;
    const isFor = (resource: Resource): boolean => typeof filter !== 'string' || findForeignPath(filter, resource) === null;
    const [withUsers, withGroups] = [isFor('User'), isFor('Group')];
    const query = readListQuery(given, withUsers || !withGroups ? 'User' : 'Group');
    const users = withUsers ? await this.#read(call, { resource: 'User', query, given }) : NOTHING;
    const rest = { ...query, offset: Math.max(query.offset - users.total, 0), limit: query.limit - users.answers.length };
    const groups = withGroups ? await this.#read(call, { resource: 'Group', query: rest, given }) : NOTHING;
    return toListAnswer([...users.answers, ...groups.answers], users.total + groups.total, query.startIndex);
  }

  /** @param given may have a projection @throws ScimRefused */
  async describeUser({ baseUrl }: ScimCall, user: ScimUser, given: ScimCall['query']): Promise<Answer> {
    const projection = readProjection(given);
    const [answer] = await this.#describeUsers([user], needs(projection, 'groups'), baseUrl);
    return project(answer ?? {}, projection);
  }

  /** @param given may have a projection @throws ScimRefused */
  async describeGroup({ baseUrl }: ScimCall, group: ScimGroup, given: ScimCall['query']): Promise<Answer> {
    const projection = readProjection(given);
    const [answer] = await this.#describeGroups([group], needs(projection, 'members'), baseUrl);
    return project(answer ?? {}, projection);
  }

  async #read(
    { source, baseUrl }: ScimCall,
    { resource, query, given }: { resource: Resource; query: ReadQuery; given: ScimCall['query'] },
  ): Promise<Part> {
    const projection = readProjection(given);
    if (resource === 'User') {
      const { entries, total } = await this.lists.listUsers(source, query);
      const answers = await this.#describeUsers(entries, needs(projection, 'groups'), baseUrl);
      return { answers: answers.map((one) => project(one, projection)), total };
    }
    const { entries, total } = await this.lists.listGroups(source, query);
    const answers = await this.#describeGroups(entries, needs(projection, 'members'), baseUrl);
    return { answers: answers.map((one) => project(one, projection)), total };
  }

  async #describeUsers(users: readonly ScimUser[], withGroups: boolean, baseUrl: string): Promise<Answer[]> {
    const groups = withGroups && users.length > 0 ? await this.lists.findGroups(users.map(({ id }) => id)) : null;
    return users.map((user) => toUserAnswer(user, groups?.get(user.id) ?? [], baseUrl));
  }

  /** @returns the groups, without the last ones if the members are too many for one answer */
  async #describeGroups(groups: readonly ScimGroup[], withMembers: boolean, baseUrl: string): Promise<Answer[]> {
    if (!withMembers) return groups.map((group) => toGroupAnswer(group, undefined, baseUrl));
    const members = await this.lists.findMembers(groups.map(({ id }) => id));
    return groups.filter(({ id }) => members.has(id)).map((group) => toGroupAnswer(group, members.get(group.id), baseUrl));
  }
}
