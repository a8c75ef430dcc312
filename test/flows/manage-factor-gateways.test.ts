/**
 * Two gateways of one installation: what one of them accepts after a first factor was set up at the other (S-78b), and what
 * happens to a change in progress while its session loses its rights at the other (S-78d).
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql, type Transaction, type Updateable } from 'kysely';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { forgetFactorProofs } from '../../src/accounts/sessions/manage-sessions.js';
import type { Schema } from '../../src/database/schema.js';
import { Factors } from '../../src/mfa/factors.js';
import { whyNoServer } from '../support/databases.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson } from '../support/manage.js';
import { NotMeStory } from '../support/not-me.js';
import { EmailStory } from '../support/own-email.js';
import { RpcClient, type RpcAnswer } from '../support/rpc-client.js';
import { waitUntil } from '../support/upstream-waiting.js';
import { TotpApp } from '../../test-kit/totp-app.js';

const NEW_PASSWORD = 'silber ahorn 7733';

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED ON POSTGRESQL: a first factor at two gateways: ${reason}\n`);

(reason === null ? describe : describe.skip)('a first factor, at two gateways', () => {
  let gateways: [TestGateway, TestGateway];

  beforeAll(async () => {
    const first = await startTestGateway({ kind: 'postgresql' });
    gateways = [first, await startTestGateway({ beside: first.database, hydra: first.hydra })];
  }, 180_000);

  afterAll(async () => {
    for (const gateway of gateways) await gateway.close();
  });

  it('[S-78b] makes the password useless as a proof in the sessions at the other one', async () => {
    const [first, second] = gateways;
    const account = await newPerson(first);
    const older = new RpcClient(second.url, (await (await ManageUser.enter(first, { account, fresh: true })).rpc()).token);
    expect((await older.post('/proof/password', { password: PASSWORD })).status).toBe(200);
    const owner = await (await ManageUser.enter(first, { account, fresh: true })).rpc();
    const app = new TotpApp(String((await owner.post('/mfa-init-totp')).body['secret']), first.clock);
    expect((await owner.post('/mfa-verify-totp', { code: app.code() })).status).toBe(200);
    const refused = { status: 403, body: { error: 'proof required', methods: ['totp'] } };
    expect(await older.delete('/mfa/totp')).toMatchObject(refused);
    expect(await older.post('/proof/password', { password: PASSWORD })).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    });
    const changed = { password: PASSWORD, newPassword: NEW_PASSWORD, newPasswordRepeat: NEW_PASSWORD };
    expect(await older.put('/password', changed)).toMatchObject(refused);
    expect(await older.delete('/mfa/totp')).toMatchObject(refused);
  });

  /** Creates a person with an authenticator app, which this session has proven. */
  async function holder() {
    const [first] = gateways;
    const account = await newPerson(first);
    const calls = await (await ManageUser.enter(first, { account, fresh: true })).rpc();
    const app = new TotpApp(String((await calls.post('/mfa-init-totp')).body['secret']), first.clock);
    expect((await calls.post('/mfa-verify-totp', { code: app.code() })).status).toBe(200);
    return { account, calls, codes: await toCodes(account) };
  }

  const toCodes = ({ id }: Account) =>
    gateways[0].database.db.selectFrom('recovery_code').selectAll().where('account_id', '=', id).orderBy('code_hash').execute();

  type Change = (trx: Transaction<Schema>) => Promise<unknown>;

  /** Admits the call, which waits for the account; meanwhile `change` is made at the other gateway. */
  async function callDuringChange({ id }: Account, begin: () => Promise<RpcAnswer>, change: Change) {
    const [first, second] = gateways;
    const begun = await second.database.transaction(async (trx) => {
      await trx.selectFrom('account').select('id').where('id', '=', id).forUpdate().execute();
      const answer = begin();
      await waitUntil(60_000, async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(first.database.db);
        return rows.length > 0;
      });
      await change(trx);
      return { answer };
    });
    return begun.answer;
  }

  const findSessions = ({ id }: Account, values: Updateable<Schema['manage_session']>): Change => {
    return (trx) => trx.updateTable('manage_session').set(values).where('account_id', '=', id).execute();
  };

  const UNPROVEN = { proven_at: null, factor_proven_at: null };
  const ENDED = { ended_at: new Date() };

  it.each([
    ['removal of a factor', 'proof required', UNPROVEN, (calls: RpcClient) => calls.delete('/mfa/totp')],
    ['removal of a factor', 'unauthorized', ENDED, (calls: RpcClient) => calls.delete('/mfa/totp')],
    ['set of recovery codes', 'proof required', UNPROVEN, (calls: RpcClient) => calls.post('/mfa-recovery-codes')],
    ['set of recovery codes', 'unauthorized', ENDED, (calls: RpcClient) => calls.post('/mfa-recovery-codes')],
  ])('[S-78d] refuses the %s in progress: %s', async (_, error, change, begin) => {
    const { account, calls, codes } = await holder();
    expect((await callDuringChange(account, () => begin(calls), findSessions(account, change))).body).toMatchObject({ error });
    expect(await toCodes(account)).toEqual(codes);
    expect(await gateways[0].get(Factors).readCounts(account.id)).toMatchObject({ totp: 1 });
  });

  /** What the changes below change, and what they send. */
  const readOwnState = async ({ id }: Account) => {
    const { rows } = await sql`
      select a.username, a.email, a.email_verified, p.hash, d.due_at,
        array(select o.kind from outbox o where o.account_id = a.id order by o.id) as mails,
        array(select s.secret_hash from one_time_secret s where s.account_id = a.id order by s.secret_hash) as secrets
      from account a join password_credential p on p.account_id = a.id left join account_deletion d on d.account_id = a.id
      where a.id = ${id}`.execute(gateways[0].database.db);
    return rows[0];
  };

  const findEndedSessions = (account: Account) => findSessions(account, ENDED);

  const factorSetUp = ({ id }: Account): Change => {
    const app = { account_id: id, secret: 'sealed', last_step: 0, created_at: new Date(), last_used_at: null };
    return async (trx) => {
      await trx.insertInto('totp_factor').values(app).execute();
      await forgetFactorProofs(id, trx);
    };
  };

  const TYPED = { password: PASSWORD, newPassword: NEW_PASSWORD, newPasswordRepeat: NEW_PASSWORD };

  const OWN_CHANGES: readonly (readonly [string, (calls: RpcClient, code: string) => Promise<RpcAnswer>])[] = [
    ['new username', (calls) => calls.put('/username', { username: 'another.name' })],
    ['request of a new address', (calls) => calls.post('/email/init', { email: 'third@example.org' })],
    ['new address', (calls, code) => calls.post('/email/verify', { code })],
    ['deletion', (calls) => calls.post('/deletion')],
    ['copy of the data', (calls) => calls.get('/data')],
    ['new password', (calls) => calls.put('/password', TYPED)],
  ];

  describe.each(OWN_CHANGES)('the %s in progress', (_, begin) => {
    it.each([
      ['unauthorized', 'all sessions are ended', findEndedSessions],
      ['proof required', 'a first factor is set up', factorSetUp],
    ])('[S-78d] is refused as %s after %s', async (error, __, change) => {
      const [first] = gateways;
      const email = new EmailStory(first);
      const { account, user } = await email.createPerson();
      const calls = await user.rpc();
      const address = email.address();
      expect((await calls.post('/email/init', { email: address })).status).toBe(200);
      const code = await email.findCode(address);
      const before = await readOwnState(account);
      expect((await callDuringChange(account, () => begin(calls, code), change(account))).body).toMatchObject({ error });
      expect(await readOwnState(account)).toEqual(before);
    });
  });

  it('[S-78b] [S-78d] refuses a further factor in progress in a session that has not proven the first one', async () => {
    const [first] = gateways;
    const account = await newPerson(first);
    const calls = await (await ManageUser.enter(first, { account, fresh: true })).rpc();
    const app = new TotpApp(String((await calls.post('/mfa-init-totp')).body['secret']), first.clock);
    const confirm = () => calls.post('/mfa-verify-totp', { code: app.code() });
    expect((await callDuringChange(account, confirm, findSessions(account, UNPROVEN))).body).toMatchObject({
      error: 'proof required',
    });
    expect(await first.get(Factors).readCounts(account.id)).not.toHaveProperty('totp');
  });

  it('[S-78b] does not accept a mailed code as a proof if a first factor was set up while the code was checked', async () => {
    const [first] = gateways;
    const mailbox = { email: 'reader@example.org', emailVerified: true };
    const account = await first.get(Accounts).create({ username: `mail.reader.${gateways.length}`, ...mailbox });
    const calls = await (await ManageUser.enter(first, { account })).rpc();
    expect((await calls.post('/proof/init-mail')).status).toBe(200);
    const mails = await new NotMeStory(first).listMails(account);
    const code = mails.find(({ kind }) => kind === 'proof-code')?.values['code'];
    const verify = () => calls.post('/proof/verify-mail', { code });
    expect((await callDuringChange(account, verify, factorSetUp(account))).body).toMatchObject({
      error: 'invalid verification code',
    });
    expect(await calls.delete('/mfa/totp')).toMatchObject({ status: 403, body: { error: 'proof required', methods: ['totp'] } });
  });

  it('[S-78b] drops the proof by mail of other sessions when the first factor is set up', async () => {
    const [first] = gateways;
    const account = await newPerson(first);
    const older = await (await ManageUser.enter(first, { account, fresh: true })).rpc();
    // A transaction that began earlier sets up the factor with its earlier time.
    await findSessions(account, { factor_proven_at: new Date(Date.now() + 3_600_000) })(first.database.db as Transaction<Schema>);
    const owner = await (await ManageUser.enter(first, { account, fresh: true })).rpc();
    const app = new TotpApp(String((await owner.post('/mfa-init-totp')).body['secret']), first.clock);
    expect((await owner.post('/mfa-verify-totp', { code: app.code() })).status).toBe(200);
    expect(await older.delete('/mfa/totp')).toMatchObject({ status: 403, body: { error: 'proof required', methods: ['totp'] } });
  });
});
