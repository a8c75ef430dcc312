/** The state of an account that must stay the same from the request for an operation to its approval. */
import { sql, type RawBuilder, type Selectable, type Transaction } from 'kysely';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import type { OperatorApprovalTable, Schema } from '../../database/schema.js';

/** An operation that waits or is about to wait, and the account that it would change. */
export interface BasisInput {
  operation: string;
  accountId: string | null;
  body: Readonly<Record<string, unknown>>;
}

type ComparedApproval = Pick<Selectable<OperatorApprovalTable>, 'id' | 'account_id' | 'operation' | 'body'>;

/** Whether the account is unchanged since the operation was requested. */
export async function isUnchanged(
  { id, account_id, operation, body }: ComparedApproval,
  trx: Transaction<Schema>,
): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`
    select basis = ${buildBasis({ accountId: account_id ?? '', operation, body })} as same from operator_approval where id = ${id}`.execute(
    trx,
  );
  return rows[0]?.same === true;
}

/** Operations that concern the factors of an account. */
const FACTOR_OPERATIONS: readonly string[] = ['factors.remove', 'resets.factors'];

/** Members of an account to which the setting OPERATORS refers. */
const RULE_MEMBERS = ['group_name', 'groups', 'attributes'] as const;

/** Whether the account may get the right `admin`: by a grant, or by OPERATORS. */
export function mayGiveAdmin({ operation, body }: Pick<BasisInput, 'operation' | 'body'>): boolean {
  return (
    operation === 'operators.grant' || (operation === 'accounts.change' && RULE_MEMBERS.some((name) => body[name] !== undefined))
  );
}

/**
 * SQL of the state that must stay the same: name, address, status, freeze and security stamp; the factors for an operation on factors;
 * password and factors if the account may get the right `admin`, because somebody else could have taken the account over in the meantime.
 */
export function buildBasis({ accountId, operation, body }: BasisInput): RawBuilder<string> {
  const includesFactors = FACTOR_OPERATIONS.includes(operation) || mayGiveAdmin({ operation, body });
  const password = sql`, (select extract(epoch from p.changed_at) from password_credential p where p.account_id = a.id)`;
  const factors = sql`(select jsonb_agg(jsonb_build_array(f.kind, f.count, extract(epoch from f.since)) order by f.kind)
    from account_factor f where f.account_id = a.id)`;
  return sql<string>`(select jsonb_build_array(a.username, a.email, a.email_verified, a.status,
    extract(epoch from a.credentials_frozen_until), ${SECURITY_STAMP}, ${includesFactors ? factors : sql`null`}${mayGiveAdmin({ operation, body }) ? password : sql``})
    from account a where a.id = ${accountId}::uuid)`;
}
