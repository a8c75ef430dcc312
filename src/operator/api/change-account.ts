/** Changes the members of an account. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { toPatchColumns } from '../../accounts/account/columns.js';
import { checkLanguage, checkSecondFactor } from '../../accounts/account/fields.js';
import { Accounts, type AccountPatch } from '../../accounts/account/accounts.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { AccountRights } from '../../accounts/operators/account-rights.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { FactorRegistry } from '../../mfa/registry.js';
import type { AccountAnswer } from '../wire.js';
import type { AccountPatchBody } from './account-bodies.js';
import { toAccountAnswer } from './answers.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';

/** The members that the rules of OPERATORS read. */
type DecidingMembers = Pick<AccountPatchBody, 'group_name' | 'groups' | 'attributes'>;

@Injectable()
export class ChangeAccount {
  constructor(
    private readonly accounts: Accounts,
    private readonly factors: FactorRegistry,
    private readonly rights: AccountRights,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'operator'>,
  ) {}

  /** @throws OperatorFault, AccountFieldInvalid for faults that can be found before the change is made */
  async check(account: Account, body: AccountPatchBody): Promise<void> {
    await this.#requireProvenAddress(account, body);
    const { attributes, groups, ...fields } = toPatch(body, account.username);
    toPatchColumns(fields);
    this.accounts.attributes.toPatchColumns(account.attributes, defined({ attributes, groups }));
  }

  /** @throws OperatorFault, AccountError */
  async run(account: Account, body: AccountPatchBody, auditContext: OperatorContext): Promise<AccountAnswer> {
    await this.check(account, body);
    const { email: _, email_verified: __, ...rest } = body;
    // An address that does not change is not written: nobody has checked or approved it, and the account may have received another address
    // since it was read. Writing the same address would also void the links with which its owner can restore a former address.
    const writtenBody = auditContext.condition || changesAddress(account, body) ? body : rest;
    return toAccountAnswer(await this.accounts.update(account.id, toPatch(writtenBody, account.username), auditContext));
  }

  /** Whether the change would make the account an operator with `admin`, through a group or an attribute (OPERATORS). */
  makesAdmin(account: Account, body: DecidingMembers): boolean {
    const { groupName, groups, attributes } = account;
    const currentMembers = { group_name: groupName ?? null, groups: [...groups], attributes };
    const { group_name, groups: newGroups, attributes: patch } = body;
    const newMembers = {
      ...currentMembers,
      ...defined({ group_name, groups: newGroups }),
      attributes: { ...attributes, ...patch },
    };
    return !this.isAdminBySetting(currentMembers) && this.isAdminBySetting(newMembers);
  }

  /** Compares groups in their stored form. */
  isAdminBySetting(members: DecidingMembers): boolean {
    return this.rights.findBySetting(toRuleFields(members)).includes('admin');
  }

  /** @throws OperatorFault for a new account that would have the right `admin`, if that requires an approval */
  requireNoNewAdmin(members: DecidingMembers): void {
    if (!this.rights.requiresApproval(toRuleFields(members))) return;
    const message =
      'A second operator has to approve an account with the right admin (OPERATORS): create it without this group or attribute, then change it.';
    throw new OperatorFault(409, 'approval_required', message);
  }

  /**
   * To apps, an account that is deleted and imported again, with another password and without factors, is still the same account. So an
   * operator who deletes and imports an account would bypass the second operator and the check of who is calling.
   * @returns those of `ids` that belonged to deleted accounts and must not be imported; none if both OPERATOR_APPROVAL and SUPPORT_CHECK
   * are off
   */
  async findDeletedIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { approval, supportCheck } = this.config.operator;
    return (approval === 'off' && !supportCheck) || ids.length === 0 ? new Set() : this.audit.findDeletedSubjects(ids);
  }

  /** Codes by e-mail are a second factor, so a new address must be known to belong to the owner of the account. */
  async #requireProvenAddress({ id, email: currentEmail }: Account, { email, email_verified }: AccountPatchBody): Promise<void> {
    if (email_verified !== undefined && typeof email !== 'string') {
      throw new OperatorFault(422, 'missing', 'email_verified requires email in the same call.', { field: 'email' });
    }
    if (typeof email !== 'string' || email === currentEmail || email_verified === true) return;
    const factors = await this.factors.describe(id);
    if (!factors.some(({ kind: { name } }) => this.factors.find(name)?.kind.byMail)) return;
    const message =
      'Codes by e-mail are a second factor of this account: set email_verified if the new address is known to belong to the person, or hand out a factor reset first.';
    throw new OperatorFault(409, 'email_is_factor', message, { field: 'email' });
  }
}

/** Whether the change affects the address; another spelling is another address. */
export function changesAddress(
  { email: currentEmail, emailVerified }: Account,
  { email, email_verified }: AccountPatchBody,
): boolean {
  if (email === undefined) return false;
  return email !== (currentEmail ?? null) || (email_verified ?? emailVerified) !== emailVerified;
}

/** The form in which `checkName` stores a group. */
const toStored = (group: string): string => group.trim().normalize('NFC');

function toRuleFields({ group_name, groups, attributes }: DecidingMembers) {
  return {
    group_name: group_name === undefined || group_name === null ? null : toStored(group_name),
    groups: (groups ?? []).map(toStored),
    attributes: attributes ?? {},
    of_scim: false,
  };
}

/** @param username the default of the display name */
function toPatch(body: AccountPatchBody, username: string): AccountPatch {
  const { display_name, email, email_verified, language, group_name, groups, attributes, picture, second_factor } = body;
  return {
    ...(display_name === undefined ? {} : { displayName: display_name ?? username }),
    ...defined({ email }),
    ...defined({ emailVerified: email_verified }),
    ...(language === undefined ? {} : { language: language === null ? null : checkLanguage(language) }),
    ...defined({ groupName: group_name }),
    ...defined({ groups }),
    ...defined({ attributes }),
    ...defined({ picture }),
    ...(second_factor === undefined ? {} : { secondFactor: second_factor === null ? null : checkSecondFactor(second_factor) }),
  };
}
