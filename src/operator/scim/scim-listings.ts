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

  /** @param members the members of the query, or of the body of `.search` @throws ScimRefused */
  async list(call: ScimCall, resource: Resource, members: ScimCall['query']): Promise<Answer> {
    const query = readListQuery(members, resource);
    const { answers, total } = await this.#read(call, { resource, query, members });
    return toListAnswer(answers, total, query.startIndex);
  }

  /** Searches people, then groups. A filter by an attribute of only one kind of resource finds only that kind. @throws ScimRefused */
  async search(call: ScimCall, members: ScimCall['query']): Promise<Answer> {
    const { filter } = members;
    const isFor = (resource: Resource): boolean => typeof filter !== 'string' || findForeignPath(filter, resource) === null;
    const [withUsers, withGroups] = [isFor('User'), isFor('Group')];
    const query = readListQuery(members, withUsers || !withGroups ? 'User' : 'Group');
    const users = withUsers ? await this.#read(call, { resource: 'User', query, members }) : NOTHING;
    const rest = { ...query, offset: Math.max(query.offset - users.total, 0), limit: query.limit - users.answers.length };
    const groups = withGroups ? await this.#read(call, { resource: 'Group', query: rest, members }) : NOTHING;
    return toListAnswer([...users.answers, ...groups.answers], users.total + groups.total, query.startIndex);
  }

  /** @param members the members of the query, which may contain a projection @throws ScimRefused */
  async describeUser({ baseUrl }: ScimCall, user: ScimUser, members: ScimCall['query']): Promise<Answer> {
    const projection = readProjection(members);
    const [answer] = await this.#describeUsers([user], needs(projection, 'groups'), baseUrl);
    return project(answer ?? {}, projection);
  }

  /** @param members the members of the query, which may contain a projection @throws ScimRefused */
  async describeGroup({ baseUrl }: ScimCall, group: ScimGroup, members: ScimCall['query']): Promise<Answer> {
    const projection = readProjection(members);
    const [answer] = await this.#describeGroups([group], needs(projection, 'members'), baseUrl);
    return project(answer ?? {}, projection);
  }

  async #read(
    { source, baseUrl }: ScimCall,
    { resource, query, members }: { resource: Resource; query: ReadQuery; members: ScimCall['query'] },
  ): Promise<Part> {
    const projection = readProjection(members);
    if (resource === 'User') {
      const { entries, total } = await this.lists.listUsers(source, query);
      const answers = await this.#describeUsers(entries, needs(projection, 'groups'), baseUrl);
      return { answers: answers.map((answer) => project(answer, projection)), total };
    }
    const { entries, total } = await this.lists.listGroups(source, query);
    const answers = await this.#describeGroups(entries, needs(projection, 'members'), baseUrl);
    return { answers: answers.map((answer) => project(answer, projection)), total };
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
