/** The deletion of accounts at the end of the wait: it happens once, by the time of the database, whatever else changes the account at that moment. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { pino } from 'pino';
import { AccountDeletions } from '../../../src/accounts/changes/account-deletions.js';
import type { Account } from '../../../src/accounts/account/account.js';
import { CredentialsFrozen } from '../../../src/accounts/account/credential-freeze.js';
import { AccountDisabled, AccountNotFound } from '../../../src/accounts/account/account.errors.js';
import { DeleteAccount } from '../../../src/accounts/changes/delete-account.js';
import { DueDeletions } from '../../../src/accounts/due-deletions.js';
import { OneTimeSecrets } from '../../../src/accounts/secrets/one-time-secrets.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { OWN_CHANGE } from '../../support/proven-session.js';
import { testConfig } from '../../support/test-config.js';
import { AccountParts, KEYS, newName } from './account-parts.js';

const PERSON = { actor: 'person', address: '192.0.2.7', requestId: 'request' } as const;
const OPERATOR = { actor: 'operator' } as const;
const LOG = pino({ level: 'silent' });
const DAY_SECONDS = 24 * 3600;
const WEEK_SECONDS = 7 * DAY_SECONDS;

describeOnSampledDatabases('accounts that are to be deleted', (test) => {
  let parts: AccountParts;
  let deletions: AccountDeletions;
  let due: DueDeletions;

  beforeEach(async () => {
    const { database } = test;
    parts = new AccountParts(database);
    const { audit, outbox, attempts } = parts;
    deletions = new AccountDeletions(database, new OneTimeSecrets(database, KEYS), audit, outbox, testConfig());
    due = new DueDeletions(database, new DeleteAccount(database, attempts, audit, outbox, testConfig()), LOG);
    await database.db.deleteFrom('account_deletion').execute();
  });

  const createPerson = () => parts.accounts.create({ username: newName(), email: `${newName()}@example.org` });
  const changeEmail = (id: string) =>
    parts.accounts.transact((trx) =>
      parts.accounts.updateWithin(trx, { id, patch: { email: `${newName()}@example.org` }, isOwn: true, auditContext: PERSON }),
    );
  const exists = async ({ id }: Account) => (await parts.accounts.find(id)) !== null;
  const findKinds = async ({ id }: Account) => (await parts.audit.list(id)).entries.map(({ kind }) => kind);
  async function findMails({ email }: Account): Promise<{ kind: string; account_id: string | null }[]> {
    const mails = test.database.db
      .selectFrom('outbox')
      .select(['kind', 'account_id'])
      .where('recipient', '=', email ?? '');
    return mails.orderBy('id').execute();
  }

  describe('the wait before a deletion', () => {
    it('[DEL-1] begins once for a person, and again when an operator asks for it', async () => {
      const account = await createPerson();
      const first = await deletions.request(account.id, { ...OWN_CHANGE, ...PERSON });
      test.clock.advanceSeconds(DAY_SECONDS);
      expect(await deletions.request(account.id, { ...OWN_CHANGE, ...PERSON })).toEqual(first);
      const later = await deletions.schedule(account.id, OPERATOR, 30);
      expect(later.getTime() - first.getTime()).toBeGreaterThan(20 * DAY_SECONDS * 1000);
      expect(await deletions.find(account.id)).toEqual(later);
      expect((await findMails(account)).map(({ kind }) => kind)).toEqual(['deletion-requested', 'deletion-requested']);
    });

    it('[DEL-1] is refused to a person whose account is disabled, frozen or deleted', async () => {
      const account = await createPerson();
      await freeze(account, 3600);
      await expect(deletions.request(account.id, { ...OWN_CHANGE, ...PERSON })).rejects.toThrow(CredentialsFrozen);
      await parts.accounts.setStatus(account.id, 'disabled');
      await expect(deletions.request(account.id, { ...OWN_CHANGE, ...PERSON })).rejects.toThrow(AccountDisabled);
      const nobody = '00000000-0000-4000-8000-000000000000';
      await expect(deletions.schedule(nobody, OPERATOR)).rejects.toThrow(AccountNotFound);
      expect(await deletions.cancel(nobody, OPERATOR, 'operator')).toBe(false);
      expect(await findKinds(account)).not.toContain('deletion.requested');
    });
  });

  describe('an account whose deletion is due', () => {
    it('[DEL-3] is deleted once by two gateways at the same time, and its last mail remains', async () => {
      const accounts = await Promise.all(Array.from({ length: 12 }, createPerson));
      for (const { id } of accounts) await deletions.request(id, { ...OWN_CHANGE, ...PERSON });
      test.clock.advanceSeconds(WEEK_SECONDS + 60);
      const [one, other] = await Promise.all([due.run(), due.run()]);
      expect(one + other).toBe(accounts.length);
      for (const account of accounts) {
        expect(await exists(account)).toBe(false);
        expect((await findKinds(account)).filter((kind) => kind === 'account.deleted')).toHaveLength(1);
        // Mails that had not been sent are deleted with the account.
        expect(await findMails(account)).toEqual([{ kind: 'account-deleted', account_id: null }]);
      }
    });

    it('[DEL-3] is found by the time of the database; a disabled account is deleted at once, a frozen one when the freeze is over', async () => {
      const [early, disabled, frozen] = await Promise.all([createPerson(), createPerson(), createPerson()]);
      await deletions.schedule(disabled.id, OPERATOR);
      await deletions.schedule(frozen.id, OPERATOR);
      await deletions.schedule(early.id, OPERATOR, 8);
      await parts.accounts.setStatus(disabled.id, 'disabled');
      await freeze(frozen, WEEK_SECONDS + 7200);
      test.clock.advanceSeconds(WEEK_SECONDS + 3600);
      expect(await due.run()).toBe(1);
      expect([await exists(early), await exists(disabled), await exists(frozen)]).toEqual([true, false, true]);
      test.clock.advanceSeconds(7200);
      expect(await due.run()).toBe(1);
      expect([await exists(early), await exists(frozen)]).toEqual([true, false]);
    });

    it('[DEL-3] [EML-3] waits while a link can bring a former address back, unless an operator asked for the deletion', async () => {
      const [asked, scheduled] = await Promise.all([createPerson(), createPerson()]);
      test.clock.advanceSeconds(1);
      await deletions.request(asked.id, { ...OWN_CHANGE, ...PERSON });
      await deletions.schedule(scheduled.id, OPERATOR);
      test.clock.advanceSeconds(DAY_SECONDS);
      for (const { id } of [asked, scheduled]) await changeEmail(id);
      test.clock.advanceSeconds(WEEK_SECONDS - 3600);
      expect(await due.run()).toBe(1);
      expect([await exists(asked), await exists(scheduled)]).toEqual([true, false]);
      test.clock.advanceSeconds(7200);
      expect(await due.run()).toBe(1);
      expect(await exists(asked)).toBe(false);
    });

    it('[DEL-2] [DEL-3] is either kept or deleted when the deletion is cancelled at the same moment', async () => {
      for (let round = 0; round < 8; round++) {
        const account = await createPerson();
        await deletions.request(account.id, { ...OWN_CHANGE, ...PERSON });
        test.clock.advanceSeconds(WEEK_SECONDS + 60);
        const [deleted, kept] = await Promise.all([due.run(), deletions.cancel(account.id, PERSON, 'area')]);
        expect(deleted).toBe(kept ? 0 : 1);
        expect(await exists(account)).toBe(kept);
        const kinds = await findKinds(account);
        expect([kinds.includes('deletion.cancelled'), kinds.includes('account.deleted')]).toEqual([kept, !kept]);
      }
    });

    it('[DEL-2] [DEL-3] is kept if the deletion is cancelled or postponed after the account was found', async () => {
      for (const change of [
        (id: string) => deletions.cancel(id, PERSON, 'area'),
        (id: string) => deletions.schedule(id, OPERATOR, 3),
      ]) {
        const account = await createPerson();
        await deletions.request(account.id, { ...OWN_CHANGE, ...PERSON });
        test.clock.advanceSeconds(WEEK_SECONDS + 60);
        await change(account.id);
        const deleting = new DeleteAccount(test.database, parts.attempts, parts.audit, parts.outbox, testConfig());
        expect(await deleting.deleteDue(account.id)).toBe(false);
        expect(await exists(account)).toBe(true);
        await deletions.cancel(account.id, PERSON, 'area');
      }
    });

    it('[DEL-3] does not keep other accounts from being deleted when its own deletion fails', async () => {
      const [stuck, other] = [await createPerson(), await createPerson()];
      for (const { id } of [stuck, other]) await deletions.request(id, { ...OWN_CHANGE, ...PERSON });
      test.clock.advanceSeconds(WEEK_SECONDS + 60);
      const deleting = new DeleteAccount(test.database, parts.attempts, parts.audit, parts.outbox, testConfig());
      const deleteDue = deleting.deleteDue.bind(deleting);
      deleting.deleteDue = (id) => (id === stuck.id ? Promise.reject(new Error('stuck')) : deleteDue(id));
      expect(await new DueDeletions(test.database, deleting, LOG).run()).toBe(1);
      expect([await exists(stuck), await exists(other)]).toEqual([true, false]);
    });
  });

  async function freeze({ id }: Account, seconds: number): Promise<void> {
    const until = sql<Date>`${test.database.now()} + make_interval(secs => ${seconds})`;
    await test.database.db.updateTable('account').set({ credentials_frozen_until: until }).where('id', '=', id).execute();
  }
});
