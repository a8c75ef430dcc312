/** `/scim/v2/Groups` (RFC 7644, section 3). */
import type { ServerResponse } from 'node:http';
import { Controller, Delete, Get, Patch, Post, Put, Res } from '@nestjs/common';
import { readGroup, readGroupPatch, type GroupChange } from '../../accounts/scim/group-patch.js';
import { ScimGroups, type ScimGroup } from '../../accounts/scim/scim-groups.js';
import { ScimLists } from '../../accounts/scim/scim-lists.js';
import { readOperations } from '../../accounts/scim/scim-patch.js';
import { isObject } from '../../config/settings-kinds.js';
import { WithoutToken } from '../api/rights.guard.js';
import { CurrentScimCall, SCIM_PATH, type ScimCall } from './scim-access.js';
import { needs, project, readProjection, send, sendResource, toGroupAnswer, toListAnswer, type Answer } from './scim-answers.js';
import { ScimCalls, isUnchanged, nameCall, readListQuery, readVersions } from './scim-calls.js';

const GROUPS = `${SCIM_PATH}/Groups`;

@Controller()
export class ScimGroupsController {
  constructor(
    private readonly groups: ScimGroups,
    private readonly lists: ScimLists,
    private readonly calls: ScimCalls,
  ) {}

  @Get(GROUPS)
  @WithoutToken()
  async list(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    send(response, await this.#list(call, call.query));
  }

  @Post(`${GROUPS}/.search`)
  @WithoutToken()
  async search(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    send(response, await this.#list(call, isObject(call.body) ? call.body : {}));
  }

  @Post(GROUPS)
  @WithoutToken()
  async create(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    const { source, body, by } = call;
    const group = await this.calls.run(nameCall(call, 'Group'), async () => this.groups.create(source, readGroup(body), by));
    response.statusCode = 201;
    await this.#answer(call, group, response);
  }

  @Get(`${GROUPS}/:id`)
  @WithoutToken()
  async read(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    const group = await this.groups.get(call.source, call.id);
    if (isUnchanged(call, group.version)) return void response.writeHead(304).end();
    await this.#answer(call, group, response);
  }

  @Put(`${GROUPS}/:id`)
  @WithoutToken()
  async replace(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    await this.#answer(call, await this.#change(call, () => readGroup(call.body)), response);
  }

  /** Answers without the group, which may have many thousands of members, unless the client names attributes. */
  @Patch(`${GROUPS}/:id`)
  @WithoutToken()
  async patch(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    const group = await this.#change(call, () => readGroupPatch(readOperations(call.body)));
    if (readProjection(call.query).attributes) return this.#answer(call, group, response);
    response.writeHead(204).end();
  }

  @Delete(`${GROUPS}/:id`)
  @WithoutToken()
  async remove(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    const { source, id, by } = call;
    await this.calls.run(nameCall(call, 'Group'), () => this.groups.remove({ source, id, ...readVersions(call), by }));
    response.writeHead(204).end();
  }

  /** @param read reads the body */
  async #change(call: ScimCall, read: () => GroupChange): Promise<ScimGroup> {
    const { source, id, by } = call;
    const change = async (): Promise<ScimGroup> => this.groups.change({ source, id, ...readVersions(call), by }, read());
    return this.calls.run(nameCall(call, 'Group'), change);
  }

  async #list({ source, baseUrl }: ScimCall, given: ScimCall['query']): Promise<Answer> {
    const query = readListQuery(given, 'Group');
    const projection = readProjection(given);
    const { entries, total } = await this.lists.listGroups(source, query);
    const answers = await this.#describe(entries, needs(projection, 'members'), baseUrl);
    const projected = answers.map((one) => project(one, projection));
    return toListAnswer(projected, total, query.startIndex);
  }

  /** @returns fewer groups than given if their members are too many for one answer */
  async #describe(groups: readonly ScimGroup[], withMembers: boolean, baseUrl: string): Promise<Answer[]> {
    if (!withMembers) return groups.map((group) => toGroupAnswer(group, undefined, baseUrl));
    const members = await this.lists.findMembers(groups.map(({ id }) => id));
    return groups.filter(({ id }) => members.has(id)).map((group) => toGroupAnswer(group, members.get(group.id), baseUrl));
  }

  async #answer({ baseUrl, query }: ScimCall, group: ScimGroup, response: ServerResponse): Promise<void> {
    const projection = readProjection(query);
    const [answer] = await this.#describe([group], needs(projection, 'members'), baseUrl);
    sendResource(response, project(answer ?? {}, projection), { status: response.statusCode, version: group.version });
  }
}
