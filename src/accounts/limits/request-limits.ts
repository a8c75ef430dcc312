/**
 * Limits how often something may be requested that sends a mail or must not be tried repeatedly: from one address, and for one
 * account, browser, mailbox or operator. The counters are separate from the password counters, so these requests never block a
 * sign-in with a password.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { fingerprint, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import { toEmailKey } from '../account/fields.js';
import { toNetwork } from '../audit/network.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { insertEvent } from '../audit/insert-event.js';
import { toFactorCounter } from './factor-counters.js';

/** Multipliers of the failure limit of an address: a whole office may sign in at the same time. */
const REQUESTS = {
  'password-reset': 1,
  'factor-reset': 1,
  'not-me': 1,
  'keep-account': 1,
  'stop-change': 1,
  'support-page': 1,
  'sign-in-code': 5,
  'sign-up': 1,
  'sign-up-work': 1,
  'provider-sign-in': 10,
  'device-page': 10,
} as const;

export type CountedRequest = keyof typeof REQUESTS;

/** Requests per hour of or for one account. */
const OWN_REQUESTS = {
  'unchecked-operation': 5,
  'recovery-codes': 10,
  username: 30,
  'proof-mail': 5,
  'proof-code': 10,
  connect: 30,
  data: 5,
  deletion: 5,
  'support-mail': 3,
  'sign-in-mail': 5,
} as const;

export type OwnRequest = keyof typeof OWN_REQUESTS;

/** Device codes that one browser and one account may enter per hour; a right code does not count (RFC 8628, section 5.1). */
const DEVICE_CODES = 20;

/** Help desk checks per hour: of one account by all operators, and of one operator for all accounts. */
const SUPPORT_CHECKS = { account: 10, operator: 60 };

/** Who enters the code of a device. */
export interface DeviceCodeTry {
  browser: string;
  /** The account that is signed in on this browser; null if there is none. */
  accountId: string | null;
  address: string;
  requestId: string;
}

/** A mail with a code, of a kind of second factor or to prove a new address. It is counted for the account and for the network. */
export type FactorMail = `${string}-mail`;

/** Mails of one kind per hour for one account, and the multiplier for an address as in `REQUESTS`. */
const FACTOR_MAILS = { perAccount: 5, addressMultiplier: 10 };

/** A mailbox to which codes are sent. */
export interface Recipient {
  email: string;
  /** Whether the owner of the account has proven that they read the mailbox. */
  isProven: boolean;
}

/** A mail that answers a request to sign in with a code. */
export interface SignInMail {
  accountId: string;
  email: string;
  /** Secret of a known device of the account; null for any other browser. */
  device: string | null;
}

/** A mail with a code for the page for the help desk. */
interface SupportMail {
  accountId: string;
  email: string;
}

/** Mails with codes per hour to one mailbox, for all accounts together. */
const CODES_TO_MAILBOX = 10;

/** Mails per hour to one mailbox with codes for the page for the help desk, for all accounts together. */
const SUPPORT_CODES_TO_MAILBOX = 6;

/** Mails per hour for people who sign in with a code: to one mailbox for all accounts, and of the whole installation. */
const SIGN_IN_MAILS = { mailbox: 10, installation: 5000 };

/** Codes for a sign-up per hour: requested in one browser, and mailed to one mailbox. */
const SIGN_UP_CODES = { browser: 10, mailbox: 5 };

/** Codes per hour that are requested without the work of a browser: from one network, and as a share of all codes of the installation. */
const SIGN_UP_WAITS = { network: 10, share: 0.1 };

/**
 * Steps of one kind per hour for one proven address: a username that is looked up reveals whether it exists, and a password costs much
 * work.
 */
const SIGN_UP_STEPS = 30;

/** Invitations per hour: to one mailbox, by one operator or token, and of the whole installation. */
const INVITATIONS = { mailbox: 3, operator: 2000, installation: 5000 };

const HOUR_SECONDS = 3600;

/** A code that is requested without the work of a browser. `perHour`: codes of the installation. */
export type SignUpWait = Pick<SignUpRequest, 'address' | 'requestId' | 'perHour'>;

/** A person without an account who requests a code at their address. */
export interface SignUpRequest {
  browser: string;
  email: string;
  address: string;
  requestId: string;
  /** How many codes the whole installation mails per hour. */
  perHour: number;
}

/** What an address is proven for. People without an account cannot use up the codes of those who have one. */
export type AddressCodeUse = 'sign-up-code' | 'email-change-code';

/** Who enters a code to prove an address. */
export interface AddressCodeTry {
  use: AddressCodeUse;
  address: string;
  requestId: string;
  /** How many wrong codes for this use the whole installation accepts per hour. */
  perHour: number;
}

type CountValues = {
  key: string;
  seconds: number;
  max: number;
  limitName: string;
  account: string | null;
  address: string | null;
  request: string | null;
};

/** Only the first refused request of a window is recorded in the audit log. */
const COUNT = new Statement<CountValues, { count: number; wait: number }>(
  'request-limit.count',
  ({ param, now, buildSinks }) => sql`
    with counted as (
      insert into attempt_counter as c (key, failures, window_until, expires_at)
      select ${param('key')}::text, 1, window_end, window_end
      from (select ${now} + ${interval(param('seconds'))} as window_end) w
      on conflict (key) do update set
        failures = case when c.window_until > ${now} then least(c.failures + 1, 1000000) else 1 end,
        window_until = case when c.window_until > ${now} then c.window_until else excluded.window_until end,
        expires_at = case when c.window_until > ${now} then c.expires_at else excluded.expires_at end
      returning c.failures as count, extract(epoch from c.window_until - ${now})::double precision as wait
    ), audited as (
      ${insertEvent(
        {
          at: now,
          kind: 'request.limited',
          account: param('account'),
          address: param('address'),
          request: param('request'),
          detail: sql`jsonb_build_object('request', ${param('limitName')}::text)`,
          sinks: buildSinks && buildSinks({ kind: 'request.limited' }),
        },
        sql`counted where count = ${param('max')}::integer + 1`,
      )}
      returning seq
    )
    select count, wait from counted`,
);

const COUNT_TRY = new Statement<{ key: string; seconds: number }, { tries: number }>(
  'request-limit.count-try',
  ({ param, now }) => sql`
    insert into attempt_counter as c (key, failures, expires_at)
    values (${param('key')}, 1, ${now} + ${interval(param('seconds'))})
    on conflict (key) do update set failures = least(c.failures + 1, 1000000)
    returning failures as tries`,
);

const RELEASE = new Statement<{ keys: readonly string[] }, never>(
  'request-limit.release',
  ({ param }) => sql`
    update attempt_counter set failures = greatest(failures - 1, 0)
    where key in (select key from attempt_counter where key = any(${param('keys')}::text[]) order by key for update)`,
);

@Injectable()
export class RequestLimits {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly audit: AuditLog,
  ) {}

  /** Counts the request. @returns seconds that the address has to wait; null if the request is allowed */
  async count(
    limitName: CountedRequest | FactorMail,
    { address, requestId }: { address: string; requestId: string },
  ): Promise<number | null> {
    const { addressFailures, addressWindowSeconds: seconds } = this.config.limits;
    const max = addressFailures * (findLimit(REQUESTS, limitName) ?? FACTOR_MAILS.addressMultiplier);
    const auditValues = { limitName, account: null, address, request: requestId };
    return this.#count(this.#key(`${limitName}\n${toNetwork(address)}`), { max, seconds, ...auditValues });
  }

  /** Counts like `count`, for one account. */
  async countOwn(limitName: OwnRequest | FactorMail, accountId: string, auditContext: AuditContext): Promise<number | null> {
    const auditValues = {
      limitName,
      account: accountId,
      address: auditContext.address ?? null,
      request: auditContext.requestId ?? null,
    };
    return this.#count(this.#ownKey(limitName, accountId), {
      max: findLimit(OWN_REQUESTS, limitName) ?? FACTOR_MAILS.perAccount,
      seconds: HOUR_SECONDS,
      ...auditValues,
    });
  }

  /**
   * Counts mails with codes to one mailbox, for all accounts together. Accounts that have proven the mailbox have a separate limit,
   * which cannot be used up by entering the address of another person.
   */
  async countRecipient(recipient: Recipient, accountId: string, auditContext: AuditContext): Promise<number | null> {
    return this.#count(this.#mailboxKey(recipient), {
      max: CODES_TO_MAILBOX,
      seconds: HOUR_SECONDS,
      limitName: 'mailbox',
      account: accountId,
      address: auditContext.address ?? null,
      request: auditContext.requestId ?? null,
    });
  }

  /**
   * Counts a check that the help desk begins for an account.
   * @param operator identifies the operator or token @returns seconds to wait; null if the check may begin
   */
  async countSupportCheck(accountId: string, operator: string, auditContext: AuditContext): Promise<number | null> {
    const limitName = 'support-check';
    const values = {
      seconds: HOUR_SECONDS,
      limitName,
      address: auditContext.address ?? null,
      request: auditContext.requestId ?? null,
    };
    const operatorKey = this.#key(`${limitName} operator\n${operator}`);
    const wait = await this.#count(operatorKey, { ...values, max: SUPPORT_CHECKS.operator, account: null });
    if (wait !== null) return wait;
    return this.#count(this.#key(`${limitName} account\n${accountId}`), {
      ...values,
      max: SUPPORT_CHECKS.account,
      account: accountId,
    });
  }

  /**
   * Counts a mail that opens the page for the help desk, which anybody can request: for its account and its mailbox, separately from
   * all other codes. @returns seconds to wait; null if the mail may be sent
   */
  async countSupportMail({ accountId: account, email }: SupportMail, auditContext: AuditContext): Promise<number | null> {
    const auditValues = {
      limitName: 'support-mail',
      account,
      address: auditContext.address ?? null,
      request: auditContext.requestId ?? null,
    };
    const mailboxValues = { max: SUPPORT_CODES_TO_MAILBOX, seconds: HOUR_SECONDS, ...auditValues };
    // Requests that the limit of one account refuses do not use up the limit of the mailbox.
    return (
      (await this.countOwn('support-mail', account, auditContext)) ?? this.#count(this.#supportMailboxKey(email), mailboxValues)
    );
  }

  /** Clears the counts of `countSupportMail`: a reader of the mailbox has answered, or the help desk is talking to the person. */
  async clearSupportMail({ accountId, email }: SupportMail, trx: Transaction<Schema>): Promise<void> {
    const keys = [this.#supportMailboxKey(email), this.#ownKey('support-mail', accountId)];
    await trx.deleteFrom('attempt_counter').where('key', 'in', keys).execute();
  }

  /**
   * Counts a mail for a sign-in with a code, which anybody can request: for the account, the mailbox and the installation,
   * separately from all other codes. A known device has its own count in place of those of account and mailbox, so that requests of
   * strangers do not lock the owner out.
   * @returns seconds to wait; null if the mail may be sent
   */
  async countSignInMail({ accountId: account, email, device }: SignInMail, auditContext: AuditContext): Promise<number | null> {
    const limitName = 'sign-in-mail';
    const auditValues = { limitName, account, address: auditContext.address ?? null, request: auditContext.requestId ?? null };
    const values = { seconds: HOUR_SECONDS, ...auditValues };
    const accountWait =
      device === null
        ? await this.countOwn(limitName, account, auditContext)
        : await this.#count(this.#signInDeviceKey(account, device), { max: OWN_REQUESTS[limitName], ...values });
    const mailboxValues = { max: SIGN_IN_MAILS.mailbox, ...values };
    // Requests that the limit of one account refuses do not use up the other limits.
    return (
      accountWait ??
      (device === null ? await this.#count(this.#signInMailboxKey(email), mailboxValues) : null) ??
      (await this.#count(this.#key(`${limitName} installation`), { ...values, max: SIGN_IN_MAILS.installation, account: null }))
    );
  }

  /** Clears the counts of `countSignInMail` except that of the installation: a reader of the mailbox has answered. */
  async clearSignInMail({ accountId, email, device }: SignInMail, trx: Transaction<Schema>): Promise<void> {
    const sharedKeys = [this.#signInMailboxKey(email), this.#ownKey('sign-in-mail', accountId)];
    const keys = device === null ? sharedKeys : [...sharedKeys, this.#signInDeviceKey(accountId, device)];
    await trx.deleteFrom('attempt_counter').where('key', 'in', keys).execute();
  }

  /**
   * Counts a code that a person without an account requests: by network, browser, mailbox and installation. The mailbox is counted
   * whether or not an account has the address. @returns seconds to wait; null if the code may be mailed
   */
  async countSignUp({ browser, email, perHour, ...auditContext }: SignUpRequest): Promise<number | null> {
    const wait = await this.count('sign-up', auditContext);
    if (wait !== null) return wait;
    // The installation comes last, so that requests that other limits refuse do not use up its limit.
    const counters = [
      { key: this.#key(`sign-up browser\n${fingerprint(browser)}`), max: SIGN_UP_CODES.browser },
      { key: this.#signUpMailboxKey(email), max: SIGN_UP_CODES.mailbox },
      { key: this.#key('sign-up installation'), max: perHour },
    ];
    const auditValues = { limitName: 'sign-up', account: null, address: auditContext.address, request: auditContext.requestId };
    return this.#countAll(counters, auditValues);
  }

  /**
   * Counts a code that is entered to prove an address, by network and installation: otherwise a stranger with many codes could guess
   * one of them. Counts before the code is compared, so that parallel guesses are counted too.
   * @returns seconds to wait; null if the code may be tried
   */
  async countAddressCode({ use, address, requestId: request, perHour }: AddressCodeTry): Promise<number | null> {
    const { addressFailures, addressWindowSeconds } = this.config.limits;
    const [networkKey, installationKey] = this.#addressCodeKeys({ use, address });
    const auditValues = { limitName: use, account: null, address, request };
    // The installation comes last, so that the guesses of one network do not use up its limit.
    return (
      (await this.#count(networkKey, { max: addressFailures, seconds: addressWindowSeconds, ...auditValues })) ??
      (await this.#count(installationKey, { max: perHour, seconds: HOUR_SECONDS, ...auditValues }))
    );
  }

  /** Takes back the count of a code that was right, or was not compared. Earlier codes still count. */
  async releaseAddressCode(codeTry: Pick<AddressCodeTry, 'use' | 'address'>): Promise<void> {
    await this.database.run(RELEASE, { keys: this.#addressCodeKeys(codeTry) });
  }

  #addressCodeKeys({ use, address }: Pick<AddressCodeTry, 'use' | 'address'>): [networkKey: string, installationKey: string] {
    return [this.#key(`${use}\n${toNetwork(address)}`), this.#key(`${use} installation`)];
  }

  /**
   * Counts a code that is requested without the work of a browser (`SIGN_UP_WORK`), by network and installation.
   * @returns seconds to wait; null if the code may be mailed
   */
  async countSignUpWait({ address, requestId: request, perHour }: SignUpWait): Promise<number | null> {
    const auditValues = { limitName: 'sign-up-wait', account: null, address, request };
    const max = Math.max(Math.floor(perHour * SIGN_UP_WAITS.share), 1);
    const networkLimit = { max: SIGN_UP_WAITS.network, seconds: HOUR_SECONDS };
    return (
      (await this.#count(this.#key(`sign-up-wait\n${toNetwork(address)}`), { ...networkLimit, ...auditValues })) ??
      (await this.#count(this.#key('sign-up-wait installation'), { max, seconds: HOUR_SECONDS, ...auditValues }))
    );
  }

  /** @returns seconds to wait; null if the owner of the address may look up a username, or try a password */
  async countSignUpStep(
    step: 'username' | 'password',
    email: string,
    auditContext: Pick<AuditContext, 'address' | 'requestId'>,
  ): Promise<number | null> {
    const auditValues = {
      limitName: 'sign-up',
      account: null,
      address: auditContext.address ?? null,
      request: auditContext.requestId ?? null,
    };
    const key = this.#key(`sign-up ${step}\n${toMailboxKey(email)}`);
    return this.#count(key, { max: SIGN_UP_STEPS, seconds: HOUR_SECONDS, ...auditValues });
  }

  /**
   * Counts a mail that invites a person.
   * @param operator identifies the operator or token @returns seconds to wait; null if the mail may be sent
   */
  async countInvitation(email: string, operator: string, auditContext: AuditContext): Promise<number | null> {
    const counters = [
      { key: this.#key(`invitation mailbox\n${toMailboxKey(email)}`), max: INVITATIONS.mailbox },
      { key: this.#key(`invitation operator\n${operator}`), max: INVITATIONS.operator },
      { key: this.#key('invitation installation'), max: INVITATIONS.installation },
    ];
    const auditValues = {
      limitName: 'invitation',
      account: null,
      address: auditContext.address ?? null,
      request: auditContext.requestId ?? null,
    };
    return this.#countAll(counters, auditValues);
  }

  /**
   * Counts before the code is looked up, so that parallel attempts are counted too.
   * @returns seconds to wait; null if the code may be tried
   */
  async countDeviceCode(codeTry: DeviceCodeTry): Promise<number | null> {
    const { accountId: account, address, requestId: request } = codeTry;
    const { addressFailures, addressWindowSeconds } = this.config.limits;
    const personLimit = { max: DEVICE_CODES, seconds: HOUR_SECONDS };
    const networkLimit = { max: addressFailures, seconds: addressWindowSeconds };
    for (const [index, key] of this.#deviceCodeKeys(codeTry).entries()) {
      const limit = index === 0 ? networkLimit : personLimit;
      const wait = await this.#count(key, { ...limit, limitName: 'device-code', account, address, request });
      if (wait !== null) return wait;
    }
    return null;
  }

  /** Takes back the count of an attempt whose code was right. Earlier attempts still count. */
  async releaseDeviceCode(codeTry: DeviceCodeTry): Promise<void> {
    await this.database.run(RELEASE, { keys: this.#deviceCodeKeys(codeTry) });
  }

  /** The network comes first, because an attacker cannot avoid its limit with another browser. */
  #deviceCodeKeys({ browser, accountId, address }: DeviceCodeTry): string[] {
    const names = [toNetwork(address), `browser ${fingerprint(browser)}`, ...(accountId === null ? [] : [`own ${accountId}`])];
    return names.map((name) => this.#key(`device-code\n${name}`));
  }

  /** @param id identifies what is tried, such as a code, while it is valid @returns number of its tries, including this one */
  async countTry(id: string, seconds: number): Promise<number> {
    const [row] = await this.database.run(COUNT_TRY, { key: `e:${this.keys.mac('limits', id)}`, seconds });
    return row?.tries ?? Infinity;
  }

  /** Clears the counter of a request whose answer proves that the owner made it. Runs in the transaction of the answer. */
  async clearOwn(limitName: OwnRequest | FactorMail, accountId: string, trx: Transaction<Schema>): Promise<void> {
    await trx.deleteFrom('attempt_counter').where('key', '=', this.#ownKey(limitName, accountId)).execute();
  }

  /** Clears the counters of a mailbox, because the person who answered the mail reads the mailbox. */
  async clearRecipient(email: string, trx: Transaction<Schema>): Promise<void> {
    const keys = [true, false].map((isProven) => this.#mailboxKey({ email, isProven }));
    await trx.deleteFrom('attempt_counter').where('key', 'in', keys).execute();
  }

  #signInMailboxKey(email: string): string {
    return this.#key(`sign-in-mail mailbox\n${toEmailKey(email)}`);
  }

  #signInDeviceKey(accountId: string, device: string): string {
    return this.#key(`sign-in-mail device\n${accountId}\n${fingerprint(device)}`);
  }

  #signUpMailboxKey(email: string): string {
    return this.#key(`sign-up mailbox\n${toMailboxKey(email)}`);
  }

  #supportMailboxKey(email: string): string {
    return this.#key(`support-page mailbox\n${toEmailKey(email)}`);
  }

  #mailboxKey({ email, isProven }: Recipient): string {
    return this.#key(`mailbox ${isProven ? 'proven' : 'named'}\n${toEmailKey(email)}`);
  }

  /**
   * A counter of a `FactorMail` is deleted with the counters of all factors: at an unlock, when all factors are reset, and with the
   * account.
   */
  #ownKey(limitName: OwnRequest | FactorMail, accountId: string): string {
    const isOwn = findLimit(OWN_REQUESTS, limitName) !== undefined;
    return isOwn ? this.#key(`own ${limitName}\n${accountId}`) : toFactorCounter(this.keys, limitName, accountId);
  }

  #key(name: string): string {
    return `r:${this.keys.mac('limits', name)}`;
  }

  /** Counts by each counter until one of them refuses. @returns seconds to wait; null if none does */
  async #countAll(
    counters: readonly { key: string; max: number }[],
    auditValues: Omit<CountValues, 'key' | 'max' | 'seconds'>,
  ): Promise<number | null> {
    for (const { key, max } of counters) {
      const seconds = await this.#count(key, { ...auditValues, max, seconds: HOUR_SECONDS });
      if (seconds !== null) return seconds;
    }
    return null;
  }

  async #count(key: string, values: Omit<CountValues, 'key'>): Promise<number | null> {
    const [row] = await this.database.run(COUNT, { ...values, key });
    if (row?.count === values.max + 1) {
      this.audit.count({ kind: 'request.limited', actor: 'person', detail: { request: values.limitName } });
    }
    return row && row.count > values.max ? Math.max(Math.ceil(row.wait), 1) : null;
  }
}

/** Many providers deliver `anna+anything@` to the mailbox of `anna@`, so one person would have any number of addresses. */
const toMailboxKey = (email: string): string => toEmailKey(email).replace(/\+[^@]*(?=@)/, '');

const findLimit = (limits: Readonly<Record<string, number>>, limitName: string): number | undefined => limits[limitName];
