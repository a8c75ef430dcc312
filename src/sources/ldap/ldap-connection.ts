/** One connection to an LDAP server, which never reconnects by itself. */
import type { connect, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Client, PasswordPolicyControl, ResultCodeError, type Entry, type SearchOptions } from 'ldapts';
import { openSocket, type LdapServer } from './ldap-socket.js';

/** The answer to a bind. */
export interface BindAnswer {
  /** Result code (RFC 4511, appendix A). */
  code: number;
  message: string;
  /** Error of the password policy (draft-behera-ldap-password-policy), if the server sends one. */
  policyError?: number | undefined;
}

/** The result codes busy and unavailable (RFC 4511, appendix A.2). */
const BUSY_CODES: readonly number[] = [51, 52];

/** Result codes that wrong settings or a busy server cause (RFC 4511, section 4.1.9). */
const CODE_NAMES: Readonly<Record<number, string>> = {
  3: 'timeLimitExceeded',
  8: 'strongerAuthRequired',
  11: 'adminLimitExceeded',
  13: 'confidentialityRequired',
  32: 'noSuchObject',
  34: 'invalidDNSyntax',
  48: 'inappropriateAuthentication',
  49: 'invalidCredentials',
  50: 'insufficientAccessRights',
  51: 'busy',
  52: 'unavailable',
  53: 'unwillingToPerform',
};

/** @returns a text for the log and the doctor */
export function describeResultCode(code: number): string {
  const name = CODE_NAMES[code];
  return `result code ${code}${name === undefined ? '' : `, ${name}`}`;
}

/** The server is busy or unavailable now. Another server may be tried, as if this server had not answered. */
export class LdapBusy extends Error {
  constructor(code: number) {
    super(describeResultCode(code));
    this.name = 'LdapBusy';
  }
}

/** The server answered with the result code of an error. */
export class LdapRefused extends Error {
  constructor(readonly code: number) {
    super(describeResultCode(code));
    this.name = 'LdapRefused';
  }
}

export class LdapConnection {
  /** Number of requests that wait for an answer. */
  pendingRequests = 0;
  /** A request has succeeded on this connection; the bind as the search account does not count. */
  isProven = false;
  readonly #client: Client;

  private constructor(
    readonly server: LdapServer,
    private readonly socket: Socket,
  ) {
    const { timeoutMs } = server;
    const createConnection = (() => socket) as unknown as typeof connect;
    // The library uses the given socket; the address is never used.
    this.#client = new Client({
      url: 'ldap://localhost',
      timeout: timeoutMs,
      connectTimeout: timeoutMs,
      strictDN: false,
      createConnection,
    });
  }

  /** @throws Error of the network or of TLS */
  static async open(server: LdapServer): Promise<LdapConnection> {
    return new LdapConnection(server, await openSocket(server));
  }

  get isOpen(): boolean {
    return !this.socket.destroyed && this.socket.readyState === 'open';
  }

  /** The TLS version, or `none`. For the doctor. */
  get encryption(): string {
    return this.socket instanceof TLSSocket ? (this.socket.getProtocol() ?? 'TLS') : 'none';
  }

  /**
   * Refuses an empty name or password: the bind would be anonymous or unauthenticated (RFC 4513, section 5.1), and would succeed for
   * anyone. @throws RangeError for an empty name or password, LdapBusy, Error if there was no answer
   */
  async bind(dn: string, password: string): Promise<BindAnswer> {
    if (dn === '' || password === '') throw new RangeError('A bind needs a name and a password.');
    const policy = new PasswordPolicyControl();
    return this.#run(async () => {
      try {
        await this.#client.bind(dn, password, policy);
        return { code: 0, message: '', policyError: policy.value?.error };
      } catch (error) {
        if (!(error instanceof ResultCodeError) || BUSY_CODES.includes(error.code)) throw toLdapError(error);
        return { code: error.code, message: error.message, policyError: policy.value?.error };
      }
    });
  }

  /** @throws LdapRefused, LdapBusy, Error if there was no answer */
  async search(base: string, options: SearchOptions): Promise<Entry[]> {
    return this.#run(async () => {
      try {
        return (await this.#client.search(base, { derefAliases: 'never', ...options })).searchEntries;
      } catch (error) {
        throw toLdapError(error);
      }
    });
  }

  /** Reads pages of entries until the last page, or until there are more than `limit` entries. @throws as `search` */
  async list(base: string, options: SearchOptions, limit: number): Promise<Entry[]> {
    return this.#run(async () => {
      const entries: Entry[] = [];
      try {
        for await (const page of this.#client.searchPaginated(base, {
          derefAliases: 'never',
          ...options,
          paged: { pageSize: 200 },
        })) {
          entries.push(...page.searchEntries);
          if (entries.length > limit) break;
        }
      } catch (error) {
        throw toLdapError(error);
      }
      return entries;
    });
  }

  close(): void {
    void this.#client.unbind().catch(() => undefined);
    this.socket.destroySoon();
  }

  async #run<T>(request: () => Promise<T>): Promise<T> {
    // The library would try to reconnect, and wait for the closed socket to open.
    if (!this.isOpen) throw new Error('the connection was closed');
    this.pendingRequests += 1;
    try {
      const answer = await request();
      this.isProven = true;
      return answer;
    } finally {
      this.pendingRequests -= 1;
    }
  }
}

function toLdapError(error: unknown): unknown {
  if (!(error instanceof ResultCodeError)) return error;
  return BUSY_CODES.includes(error.code) ? new LdapBusy(error.code) : new LdapRefused(error.code);
}
