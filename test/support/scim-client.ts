/** A SCIM client of the operator API: a source of the settings, and calls with its token. */
import type { OutgoingHttpHeaders } from 'node:http';
import { randomToken } from '../../src/config/keys.js';
import type { ScimSettings } from '../../src/config/source-settings.js';
import { send, type TestOperator } from './operator.js';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export function scimSource(id: string, more: Partial<ScimSettings> = {}): ScimSettings {
  const defaults = { password: false, emailVerified: false, attributes: {}, onDelete: 'delete' } as const;
  return { type: 'scim', id, tokens: [randomToken()], ...defaults, ...more };
}

export interface ScimAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Empty without a body. */
  json: Record<string, unknown>;
}

export class ScimClient {
  constructor(
    private readonly operator: Pick<TestOperator, 'url'>,
    private readonly token: string | undefined,
  ) {}

  /** @param path below `/scim/v2`; spaces and quotes are encoded */
  async call(method: string, path: string, body?: unknown, headers: OutgoingHttpHeaders = {}): Promise<ScimAnswer> {
    const answer = await send({
      method,
      port: Number(new URL(this.operator.url).port),
      path: `/scim/v2${encodeURI(path)}`,
      body,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...headers,
      },
    });
    const type = answer.headers['content-type'];
    if (answer.text !== '' && type !== 'application/scim+json; charset=utf-8') throw new Error(`No SCIM: ${answer.text}`);
    const { status, headers: received, text } = answer;
    return { status, headers: received, json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }

  createUser(userName: string, more: object = {}): Promise<ScimAnswer> {
    return this.call('POST', '/Users', { schemas: [USER], userName, ...more });
  }

  /** @returns the id of a new person */
  async newUser(userName: string, more: object = {}): Promise<string> {
    const { status, json } = await this.createUser(userName, more);
    if (status !== 201) throw new Error(`${userName}: ${JSON.stringify(json)}`);
    return String(json['id']);
  }

  patch(path: string, ...operations: object[]): Promise<ScimAnswer> {
    return this.call('PATCH', path, { schemas: [PATCH], Operations: operations });
  }
}
