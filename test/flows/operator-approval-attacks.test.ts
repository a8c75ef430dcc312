/** What an operator tries alone to get an account or the right `admin`, although two have to agree. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { freezeCredentials } from '../../src/accounts/account/credential-freeze.js';
import { endAllSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, startTestGateway } from '../support/gateway.js';
import { waitForBlocked } from '../support/lock-waits.js';
import { accessToken } from '../support/manage.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';
import { beginConsoleSession, importer, operatorSteps } from '../support/operator-story.js';

const CONSOLE = { url: 'http://localhost:3001', acr: 'urn:foyer:acr:mfa', backChannelUrl: 'http://localhost:3001' } as const;

const TIMEOUT_MS = 60_000;

let operator: TestOperator;
let [olga, otto] = ['', ''];
let names = 0;
const { createAccount } = operatorSteps(() => operator);
const { importLines } = importer(() => operator);

const callAs = (secret: string, method: string, path: string, body?: unknown): Promise<OperatorAnswer> =>
  operator.call(method, path, body, {
    authorization: undefined,
    cookie: `foyer-console=${secret}`,
    'x-foyer-console': '1',
    'x-foyer-reason': 'because',
    ...(path.startsWith('/imports') ? { 'content-type': 'application/x-ndjson' } : {}),
  });
const approve = (approval: unknown) => callAs(otto, 'POST', `/approvals/${String(approval)}/approve`);

async function hire(): Promise<string> {
  const { id } = await createAccount({ username: `desk${(names += 1)}` });
  return beginConsoleSession(operator, id, 'admin');
}

async function newPerson(): Promise<string> {
  const { id } = await createAccount({ username: `person${(names += 1)}`, email: `p${names}@example.org`, password: PASSWORD });
  const seed = { account_id: id, secret: 'sealed', last_step: 0, created_at: operator.clock.now() };
  await operator.database.db.insertInto('totp_factor').values(seed).execute();
  return id;
}

beforeAll(async () => {
  operator = await startTestOperator({
    config: (config) => ({ console: CONSOLE, operator: { ...config.operator, approval: 'operators' } }),
  });
  [olga, otto] = [await hire(), await hire()];
});
afterAll(() => operator.close());

describe('[OPR-3] one operator alone', () => {
  it.each(['legacy-4711', 'Legacy|4712'])(
    'does not import an account again that was deleted under a subject of its own: %s',
    async (subject) => {
      const line = { subject, password: PASSWORD };
      const [made] = await importLines([{ ...line, username: `old${(names += 1)}` }]);
      expect((await callAs(olga, 'DELETE', `/accounts/${String(made?.['id'])}`)).status).toBe(200);
      const again = await callAs(olga, 'POST', '/imports', `${JSON.stringify({ ...line, username: `again${names}` })}\n`);
      expect(again.text).toContain('approval_required');
      expect(await operator.services.accounts.findBySubject(subject)).toBeNull();
    },
  );

  it.each([
    ['capitals', (id: string) => id.toUpperCase()],
    ['no hyphens', (id: string) => id.replaceAll('-', '')],
    ['braces', (id: string) => `{${id}}`],
    ['a URN', (id: string) => `urn:uuid:${id}`],
  ])('gives no account a subject that an app could take for the id of another one: %s', async (_, spell) => {
    const [living, deleted] = [await newPerson(), await newPerson()];
    await callAs(olga, 'DELETE', `/accounts/${deleted}`);
    for (const id of [living, deleted]) {
      const line = { username: `twin${(names += 1)}`, subject: spell(id), password: PASSWORD };
      expect(await importLines([line])).toMatchObject([{ result: 'invalid' }]);
    }
  });

  it('asks for no right for an account that was imported a moment ago, whatever signs in to it', async () => {
    const username = `import${(names += 1)}`;
    const [made] = await importLines([{ username, email: `${username}@example.org` }]);
    const held = await callAs(olga, 'POST', `/accounts/${String(made?.['id'])}/operator-rights`, { right: 'admin' });
    expect([held.status, held.json['error']]).toEqual([409, 'password_handed_out']);
  });

  it('makes no link to the password of somebody who becomes an operator at the same time', async () => {
    const id = await newPerson();
    const { link } = await operator.database.transaction(async (trx) => {
      await sql`select from account where id = ${id}::uuid for update`.execute(trx);
      const begun = callAs(olga, 'POST', `/accounts/${id}/password-reset`);
      await waitForBlocked(TIMEOUT_MS, trx);
      const grant = {
        account_id: id,
        right_name: 'admin',
        granted_by: 'operator:test',
        granted_at: operator.clock.now(),
      } as const;
      await trx.insertInto('operator_grant').values(grant).execute();
      return { link: begun };
    });
    const { status, json } = await link;
    expect([status, json['error']]).toEqual([409, 'changed_meanwhile']);
  });
});

describe('[OPR-3] what waits', () => {
  it('ends with all access of the person, and does not come back when the account is freed again', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const change = await callAs(olga, 'PATCH', `/accounts/${one}`, { email: 'evil@example.org' });
    const reset = await callAs(olga, 'POST', `/accounts/${other}/factor-reset`);
    await operator.services.passwords.setPassword(one, 'another password of hers 77', { actor: 'person' });
    await operator.database.transaction(async (trx) => {
      const now = operator.database.now();
      await freezeCredentials({ accountId: other, now, seconds: 86_400 }, trx);
      await endAllSessions({ accountId: other, now, upstream: 'everything' }, trx);
    });
    expect((await callAs(otto, 'POST', `/accounts/${other}/unfreeze`)).status).toBe(200);
    for (const held of [change, reset]) {
      expect(held.status).toBe(202);
      expect((await approve(held.json['id'])).json['error']).toBe('approval_outdated');
    }
  });

  it('is not the answer to the same call after the account has changed', async () => {
    const id = await newPerson();
    const first = await callAs(olga, 'POST', `/accounts/${id}/factor-reset`);
    await operator.services.accounts.update(id, { username: `renamed${(names += 1)}` });
    const again = await callAs(olga, 'POST', `/accounts/${id}/factor-reset`);
    expect([again.status, again.json['id'] === first.json['id']]).toEqual([202, false]);
    expect((await approve(again.json['id'])).status).toBe(200);
  });
});

it('a token whose subject is the id of somebody in capitals opens nobody’s account area', async () => {
  const gateway = await startTestGateway();
  try {
    const victim = await gateway.account('victim.person');
    const open = async (id: string): Promise<string | null> => {
      const entry = await gateway.browser().get(`${PATHS.manage}?t=${accessToken(gateway, { id })}`);
      return entry.location;
    };
    expect(await open(victim.id)).toBe(PATHS.manage);
    expect(await open(victim.id.toUpperCase())).not.toBe(PATHS.manage);
  } finally {
    await gateway.close();
  }
});
