/** `/scim/v2/Groups` (RFC 7644, section 3). */
import type { ServerResponse } from 'node:http';
import { Controller, Delete, Get, Param, Patch, Post, Put, Query, Req, Res } from '@nestjs/common';
import { toScimSource } from '../../accounts/identities/source-accounts.js';
import { readGroup, readGroupPatch, type GroupChange } from '../../accounts/scim/group-patch.js';
import { ScimGroups, type ScimGroup } from '../../accounts/scim/scim-groups.js';
import { ScimLists } from '../../accounts/scim/scim-lists.js';
import { readOperations } from '../../accounts/scim/scim-patch.js';
import { WithoutToken } from '../api/rights.guard.js';
import { CurrentCaller, SCIM_PATH, type ScimCaller, type ScimRequest } from './scim-access.js';
import { needs, project, readProjection, send, sendResource, toGroupAnswer, toListAnswer, type Answer } from './scim-answers.js';
import { ScimCalls, isUnchanged, readListQuery, readVersions, toSubject } from './scim-calls.js';

const GROUPS = `${SCIM_PATH}/Groups`;

type GivenQuery = Readonly<Record<string, unknown>>;

@Controller()
export class ScimGroupsController {
  constructor(
    private readonly groups: ScimGroups,
    private readonly lists: ScimLists,
    private readonly calls: ScimCalls,
  ) {}

  @Get(GROUPS)
  @WithoutToken()
  async list(@CurrentCaller() caller: ScimCaller, @Query() query: GivenQuery, @Res() response: ServerResponse): Promise<void> {
    send(response, 200, await this.#list(caller, query));
  }

  @Post(`${GROUPS}/.search`)
  @WithoutToken()
  async search(
    @CurrentCaller() caller: ScimCaller,
    @Req() { body }: ScimRequest,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, 200, await this.#list(caller, (body ?? {}) as GivenQuery));
  }

  @Post(GROUPS)
  @WithoutToken()
  async create(
    @CurrentCaller() caller: ScimCaller,
    @Req() { body }: ScimRequest,
    @Query() query: GivenQuery,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const { source, by } = caller;
    const subject = toSubject(body, 'displayName');
    const call = { source: toScimSource(source.id), method: 'POST', resource: 'Group', subject } as const;
    const group = await this.calls.run(call, async () => this.groups.create(source, readGroup(body), by));
    await this.#answer(caller, group, { status: 201, query, response });
  }

  @Get(`${GROUPS}/:id`)
  @WithoutToken()
  async read(
    @CurrentCaller() caller: ScimCaller,
    @Param('id') id: string,
    @Req() request: ScimRequest,
    @Query() query: GivenQuery,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const group = await this.groups.get(caller.source, id);
    if (isUnchanged(request, group.version)) return void response.writeHead(304).end();
    await this.#answer(caller, group, { status: 200, query, response });
  }

  @Put(`${GROUPS}/:id`)
  @WithoutToken()
  async replace(
    @CurrentCaller() caller: ScimCaller,
    @Param('id') id: string,
    @Req() request: ScimRequest,
    @Query() query: GivenQuery,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const group = await this.#change(caller, id, request, () => readGroup(request.body));
    await this.#answer(caller, group, { status: 200, query, response });
  }

  /** Answers without the group, which may have many thousands of members, unless the client names attributes. */
  @Patch(`${GROUPS}/:id`)
  @WithoutToken()
  async patch(
    @CurrentCaller() caller: ScimCaller,
    @Param('id') id: string,
    @Req() request: ScimRequest,
    @Query() query: GivenQuery,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const group = await this.#change(caller, id, request, () => readGroupPatch(readOperations(request.body)));
    if (readProjection(query).attributes) return this.#answer(caller, group, { status: 200, query, response });
    response.writeHead(204).end();
  }

  @Delete(`${GROUPS}/:id`)
  @WithoutToken()
  async remove(
    @CurrentCaller() { source, by }: ScimCaller,
    @Param('id') id: string,
    @Req() request: ScimRequest,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const call = { source: toScimSource(source.id), method: 'DELETE', resource: 'Group', subject: `id:${id}` } as const;
    await this.calls.run(call, () => this.groups.remove({ source, id, ...readVersions(request), by }));
    response.writeHead(204).end();
  }

  /** @param read reads the body */
  async #change({ source, by }: ScimCaller, id: string, request: ScimRequest, read: () => GroupChange): Promise<ScimGroup> {
    const { method = '' } = request;
    const call = { source: toScimSource(source.id), method, resource: 'Group', subject: `id:${id}` } as const;
    return this.calls.run(call, async () => this.groups.change({ source, id, ...readVersions(request), by }, read()));
  }

  async #list({ source, baseUrl }: ScimCaller, given: GivenQuery): Promise<Answer> {
    const query = readListQuery(given, 'Group');
    const projection = readProjection(given);
    const { entries, total } = await this.lists.listGroups(source, query);
    const answers = await this.#describe(entries, needs(projection, 'members'), baseUrl);
    return toListAnswer(
      answers.map((one) => project(one, projection)),
      total,
      query.startIndex,
    );
  }

  /** @returns fewer groups than given if their members are too many for one answer */
  async #describe(groups: readonly ScimGroup[], withMembers: boolean, baseUrl: string): Promise<Answer[]> {
    if (!withMembers) return groups.map((group) => toGroupAnswer(group, undefined, baseUrl));
    const members = await this.lists.findMembers(groups.map(({ id }) => id));
    return groups.filter(({ id }) => members.has(id)).map((group) => toGroupAnswer(group, members.get(group.id), baseUrl));
  }

  async #answer(
    { baseUrl }: ScimCaller,
    group: ScimGroup,
    { status, query, response }: { status: number; query: GivenQuery; response: ServerResponse },
  ): Promise<void> {
    const projection = readProjection(query);
    const [answer] = await this.#describe([group], needs(projection, 'members'), baseUrl);
    sendResource(response, status, project(answer ?? {}, projection), group.version);
  }
}
