import { beforeEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { OutboxClaims } from '../../../src/accounts/queue/outbox-claims.js';
import { OneTimeSecrets } from '../../../src/accounts/secrets/one-time-secrets.js';
import { Outbox, type Notice } from '../../../src/accounts/queue/outbox.js';
import { testConfig } from '../../support/test-config.js';
import { Keys } from '../../../src/config/keys.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { AccountParts, KEYS, newName } from './account-parts.js';

const LEASE_SECONDS = 180;
const DAY = 86_400;

describeOnSampledDatabases('outbox', (test) => {
  let parts: AccountParts;
  let outbox: Outbox;
  let claims: OutboxClaims;

  beforeEach(async () => {
    await test.database.db.deleteFrom('outbox').execute();
    parts = new AccountParts(test.database);
    outbox = new Outbox(test.database, KEYS, new OneTimeSecrets(test.database, KEYS), testConfig());
    claims = new OutboxClaims(test.database, KEYS, parts.audit, outbox);
  });

  const queue = (notice: Notice): Promise<void> => test.database.transaction((trx) => outbox.queueNotice(notice, trx));

  async function queueNotices(count = 1): Promise<string> {
    const account = await parts.accounts.create({ username: newName(), email: 'maria@example.org', language: 'de' });
    for (let index = 0; index < count; index++) await queue({ kind: 'totp-added', accountId: account.id });
    return account.id;
  }

  const findRows = () => test.database.db.selectFrom('outbox').selectAll().orderBy('id').execute();

  it('[NTC-2] queues a mail only if the change is committed, in the language of the account', async () => {
    const person = await parts.createPerson({ email: 'maria@example.org', language: 'de' });
    const notice = { kind: 'security-key-added', accountId: person.id, values: { name: 'Blauer Schlüssel' } } as const;
    const undone = test.database.transaction(async (trx) => {
      await outbox.queueNotice(notice, trx);
      throw new Error('taken back');
    });
    await expect(undone).rejects.toThrow('taken back');
    expect(await findRows()).toEqual([]);
    await queue(notice);
    const [row] = await findRows();
    expect(row).toMatchObject({ recipient: 'maria@example.org', locale: 'de', tries: 0, sent_at: null });
    expect(row?.payload).not.toContain('Blauer');
    const [mail] = await claims.claim(10);
    expect(mail).toMatchObject({ kind: notice.kind, values: notice.values, username: person.username, tries: 1 });
  });

  it('[NTC-2] uses the language of the requesting page for an account without one, but never for a notice', async () => {
    const { id: accountId } = await parts.createPerson({ email: 'maria@example.org' });
    const auditContext = { actor: 'person', locale: 'fr' } as const;
    const code = { kind: 'proof-code', accountId, values: { code: '123456' } } as const;
    await test.database.transaction((trx) => outbox.queueRequested({ ...code, auditContext }, trx));
    await test.database.transaction((trx) => outbox.queueRequested({ ...code, auditContext: { actor: 'operator' } }, trx));
    await queue({ kind: 'totp-added', accountId, auditContext });
    expect((await findRows()).map(({ locale }) => locale)).toEqual(['fr', 'en', 'en']);
  });

  it('queues nothing for an account without an address, and notifies its listeners only of a queued mail', async () => {
    let calls = 0;
    outbox.onQueued(() => calls++);
    const person = await parts.createPerson();
    await queue({ kind: 'password-changed', accountId: person.id });
    expect([calls, (await findRows()).length]).toEqual([0, 0]);
    await queueNotices();
    expect(calls).toBe(1);
  });

  it('gives each row to one of several workers that ask at the same moment', async () => {
    await queueNotices(12);
    const taken = (await Promise.all([claims.claim(5), claims.claim(5), claims.claim(5), claims.claim(5)])).flat();
    const ids = taken.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = (await claims.claim(20)).map(({ id }) => id);
    expect(new Set([...ids, ...rest]).size).toBe(12);
    expect(await claims.claim(5)).toEqual([]);
  });

  it('[R-13] gives a row out again when its worker has stopped, and not before', async () => {
    await queueNotices();
    const [lost] = await claims.claim(1);
    test.clock.advanceSeconds(LEASE_SECONDS - 60);
    expect(await claims.claim(1)).toEqual([]);
    test.clock.advanceSeconds(65);
    const [again] = await claims.claim(1);
    expect(again).toMatchObject({ id: lost?.id, tries: 2, queuedAt: lost?.queuedAt });
  });

  it('does not let a late worker undo what a later one stored', async () => {
    await queueNotices();
    const [late] = await claims.claim(1);
    test.clock.advanceSeconds(LEASE_SECONDS + 1);
    const [holder] = await claims.claim(1);
    if (!late || !holder) throw new Error('Nothing was claimed.');
    await claims.postpone(late);
    await claims.abandon(late, 'tries');
    expect((await findRows())[0]).toMatchObject({ abandoned_at: null, claimed_until: expect.any(Date) });
    expect(await claims.claim(1)).toEqual([]);
    // A late worker may still report that the mail was sent, because that is true.
    await claims.markSent(late);
    await claims.postpone(holder);
    await claims.abandon(holder, 'tries');
    expect((await findRows())[0]).toMatchObject({ sent_at: expect.any(Date), abandoned_at: null });
    test.clock.advanceSeconds(DAY);
    expect(await claims.claim(1)).toEqual([]);
  });

  it('[R-13] tries again when the worker postpones a mail, and never after it was sent', async () => {
    await queueNotices(2);
    const [first, second] = await claims.claim(2);
    if (!first || !second) throw new Error('Nothing was claimed.');
    await claims.markSent(first);
    await claims.postpone(second);
    test.clock.advanceSeconds(9);
    expect(await claims.claim(2)).toEqual([]);
    test.clock.advanceSeconds(30);
    expect((await claims.claim(2)).map(({ id }) => id)).toEqual([second.id]);
  });

  it('[R-13] abandons a mail once, and records that in the audit log', async () => {
    const accountId = await queueNotices();
    const [mail] = await claims.claim(1);
    if (!mail) throw new Error('Nothing was claimed.');
    await claims.abandon(mail, 'refused');
    await claims.abandon(mail, 'refused');
    test.clock.advanceSeconds(DAY);
    expect(await claims.claim(1)).toEqual([]);
    const { entries } = await parts.audit.list(accountId);
    const abandoned = entries.filter(({ kind }) => kind === 'mail.abandoned');
    expect(abandoned).toMatchObject([{ actor: 'system', detail: { mail: 'totp-added', reason: 'refused', tries: 1 } }]);
    expect(JSON.stringify(abandoned)).not.toContain('example.org');
  });

  it('[R-13] reports a mail that is past its time', async () => {
    await queueNotices(2);
    const [, second] = await findRows();
    const soon = test.clock.now();
    soon.setMinutes(soon.getMinutes() + 30);
    await test.database.db
      .updateTable('outbox')
      .set({ expires_at: soon })
      .where('id', '=', second?.id ?? 0)
      .execute();
    test.clock.advanceSeconds(1700);
    const early = await claims.claim(5);
    expect(early.map(({ expired }) => expired)).toEqual([false, false]);
    test.clock.advanceSeconds(LEASE_SECONDS + 100);
    expect((await claims.claim(5)).map(({ expired }) => expired)).toEqual([false, true]);
  });

  it('gives out a notice without its details when their secret is no longer listed', async () => {
    await queueNotices();
    const keys = new Keys(['another secret of the installation, for tests']);
    const [mail] = await new OutboxClaims(test.database, keys, parts.audit, outbox).claim(1);
    expect(mail).toMatchObject({ kind: 'totp-added', values: {} });
  });

  it('[R-13] gives out codes first, then what people requested, then notices, then what operators send', async () => {
    const { id: accountId } = await parts.createPerson({ email: 'maria@example.org' });
    const requested = ['invitation', 'password-reset', 'proof-code'] as const;
    await test.database.transaction((trx) => outbox.queueRequested({ kind: 'reset-link', accountId, values: {} }, trx));
    await queue({ kind: 'totp-added', accountId });
    for (const kind of requested) {
      await test.database.transaction((trx) => outbox.queueRequested({ kind, accountId, values: {} }, trx));
    }
    // A gateway of the previous version does not write this column.
    await test.database.db
      .updateTable('outbox')
      .set({ urgency: sql`default` })
      .where('kind', '=', 'totp-added')
      .execute();
    test.clock.advanceSeconds(1);
    const oldest = await claims.claimOldest(1);
    const inOrder: string[] = [];
    for (let index = 0; index < 4; index++) inOrder.push(...(await claims.claim(1)).map(({ kind }) => kind));
    expect(oldest.map(({ kind }) => kind)).toEqual(['reset-link']);
    expect(inOrder).toEqual(['proof-code', 'password-reset', 'totp-added', 'invitation']);
  });

  it('deletes mails with their account', async () => {
    const accountId = await queueNotices();
    await test.database.db.deleteFrom('account').where('id', '=', accountId).execute();
    expect(await findRows()).toEqual([]);
  });

  it('removes mails thirty days after they were sent or abandoned, and keeps those that wait', async () => {
    await queueNotices(3);
    const [sent, abandoned] = await claims.claim(2);
    if (!sent || !abandoned) throw new Error('Nothing was claimed.');
    await claims.markSent(sent);
    await claims.abandon(abandoned, 'tries');
    test.clock.advanceSeconds(29 * DAY);
    await parts.cleanup.deleteExpired();
    expect(await findRows()).toHaveLength(3);
    test.clock.advanceSeconds(2 * DAY);
    await parts.cleanup.deleteExpired();
    expect((await findRows()).map(({ sent_at, abandoned_at }) => [sent_at, abandoned_at])).toEqual([[null, null]]);
  });
});
