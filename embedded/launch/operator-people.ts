/** Creates the demo accounts at a gateway in another process, through its operator API. */
import type { OperatorRights } from '../../src/config/config.js';
import type { DemoPerson } from './demo-people.js';

const TIMEOUT_MS = 10_000;

interface ImportResult {
  result: string;
  id?: string;
  error?: string;
  field?: string;
  message?: string;
}

type NewPerson = DemoPerson & { password?: string };

/**
 * The errors for an identity at a demo provider that is not configured, or that a real provider replaces. The account is created
 * without this identity.
 */
const UNKNOWN_PROVIDER_ERRORS = ['provider_not_set_up', 'wrong_issuer'];

export class OperatorPeople {
  constructor(private readonly target: { operatorUrl: string; token: string }) {}

  /** @returns whether the account is new; if the name is taken or reserved, nothing changes */
  async create(person: NewPerson): Promise<boolean> {
    return (await this.#import(person)) !== null;
  }

  /**
   * Grants the right only when the account is created, so that a right that was taken away is not granted again.
   * @returns whether the account is new
   */
  async createOperator(person: NewPerson, right: OperatorRights): Promise<boolean> {
    const id = await this.#import(person);
    if (id !== null) await this.#post(`accounts/${id}/operator-rights`, 'application/json', JSON.stringify({ right }));
    return id !== null;
  }

  /** @returns the id of a new account; null if the name is taken or reserved */
  async #import(person: NewPerson): Promise<string | null> {
    const answer = await this.#post('imports', 'application/x-ndjson', toLine(person));
    const { result, id = '', error = '', field = '', message = '' } = JSON.parse(answer) as ImportResult;
    if (result !== 'invalid' || error === 'username_taken') return result === 'created' ? id : null;
    const index = Number(/^providers\[(\d+)\]/.exec(field)?.[1] ?? Number.NaN);
    if (UNKNOWN_PROVIDER_ERRORS.includes(error) && index in person.identities) {
      return this.#import({ ...person, identities: person.identities.toSpliced(index, 1) });
    }
    throw new Error(`The account ${person.username} could not be created: ${message}`);
  }

  async #post(path: string, type: string, body: string): Promise<string> {
    const { operatorUrl, token } = this.target;
    const answer = await fetch(`${operatorUrl}/operator/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The operator API answered POST /operator/v1/${path} with HTTP ${answer.status}: ${text}`);
    return text;
  }
}

function toLine({ displayName, emailVerified, groupName, identities: providers, ...rest }: NewPerson): string {
  const line = { ...rest, display_name: displayName, email_verified: emailVerified, group_name: groupName, providers };
  return `${JSON.stringify(line)}\n`;
}
