/**
 * Describes what this server supports (RFC 7643, sections 5 to 7; RFC 7644, section 4), searches people and groups together, and refuses
 * `/Bulk` and `/Me`.
 */
import type { ServerResponse } from 'node:http';
import { All, Controller, Get, Post, Res } from '@nestjs/common';
import { ScimRefused, notFound } from '../../accounts/scim/scim-refused.js';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, SCHEMAS, USER_SCHEMA, type ScimSchema } from '../../accounts/scim/scim-schema.js';
import { isObject } from '../../config/settings-kinds.js';
import { WithoutToken } from '../api/rights.guard.js';
import { CurrentScimCall, SCIM_PATH, type ScimCall } from './scim-access.js';
import { send, toListAnswer, type Answer } from './scim-answers.js';
import { MAX_COUNT } from './scim-calls.js';
import { ScimListings } from './scim-listings.js';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0';
const TYPES = [
  { name: 'User', endpoint: '/Users', schema: USER_SCHEMA, schemaExtensions: [{ schema: ENTERPRISE_SCHEMA, required: false }] },
  { name: 'Group', endpoint: '/Groups', schema: GROUP_SCHEMA },
] as const;

@Controller()
export class ScimDiscoveryController {
  constructor(private readonly listings: ScimListings) {}

  @Post(`${SCIM_PATH}/.search`)
  @WithoutToken()
  async search(@CurrentScimCall() call: ScimCall, @Res() response: ServerResponse): Promise<void> {
    send(response, await this.listings.search(call, isObject(call.body) ? call.body : {}));
  }

  @Get(`${SCIM_PATH}/ServiceProviderConfig`)
  @WithoutToken()
  describeServer(@CurrentScimCall() { source, baseUrl, query }: ScimCall, @Res() response: ServerResponse): void {
    refuseFilter(query);
    send(response, {
      schemas: [`${SCHEMA}:ServiceProviderConfig`],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: MAX_COUNT },
      changePassword: { supported: source.password },
      sort: { supported: true },
      etag: { supported: true },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'Bearer token',
          description: 'The bearer token of the source, in the header Authorization.',
          specUri: 'https://www.rfc-editor.org/info/rfc6750',
          primary: true,
        },
      ],
      meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
    });
  }

  @Get(`${SCIM_PATH}/ResourceTypes`)
  @WithoutToken()
  listTypes(@CurrentScimCall() { baseUrl, query }: ScimCall, @Res() response: ServerResponse): void {
    refuseFilter(query);
    sendAll(
      response,
      TYPES.map((type) => toType(type, baseUrl)),
    );
  }

  @Get(`${SCIM_PATH}/ResourceTypes/:id`)
  @WithoutToken()
  describeType(@CurrentScimCall() { baseUrl, id }: ScimCall, @Res() response: ServerResponse): void {
    const type = TYPES.find(({ name }) => name === id);
    if (!type) throw notFound();
    send(response, toType(type, baseUrl));
  }

  @Get(`${SCIM_PATH}/Schemas`)
  @WithoutToken()
  listSchemas(@CurrentScimCall() { baseUrl, query }: ScimCall, @Res() response: ServerResponse): void {
    refuseFilter(query);
    sendAll(
      response,
      SCHEMAS.map((schema) => toSchema(schema, baseUrl)),
    );
  }

  @Get(`${SCIM_PATH}/Schemas/:id`)
  @WithoutToken()
  describeSchema(@CurrentScimCall() { baseUrl, id }: ScimCall, @Res() response: ServerResponse): void {
    const schema = SCHEMAS.find((candidate) => candidate.id.toLowerCase() === id.toLowerCase());
    if (!schema) throw notFound();
    send(response, toSchema(schema, baseUrl));
  }

  @All([`${SCIM_PATH}/Bulk`, `${SCIM_PATH}/Me`])
  @WithoutToken()
  refuse(@CurrentScimCall() _call: ScimCall): never {
    throw new ScimRefused(501, null, 'This server supports neither bulk operations nor /Me.');
  }
}

function sendAll(response: ServerResponse, resources: readonly Answer[]): void {
  send(response, toListAnswer(resources, resources.length, 1));
}

/** The discovery endpoints should refuse filters, so that no client believes that a filter was applied (RFC 7644, section 4). */
function refuseFilter({ filter }: ScimCall['query']): void {
  if (filter !== undefined) throw new ScimRefused(403, null, 'Filters are not supported here.', 'filter');
}

function toType(type: (typeof TYPES)[number], baseUrl: string): Answer {
  return {
    schemas: [`${SCHEMA}:ResourceType`],
    id: type.name,
    description: type.name === 'User' ? 'People.' : 'Groups of people.',
    ...type,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${type.name}` },
  };
}

function toSchema(schema: ScimSchema, baseUrl: string): Answer {
  return {
    schemas: [`${SCHEMA}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
  };
}
