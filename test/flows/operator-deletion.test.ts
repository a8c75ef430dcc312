/** The deletion of an account: nothing of it remains here and at Hydra except the audit log. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { Outbox } from '../../src/accounts/queue/outbox.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { RevocationRunner } from '../../src/hydra/revocation-runner.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { SecondStepStory, call, stepAddress } from '../support/second-step.js';
import { signInBrowser } from '../support/signed-in-browser.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, importer, operatorSteps } from '../support/operator-story.js';

const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const NAMELESS = ['audit_event', 'revocation_job'];

let gateway: TestGateway;
let operator: TestOperator;
const { createAccount, findKinds, beginSession } = operatorSteps(() => operator);
const { importLines } = importer(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  gateway = await startTestGateway();
  operator = await startTestOperator({ database: gateway.database });
});

afterAll(async () => {
  await operator.close();
  await gateway.close();
});

/** @returns the tables that have a row of the account */
async function tablesWith(id: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.column_name = 'account_id' and t.table_type = 'BASE TABLE' and c.table_schema = current_schema()`.execute(
    operator.database.db,
  );
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const selected = await sql`select from ${sql.table(name)} where account_id = ${id}`.execute(operator.database.db);
      return selected.rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat().filter((name) => !NAMELESS.includes(name));
}

async function wholeAccount(username: string): Promise<string> {
  const line = { username, email: 'whole@example.org', password: 'kupfer linde 4821', totp_secret: SEED };
  const [made] = await importLines([line]);
  const id = String(made?.['id']);
  await beginSession(id, `upstream of ${username}`);
  await operator.call('POST', `/accounts/${id}/password-reset-mail`);
  await operator.call('POST', `/accounts/${id}/factor-reset`);
  const outbox = gateway.get(Outbox);
  await operator.database.transaction((trx) => outbox.queueNotice({ kind: 'password-changed', accountId: id }, trx));
  expect(await operator.services.signIn.prove({ ...ATTEMPT, username, password: 'wrong' })).toMatchObject({ kind: 'refused' });
  return id;
}

const ATTEMPT = { address: '192.0.2.7', device: null, requestId: 'request' };

describe('DELETE /accounts/{id}', () => {
  it('leaves only the events, and ends everything at Hydra', async () => {
    const id = await wholeAccount('gone.person');
    const tables = await tablesWith(id);
    for (const table of ['password_credential', 'totp_factor', 'browser_session', 'one_time_secret', 'outbox'])
      expect(tables).toContain(table);
    const { status, json } = await operator.call('DELETE', `/accounts/${id}`);
    expect([status, json]).toEqual([200, { id, ended: 1, upstream: 'ended' }]);
    expect(await tablesWith(id)).toEqual([]);
    expectError(await operator.call('GET', `/accounts/${id}`), 404, 'account_not_found');
    expectError(await operator.call('DELETE', `/accounts/${id}`), 404, 'account_not_found');
    const calls = operator.hydra.calls.map(({ call }) => call);
    for (const call of ['endLoginSession', 'endLoginSessions', 'revokeConsents']) expect(calls).toContain(call);
    const entries = (await operator.call('GET', `/audit?account=${id}`)).json['entries'] as { kind: string }[];
    expect(entries.map(({ kind }) => kind).slice(0, 2)).toEqual(['upstream-sessions.ended', 'account.deleted']);
    expect(entries.map(({ kind }) => kind)).toContain('factor-reset.issued');
    expect(JSON.stringify(entries)).not.toMatch(/gone\.person|whole@example/);
    expect(
      await operator.services.signIn.prove({ ...ATTEMPT, username: 'gone.person', password: 'kupfer linde 4821' }),
    ).toMatchObject({
      kind: 'refused',
    });
  });

  it('is completed later if Hydra does not answer', async () => {
    const { id } = await createAccount();
    await beginSession(id, 'upstream that is silent');
    operator.hydra.fail();
    expect((await operator.call('DELETE', `/accounts/${id}`)).json).toMatchObject({ ended: 1, upstream: 'unavailable' });
    operator.hydra.fail(null);
    gateway.clock.advanceSeconds(3600);
    await gateway.get(RevocationRunner).run();
    expect(gateway.hydra.calls).toContainEqual({ call: 'revokeConsents', subject: id });
  });

  it('[VAL-5] holds the names for their time, and allows a new account with the same id afterwards', async () => {
    const { id, username } = await createAccount();
    await operator.call('DELETE', `/accounts/${id}`);
    const refused = await operator.call('POST', '/accounts', { username });
    expectError(refused, 409, 'username_taken');
    expect(refused.json['message']).toBe('This username is reserved for its former owner.');
    const [again] = await importLines([{ username: `${username}.again`, id }]);
    expect(again).toMatchObject({ result: 'created', id });
    expect((await findKinds(id)).at(-1)).toBe('account.created');
  });

  it('succeeds for one of two calls at the same moment', async () => {
    const { id } = await createAccount();
    const both = await Promise.all([1, 2].map(() => operator.call('DELETE', `/accounts/${id}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await operator.call('GET', `/audit?account=${id}&kind=account.deleted`)).json['entries']).toHaveLength(1);
  });
});

describe('requests in progress when an account is deleted', () => {
  it('end at the second factor, at the consent and in the account area, and give no app anything', async () => {
    const story = new SecondStepStory(gateway);
    const { account, app } = await story.createPerson('under.way');
    const waiting = await story.reachStep(account);
    const user = await ManageUser.enter(gateway, { account });
    const { browser, sessionId } = await signInBrowser(gateway, { username: (await gateway.account('with.consent')).username });
    const other = (await operator.call('GET', '/accounts?username=with.consent')).json['accounts'] as { id: string }[];
    const subject = String(other[0]?.id);
    gateway.hydra.addConsent({ challenge: 'consent of the deleted', subject, loginSessionId: sessionId });
    const query = 'consent_challenge=consent+of+the+deleted';
    const { consent } = (await browser.get(`${PATHS.consent}?${query}`)).state('consent');
    const accepted = gateway.hydra.calls.length;
    for (const id of [account.id, subject]) expect((await operator.call('DELETE', `/accounts/${id}`)).status).toBe(200);
    expect(await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: app.code() })).toMatchObject({ status: 401 });
    const answers = [
      await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, code: app.code() }),
      await waiting.browser.get(stepAddress(waiting.challenge)),
      await browser.post(PATHS.consentAccept, {
        _xsrf: consent.xsrf_token,
        consent_challenge: consent.consent_challenge,
        ticket: consent.ticket,
      }),
      await user.browser.get(PATHS.manage),
      await user.browser.get(PATHS.manageMfa),
    ];
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const given = gateway.hydra.calls
      .slice(accepted)
      .filter((made) => made.call === 'acceptConsent' || made.call === 'acceptLogin');
    expect(given).toEqual([]);
  });
});

describe('foyer account delete', () => {
  it('[DEL-4] starts a wait, which the account shows, and `account keep` ends it', async () => {
    const { id, username } = await createAccount();
    const readAccount = async () => (await operator.call('GET', `/accounts/${id}`)).json;
    const dueAt = async () => (await readAccount())['deletion_due_at'];
    expect(await dueAt()).toBeNull();
    expect((await foyer(`account delete ${username} --days 3 --yes`)).code).toBe(0);
    const waitMs = Date.parse(String(await dueAt())) - Date.parse(String((await readAccount())['created_at']));
    expect(Math.floor(waitMs / (24 * 3_600_000))).toBe(3);
    expect((await foyer(`account keep ${username}`)).out).toBe(`${username} will not be deleted.\n`);
    expect(await dueAt()).toBeNull();
  });

  it('asks for confirmation', async () => {
    const { id, username } = await createAccount();
    const unsure = await foyer(`account delete ${username}`);
    expect([unsure.code, unsure.err]).toEqual([2, expect.stringContaining('--yes')]);
    expect((await operator.call('GET', `/accounts/${id}`)).status).toBe(200);
    const sure = await foyer(`account delete ${username} --yes`);
    expect([sure.code, sure.out]).toEqual([0, expect.stringContaining(`${username} is deleted`)]);
    expect((await foyer(`account show ${id}`)).code).toBe(3);
  });
});
