/** People whom a SCIM source has pushed, written straight into the database of a test. */
import type { Account } from '../../src/accounts/account/accounts.js';
import { toScimSource } from '../../src/config/stored-sources.js';
import type { ScimSettings } from '../../src/config/source-settings.js';
import type { TestGateway } from './gateway.js';

export const SCIM_TOKEN = 'scim-token-of-the-tests-0123456789abcdef';

export function buildScimSettings(more: Partial<ScimSettings> = {}): ScimSettings {
  return {
    type: 'scim',
    id: 'entra',
    name: 'Entra ID',
    tokens: [SCIM_TOKEN],
    password: false,
    emailVerified: false,
    attributes: {},
    onDelete: 'delete',
    ...more,
  };
}

/** Makes an account one of a SCIM source. If the account has a password, it keeps the password. */
export async function keepByScim(
  { database }: Pick<TestGateway, 'database'>,
  account: Pick<Account, 'id' | 'username'>,
  { source = 'entra', externalId = null }: { source?: string; externalId?: string | null } = {},
): Promise<void> {
  const now = database.now();
  const stored = toScimSource(source);
  const link = { account_id: account.id, source: stored, subject: account.id, profile: '', connected_at: now, seen_at: now };
  await database.db.insertInto('source_account').values(link).execute();
  await database.db
    .insertInto('scim_user')
    .values({
      account_id: account.id,
      source: stored,
      user_name_key: account.username.toLowerCase(),
      external_id: externalId,
      emails: [],
      active: true,
      disabled_here: false,
      resource: JSON.stringify({ userName: account.username, title: 'Engineer' }),
      version: 1,
      created_at: now,
      modified_at: now,
    })
    .execute();
}

/** Notes a refused request. @returns its id */
export async function noteScimFault({ database }: Pick<TestGateway, 'database'>, more: object = {}): Promise<string> {
  const now = database.now();
  const fault = {
    ...{ source: 'scim:entra', at: now, last_at: now, times: 3, method: 'POST', resource: 'User', code: 'uniqueness' },
    ...{ subject: 'externalId:object-7', field: 'userName', detail: 'userName is taken.', account_id: null },
    ...more,
  };
  return (await database.db.insertInto('scim_fault').values(fault).returning('id').executeTakeFirstOrThrow()).id;
}
