/**
 * Decides which accounts are operators, and with which rights: by a grant that has not ended (`operator-grants.ts`), or by a group or
 * an attribute (the setting OPERATORS), unless a SCIM source writes these. The rights are read again for every call of the console, so
 * that a change takes effect immediately. Also finds the rights of tokens.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import { OPERATOR_RIGHTS, type Config, type OperatorRights, type OperatorRule } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { AccountRow, Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { isAccountId } from '../account/account.js';

/** The fields to which the setting OPERATORS refers. */
interface RuleFields extends Pick<AccountRow, 'group_name' | 'groups' | 'attributes'> {
  /** Whether a SCIM source writes the groups and attributes. A directory in the cloud must not make anybody an operator. */
  of_scim: boolean;
}

/** The fields of an account that decide about its rights. */
export interface RightsFields extends RuleFields {
  status: AccountRow['status'];
  /** Rights by grants that have not ended. */
  granted_rights: string[];
}

/** SQL of the fields. @param table alias of the table `account` in the statement */
export function rightsFields(table: string, now: RawBuilder<Date>): RawBuilder<RightsFields> {
  const columns = ['status', 'group_name', 'groups', 'attributes'].map((column) => sql.ref(`${table}.${column}`));
  return sql<RightsFields>`${sql.join(columns)}, ${isScimAccount(table)} as of_scim,
    ${selectGrantedRightsSql(table, now)} as granted_rights`;
}

/** SQL condition: a SCIM source writes an account. @param table alias of the table `account` in the statement */
export function isScimAccount(table: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from source_account link where link.account_id = ${sql.ref(`${table}.id`)} and link.source like 'scim:%')`;
}

/** SQL of the rights by grants that have not ended. @param table alias of the table `account` in the statement */
export function selectGrantedRightsSql(table: string, now: RawBuilder<Date>): RawBuilder<string[]> {
  return sql<string[]>`array(
    select g.right_name from operator_grant g where g.account_id = ${sql.ref(`${table}.id`)} and ${isInForce('g', now)})`;
}

/** SQL condition: a grant has not ended. @param table alias of the table `operator_grant` in the statement */
export function isInForce(table: string, now: RawBuilder<Date>): RawBuilder<boolean> {
  const endsAt = sql.ref(`${table}.ends_at`);
  return sql<boolean>`(${endsAt} is null or ${endsAt} > ${now})`;
}

const FIND = new Statement<{ account: string }, RightsFields>(
  'account-rights.find',
  ({ param, now }) => sql`select ${rightsFields('a', now)} from account a where a.id = ${param('account')}::uuid`,
);

@Injectable()
export class AccountRights {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'operator'>,
  ) {}

  /** @returns the rights that the operator has now; none if the account is unknown or disabled */
  async findRights(accountId: string, trx?: Transaction<Schema>): Promise<readonly OperatorRights[]> {
    const fields = await this.#find(accountId, trx);
    return fields?.status === 'active' ? this.toRights(fields) : [];
  }

  /** Disabled accounts count too, because an operator may enable them again. */
  async isOperator(accountId: string, trx?: Transaction<Schema>): Promise<boolean> {
    const fields = await this.#find(accountId, trx);
    return fields !== undefined && this.toRights(fields).length > 0;
  }

  /** Only `admin` changes the account of an operator: otherwise `support` could disable the accounts of operators who would stop it. */
  async mayChange(accountId: string, rights: readonly OperatorRights[]): Promise<boolean> {
    return rights.includes('admin') || (rights.includes('support') && !(await this.isOperator(accountId)));
  }

  /** For statements that read `rightsFields` together with other columns. Does not check the status. */
  toRights(fields: RightsFields): readonly OperatorRights[] {
    const settingRights = this.findBySetting(fields);
    return OPERATOR_RIGHTS.filter((right) => fields.granted_rights.includes(right) || settingRights.includes(right));
  }

  /** @returns the rights by group or attribute */
  findBySetting(fields: RuleFields): readonly OperatorRights[] {
    if (fields.of_scim) return [];
    const matchingRules = this.config.operator.rules.filter((rule) => applies(rule, fields));
    return OPERATOR_RIGHTS.filter((right) => matchingRules.some((rule) => rule.right === right));
  }

  /**
   * Whether a second operator has to approve an account with these fields, because OPERATORS gives it the right `admin`. A new account
   * cannot wait for that, because its password must not be stored.
   */
  requiresApproval(fields: RuleFields): boolean {
    const { approval, supportCheck } = this.config.operator;
    return (approval !== 'off' || supportCheck) && this.findBySetting(fields).includes('admin');
  }

  /** Whether the account would have rights by OPERATORS if no SCIM source wrote its groups and attributes. */
  async hasRuleWithoutSource(accountId: string): Promise<boolean> {
    const fields = await this.#find(accountId);
    return fields?.of_scim === true && this.findBySetting({ ...fields, of_scim: false }).length > 0;
  }

  async #find(accountId: string, trx?: Transaction<Schema>): Promise<RightsFields | undefined> {
    if (!isAccountId(accountId)) return undefined;
    return (await this.database.run(FIND, { account: accountId }, trx))[0];
  }
}

function applies(rule: OperatorRule, { group_name, groups, attributes }: RuleFields): boolean {
  if ('group' in rule) return group_name === rule.group || groups.includes(rule.group);
  // The name comes from a setting: without this check, `constructor` would be found.
  const value = Object.hasOwn(attributes, rule.attribute) ? attributes[rule.attribute] : undefined;
  return Array.isArray(value) ? value.includes(rule.value) : value === rule.value;
}

/** @param actor as `toActorText` writes it: `operator` for the token without a name @returns its rights; none if there is no such token */
export function findTokenRights({ token, tokens }: Config['operator'], actor: string): readonly OperatorRights[] {
  if (actor === 'operator') return token === undefined ? [] : ['admin'];
  return tokens.filter(({ name }) => actor === `operator:${name}`).map(({ rights }) => rights);
}
