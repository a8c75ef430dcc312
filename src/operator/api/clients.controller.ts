/** Lists, registers, changes and deletes the clients of Hydra. */
import type { ServerResponse } from 'node:http';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ConsentGrants, type GrantingPerson } from '../../accounts/sessions/consent-grants.js';
import { defined } from '../../config/defined.js';
import type { ClientProfile } from '../../hydra/client-profile.js';
import { isTrusted } from '../../hydra/trusted-client.js';
import { readClientSettings, type ClientFault } from '../../hydra/client-settings.js';
import { ClientRefused } from '../../hydra/hydra.errors.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { RegisteredClient } from '../../hydra/registered-client.js';
import { removeInvisible, toObjectOrEmpty } from '../../hydra/wire.js';
import { ChangeClients, ClientConflict, ClientInvalid } from '../clients/change-clients.js';
import { CLIENT_PRESETS, findPreset } from '../clients/client-presets.js';
import { findClientIdFault } from '../clients/client-rules.js';
import { PreviewClient } from '../clients/preview-client.js';
import { CONSOLE_CLIENT_ID } from '../console/console-client.js';
import { OPERATOR_API } from '../wire.js';
import type {
  ClientAnswer,
  ClientDeletedAnswer,
  ClientListAnswer,
  ClientPersonAnswer,
  ClientPersonListAnswer,
  ClientPresetListAnswer,
  ClientPreviewAnswer,
  ClientSecretAnswer,
  ClientSummaryAnswer,
  NewClientAnswer,
} from '../wire-clients.js';
import { AccountLookup } from './account-lookup.js';
import { ClientListQuery, ClientPatchBody, ClientPeopleQuery, ClientPreviewQuery, NewClientBody } from './client-bodies.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { quote } from './quote.js';
import { Operation } from './rights.guard.js';

const DEFAULT_LIMIT = 50;

@Controller(`${OPERATOR_API}/clients`)
export class ClientsController {
  constructor(
    private readonly hydra: HydraPort,
    private readonly clients: ChangeClients,
    private readonly previews: PreviewClient,
    private readonly grants: ConsentGrants,
    private readonly lookup: AccountLookup,
  ) {}

  /**
   * Lists the clients of Hydra, in Hydra's order.
   * @throws 400 wrong_type
   */
  @Get()
  @Operation('clients.list')
  async list(@Query() { name, owner, cursor, limit }: ClientListQuery): Promise<ClientListAnswer> {
    const query = { ...defined({ name, owner, cursor }), limit: limit === undefined ? DEFAULT_LIMIT : Number(limit) };
    const page = await this.hydra.listClients(query).catch((error: unknown) => {
      if (!(error instanceof ClientRefused)) throw error;
      throw new OperatorFault(400, 'wrong_type', 'cursor must be the next_cursor of an answer.', { field: 'cursor' });
    });
    return { clients: page.clients.map(toSummary), ...defined({ next_cursor: page.nextCursor }) };
  }

  /** Lists the kinds of apps that can be registered. */
  @Get('presets')
  @Operation('clients.presets')
  presets(): Promise<ClientPresetListAnswer> {
    const presets = CLIENT_PRESETS.map(({ name, about, requires, members }) => ({
      name,
      about,
      has_secret: members.token_endpoint_auth_method !== 'none',
      requires: [...requires],
      scope: members.scope ?? '',
    }));
    return Promise.resolve({ presets });
  }

  /**
   * Shows a client of Hydra, without its secret.
   * @throws 404 client_not_found
   */
  @Get(':client')
  @Operation('clients.show')
  async show(@Param('client') id: string): Promise<ClientAnswer> {
    return toAnswer(await this.clients.get(id).catch(throwFault));
  }

  /**
   * Lists the people who have granted scopes to a client on the consent page, ordered by account id.
   * @throws 404 client_not_found
   */
  @Get(':client/people')
  @Operation('clients.people')
  async people(@Param('client') id: string, @Query() { cursor, limit }: ClientPeopleQuery): Promise<ClientPersonListAnswer> {
    const profile = await this.#getProfile(id);
    const size = limit === undefined ? DEFAULT_LIMIT : Number(limit);
    const foundPeople = await this.grants.listPeople(profile, { ...defined({ afterId: cursor }), max: size + 1 });
    const people = foundPeople.slice(0, size);
    const nextCursor = foundPeople.length > size ? people.at(-1)?.accountId : undefined;
    return { people: people.map(toPerson), is_trusted: isTrusted(profile), ...defined({ next_cursor: nextCursor }) };
  }

  /**
   * Shows what a person would see of a client, and which claims the client would receive. No token is issued, and nothing is stored.
   * @throws 404 account_not_found client_not_found
   */
  @Get(':client/preview')
  @Operation('clients.preview')
  async preview(@Param('client') id: string, @Query() { account }: ClientPreviewQuery): Promise<ClientPreviewAnswer> {
    const [profile, person] = [await this.#getProfile(id), await this.lookup.get(account)];
    return this.previews.build(profile, person, (await this.hydra.getClientScopes(profile.id)) ?? []);
  }

  /**
   * Registers a client at Hydra. Only this answer contains its secret.
   * @throws 409 client_exists own_client, 422 client_invalid client_refused unknown_preset
   */
  @Post()
  @Operation('clients.create')
  async create(
    @Body() { preset: name, client_id: id, ...changes }: NewClientBody,
    @CurrentOperatorContext() context: OperatorContext,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<NewClientAnswer> {
    const preset = findPreset(name);
    if (!preset) {
      const presetNames = CLIENT_PRESETS.map((presetOption) => presetOption.name);
      const message = `There is no preset ${quote(name)}; the presets are ${presetNames.join(', ')}.`;
      throw new OperatorFault(422, 'unknown_preset', message, { field: 'preset' });
    }
    const { client, secret } = await this.clients.create({ id, preset, changes }, context).catch(throwFault);
    response.setHeader('Location', `${OPERATOR_API}/clients/${encodeURIComponent(client.client_id)}`);
    return { client: toAnswer(client), client_secret: secret };
  }

  /**
   * Changes a client at Hydra.
   * @throws 404 client_not_found, 409 changed_meanwhile own_client, 422 client_invalid client_refused
   */
  @Patch(':client')
  @Operation('clients.change')
  async change(
    @Param('client') id: string,
    @Body() { version, ...changes }: ClientPatchBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<ClientAnswer> {
    return toAnswer(await this.clients.change({ id, version, changes }, context).catch(throwFault));
  }

  /**
   * Replaces the secret of a client. Hydra stores one secret for each client, so the former secret stops working immediately.
   * @throws 404 client_not_found, 409 no_secret own_client
   */
  @Post(':client/secret')
  @Operation('clients.rotateSecret')
  @HttpCode(200)
  async rotateSecret(
    @Param('client') id: string,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<ClientSecretAnswer> {
    const secret = await this.clients.rotateSecret(id, context).catch(throwFault);
    return { client_id: id, client_secret: secret, former_secret_valid_until: null };
  }

  /**
   * Deletes a client at Hydra. Its tokens stop working, and nobody can sign in to it.
   * @throws 404 client_not_found, 409 own_client
   */
  @Delete(':client')
  @Operation('clients.delete')
  async delete(@Param('client') id: string, @CurrentOperatorContext() context: OperatorContext): Promise<ClientDeletedAnswer> {
    await this.clients.delete(id, context).catch(throwFault);
    return { client_id: id };
  }

  /** @returns the client as pages show it @throws OperatorFault 404 */
  async #getProfile(id: string): Promise<ClientProfile> {
    const profile = findClientIdFault(id) === null ? await this.hydra.getClient(id) : null;
    return profile ?? throwFault(new ClientConflict('client_not_found'));
  }
}

function toPerson({ accountId, username, displayName, scopes, grantedAt, expiresAt }: GrantingPerson): ClientPersonAnswer {
  return {
    account_id: accountId,
    username,
    display_name: displayName,
    scopes,
    granted_at: grantedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

function toSummary(client: RegisteredClient): ClientSummaryAnswer {
  return {
    client_id: client.client_id,
    client_name: removeInvisible(client.client_name),
    owner: removeInvisible(client.owner),
    // A client for which Hydra reports no authentication method has no secret.
    is_public: ['', 'none'].includes(client.token_endpoint_auth_method),
    is_own: client.client_id === CONSOLE_CLIENT_ID,
    created_at: client.created_at || null,
    updated_at: client.updated_at || null,
  };
}

function toAnswer(client: RegisteredClient): ClientAnswer {
  const { metadata, redirect_uris, post_logout_redirect_uris, allowed_cors_origins, audience, ...members } = client;
  const { contacts, grant_types, response_types, ...otherMembers } = members;
  const lists = {
    redirect_uris,
    post_logout_redirect_uris,
    allowed_cors_origins,
    audience,
    contacts,
    grant_types,
    response_types,
  };
  const copies = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list]]));
  return {
    ...otherMembers,
    ...(copies as Record<keyof typeof lists, string[]>),
    ...toSummary(client),
    foyer: toObjectOrEmpty(metadata['foyer']),
    foyer_faults: readClientSettings({ metadata }).faults.map(toFaultText),
  };
}

const CONFLICTS: Readonly<Record<ClientConflict['code'], readonly [status: number, message: string]>> = {
  client_not_found: [404, 'Hydra has no client with this id.'],
  client_exists: [409, 'Hydra already has a client with this id.'],
  own_client: [409, `The client ${CONSOLE_CLIENT_ID} is reserved: Foyer registers it for its own console.`],
  changed_meanwhile: [409, 'The client was changed after you read it, so this call changed nothing: read the client again.'],
  no_secret: [409, 'This client has no secret.'],
};

/** @throws OperatorFault; other errors are rethrown */
function throwFault(error: unknown): never {
  if (error instanceof ClientConflict) {
    const [status, message] = CONFLICTS[error.code];
    throw new OperatorFault(status, error.code, message);
  }
  if (error instanceof ClientInvalid) {
    const [firstFault] = error.faults;
    const faults = error.faults.map(({ message }) => message);
    throw new OperatorFault(422, 'client_invalid', faults.slice(0, 3).join(' '), {
      ...defined({ field: firstFault?.field }),
      faults,
    });
  }
  if (error instanceof ClientRefused)
    throw new OperatorFault(422, 'client_refused', `Hydra refused the client: ${error.message}`);
  throw error;
}

function toFaultText({ member, fault, isRefused }: ClientFault): string {
  const text = `${removeInvisible(member)} ${fault}`;
  return isRefused ? `${text}, so every request of the app is refused` : text;
}
