/**
 * The servers of one directory, tried in the order of the settings. A server that failed is skipped for a few seconds, so that
 * people do not repeatedly wait for its time limit. Searches share a few connections that are bound as the search account, or
 * anonymous if none is configured; each check of a person's password has its own connection.
 */
import type { Entry, SearchOptions } from 'ldapts';
import type { Clock } from '../../config/clock.js';
import { defined } from '../../config/defined.js';
import { toCode } from '../../config/system-error.js';
import type { LdapSettings } from '../../config/source-settings.js';
import { SourceUnavailable } from '../source.errors.js';
import { LdapBusy, LdapConnection, LdapRefused, describeResultCode, type BindAnswer } from './ldap-connection.js';
import type { LdapServer } from './ldap-socket.js';
import { Slots, SlotsFull } from '../slots.js';

export interface ServerInspection {
  address: string;
  encryption: string;
  fault?: string;
}

const MAX_CONNECTIONS = 4;
/** Maximum number of people's passwords that one process checks at this directory at once. */
const MAX_BINDS = 64;
/**
 * Dummy checks (`verifyDummy`) have separate slots, so that an attacker who tries many unknown names cannot keep out
 * people with the correct password.
 */
const DUMMY_SLOTS = { maxRunning: 32, maxWaiting: 1024 };
const SKIP_MS = 5000;

interface ServerState {
  address: string;
  server: LdapServer;
  /** The server is skipped until this time, in milliseconds since 1970. */
  skippedUntil: number;
  /** Why the server was last skipped. */
  reason: string;
}

export class LdapDirectory {
  readonly #servers: readonly ServerState[];
  #pool: LdapConnection[] = [];
  readonly #pendingConnections = new Set<Promise<LdapConnection>>();
  #binds = 0;
  readonly #dummySlots = new Slots(DUMMY_SLOTS);
  #isClosed = false;

  constructor(
    private readonly settings: LdapSettings,
    private readonly clock: Clock,
  ) {
    this.#servers = settings.urls.map((url) => ({ address: url, server: toServer(url, settings), skippedUntil: 0, reason: '' }));
  }

  /** Searches on a shared connection. @throws LdapRefused, SourceUnavailable */
  async search(base: string, options: SearchOptions): Promise<Entry[]> {
    return this.#runOnConnection((connection) => connection.search(base, options));
  }

  /** @returns up to `limit` entries and one page more. @throws LdapRefused, SourceUnavailable */
  async list(base: string, options: SearchOptions, limit: number): Promise<Entry[]> {
    return this.#runOnConnection((connection) => connection.list(base, options, limit));
  }

  /** Binds on a new connection. @throws RangeError for an empty name or password, SourceUnavailable */
  async bind(dn: string, password: string): Promise<BindAnswer> {
    if (this.#binds >= MAX_BINDS) throw this.#buildUnavailable('too many passwords are checked at once');
    this.#binds += 1;
    try {
      return await this.#bindOnce(dn, password);
    } finally {
      this.#binds -= 1;
    }
  }

  #bindOnce(dn: string, password: string): Promise<BindAnswer> {
    return this.#runOnNewConnection((connection) => connection.bind(dn, password).finally(() => connection.close()));
  }

  /**
   * Binds as the search account, which takes as long as the check of a person's password; only connects if no search account is
   * configured.
   * @throws SourceUnavailable, also if too many dummy checks wait
   */
  async verifyDummy(): Promise<void> {
    const { bind } = this.settings;
    const check = this.#dummySlots.run(async () => {
      if (bind) await this.#bindOnce(bind.dn, bind.password);
      else await this.#runOnNewConnection(async (connection) => connection.close());
    });
    await check.catch((error: unknown) => {
      throw error instanceof SlotsFull ? this.#buildUnavailable('too many passwords are checked at once') : error;
    });
  }

  /** Tries every server on a new connection. Never throws. */
  async inspect(): Promise<ServerInspection[]> {
    return Promise.all(
      this.#servers.map(async ({ address, server }) => {
        try {
          const connection = await LdapConnection.open(server);
          const { encryption } = connection;
          const fault = await this.#bindSearchAccount(connection).then(
            () => null,
            (error: unknown) => toReason(error),
          );
          connection.close();
          return { address, encryption, ...(fault === null ? {} : { fault }) };
        } catch (error) {
          return { address, encryption: 'none', fault: toReason(error) };
        }
      }),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#pendingConnections);
    for (const connection of this.#pool.splice(0)) connection.close();
  }

  /** Repeats failed work, at most as often as there are servers, because a server may have closed an idle connection. */
  async #runOnConnection<T>(work: (connection: LdapConnection) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      const connection = await this.#getPooledConnection();
      const isFresh = !connection.isProven;
      try {
        return await work(connection);
      } catch (error) {
        if (error instanceof LdapRefused) throw error;
        connection.close();
        if (isFresh || error instanceof LdapBusy) this.#skip(connection.server, error);
        if (tries >= this.#servers.length) throw this.#buildUnavailable(toReason(error));
      }
    }
  }

  /**
   * @returns an idle connection; a new connection while there are few; otherwise the connection with the fewest requests, or one that
   * is being opened
   */
  async #getPooledConnection(): Promise<LdapConnection> {
    this.#pool = this.#pool.filter(({ isOpen }) => isOpen);
    const [leastBusy] = this.#pool
      .filter(({ server }) => !this.#isSkipped(server))
      .toSorted((one, other) => one.pendingRequests - other.pendingRequests);
    if (leastBusy && (leastBusy.pendingRequests === 0 || this.#pool.length + this.#pendingConnections.size >= MAX_CONNECTIONS))
      return leastBusy;
    const [pendingConnection] = this.#pendingConnections;
    if (pendingConnection && this.#pendingConnections.size >= MAX_CONNECTIONS) return pendingConnection;
    const newConnection = this.#openBoundConnection();
    this.#pendingConnections.add(newConnection);
    try {
      const connection = await newConnection;
      if (this.#isClosed) connection.close();
      else this.#pool.push(connection);
      return connection;
    } finally {
      this.#pendingConnections.delete(newConnection);
    }
  }

  #openBoundConnection(): Promise<LdapConnection> {
    return this.#runOnNewConnection(async (connection) => {
      try {
        await this.#bindSearchAccount(connection);
        connection.isProven = false;
        return connection;
      } catch (error) {
        connection.close();
        throw error;
      }
    });
  }

  async #bindSearchAccount(connection: LdapConnection): Promise<void> {
    const { bind } = this.settings;
    if (!bind) return;
    const { code } = await connection.bind(bind.dn, bind.password);
    if (code !== 0) throw new Error(`the search account is refused with ${describeResultCode(code)}`);
  }

  /**
   * Tries each server once, even if the time for which a server is skipped ends meanwhile.
   * @throws RangeError of `work`, SourceUnavailable if no server answers
   */
  async #runOnNewConnection<T>(work: (connection: LdapConnection) => Promise<T>): Promise<T> {
    for (const { server } of this.#servers) {
      if (this.#isSkipped(server)) continue;
      try {
        return await work(await LdapConnection.open(server));
      } catch (error) {
        if (error instanceof RangeError) throw error;
        this.#skip(server, error);
      }
    }
    throw this.#buildUnavailable(this.#servers.map(({ address, reason }) => `${address}: ${reason}`).join(', '));
  }

  #isSkipped(server: LdapServer): boolean {
    return this.#servers.some((one) => one.server === server && one.skippedUntil > this.clock.now().getTime());
  }

  #skip(server: LdapServer, error: unknown): void {
    const state = this.#servers.find((one) => one.server === server);
    if (!state) return;
    state.skippedUntil = this.clock.now().getTime() + SKIP_MS;
    state.reason = toReason(error);
  }

  #buildUnavailable(reason: string): SourceUnavailable {
    return new SourceUnavailable(this.settings.id, reason);
  }
}

function toServer(url: string, { encryption, ca, timeoutMs }: LdapSettings): LdapServer {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'ldaps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 636 : 389) : Number(port),
    encryption: isTls ? 'tls' : encryption === 'starttls' ? 'starttls' : 'none',
    ...defined({ ca }),
    timeoutMs,
  };
}

/** @returns a code of the network or of TLS, or a message of this folder or of the library; none of them contains text from the server */
function toReason(error: unknown): string {
  const code = toCode(error);
  if (code !== undefined) return code;
  const message = error instanceof Error ? error.message : 'no answer';
  return /timed out|timeout/i.test(message) ? 'no answer in time' : (message.split('\n')[0] ?? '').slice(0, 120);
}
