/** `/scim/v2/Users` (RFC 7644, section 3). */
import type { ServerResponse } from 'node:http';
import { Controller, Delete, Get, Param, Patch, Post, Put, Query, Req, Res } from '@nestjs/common';
import { toScimSource } from '../../accounts/identities/source-accounts.js';
import { ScimLists } from '../../accounts/scim/scim-lists.js';
import { patchUser, readOperations } from '../../accounts/scim/scim-patch.js';
import { readResource, type ScimResource } from '../../accounts/scim/scim-resource.js';
import { USER_ATTRIBUTES, USER_SCHEMA } from '../../accounts/scim/scim-schema.js';
import { ScimUsers, type ChangedUser, type ScimUser } from '../../accounts/scim/scim-users.js';
import { waitAtMost } from '../../config/wait-at-most.js';
import { WithoutToken } from '../api/rights.guard.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { CurrentCaller, SCIM_PATH, type ScimCaller, type ScimRequest } from './scim-access.js';
import { needs, project, readProjection, send, sendResource, toListAnswer, toUserAnswer, type Answer } from './scim-answers.js';
import { ScimCalls, isUnchanged, readListQuery, readVersions, toSubject } from './scim-calls.js';

const USERS = `${SCIM_PATH}/Users`;
/** The end at Hydra is queued; the client does not wait for a Hydra that is down. */
const PATIENCE_MS = 2000;

type GivenQuery = Readonly<Record<string, unknown>>;

@Controller()
export class ScimUsersController {
  constructor(
    private readonly users: ScimUsers,
    private readonly lists: ScimLists,
    private readonly calls: ScimCalls,
    private readonly upstream: RevocationRunner,
  ) {}

  @Get(USERS)
  @WithoutToken()
  async list(@CurrentCaller() caller: ScimCaller, @Query() query: GivenQuery, @Res() response: ServerResponse): Promise<void> {
    send(response, 200, await this.#list(caller, query));
  }

  @Post(`${USERS}/.search`)
  @WithoutToken()
  async search(
    @CurrentCaller() caller: ScimCaller,
    @Req() { body }: ScimRequest,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, 200, await this.#list(caller, (body ?? {}) as GivenQuery));
  }

  @Post(USERS)
  @WithoutToken()
  async create(
    @CurrentCaller() caller: ScimCaller,
    @Req() { body }: ScimRequest,
    @Query() query: GivenQuery,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const { source, by } = caller;
    const call = {
      source: toScimSource(source.id),
      method: 'POST',
      resource: 'User',
      subject: toSubject(body, 'userName'),
    } as const;
    let given: ScimResource = {};
    const changed = await this.calls.run(
      call,
      async () => {
        given = readResource(body, USER_ATTRIBUTES, USER_SCHEMA);
        return this.users.create(source, given, by);
      },
      () => this.users.findInTheWay(given),
    );
    await this.#answer(caller, changed, { status: 201, query, response });
  }

  @Get(`${USERS}/:id`)
  @WithoutToken()
  async read(
    @CurrentCaller() caller: ScimCaller,
    @Param('id') id: string,
    @Req() request: ScimRequest,
    @Query() query: GivenQuery,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const user = await this.users.get(caller.source, id);
    if (isUnchanged(request, user.version)) return void response.writeHead(304).end();
    await this.#answer(caller, { user, hasEnded: false }, { status: 200, query, response });
  }

  @Put(`${USERS}/:id`)
  @WithoutToken()
  async replace(
    @CurrentCaller() caller: ScimCaller,
    @Param('id') id: string,
    @Req() request: ScimRequest,
    @Query() query: GivenQuery,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const changed = await this.#change(caller, id, request, () => {
      const given = readResource(request.body, USER_ATTRIBUTES, USER_SCHEMA);
      return () => given;
    });
    await this.#answer(caller, changed, { status: 200, query, response });
  }

  @Patch(`${USERS}/:id`)
  @WithoutToken()
  async patch(
    @CurrentCaller() caller: ScimCaller,
    @Param('id') id: string,
    @Req() request: ScimRequest,
    @Query() query: GivenQuery,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const changed = await this.#change(caller, id, request, () => {
      const operations = readOperations(request.body);
      return (stored) => patchUser(stored, operations);
    });
    await this.#answer(caller, changed, { status: 200, query, response });
  }

  @Delete(`${USERS}/:id`)
  @WithoutToken()
  async remove(
    @CurrentCaller() { source, by }: ScimCaller,
    @Param('id') id: string,
    @Req() request: ScimRequest,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const call = { source: toScimSource(source.id), method: 'DELETE', resource: 'User', subject: `id:${id}` } as const;
    const versions = readVersions(request);
    const { isKeptOperator } = await this.calls.run(call, () => this.users.remove({ source, id, ...versions, by }));
    if (isKeptOperator) {
      const detail = 'The account belongs to an operator of this installation: it was disabled and kept.';
      await this.calls.note(call, { code: 'operator', detail, accountId: id });
    }
    await this.#settle(id, by.requestId);
    response.writeHead(204).end();
  }

  /** @param read reads the body, and returns the change */
  async #change(
    { source, by }: ScimCaller,
    id: string,
    request: ScimRequest,
    read: () => (stored: ScimResource) => ScimResource,
  ): Promise<ChangedUser> {
    const call = {
      source: toScimSource(source.id),
      method: request.method ?? '',
      resource: 'User',
      subject: `id:${id}`,
    } as const;
    let wanted: ScimResource = {};
    return this.calls.run(
      call,
      async () => {
        const change = read();
        return this.users.change({ source, id, ...readVersions(request), by }, (stored) => (wanted = change(stored)));
      },
      async () => this.users.findInTheWay(wanted),
    );
  }

  async #list({ source, baseUrl }: ScimCaller, given: GivenQuery): Promise<Answer> {
    const query = readListQuery(given, 'User');
    const projection = readProjection(given);
    const { entries, total } = await this.lists.listUsers(source, query);
    const answers = await this.#describe(entries, needs(projection, 'groups'), baseUrl);
    return toListAnswer(
      answers.map((one) => project(one, projection)),
      total,
      query.startIndex,
    );
  }

  async #describe(users: readonly ScimUser[], withGroups: boolean, baseUrl: string): Promise<Answer[]> {
    const groups = withGroups && users.length > 0 ? await this.lists.findGroups(users.map(({ id }) => id)) : null;
    return users.map((user) => toUserAnswer(user, groups?.get(user.id) ?? [], baseUrl));
  }

  async #answer(
    { baseUrl, by }: ScimCaller,
    { user, hasEnded }: ChangedUser,
    { status, query, response }: { status: number; query: GivenQuery; response: ServerResponse },
  ): Promise<void> {
    const projection = readProjection(query);
    if (hasEnded) await this.#settle(user.id, by.requestId);
    const [answer] = await this.#describe([user], needs(projection, 'groups'), baseUrl);
    sendResource(response, status, project(answer ?? {}, projection), user.version);
  }

  async #settle(accountId: string, requestId?: string): Promise<void> {
    await waitAtMost(this.upstream.settle(accountId, requestId), PATIENCE_MS, false);
  }
}
