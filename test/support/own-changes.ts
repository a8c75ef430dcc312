/** Changes that people make in the account area, each as one call, and what each of them changes. */
import { sql } from 'kysely';
import type { Database } from '../../src/database/database.js';
import type { AuditKind } from '../../src/accounts/audit/kinds.js';
import { PASSWORD, type TestGateway } from './gateway.js';
import { ManageUser, newPerson } from './manage.js';
import type { RpcAnswer, RpcClient } from './rpc-client.js';
import { TotpApp } from '../../test-kit/totp-app.js';

const NEW_PASSWORD = 'silber ahorn 7733';

/** Everything in one account that these changes may change. */
interface OwnState {
  username: string;
  hash: string;
  apps: number;
  codes: string | null;
  browsers: number;
  manage: number;
  mails: string[];
  events: string[];
}

export type ChangeName = 'password' | 'username' | 'totp' | 'removal' | 'codes';

interface Change {
  make(calls: RpcClient, prepared: PreparedPerson): Promise<RpcAnswer>;
  /** Events and mails, in alphabetical order. */
  events: AuditKind[];
  mails: string[];
  /** The other parts of the account that are changed. */
  parts: readonly (keyof OwnState)[];
}

export const CHANGES: Readonly<Record<ChangeName, Change>> = {
  password: {
    make: (calls) => calls.put('/password', { password: PASSWORD, newPassword: NEW_PASSWORD, newPasswordRepeat: NEW_PASSWORD }),
    events: ['password.changed'],
    mails: ['password-changed'],
    parts: ['hash', 'browsers', 'manage'],
  },
  username: {
    make: (calls, { username }) => calls.put('/username', { username: `${username}.neu` }),
    events: ['username.changed'],
    mails: ['username-changed'],
    parts: ['username'],
  },
  totp: {
    make: (calls, { app }) => calls.post('/mfa-verify-totp', { code: app?.code() }),
    events: ['factor.added', 'recovery-codes.made'],
    mails: ['totp-added'],
    parts: ['apps', 'codes'],
  },
  removal: {
    make: (calls) => calls.delete('/mfa/totp'),
    events: ['factor.removed'],
    mails: ['totp-removed'],
    parts: ['apps', 'codes'],
  },
  codes: {
    make: (calls) => calls.post('/mfa-recovery-codes'),
    events: ['recovery-codes.made'],
    mails: ['recovery-codes-made'],
    parts: ['codes'],
  },
};

export const CHANGE_NAMES = Object.keys(CHANGES) as ChangeName[];

interface PreparedPerson {
  username: string;
  app: TotpApp | undefined;
}

/** A person who is about to make a change, and is signed in to two browsers. */
export class OwnChange {
  private constructor(
    readonly name: ChangeName,
    readonly user: ManageUser,
    private readonly calls: RpcClient,
    private readonly app: TotpApp | undefined,
    readonly before: OwnState,
  ) {}

  static async prepare(gateway: TestGateway, name: ChangeName): Promise<OwnChange> {
    const account = await newPerson(gateway, { email: 'somebody@example.org' });
    await ManageUser.enter(gateway, { account, fresh: true });
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const calls = await user.rpc();
    const needsApp = name === 'totp' || name === 'removal' || name === 'codes';
    const app = needsApp ? new TotpApp(String((await calls.post('/mfa-init-totp')).body['secret']), gateway.clock) : undefined;
    if (name === 'removal' || name === 'codes') await calls.post('/mfa-verify-totp', { code: app?.code() });
    return new OwnChange(name, user, calls, app, await toState(gateway.database, account.id));
  }

  make(calls = this.calls): Promise<RpcAnswer> {
    return CHANGES[this.name].make(calls, { username: this.user.account.username, app: this.app });
  }

  /** Repeats the change after loading the page again. */
  async makeAgain(): Promise<RpcAnswer> {
    return this.make(await this.user.rpc());
  }

  /** @throws if only a part of the change was made */
  async wasMade(database: Database): Promise<boolean> {
    const { before, name } = this;
    const after = await toState(database, this.user.account.id);
    const { events, mails, parts } = CHANGES[name];
    const differs = (key: keyof OwnState): boolean => JSON.stringify(after[key]) !== JSON.stringify(before[key]);
    const changed = (Object.keys(after) as (keyof OwnState)[]).filter(differs);
    if (changed.length === 0) return false;
    const more = { events: after.events.slice(before.events.length), mails: after.mails.slice(before.mails.length) };
    const isWhole =
      JSON.stringify([more.events.sort(), more.mails.sort()]) === JSON.stringify([events, mails]) &&
      JSON.stringify(changed.sort()) === JSON.stringify([...parts, 'events', 'mails'].sort());
    if (!isWhole) throw new Error(`${name} was made in part: ${JSON.stringify({ changed, more, before, after })}`);
    return true;
  }
}

/** Reads the state without events that record a proof, because they are kept in any case. */
async function toState(database: Database, accountId: string): Promise<OwnState> {
  const state = sql<OwnState>`
    select a.username, p.hash,
      (select count(*)::integer from totp_factor f where f.account_id = a.id) as apps,
      (select md5(string_agg(r::text, ' ' order by r::text)) from recovery_code r where r.account_id = a.id) as codes,
      (select count(*)::integer from browser_session b where b.account_id = a.id) as browsers,
      (select count(*)::integer from manage_session m where m.account_id = a.id and m.ended_at is null) as manage,
      coalesce((select array_agg(o.kind order by o.id) from outbox o where o.account_id = a.id), '{}') as mails,
      coalesce((select array_agg(e.kind order by e.seq) from audit_event e where e.account_id = a.id
        and e.kind <> 'password.ok' and e.kind not like 'proof.%'), '{}') as events
    from account a left join password_credential p on p.account_id = a.id where a.id = ${accountId}`;
  // This read must not be interrupted as the change may be.
  const [row] = await database.transaction(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    return (await state.execute(trx)).rows;
  });
  if (!row) throw new Error('The account is gone.');
  return row;
}
