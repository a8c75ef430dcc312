/** Lists, registers, changes and deletes the clients of Hydra. */
import type { ServerResponse } from 'node:http';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { defined } from '../../config/defined.js';
import { readClientSettings } from '../../hydra/client-settings.js';
import { ClientRefused } from '../../hydra/hydra.errors.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { RegisteredClient } from '../../hydra/registered-client.js';
import { removeInvisible, toObjectOrEmpty } from '../../hydra/wire.js';
import { ChangeClients, ClientConflict, ClientInvalid } from '../clients/change-clients.js';
import { CLIENT_PRESETS, findPreset } from '../clients/client-presets.js';
import { CONSOLE_CLIENT_ID } from '../console/console-client.js';
import { OPERATOR_API } from '../wire.js';
import type {
  ClientAnswer,
  ClientDeletedAnswer,
  ClientListAnswer,
  ClientPresetListAnswer,
  ClientSecretAnswer,
  ClientSummaryAnswer,
  NewClientAnswer,
} from '../wire-clients.js';
import { ClientListQuery, ClientPatchBody, NewClientBody } from './client-bodies.js';
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
  ) {}

  /**
   * Lists the clients of Hydra, in its order.
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
    return toAnswer(await this.clients.get(id).catch(toFault));
  }

  /**
   * Registers a client at Hydra. The answer has its secret, this once.
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
      const message = `There is no preset ${quote(name)}; the presets are ${CLIENT_PRESETS.map((one) => one.name).join(', ')}.`;
      throw new OperatorFault(422, 'unknown_preset', message, { field: 'preset' });
    }
    const { client, secret } = await this.clients.create({ id, preset, changes }, context).catch(toFault);
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
    return toAnswer(await this.clients.change({ id, version, changes }, context).catch(toFault));
  }

  /**
   * Gives a client a new secret. Hydra keeps one secret for each client, so the former one stops working at once.
   * @throws 404 client_not_found, 409 no_secret own_client
   */
  @Post(':client/secret')
  @Operation('clients.rotateSecret')
  @HttpCode(200)
  async rotateSecret(
    @Param('client') id: string,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<ClientSecretAnswer> {
    const secret = await this.clients.rotateSecret(id, context).catch(toFault);
    return { client_id: id, client_secret: secret, former_secret_valid_until: null };
  }

  /**
   * Deletes a client at Hydra. Its tokens stop working, and nobody can sign in to it.
   * @throws 404 client_not_found, 409 own_client
   */
  @Delete(':client')
  @Operation('clients.delete')
  async delete(@Param('client') id: string, @CurrentOperatorContext() context: OperatorContext): Promise<ClientDeletedAnswer> {
    await this.clients.delete(id, context).catch(toFault);
    return { client_id: id };
  }
}

function toSummary(client: RegisteredClient): ClientSummaryAnswer {
  return {
    client_id: client.client_id,
    client_name: removeInvisible(client.client_name),
    owner: removeInvisible(client.owner),
    // Unless Hydra says otherwise, the client has no secret.
    is_public: ['', 'none'].includes(client.token_endpoint_auth_method),
    is_own: client.client_id === CONSOLE_CLIENT_ID,
    created_at: client.created_at || null,
    updated_at: client.updated_at || null,
  };
}

function toAnswer(client: RegisteredClient): ClientAnswer {
  const { metadata, redirect_uris, post_logout_redirect_uris, allowed_cors_origins, audience, ...members } = client;
  const { contacts, grant_types, response_types, ...others } = members;
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
    ...others,
    ...(copies as Record<keyof typeof lists, string[]>),
    ...toSummary(client),
    foyer: toObjectOrEmpty(metadata['foyer']),
    foyer_faults: readClientSettings({ metadata }).faults.map(({ member, fault }) => `${removeInvisible(member)} ${fault}`),
  };
}

const CONFLICTS: Readonly<Record<ClientConflict['code'], readonly [status: number, message: string]>> = {
  client_not_found: [404, 'Hydra has no client with this id.'],
  client_exists: [409, 'Hydra has a client with this id already.'],
  own_client: [409, `Foyer itself registers the client ${CONSOLE_CLIENT_ID}, for its console.`],
  changed_meanwhile: [409, 'The client was changed after you read it. Nothing was changed now: read it again.'],
  no_secret: [409, 'This client has no secret.'],
};

/** @throws OperatorFault, or the error if it is another one */
function toFault(error: unknown): never {
  if (error instanceof ClientConflict) {
    const [status, message] = CONFLICTS[error.code];
    throw new OperatorFault(status, error.code, message);
  }
  if (error instanceof ClientInvalid) {
    const [first] = error.findings;
    const faults = error.findings.map(({ message }) => message);
    throw new OperatorFault(422, 'client_invalid', faults.slice(0, 3).join(' '), { ...defined({ field: first?.field }), faults });
  }
  if (error instanceof ClientRefused)
    throw new OperatorFault(422, 'client_refused', `Hydra refused the client: ${error.message}`);
  throw error;
}
