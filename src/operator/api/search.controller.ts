/** Searches for a text that an operator was given: a name, an address or an id, whose kind the operator need not state. */
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccountError } from '../../accounts/account/account.errors.js';
import { AccountList } from '../../accounts/account/account-list.js';
import { Accounts, type Account } from '../../accounts/account/accounts.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { AccountSessions } from '../../accounts/sessions/account-sessions.js';
import { LOG } from '../../config/log.token.js';
import { OPERATOR_API, type SearchAnswer } from '../wire.js';
import { SearchQuery } from './account-bodies.js';
import { toAccountAnswer, toAuditEntryAnswer } from './answers.js';
import { ClientNames } from './client-names.js';
import { Operation } from './rights.guard.js';

const MOST_ACCOUNTS = 10;
const MOST_CLIENTS = 5;

@Controller(`${OPERATOR_API}/search`)
export class SearchController {
  constructor(
    private readonly accounts: Accounts,
    private readonly accountList: AccountList,
    private readonly sessions: AccountSessions,
    private readonly audit: AuditLog,
    private readonly names: ClientNames,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * Finds accounts, the events of a request, and clients by a name, an address or an id. Exact matches come first, then matches by the
   * beginnings of words; at most 10 accounts and 5 clients.
   * @throws 400 missing wrong_type
   */
  @Get()
  @Operation('search.find')
  async find(@Query() query: SearchQuery): Promise<SearchAnswer> {
    const text = query.q.trim();
    const [exactMatches, wordMatches, events, clients] = await Promise.all([
      this.#findExact(text),
      this.#findByWords(text),
      this.audit.search({ requestId: text, limit: 50 }),
      this.#findClients(text),
    ]);
    const usernames = await this.audit.findUsernames(events.entries);
    const otherMatches = wordMatches.filter(({ id }) => !exactMatches.some((account) => account.id === id));
    const accounts = [...exactMatches, ...otherMatches];
    return {
      accounts: accounts.slice(0, MOST_ACCOUNTS).map(toAccountAnswer),
      more_accounts: accounts.length > MOST_ACCOUNTS,
      events: events.entries.map((entry) => toAuditEntryAnswer(entry, usernames)),
      clients,
    };
  }

  /** Finds accounts by id, subject, username, e-mail address, or the session that an ID token names. */
  async #findExact(text: string): Promise<Account[]> {
    const owner = await this.sessions.findOwner(text);
    const candidates = await Promise.all([
      this.accounts.findByIdOrSubject(text),
      this.accounts.findByUsername(text),
      this.accountList.page({ email: text, limit: MOST_ACCOUNTS }).then((page) => page.accounts),
      owner === null ? null : this.accounts.find(owner),
    ]);
    const accounts = candidates.flat().filter((account) => account !== null);
    return accounts.filter(({ id }, index) => accounts.findIndex((account) => account.id === id) === index);
  }

  async #findByWords(search: string): Promise<Account[]> {
    try {
      return (await this.accountList.page({ search, limit: MOST_ACCOUNTS + 1 })).accounts;
    } catch (error) {
      // A text without letters and digits, such as `%`, contains no word to search for; a long text may contain too many.
      if (error instanceof AccountError) return [];
      throw error;
    }
  }

  /** Finds clients by id, then by name. If Hydra does not answer, the search still finds people. */
  async #findClients(text: string): Promise<SearchAnswer['clients']> {
    try {
      return await this.names.find(text, MOST_CLIENTS);
    } catch (error) {
      this.log.warn(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'the search cannot read the clients of Hydra',
      );
      return [];
    }
  }
}
