/** The calls of the operator API that the kit makes; errors become readable messages. */
import { KitError } from './kit-error.js';

export interface OperatorAddress {
  operatorUrl: string;
  operatorToken: string;
}

export interface ImportedPerson {
  username: string;
  password: string;
  display_name: string;
  email?: string;
  email_verified?: boolean;
  language?: string;
  group_name?: string;
  second_factor?: 'optional' | 'required';
  totp_secret?: string;
}

export class OperatorApi {
  constructor(private readonly address: OperatorAddress) {}

  /** Imports one account, because only the import accepts a seed. @returns its id. @throws KitError */
  async createAccount(person: ImportedPerson): Promise<string> {
    const body = `${JSON.stringify(person)}\n`;
    const text = await this.#call('POST', '/imports', { 'content-type': 'application/x-ndjson' }, body);
    const answer = JSON.parse(text.split('\n')[0] ?? '{}') as {
      result: string;
      id?: string;
      message?: string;
      faults?: string[];
    };
    if (answer.result === 'created' && answer.id !== undefined) return answer.id;
    const reason = [answer.message ?? answer.result, ...(answer.faults ?? [])].join(', ');
    throw new KitError(`Foyer does not make the account ${person.username}: ${reason}`);
  }

  /** Any other call. @param path below `/operator/v1`. @returns the answer's JSON, or null. @throws KitError */
  async call(method: string, path: string, body?: object): Promise<unknown> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const text = await this.#call(method, path, json === undefined ? {} : { 'content-type': 'application/json' }, json);
    return text === '' ? null : (JSON.parse(text) as unknown);
  }

  async #call(...[method, path, headers, body]: [string, string, Record<string, string>, string | undefined]): Promise<string> {
    const answer = await fetch(`${this.address.operatorUrl}/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.address.operatorToken}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new KitError(`The operator API answers ${answer.status} to ${method} ${path}: ${text.slice(0, 300)}`);
    return text;
  }
}
