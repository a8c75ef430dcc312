/** A user source over LDAP (RFC 4511), including Active Directory. Referrals are not followed. */
import { AndFilter, EqualityFilter, FilterParser, OrFilter, type Entry, type Filter, type SearchOptions } from 'ldapts';
import type { Logger } from 'pino';
import type { Clock } from '../../config/clock.js';
import { ConfigError } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { LdapGroups, LdapSettings } from '../../config/source-settings.js';
import { foldText } from '../../contract/folded-text.js';
import { SeveralPeople, SourceUnavailable } from '../source.errors.js';
import {
  UserSource,
  type FoundPerson,
  type PersonKey,
  type SourceInspection,
  type SourcePerson,
  type SourceVerdict,
} from '../user-source.port.js';
import { toBindVerdict } from './bind-verdict.js';
import { LdapRefused } from './ldap-connection.js';
import { LdapDirectory } from './ldap-directory.js';
import {
  isActive,
  isBinary,
  toMappedAttributes,
  toSubject,
  toSubjectValue,
  toTexts,
  listWantedAttributes,
} from './ldap-entry.js';
import { findGroups, type GroupMember } from './ldap-groups.js';
import { inspectGroups, findMissingAttributes } from './ldap-inspection.js';

interface FoundEntry extends FoundPerson {
  entry: Entry;
}

export interface LdapSourceParts {
  clock: Clock;
  log: Logger;
}

const SIZE_LIMIT_EXCEEDED = 4;
/** Longer than the usernames and e-mail addresses of accounts. */
const MAX_IDENTIFIER_LENGTH = 256;

export class LdapSource extends UserSource {
  readonly id: string;
  readonly name: string;
  readonly passwordUrl: string | undefined;
  override readonly hasSeveralNames: boolean;
  override readonly domains: readonly string[];
  readonly #directory: LdapDirectory;
  readonly #peopleFilter: Filter;

  /** @throws ConfigError for a filter that cannot be read */
  constructor(
    private readonly settings: LdapSettings,
    private readonly parts: LdapSourceParts,
  ) {
    super();
    this.id = settings.id;
    this.name = settings.name ?? settings.id;
    this.passwordUrl = settings.passwordUrl;
    this.domains = settings.domains ?? [];
    this.hasSeveralNames = settings.login.some((name) => name.toLowerCase() !== settings.username.toLowerCase());
    this.#directory = new LdapDirectory(settings, parts.clock);
    this.#peopleFilter = parseFilter(settings);
  }

  async find(key: PersonKey): Promise<FoundEntry | null> {
    const filter = this.#toFilter(key);
    const entries = filter ? await this.#search(filter) : [];
    if (entries === 'too-many' || entries.length > 1) throw new SeveralPeople(this.id);
    const [entry] = entries;
    if (!entry || ('identifier' in key && !this.#isNamed(entry, key.identifier))) return null;
    const subject = toSubject(entry, this.settings.subject);
    if (subject === null) throw this.#buildUnavailable(`a person does not have exactly one valid ${this.settings.subject}`);
    return { subject, entry };
  }

  async verify(foundEntry: FoundEntry, password: string): Promise<SourceVerdict> {
    const verdict = toBindVerdict(await this.#directory.bind(foundEntry.entry.dn, password));
    if (verdict.kind === 'unavailable') throw this.#buildUnavailable(verdict.reason);
    if (verdict.kind !== 'proven') return verdict;
    const person = await this.describe(foundEntry);
    return person.isActive
      ? { kind: 'proven', person }
      : { kind: 'not-allowed', reason: 'the account is disabled, expired or locked' };
  }

  async describe({ subject, entry }: FoundEntry): Promise<SourcePerson> {
    const { settings } = this;
    const [username = ''] = toTexts(entry, settings.username);
    const [displayName] = toTexts(entry, settings.displayName);
    const [email] = toTexts(entry, settings.email);
    return {
      subject,
      username,
      ...(this.hasSeveralNames ? { names: settings.login.flatMap((attribute) => toTexts(entry, attribute)) } : {}),
      ...defined({ displayName }),
      ...defined({ email }),
      emailVerified: settings.emailVerified,
      ...(settings.groups
        ? {
            groups: await this.#findGroupNames(settings.groups, { dn: entry.dn, username }),
            hasGroupName: settings.groups.groupName,
          }
        : {}),
      attributes: toMappedAttributes(entry, settings),
      isActive: isActive(entry, this.parts.clock.now()),
    };
  }

  verifyDummy(): Promise<void> {
    return this.#directory.verifyDummy();
  }

  async inspect(limit: number): Promise<SourceInspection> {
    const { login, attributes: mappedAttributes, groups } = this.settings;
    const servers = await this.#directory.inspect();
    if (servers.every(({ fault }) => fault !== undefined)) return { servers, usernames: [] };
    try {
      const firstEntries = await this.#directory.list(this.settings.base, this.#toOptions(this.#peopleFilter), limit);
      const entries = firstEntries.slice(0, limit);
      return {
        servers,
        search: { people: entries.length, isComplete: firstEntries.length <= limit },
        usernames: entries.flatMap((entry) => login.flatMap((attribute) => toTexts(entry, attribute))),
        missingAttributes: findMissingAttributes(entries, this.settings),
        ...(Object.keys(mappedAttributes).length > 0
          ? { attributes: entries.map((entry) => toMappedAttributes(entry, this.settings)) }
          : {}),
        ...(groups ? { groups: await inspectGroups(this.#directory, groups) } : {}),
      };
    } catch (error) {
      return { servers, search: { fault: error instanceof SourceUnavailable ? error.reason : toMessage(error) }, usernames: [] };
    }
  }

  close(): Promise<void> {
    return this.#directory.close();
  }

  /** Values are sent as separate elements (BER), never in the text of a filter, so that they cannot inject filter syntax. */
  #toFilter(key: PersonKey): Filter | null {
    const { login, subject } = this.settings;
    if ('identifier' in key) {
      const value = key.identifier.trim();
      if (value === '' || value.length > MAX_IDENTIFIER_LENGTH || value.includes('\u0000')) return null;
      const nameFilters = login.map((attribute) => new EqualityFilter({ attribute, value }));
      return new AndFilter({ filters: [this.#peopleFilter, new OrFilter({ filters: nameFilters })] });
    }
    const value = toSubjectValue(key.subject, subject);
    return value === null
      ? null
      : new AndFilter({ filters: [this.#peopleFilter, new EqualityFilter({ attribute: subject, value })] });
  }

  #toOptions(filter: Filter): SearchOptions {
    const { subject } = this.settings;
    // The library compares these names of attributes exactly with the names that the server sends.
    const buffers = isBinary(subject) ? { explicitBufferAttributes: [subject, 'objectGUID'] } : {};
    return { scope: 'sub', filter, attributes: listWantedAttributes(this.settings), ...buffers };
  }

  async #search(filter: Filter): Promise<Entry[] | 'too-many'> {
    try {
      // The request has no size limit, because the library does not report that such a limit was reached.
      return await this.#directory.search(this.settings.base, this.#toOptions(filter));
    } catch (error) {
      if (error instanceof LdapRefused && error.code === SIZE_LIMIT_EXCEEDED) return 'too-many';
      throw error instanceof LdapRefused ? this.#buildUnavailable(`a search is answered with ${error.message}`) : error;
    }
  }

  /**
   * Whether the entry has this name, as `foldText` compares texts. A directory accepts spellings of a name that the limits on
   * failed attempts treat as different names (RFC 4518 ignores repeated spaces and invisible characters), and each spelling would
   * have its own counter.
   */
  #isNamed(entry: Entry, identifier: string): boolean {
    const foldedIdentifier = foldText(identifier.trim());
    return this.settings.login.some((attribute) => toTexts(entry, attribute).some((name) => foldText(name) === foldedIdentifier));
  }

  async #findGroupNames(groups: LdapGroups, member: GroupMember): Promise<string[]> {
    try {
      const { names, isCut } = await findGroups(this.#directory, groups, member);
      if (isCut)
        this.parts.log.warn(
          { source: this.id, most: groups.most },
          'a person has more groups in a user source than Foyer stores: the rest is left out',
        );
      return names;
    } catch (error) {
      throw error instanceof LdapRefused
        ? this.#buildUnavailable(`a search for groups is answered with ${error.message}`)
        : error;
    }
  }

  #buildUnavailable(reason: string): SourceUnavailable {
    return new SourceUnavailable(this.id, reason);
  }
}

function parseFilter({ id, filter, groups }: LdapSettings): Filter {
  try {
    if (groups) FilterParser.parseString(groups.filter);
    return FilterParser.parseString(filter);
  } catch {
    throw new ConfigError([`USER_SOURCES: a filter of the user source ${id} cannot be read (RFC 4515)`]);
  }
}

function toMessage(error: unknown): string {
  return error instanceof LdapRefused ? error.message : 'an unexpected answer';
}
