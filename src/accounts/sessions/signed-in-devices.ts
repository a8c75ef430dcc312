/**
 * Signed-in devices, as the account area shows them to a person: one entry for each browser, with its browser sessions and its manage
 * session. Operators see the sessions one by one (`account-sessions.ts`).
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import { lockAccount } from '../account/lock.js';
import { presentPersonSinceSql } from '../account/present-person.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { forgetSignInsInBrowsers } from './sign-in-records.js';
import { queueRevocation } from '../queue/revocation-jobs.js';

export interface SignedInDevice {
  /** A fingerprint, which does not reveal the browser id. */
  id: string;
  /** Names of the browser and the operating system at the newest sign-in; absent if unknown. */
  browser?: string;
  /** Address at the newest sign-in; absent if unknown. */
  address?: string;
  /** When the newest sign-in on the device began or, without a sign-in, the manage session. */
  since: Date;
  /** How the person last signed in on the device; empty if only the manage session is left. */
  amr: readonly string[];
  /** Up to a minute too early for the account area. */
  lastUsedAt: Date;
  /** Whether this is the requesting device. */
  isThis: boolean;
}

/** The requesting device: the account, the id of the browser, and its manage session. */
export interface RequestingDevice {
  accountId: string;
  browser: string;
  sessionId: string;
}

interface SessionRow {
  /** Fingerprint of the browser id, or the id of the manage session if the session has no browser. */
  key: string;
  browser: string | null;
  address: string | null;
  began_at: Date;
  used_at: Date;
  amr: string[] | null;
  is_this: boolean;
}

/** Values for the overview of the account area. */
export interface SignInSummary {
  devices: number;
  /** Time of the database. */
  readAt: Date;
  /** The newest sign-in of the present person in the audit log, even if its session has ended. */
  lastSignIn?: { at: Date; browser?: string };
  /** When the audit log last recorded a new password of the present person; absent if it never did, for example because the password was imported. */
  passwordChangedAt?: Date;
}

/** The active browser sessions of an account. */
const activeBrowserSessionsSql = ({ account, now }: Record<'account' | 'now', RawBuilder<unknown>>): RawBuilder<unknown> => sql`
    browser_session where account_id = ${account}::uuid and expires_at > ${now}`;
/** Its active manage sessions. A browser that has only a manage session is a device too. */
const activeManageSessionsSql = ({
  account,
  idleSeconds,
  now,
}: Record<'account' | 'now', RawBuilder<unknown>> & { idleSeconds: RawBuilder<number> }) => sql`
    manage_session where account_id = ${account}::uuid and scope = 'manage' and ended_at is null and expires_at > ${now}
      and seen_at > ${now} - ${interval(idleSeconds)}`;
const MANAGE_SESSION_KEY = sql`coalesce(entry_browser_hash, id::text)`;

type RequesterValues = { account: string; browser: string; session: string };

const LIST = new Statement<RequesterValues & { idleSeconds: number }, SessionRow>(
  'signed-in-devices.list',
  ({ param, now }) => sql`
    select browser_hash as key, browser, address, auth_time as began_at, greatest(last_used_at, auth_time) as used_at, amr,
      browser_hash = ${param('browser')}::text as is_this
    from ${activeBrowserSessionsSql({ account: param('account'), now })}
    union all
    select ${MANAGE_SESSION_KEY}, null, null, created_at, seen_at, null,
      id = ${param('session')}::uuid or entry_browser_hash = ${param('browser')}::text
    from ${activeManageSessionsSql({ account: param('account'), idleSeconds: param('idleSeconds'), now })}
    order by began_at desc, key`,
);

const SUMMARY = new Statement<
  { account: string; idleSeconds: number },
  { devices: number; read_at: Date; last_at: Date | null; last_browser: string | null; changed_at: Date | null }
>(
  'signed-in-devices.summary',
  ({ param, now }) => sql`
    select (
      select count(*)::int from (
        select browser_hash from ${activeBrowserSessionsSql({ account: param('account'), now })}
        union
        select ${MANAGE_SESSION_KEY} from ${activeManageSessionsSql({ account: param('account'), idleSeconds: param('idleSeconds'), now })}
      ) as device
    ) as devices, ${now} as read_at, last.at as last_at, last.browser as last_browser, (
      select at from audit_event
      where account_id = ${param('account')}::uuid and kind in ('password.changed', 'password.reset')
        and at > ${presentPersonSinceSql(param('account'))}
      order by at desc, seq desc limit 1
    ) as changed_at
    from (select) as one left join lateral (
      select at, detail->>'browser' as browser from audit_event
      where account_id = ${param('account')}::uuid and kind = 'sign-in.ok'
        and at > ${presentPersonSinceSql(param('account'))}
      order by at desc, seq desc limit 1
    ) as last on true`,
);

const END = new Statement<{ account: string; keys: string[] }, { upstream: string | null }>(
  'signed-in-devices.end',
  ({ param, now }) => sql`
    with gone as (
      delete from browser_session
      where account_id = ${param('account')}::uuid and browser_hash = any(${param('keys')}::text[])
      returning upstream_session_id
    ), changed_manage_sessions as (
      update manage_session set ended_at = ${now}
      where account_id = ${param('account')}::uuid and scope = 'manage' and ended_at is null
        and ${MANAGE_SESSION_KEY} = any(${param('keys')}::text[])
      returning id
    )
    select upstream_session_id as upstream from gone union all select null from changed_manage_sessions`,
);

@Injectable()
export class SignedInDevices {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage'>,
  ) {}

  /** Lists the requesting device first, then the others by their last use, newest first. */
  async list(requester: RequestingDevice): Promise<SignedInDevice[]> {
    return [...(await this.#findByKey(requester)).values()];
  }

  async findSummary(accountId: string): Promise<SignInSummary> {
    const [row] = await this.database.run(SUMMARY, { account: accountId, idleSeconds: this.config.manage.idleSeconds });
    if (!row) throw new Error('The summary of signed-in devices returned no row.');
    const { devices, read_at: readAt, last_at: at, last_browser: browser, changed_at: changedAt } = row;
    return {
      devices,
      readAt,
      ...(at ? { lastSignIn: { at, ...(browser === null ? {} : { browser }) } } : {}),
      ...(changedAt ? { passwordChangedAt: changedAt } : {}),
    };
  }

  /**
   * Signs out one device, or all devices except the requesting device, and ends the sign-ins of the account that wait in their browsers. Hydra
   * notifies the apps that are registered for a back-channel logout (OpenID Connect Back-Channel Logout 1.0).
   * @param id id of the device; null for all other devices
   * @returns number of devices that were signed out
   */
  async end(requester: RequestingDevice, id: string | null, auditContext: AuditContext): Promise<number> {
    const { accountId } = requester;
    return this.database.transaction(async (trx) => {
      // Must come before the list: a sign-in that finishes gives its browser a new id, under which its session would continue.
      await lockAccount(accountId, trx);
      const devices = [...(await this.#findByKey(requester, trx))];
      const chosenDevices = devices.filter(([, device]) => (id === null ? !device.isThis : device.id === id));
      const chosenKeys = chosenDevices.map(([key]) => key);
      await forgetSignInsInBrowsers(
        { accountId, ...(id === null ? { exceptBrowsers: [fingerprint(requester.browser)] } : { browsers: chosenKeys }) },
        trx,
      );
      if (chosenDevices.length === 0) return 0;
      const endedRows = await this.database.run(END, { account: accountId, keys: chosenKeys }, trx);
      const sessionIds = endedRows.flatMap(({ upstream }) => upstream ?? []);
      await queueRevocation({ accountId, kind: 'named', sessionIds, now: this.database.now() }, trx);
      const device = id === null ? {} : { device: chosenDevices[0]?.[1].browser ?? '' };
      await this.audit.record(
        { ...auditContext, kind: 'sessions.ended', accountId, detail: { sessions: endedRows.length, ...device } },
        trx,
      );
      return chosenDevices.length;
    });
  }

  async #findByKey(
    { accountId, browser, sessionId }: RequestingDevice,
    trx?: Transaction<Schema>,
  ): Promise<Map<string, SignedInDevice>> {
    const values = { account: accountId, browser: fingerprint(browser), session: sessionId };
    const rows = await this.database.run(LIST, { ...values, idleSeconds: this.config.manage.idleSeconds }, trx);
    const sessionsByKey = new Map<string, SessionRow[]>();
    for (const row of rows) sessionsByKey.set(row.key, [...(sessionsByKey.get(row.key) ?? []), row]);
    const devices = [...sessionsByKey].map(([key, sessions]): [string, SignedInDevice] => [key, toDevice(key, sessions)]);
    const toSortKey = ({ isThis, lastUsedAt }: SignedInDevice): number => (isThis ? Infinity : lastUsedAt.getTime());
    return new Map(devices.sort(([, one], [, other]) => (toSortKey(one) < toSortKey(other) ? 1 : -1)));
  }
}

/** @param sessions newest first */
function toDevice(key: string, sessions: readonly SessionRow[]): SignedInDevice {
  const newestSession = sessions.find(({ amr }) => amr !== null) ?? sessions[0];
  if (!newestSession) throw new Error('A device without a session was listed.');
  const { browser, address, amr } = newestSession;
  return {
    id: fingerprint(key),
    ...(browser === null ? {} : { browser }),
    ...(address === null ? {} : { address }),
    since: newestSession.began_at,
    amr: amr ?? [],
    lastUsedAt: new Date(Math.max(...sessions.map(({ used_at: lastUsedAt }) => lastUsedAt.getTime()))),
    isThis: sessions.some(({ is_this: isThis }) => isThis),
  };
}
