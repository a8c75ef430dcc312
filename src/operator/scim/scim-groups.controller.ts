/** `/scim/v2/Groups` (RFC 7644, section 3). */
import type { ServerResponse } from 'node:http';
import { Controller, Delete, Get, Patch, Post, Put, Res } from '@nestjs/common';
import { readGroup, readGroupPatch, type GroupChange } from '../../accounts/scim/group-patch.js';
import { ScimGroups, type ScimGroup } from '../../accounts/scim/scim-groups.js';
import { readOperations } from '../../accounts/scim/scim-patch.js';
import { isObject } from '../../config/settings-kinds.js';
import { WithoutToken } from '../api/rights.guard.js';
import { CurrentScimCall, SCIM_PATH, type ScimCall } from './scim-access.js';
import { readProjection, send, sendResource } from './scim-answers.js';
import { ScimCalls, isUnchanged, nameCall, readVersions } from './scim-calls.js';
import { ScimListings } from './scim-listings.js';

const GROUPS = `${SCIM_PATH}/Groups`;

@Controller()
export class ScimGroupsController {
  constructor(
    private readonly groups: ScimGroups,
    private readonly listings: ScimListings,
    private readonly calls: ScimCalls,
  ) {}

  @Get(GROUPS)
  @WithoutToken()
  async list(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    send(response, await this.listings.list(call, 'Group', call.query));
  }

  @Post(`${GROUPS}/.search`)
  @WithoutToken()
  async search(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    send(response, await this.listings.list(call, 'Group', isObject(call.body) ? call.body : {}));
  }

  @Post(GROUPS)
  @WithoutToken()
  async create(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    // An invalid query is refused before the change is made.
    readProjection(call.query);
    const { source, body, auditContext } = call;
    const group = await this.calls.run(nameCall(call, 'Group'), async () =>
      this.groups.create(source, readGroup(body), auditContext),
    );
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

  /** The answer is empty for a large group, whose members clients add in many calls. The standard allows this (RFC 7644, section 3.5.2). */
  @Patch(`${GROUPS}/:id`)
  @WithoutToken()
  async patch(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    const group = await this.#change(call, () => readGroupPatch(readOperations(call.body)));
    if (!(await this.groups.isLarge(group.id))) return this.#answer(call, group, response);
    response.writeHead(204).end();
  }

  @Delete(`${GROUPS}/:id`)
  @WithoutToken()
  async remove(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    const { source, id, auditContext } = call;
    await this.calls.run(nameCall(call, 'Group'), () => this.groups.remove({ source, id, ...readVersions(call), auditContext }));
    response.writeHead(204).end();
  }

  /** @param read reads the body */
  async #change(call: ScimCall, read: () => GroupChange): Promise<ScimGroup> {
    const { source, id, auditContext } = call;
    readProjection(call.query);
    const change = async (): Promise<ScimGroup> =>
      this.groups.change({ source, id, ...readVersions(call), auditContext }, read());
    return this.calls.run(nameCall(call, 'Group'), change);
  }

  async #answer(call: ScimCall, group: ScimGroup, response: ServerResponse): Promise<void> {
    const answer = await this.listings.describeGroup(call, group, call.query);
    sendResource(response, answer, { status: response.statusCode, version: group.version });
  }
}
