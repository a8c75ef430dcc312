/** The demo's accounts at a gateway that runs somewhere else, through its operator API, as any client of it would. */
import type { NewAccount } from '../../src/accounts/account.js';
import type { DemoAccounts } from './demo-connections.js';

const TIMEOUT_MS = 10_000;

interface Line {
  result: string;
  id?: string;
  error?: string;
  message?: string;
}

export class OperatorAccounts implements DemoAccounts {
  constructor(private readonly at: { operatorUrl: string; token: string }) {}

  async find(username: string): Promise<string | null> {
    const answer = await this.#call(`/accounts?username=${encodeURIComponent(username)}`);
    const { accounts } = JSON.parse(answer) as { accounts: { id: string }[] };
    return accounts[0]?.id ?? null;
  }

  /** By an import of one line: nothing else says that an address is verified. */
  async make(account: NewAccount & { password?: string }): Promise<string | null> {
    const line = {
      username: account.username,
      display_name: account.displayName,
      email: account.email,
      email_verified: account.emailVerified,
      group_name: account.groupName,
      password: account.password,
    };
    const answer = await this.#call('/imports', `${JSON.stringify(line)}\n`);
    const { result, id = null, error, message = '' } = JSON.parse(answer) as Line;
    if (result === 'invalid' && error !== 'username_taken') throw new Error(`${account.username} could not be made: ${message}`);
    return result === 'created' ? id : null;
  }

  /** @param lines posts them */
  async #call(path: string, lines?: string): Promise<string> {
    const { operatorUrl, token } = this.at;
    const answer = await fetch(`${operatorUrl}/operator/v1${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      ...(lines === undefined ? {} : { method: 'POST', body: lines }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The demo accounts could not be made (HTTP ${answer.status}): ${text}`);
    return text;
  }
}
