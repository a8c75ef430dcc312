/** `/scim/v2/Users` (RFC 7644, section 3). */
import type { ServerResponse } from 'node:http';
import { Controller, Delete, Get, Patch, Post, Put, Res } from '@nestjs/common';
import { namesPassword, patchUser, readOperations } from '../../accounts/scim/scim-patch.js';
import { readResource, type ScimResource } from '../../accounts/scim/scim-resource.js';
import { USER_ATTRIBUTES, USER_SCHEMA } from '../../accounts/scim/scim-schema.js';
import { ScimUsers, type Change, type ChangedUser } from '../../accounts/scim/scim-users.js';
import { isObject } from '../../config/settings-kinds.js';
import { waitAtMost } from '../../config/wait-at-most.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { WithoutToken } from '../api/rights.guard.js';
import { CurrentScimCall, SCIM_PATH, type ScimCall } from './scim-access.js';
import { includesMember, readProjection, send, sendResource } from './scim-answers.js';
import { ScimCalls, isUnchanged, nameCall, readVersions } from './scim-calls.js';
import { ScimListings } from './scim-listings.js';

const USERS = `${SCIM_PATH}/Users`;
/** The longest time for which an answer waits until access has ended at Hydra. The end is queued, and does not depend on this wait. */
const MAX_WAIT_MS = 2000;

@Controller()
export class ScimUsersController {
  constructor(
    private readonly users: ScimUsers,
    private readonly listings: ScimListings,
    private readonly calls: ScimCalls,
    private readonly revocations: RevocationRunner,
  ) {}

  @Get(USERS)
  @WithoutToken()
  async list(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    send(response, await this.listings.list(call, 'User', call.query));
  }

  @Post(`${USERS}/.search`)
  @WithoutToken()
  async search(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    send(response, await this.listings.list(call, 'User', isObject(call.body) ? call.body : {}));
  }

  @Post(USERS)
  @WithoutToken()
  async create(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    // An invalid query is refused before the change is made.
    readProjection(call.query);
    let resource: ScimResource = {};
    const create = async (): Promise<ChangedUser> => {
      resource = readResource(call.body, USER_ATTRIBUTES, USER_SCHEMA);
      return this.users.create(call.source, resource, call.auditContext);
    };
    const changedUser = await this.calls.run(nameCall(call, 'User'), create, () => this.users.findConflictingAccount(resource));
    response.statusCode = 201;
    await this.#answer(call, changedUser, response);
  }

  @Get(`${USERS}/:id`)
  @WithoutToken()
  async read(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    const user = await this.users.get(call.source, call.id);
    // A change of the groups of a person does not change the version.
    const hasGroups = includesMember(readProjection(call.query), 'groups');
    if (!hasGroups && isUnchanged(call, user.version)) return void response.writeHead(304).end();
    await this.#answer(call, { user, endsSessions: false }, response);
  }

  @Put(`${USERS}/:id`)
  @WithoutToken()
  async replace(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    const changedUser = await this.#change(call, () => {
      const resource = readResource(call.body, USER_ATTRIBUTES, USER_SCHEMA);
      return { change: () => resource, hasPassword: resource['password'] !== undefined };
    });
    await this.#answer(call, changedUser, response);
  }

  @Patch(`${USERS}/:id`)
  @WithoutToken()
  async patch(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    const changedUser = await this.#change(call, () => {
      const operations = readOperations(call.body);
      return { change: (storedResource) => patchUser(storedResource, operations), hasPassword: namesPassword(operations) };
    });
    await this.#answer(call, changedUser, response);
  }

  @Delete(`${USERS}/:id`)
  @WithoutToken()
  async remove(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    const { source, id, auditContext } = call;
    const name = nameCall(call, 'User');
    const { isKeptOperator } = await this.calls.run(name, () =>
      this.users.remove({ source, id, ...readVersions(call), auditContext }),
    );
    if (isKeptOperator) {
      const detail = 'The account belongs to an operator of this installation, so it was disabled but not deleted.';
      await this.calls.note(name, { code: 'operator', detail, accountId: id });
    }
    await this.#settle(id, auditContext.requestId);
    response.writeHead(204).end();
  }

  /** @param read reads the body */
  async #change(call: ScimCall, read: () => { change: Change; hasPassword: boolean }): Promise<ChangedUser> {
    const { source, id, auditContext } = call;
    readProjection(call.query);
    let resource: ScimResource = {};
    const change = async (): Promise<ChangedUser> => {
      const { change: applyChange, hasPassword } = read();
      const request = { source, id, ...readVersions(call), auditContext };
      return this.users.change(request, (storedResource) => (resource = applyChange(storedResource)), hasPassword);
    };
    return this.calls.run(nameCall(call, 'User'), change, () => this.users.findConflictingAccount(resource));
  }

  async #answer(call: ScimCall, { user, endsSessions }: ChangedUser, response: ServerResponse): Promise<void> {
    if (endsSessions) await this.#settle(user.id, call.auditContext.requestId);
    const answer = await this.listings.describeUser(call, user, call.query);
    sendResource(response, answer, { status: response.statusCode, version: user.version });
  }

  async #settle(accountId: string, requestId?: string): Promise<void> {
    await waitAtMost(this.revocations.settle(accountId, requestId), MAX_WAIT_MS, false);
  }
}
