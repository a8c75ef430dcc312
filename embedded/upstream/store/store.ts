/**
 * All rows of the upstream, in memory and optionally in a directory. Changes that are made without an `await` between them are written
 * together, before the next event is handled.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FileJournal, MEMORY_JOURNAL, readJournal, UnreadableStore, type Change, type Journal } from './journal.js';
import { lock } from './lock-file.js';
import type { ClientRow, ConsentRow, HandledRow, KeyRow, LogoutRow, SessionRow, TableName, TokenRow } from './rows.js';
import { Table } from './table.js';

const FILE = 'upstream.jsonl';
const LOCK = 'upstream.lock';

export class Store {
  #journal: Journal = MEMORY_JOURNAL;
  #isFlushDue = false;
  #failure: unknown = null;
  #unlock: () => void = () => undefined;

  readonly clients = new Table<ClientRow>({}, this.#noteChanges('clients'));
  readonly sessions = new Table<SessionRow, 'subject'>({ subject: (row) => row.subject }, this.#noteChanges('sessions'));
  readonly consents = new Table<ConsentRow, 'consentId' | 'subject' | 'sessionId' | 'clientId'>(
    {
      consentId: (row) => row.consentId,
      subject: (row) => row.subject,
      sessionId: (row) => row.sessionId,
      clientId: (row) => row.clientId,
    },
    this.#noteChanges('consents'),
  );
  readonly logouts = new Table<LogoutRow, 'verifier'>({ verifier: (row) => row.verifier }, this.#noteChanges('logouts'));
  readonly tokens = new Table<TokenRow, 'grantId' | 'clientId' | 'userCode'>(
    {
      grantId: (row) => row.grantId,
      clientId: (row) => row.clientId,
      userCode: (row) => row.device?.userCode,
    },
    this.#noteChanges('tokens'),
  );
  readonly handled = new Table<HandledRow>({}, this.#noteChanges('handled'));
  readonly keys = new Table<KeyRow>({}, this.#noteChanges('keys'));

  /**
   * @param directory null keeps everything in memory
   * @throws UnreadableStore, DirectoryInUse, or the system's error if the directory cannot be created or written
   */
  static open(directory: string | null, onFailure: (error: unknown) => void): Store {
    const store = new Store();
    if (directory !== null) store.#openDirectory(directory, onFailure);
    return store;
  }

  /** False after a failed attempt to write changes, until they have been written. */
  get isHealthy(): boolean {
    return this.#failure === null;
  }

  /** Writes the pending changes and releases the directory. @throws the system's error */
  close(): void {
    const journal = this.#journal;
    this.#journal = MEMORY_JOURNAL;
    try {
      journal.close();
    } finally {
      this.#unlock();
      this.#unlock = () => undefined;
    }
  }

  #openDirectory(directory: string, onFailure: (error: unknown) => void): void {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#unlock = lock(join(directory, LOCK));
    const path = join(directory, FILE);
    try {
      for (const change of readJournal(path)) this.#load(change, path);
      const journal = new FileJournal({
        path,
        listAll: () => this.#listAll(),
        countRows: () => this.#listTables().reduce((sum, [, table]) => sum + table.size, 0),
        onFailure: (error) => {
          this.#failure = error;
          onFailure(error);
        },
      });
      journal.rewrite();
      this.#journal = journal;
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  /** Does not validate the row, because the version in the header line of the file defines its shape. */
  #load([name, id, row]: Change, path: string): void {
    const table = this.#listTables().find(([tableName]) => tableName === name)?.[1];
    if (!table) throw new UnreadableStore(`${path} has rows of "${name}", which this version does not support.`);
    if (row) table.load(id, row);
    else table.unload(id);
  }

  *#listAll(): Iterable<Change> {
    for (const [name, table] of this.#listTables()) for (const [id, row] of table.entries()) yield [name, id, row];
  }

  #listTables(): [TableName, Table<object>][] {
    const { clients, sessions, consents, logouts, tokens, handled, keys } = this;
    return Object.entries({ clients, sessions, consents, logouts, tokens, handled, keys }) as unknown as [
      TableName,
      Table<object>,
    ][];
  }

  #noteChanges(table: TableName): (id: string, row: object | null) => void {
    return (id, row) => {
      this.#journal.note([table, id, row]);
      if (this.#isFlushDue) return;
      this.#isFlushDue = true;
      queueMicrotask(() => this.#flush());
    };
  }

  #flush(): void {
    this.#isFlushDue = false;
    this.#failure = null;
    this.#journal.flush();
  }
}
