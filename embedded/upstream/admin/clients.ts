/** `/admin/clients`: create, show, list, change and delete. Deleting a client deletes its tokens and consents. */
import { randomUUID } from 'node:crypto';
import type { Core } from '../core.js';
import type { ClientSnapshot } from '../flow/flow.js';
import type { Exchange } from '../http/exchange.js';
import {
  decodeBody,
  decodeValue,
  parseFirst,
  UnreadableBody,
  type Fields,
  type Shape,
  type DecodedFields,
} from '../http/json-body.js';
import type { PathParameters, Route } from '../http/router.js';
import { toConflict, toMalformed, toNoSuchResource } from '../oauth-error.js';
import type { ClientRow } from '../store/rows.js';
import { generateSecret, hashSecret } from '../tokens/client-secret.js';
import { CLIENT_SHAPE, echoClient, LIFESPAN_SHAPE, toLifespans, showClient, type ClientInput } from './client-fields.js';
import { requireValidClient, toStoredOrigin } from './client-rules.js';
import { applyPatch, UnusablePatch } from './json-patch.js';
import { cutPage, readPage, UnreadablePage } from './paging.js';

const DEFAULT_SCOPE = 'offline_access offline openid';
const MAX_ID_CHARACTERS = 255;

export function buildClientRoutes(core: Core): Route[] {
  const path = '/clients/:id';
  return [
    { method: 'POST', path: '/clients', handle: (exchange) => create(core, exchange) },
    { method: 'GET', path: '/clients', handle: (exchange) => list(core, exchange) },
    { method: 'GET', path, handle: (exchange, { id }) => exchange.json(showClient(requireClient(core, id))) },
    { method: 'PUT', path, handle: (exchange, parameters) => replace(core, exchange, parameters) },
    { method: 'PATCH', path, handle: (exchange, parameters) => patch(core, exchange, parameters) },
    { method: 'PUT', path: `${path}/lifespans`, handle: (exchange, parameters) => setLifespans(core, exchange, parameters) },
    { method: 'DELETE', path, handle: (exchange, { id }) => remove(core, exchange, requireClient(core, id).client_id) },
  ];
}

function requireClient(core: Core, id = ''): ClientRow {
  const client = core.store.clients.get(id);
  if (!client) throw toNoSuchResource();
  return client;
}

async function create(core: Core, exchange: Exchange): Promise<void> {
  const input = await readBody(exchange, CLIENT_SHAPE);
  requireValidClient(input);
  const id = input.client_id || randomUUID();
  const secret = input.client_secret || generateSecret();
  const row = toRow(core, { input, id, secretHash: await hashSecret(secret) });
  if (id.length > MAX_ID_CHARACTERS || core.store.clients.has(id)) {
    throw toConflict('Unable to insert or update resource because a resource with that value exists already');
  }
  core.store.clients.put(id, row);
  exchange.res.setHeader('Location', `/admin/clients/${encodeURIComponent(encodeURIComponent(id))}`);
  exchange.json(
    {
      ...echoClient(row, input),
      ...(row.token_endpoint_auth_method === 'none' ? {} : { client_secret: secret }),
      // Dynamic registration is not supported. The fields are present only because Hydra's answer has them.
      registration_access_token: `ory_at_${generateSecret()}${generateSecret()}${generateSecret()}`,
      registration_client_uri: `${core.settings.issuer}/oauth2/register/${encodeURIComponent(id)}`,
    },
    201,
  );
}

async function replace(core: Core, exchange: Exchange, { id = '' }: PathParameters): Promise<void> {
  const input = await readBody(exchange, CLIENT_SHAPE);
  requireValidClient(input);
  await change(core, exchange, { id, input });
}

async function patch(core: Core, exchange: Exchange, { id = '' }: PathParameters): Promise<void> {
  const body = await exchange.body();
  const client = showClient(requireClient(core, id));
  const input = patchClient(client, body);
  requireValidClient(input);
  if (input.client_id !== id) throw toNoSuchResource();
  await change(core, exchange, { id, input });
}

/** Unlike Hydra, which answers 500 to an unusable patch, this server answers 400. */
function patchClient(client: Record<string, unknown>, body: string): ClientInput {
  try {
    return decodeValue(applyPatch(client, parseFirst(body)), CLIENT_SHAPE);
  } catch (error) {
    if (error instanceof UnusablePatch || error instanceof UnreadableBody) throw toMalformed(error.message);
    throw error;
  }
}

async function setLifespans(core: Core, exchange: Exchange, { id }: PathParameters): Promise<void> {
  requireClient(core, id);
  const lifespans = toLifespans(await readBody(exchange, LIFESPAN_SHAPE));
  // The client may have been changed or deleted while the body arrived.
  const row = { ...requireClient(core, id), lifespans, updated_at: toTimeText(core) };
  core.store.clients.put(row.client_id, row);
  exchange.json(showClient(row));
}

async function change(core: Core, exchange: Exchange, { id, input }: { id: string; input: ClientInput }): Promise<void> {
  const previousRow = requireClient(core, id);
  const secret = input.client_secret ?? '';
  const secretHash = secret === '' ? previousRow.secretHash : await hashSecret(secret);
  const row = { ...toRow(core, { input, id, secretHash }), created_at: previousRow.created_at };
  // The client may have been deleted while its secret was hashed.
  requireClient(core, id);
  core.store.clients.put(id, row);
  exchange.json({ ...echoClient(row, input), ...(secret === '' ? {} : { client_secret: secret }) });
}

function remove(core: Core, exchange: Exchange, id: string): void {
  core.store.clients.delete(id);
  core.vault.deleteByClient(id, ['code', 'access', 'refresh', 'device']);
  for (const [flowId] of core.store.consents.listMatching('clientId', id)) core.store.consents.delete(flowId);
  exchange.sendEmpty(204);
}

function list(core: Core, exchange: Exchange): void {
  const { query } = exchange;
  const [name, owner] = [query.first('client_name'), query.first('owner')];
  const rows = [...core.store.clients.entries()].filter(
    ([, row]) => (name === '' || row.client_name === name) && (owner === '' || row.owner === owner),
  );
  exchange.json(cutPage(core, exchange, { rows, page: readPageOr400(core, exchange) }).map(showClient));
}

function readPageOr400(core: Core, { query }: Exchange): ReturnType<typeof readPage> {
  try {
    return readPage(core, query);
  } catch (error) {
    if (error instanceof UnreadablePage) throw toMalformed(error.message);
    throw error;
  }
}

async function readBody<F extends Fields>(exchange: Exchange, shape: Shape<F>): Promise<DecodedFields<F>> {
  try {
    return decodeBody(await exchange.body(), shape);
  } catch (error) {
    if (error instanceof UnreadableBody) throw toMalformed(`Unable to decode the request body: ${error.message}`);
    throw error;
  }
}

interface RowParts {
  input: ClientInput;
  id: string;
  secretHash: string;
}

function toRow(core: Core, { input, id, secretHash }: RowParts): ClientRow {
  const now = toTimeText(core);
  return { ...toOwnFields(input), client_id: id, created_at: now, updated_at: now, secretHash };
}

/** The current time as a client contains it. */
function toTimeText(core: Core): string {
  return new Date(core.nowMs()).toISOString().replace(/\.\d+Z$/, 'Z');
}

function toOwnFields(input: ClientInput): Omit<ClientSnapshot, 'client_id' | 'created_at' | 'updated_at'> {
  const { client_secret: _secret, client_id: _id, ...fields } = input;
  const texts = { client_name: '', owner: '', policy_uri: '', tos_uri: '', client_uri: '', logo_uri: '' };
  const lists = { redirect_uris: [], grant_types: [], response_types: [], audience: [], contacts: [] };
  return {
    ...texts,
    ...lists,
    jwks: {},
    metadata: {},
    skip_consent: false,
    skip_logout_consent: null,
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => !name.endsWith('_lifespan'))),
    allowed_cors_origins: (input.allowed_cors_origins ?? []).map(toStoredOrigin),
    scope: input.scope || DEFAULT_SCOPE,
    subject_type: 'public',
    token_endpoint_auth_method: input.token_endpoint_auth_method || 'client_secret_basic',
    userinfo_signed_response_alg: input.userinfo_signed_response_alg || 'none',
    lifespans: toLifespans(input),
  };
}
