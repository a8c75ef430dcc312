/** Lists, searches and describes people and groups for SCIM clients (RFC 7644, section 3.4). */
import { Injectable } from '@nestjs/common';
import { FILTERS, findForeignPath } from '../../accounts/scim/scim-filter.js';
import type { ScimGroup } from '../../accounts/scim/scim-groups.js';
import { ScimLists } from '../../accounts/scim/scim-lists.js';
import type { ScimUser } from '../../accounts/scim/scim-users.js';
import type { ScimCall } from './scim-access.js';
import {
  includesMember,
  project,
  readProjection,
  toGroupAnswer,
  toListAnswer,
  toUserAnswer,
  type Answer,
} from './scim-answers.js';
import { readListQuery, type ReadQuery } from './scim-calls.js';

type Resource = keyof typeof FILTERS;

interface Results {
  answers: Answer[];
  total: number;
}

const NO_RESULTS: Results = { answers: [], total: 0 };

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
    const [searchesUsers, searchesGroups] = [isFor('User'), isFor('Group')];
    const query = readListQuery(members, searchesUsers || !searchesGroups ? 'User' : 'Group');
    const users = searchesUsers ? await this.#read(call, { resource: 'User', query, members }) : NO_RESULTS;
    const groupQuery = { ...query, offset: Math.max(query.offset - users.total, 0), limit: query.limit - users.answers.length };
    const groups = searchesGroups ? await this.#read(call, { resource: 'Group', query: groupQuery, members }) : NO_RESULTS;
    return toListAnswer([...users.answers, ...groups.answers], users.total + groups.total, query.startIndex);
  }

  /** @param members the members of the query, which may contain a projection @throws ScimRefused */
  async describeUser({ baseUrl }: ScimCall, user: ScimUser, members: ScimCall['query']): Promise<Answer> {
    const projection = readProjection(members);
    const [answer] = await this.#describeUsers([user], includesMember(projection, 'groups'), baseUrl);
    return project(answer ?? {}, projection);
  }

  /** @param members the members of the query, which may contain a projection @throws ScimRefused */
  async describeGroup({ baseUrl }: ScimCall, group: ScimGroup, members: ScimCall['query']): Promise<Answer> {
    const projection = readProjection(members);
    const [answer] = await this.#describeGroups([group], includesMember(projection, 'members'), baseUrl);
    return project(answer ?? {}, projection);
  }

  async #read(
    { source, baseUrl }: ScimCall,
    { resource, query, members }: { resource: Resource; query: ReadQuery; members: ScimCall['query'] },
  ): Promise<Results> {
    const projection = readProjection(members);
    if (resource === 'User') {
      const { entries, total } = await this.lists.listUsers(source, query);
      const answers = await this.#describeUsers(entries, includesMember(projection, 'groups'), baseUrl);
      return { answers: answers.map((answer) => project(answer, projection)), total };
    }
    const { entries, total } = await this.lists.listGroups(source, query);
    const answers = await this.#describeGroups(entries, includesMember(projection, 'members'), baseUrl);
    return { answers: answers.map((answer) => project(answer, projection)), total };
  }

  async #describeUsers(users: readonly ScimUser[], withGroups: boolean, baseUrl: string): Promise<Answer[]> {
    const groups = withGroups && users.length > 0 ? await this.lists.findGroups(users.map(({ id }) => id)) : null;
    return users.map((user) => toUserAnswer(user, groups?.get(user.id) ?? [], baseUrl));
  }

  /** @returns the groups; the last groups are left out if all groups together have too many members for one answer */
  async #describeGroups(groups: readonly ScimGroup[], withMembers: boolean, baseUrl: string): Promise<Answer[]> {
    if (!withMembers) return groups.map((group) => toGroupAnswer(group, undefined, baseUrl));
    const members = await this.lists.findMembers(groups.map(({ id }) => id));
    return groups.filter(({ id }) => members.has(id)).map((group) => toGroupAnswer(group, members.get(group.id), baseUrl));
  }
}
