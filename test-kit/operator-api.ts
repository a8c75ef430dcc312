/** Calls of the operator API. `createAccount` and `call` throw error answers as readable messages. */
import { linesBody, operatorCalls, type OperatorCalls } from '../src/operator/client/operator-calls.js';
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
  /** All calls of the operator API, with types. An error answer is returned and not thrown. */
  readonly calls: OperatorCalls;

  constructor({ operatorUrl, operatorToken }: OperatorAddress) {
    this.calls = operatorCalls({ url: operatorUrl, token: operatorToken });
  }

  /** Creates one account with the import, because only the import accepts a TOTP secret. @returns its id @throws KitError */
  async createAccount(person: ImportedPerson): Promise<string> {
    const lines = linesBody([JSON.stringify(person)]);
    // The answer to one line is one object.
    const { data: answer, error, response } = await this.calls.POST('/operator/v1/imports', lines);
    if (!answer) throw new KitError(describeError('POST', '/imports', response.status, error));
    if (answer.result === 'created' && answer.id !== undefined) return answer.id;
    const reason = [answer.message ?? answer.result, ...(answer.faults ?? [])].join(', ');
    throw new KitError(`Foyer refused to create the account ${person.username}: ${reason}`);
  }

  /** Makes a call without types. @param path path below `/operator/v1`. @returns the JSON of the answer, or null. @throws KitError */
  async call(method: string, path: string, body?: object): Promise<unknown> {
    const request = this.calls.request as (...parameters: [string, string, object]) => Promise<UntypedResult>;
    const { data, error, response } = await request(method, `/operator/v1${path}`, body === undefined ? {} : { body });
    if (!response.ok) throw new KitError(describeError(method, path, response.status, error));
    return data ?? null;
  }
}

interface UntypedResult {
  data?: unknown;
  error?: unknown;
  response: Response;
}

function describeError(...[method, path, status, error]: [string, string, number, unknown]): string {
  const answer = `The operator API answered ${status} to ${method} ${path}`;
  // The answer has no body.
  if (error === undefined) return answer;
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return `${answer}: ${text.slice(0, 300)}`;
}
