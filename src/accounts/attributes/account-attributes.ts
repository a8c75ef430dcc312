/**
 * Checks and writes the attributes and groups of accounts. The attributes are one JSON object that satisfies
 * `ACCOUNT_SCHEMA`. The column `groups` contains the groups other than `group_name`, which is always a group of the account too.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { compileSchema, listRequiredAttributes, type AttributeFault } from '../../config/account-schema.js';
import { isObject } from '../../config/settings-kinds.js';
import { CONFIG } from '../../config/config.token.js';
import type { AccountSchema, Config } from '../../config/config.js';
import type { Schema } from '../../database/schema.js';
import { AccountNotFound, AttributeInvalid } from '../account/account.errors.js';
import type { Attributes } from '../account/account.js';
import { MAX_GROUPS, checkName } from '../account/fields.js';
import { findBoundsFault } from './attribute-bounds.js';
import { convertTexts } from './texts-as-attributes.js';

/** Null removes an attribute; an absent attribute stays unchanged. */
export type AttributePatch = Readonly<Record<string, unknown>>;

export interface AttributeValues {
  attributes?: AttributePatch;
  /** Replaces the groups other than `group_name`. */
  groups?: readonly string[];
  /** Only the attributes of the patch have to satisfy the schema. The person who enters them cannot change the others. */
  keepsInvalidOthers?: true;
}

@Injectable()
export class AccountAttributes {
  readonly schema: AccountSchema | undefined;
  readonly #findSchemaFault: (attributes: unknown) => AttributeFault | null;
  #findPartFault: ((attributes: unknown) => AttributeFault | null) | undefined;

  constructor(@Inject(CONFIG) { accounts: { schema } }: Pick<Config, 'accounts'>) {
    this.schema = schema;
    this.#findSchemaFault = compileSchema(schema);
  }

  /** Whether attributes satisfy the schema. Stored attributes may not, if the schema has become stricter. */
  fits(attributes: Attributes): boolean {
    return this.#findSchemaFault(attributes) === null;
  }

  /**
   * Whether a patch would leave the stored attributes unchanged. False if the stored attributes do not satisfy the schema, so
   * that the patch is written and checked again.
   */
  isUnchanged(storedAttributes: Attributes, patch: AttributePatch): boolean {
    return (
      this.fits(storedAttributes) &&
      Object.entries(patch).every(([name, value]) => {
        // Every object has a member such as `constructor`, which is not an attribute.
        const storedValue = Object.hasOwn(storedAttributes, name) ? storedAttributes[name] : null;
        return isSame(storedValue ?? null, value ?? null);
      })
    );
  }

  /** Converts the texts of a source or a form to attributes. */
  fromTexts(values: AttributePatch): AttributePatch {
    return convertTexts(values, this.schema);
  }

  /** @returns the first fault of the attributes; null if there is none */
  findFault(attributes: Attributes): AttributeFault | null {
    return findBoundsFault(attributes) ?? this.#findSchemaFault(attributes);
  }

  /**
   * Compiles a check of attributes and groups in which required attributes may be missing if they are filled in later.
   * @returns a function that returns the columns @throws AttributeInvalid, AccountFieldInvalid
   */
  buildPartialCheck(laterAttributes: readonly string[]): (values: AttributeValues) => { attributes: string; groups: string[] } {
    const required = listRequiredAttributes(this.schema).filter((name) => !laterAttributes.includes(name));
    const findSchemaFault = compileSchema(this.schema && { ...this.schema, required });
    return ({ attributes = {}, groups = [] }) => {
      const presentAttributes = Object.fromEntries(
        Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined),
      );
      const fault = findBoundsFault(presentAttributes) ?? findSchemaFault(presentAttributes);
      if (fault) throw new AttributeInvalid(fault);
      return { attributes: JSON.stringify(presentAttributes), groups: checkGroups(groups) };
    };
  }

  /** @returns the columns of a new account @throws AttributeInvalid, AccountFieldInvalid */
  toNewColumns({ attributes = {}, groups = [] }: AttributeValues): { attributes: string; groups: string[] } {
    return { attributes: JSON.stringify(this.#merge({}, attributes)), groups: checkGroups(groups) };
  }

  /**
   * Writes in the given transaction. The code that calls this method records the change in the audit log. Attributes that the patch
   * does not name stay unchanged. The result as a whole must satisfy the schema, even if the schema has since become stricter, unless
   * `keepsInvalidOthers` is set.
   * @throws AttributeInvalid, AccountFieldInvalid, AccountNotFound
   */
  async write(accountId: string, values: AttributeValues, trx: Transaction<Schema>): Promise<void> {
    const row = await trx.selectFrom('account').select('attributes').where('id', '=', accountId).forUpdate().executeTakeFirst();
    if (!row) throw new AccountNotFound();
    await trx.updateTable('account').set(this.toPatchColumns(row.attributes, values)).where('id', '=', accountId).execute();
  }

  /** @returns the columns that a change writes @throws AttributeInvalid, AccountFieldInvalid */
  toPatchColumns(storedAttributes: Attributes, { attributes, groups, keepsInvalidOthers }: AttributeValues) {
    return {
      ...(attributes === undefined
        ? {}
        : { attributes: JSON.stringify(this.#merge(storedAttributes, attributes, keepsInvalidOthers)) }),
      ...(groups === undefined ? {} : { groups: checkGroups(groups) }),
    };
  }

  #merge(storedAttributes: Attributes, patch: AttributePatch, keepsInvalidOthers = false): Attributes {
    if (!isObject(patch)) throw new AttributeInvalid({ pointer: '', message: 'must be a JSON object' });
    const boundsFault = findBoundsFault(patch);
    if (boundsFault) throw new AttributeInvalid(boundsFault);
    const members = Object.entries({ ...storedAttributes, ...patch }).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    const mergedValues = Object.fromEntries(members);
    const fault = this.findFault(mergedValues);
    const remainingFault = fault && keepsInvalidOthers ? this.#findRemainingFault(fault, mergedValues, patch) : fault;
    if (remainingFault) throw new AttributeInvalid(remainingFault);
    return mergedValues;
  }

  /**
   * @param fault of the merged attributes
   * @returns null if the patch satisfies the schema and the merged attributes stay within the bounds
   */
  #findRemainingFault(fault: AttributeFault, mergedValues: Attributes, patch: AttributePatch): AttributeFault | null {
    const error = new AttributeInvalid(fault);
    if (Object.keys(patch).some((name) => error.isAt(name))) return fault;
    this.#findPartFault ??= compileSchema({ ...this.schema, required: [] });
    return findBoundsFault(mergedValues) ?? this.#findPartFault(patch);
  }
}

/**
 * Checks the type too, because the values come from requests.
 * @returns each group once, in the given order
 * @throws AccountFieldInvalid, AttributeInvalid
 */
function checkGroups(groups: readonly string[]): string[] {
  const value: unknown = groups;
  if (!Array.isArray(value)) throw new AttributeInvalid({ pointer: '', message: 'must be a list of strings' }, 'groups');
  if (groups.length > MAX_GROUPS) {
    throw new AttributeInvalid({ pointer: '', message: `has more than ${MAX_GROUPS} entries` }, 'groups');
  }
  return [...new Set(groups.map((group) => checkName('groups', group)))];
}

/** Ignores the order of members, which jsonb does not preserve. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortMembers(one)) === JSON.stringify(sortMembers(other));
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, member]) => [name, sortMembers(member)]);
}
