/**
 * Changes by RPC calls of the account area, at most one for each token. A call that is sent again because its answer was lost gets the
 * same answer, and parallel calls with one token have one effect. This lasts as long as a used token is accepted again.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { fingerprint, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';

export interface RpcChange {
  bearer: string;
  /** Method, path and body. */
  request: string;
}

export type ClaimedRpcChange = { state: 'new' | 'running' | 'other' } | { state: 'answered'; answer: object };

/** Longer than the time for which a used token is accepted again. */
const LIFETIME = sql.raw(`interval '1 minute'`);

/** The update changes nothing; it makes PostgreSQL return the existing row. `xmax` is 0 for a new row. */
const CLAIM = new Statement<Record<'token' | 'request', string>, { inserted: boolean; same: boolean; answer: string | null }>(
  'rpc-change.claim',
  ({ param, now }) => sql`
    insert into rpc_change as c (token_hash, request_hash, expires_at)
    values (${param('token')}, ${param('request')}, ${now} + ${LIFETIME})
    on conflict (token_hash) do update set token_hash = c.token_hash
    returning c.xmax = 0 as inserted, c.request_hash = ${param('request')} as same, c.answer`,
);

const STORE = new Statement<Record<'token' | 'answer', string>, never>(
  'rpc-change.store',
  ({ param }) => sql`update rpc_change set answer = ${param('answer')} where token_hash = ${param('token')}`,
);

const FORGET = new Statement<{ token: string }, never>(
  'rpc-change.forget',
  ({ param }) => sql`delete from rpc_change where token_hash = ${param('token')}`,
);

@Injectable()
export class RpcChanges {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
  ) {}

  /** The first call gets the state `new` and must call `store` when it ends. */
  async claim({ bearer, request }: RpcChange): Promise<ClaimedRpcChange> {
    const [row] = await this.database.run(CLAIM, { token: fingerprint(bearer), request: fingerprint(request) });
    if (!row || row.inserted) return { state: 'new' };
    if (!row.same) return { state: 'other' };
    const answer = row.answer === null ? null : this.keys.open('rpc-answer', row.answer);
    return answer === null ? { state: 'running' } : { state: 'answered', answer: JSON.parse(answer) as object };
  }

  /** @param answer null if the change failed and may be tried again */
  async store({ bearer }: RpcChange, answer: object | null): Promise<void> {
    const token = fingerprint(bearer);
    if (answer === null) await this.database.run(FORGET, { token });
    else await this.database.run(STORE, { token, answer: this.keys.seal('rpc-answer', JSON.stringify(answer)) });
  }
}
