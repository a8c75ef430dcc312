/** `foyer breached build` and `check`, and a gateway with `BREACHED_LIST`: passwords of a data breach are refused as new ones. */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { BreachedList } from '../../src/accounts/password/breached-list.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { PATHS } from '../../src/contract/paths.js';
import { inspectBreachedList } from '../../src/operator/doctor/checks/passwords.check.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { startTestOperator } from '../support/operator.js';
import { runLine } from '../support/operator-story.js';
import { PasskeyStory } from '../support/passkeys.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';

const BREACHED = 'Blaubeere-Kutsche-7';
const RARE = 'Ahorn-Leuchter-3';
const FRESH = 'Nebel-Tasse-Wolke-41';

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase();
const toDownload = (entries: readonly (readonly [string, number])[]): string =>
  entries
    .map(([text, count]) => `${sha1(text)}:${count}`)
    .toSorted()
    .join('\r\n');
/** Enough that each bucket has several. */
const MANY = Array.from({ length: 3000 }, (_, index) => [`password ${index}`, 10] as const);

let folder: string;
let list: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'breached-'));
  list = join(folder, 'list');
  writeFileSync(join(folder, 'download.txt'), toDownload([...MANY, [BREACHED, 5], ['Ahörnchen-42', 7], [RARE, 2]]));
  const built = await runLine(['breached', 'build', join(folder, 'download.txt'), list, '--least', '3'], { env: {} });
  expect(built).toEqual({ code: 0, out: `${list}: 3 002 passwords\n`, err: '' });
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...line: string[]) => runLine(['breached', ...line], { env: {} });
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('a list of breached passwords', () => {
  it('is complete although the system writes fewer bytes at once than it was given', async () => {
    const file = await open(list, 'r');
    const prototype = Object.getPrototypeOf(file) as FileHandle;
    await file.close();
    const write = prototype.write as (...given: unknown[]) => Promise<unknown>;
    const writeFirstBytes = function (this: FileHandle, bytes: Buffer, offset: number, length: number, position: number) {
      return write.call(this, bytes, offset, Math.min(length, 1000), position);
    };
    Object.assign(prototype, { write: writeFirstBytes });
    const path = join(folder, 'written-in-parts');
    try {
      expect(await run('build', join(folder, 'download.txt'), path, '--least', '3')).toMatchObject({ code: 0 });
    } finally {
      Object.assign(prototype, { write });
    }
    expect(readFileSync(path).subarray(32).equals(readFileSync(list).subarray(32))).toBe(true);
  });

  it('has every password of the download that was found often enough, and no other', async () => {
    const opened = BreachedList.open(list);
    const found = await Promise.all(MANY.map(([text]) => opened.has(text)));
    expect(found.every(Boolean)).toBe(true);
    // The second one is typed with a combining mark.
    expect([await opened.has(BREACHED), await opened.has('Aho\u0308rnchen-42')]).toEqual([true, true]);
    expect(await Promise.all([RARE, FRESH, '', 'password 3000'].map((text) => opened.has(text)))).toEqual(Array(4).fill(false));
    expect(opened.facts).toMatchObject({ count: 3002, minCount: 3 });
    opened.close();
  });

  it('is the same from the files of the ranges', async () => {
    const ranges = join(folder, 'ranges');
    mkdirSync(ranges);
    const few = toDownload([...MANY.slice(0, 50), [BREACHED, 5], [RARE, 2]]);
    for (const line of few.split('\r\n'))
      writeFileSync(join(ranges, `${line.slice(0, 5)}.txt`), `${line.slice(5)}\r\n`, { flag: 'a' });
    writeFileSync(join(ranges, 'README'), 'not a range');
    const other = join(folder, 'from-ranges');
    const same = join(folder, 'from-one-file');
    expect((await run('build', ranges, other, '--least', '3')).code).toBe(0);
    expect((await run('build', write('few.txt', few), same, '--least', '3')).code).toBe(0);
    // The header has the time at which it was built.
    expect(readFileSync(other).subarray(64).equals(readFileSync(same).subarray(64))).toBe(true);
    expect(readFileSync(other).length).toBe(64 + 65_537 * 4 + 51 * 5);
  });

  it('is checked completely', async () => {
    expect((await run('check', list)).out).toMatch(/: 3 002 passwords, found at least 3 times, built on 20\d\d-\d\d-\d\d\n$/);
    const bytes = readFileSync(list);
    const last = bytes.length - 1;
    bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
    const changed = join(folder, 'changed');
    writeFileSync(changed, bytes);
    expect(await run('check', changed)).toMatchObject({ code: 1, err: expect.stringContaining('is damaged: build it again') });
  });

  it('is built from files of ranges whose names differ in case', async () => {
    const ranges = join(folder, 'mixed-ranges');
    mkdirSync(ranges);
    for (const name of ['0018a', '0018B.txt']) writeFileSync(join(ranges, name), `${'0'.repeat(35)}:3\n`);
    expect(await run('build', ranges, join(folder, 'mixed-list'))).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, -1), 'is damaged or truncated: build it again'],
    ['cut in its table', (bytes: Buffer) => bytes.subarray(0, 1000), 'is not a list that `foyer breached build` has completed'],
    ['of another version', (bytes: Buffer) => bytes.fill(9, 11, 12), 'has version 9, and this version of Foyer reads version 1'],
    ['something else', () => Buffer.from('password\n'.repeat(50_000)), 'is not a list that `foyer breached build` has completed'],
    ['with counts that fall', (bytes: Buffer) => bytes.fill(255, 68, 72), 'is damaged or truncated: build it again'],
  ])('is refused by check, start and doctor if it is %s', async (name, change, words) => {
    const path = join(folder, 'refused');
    writeFileSync(path, change(readFileSync(list)));
    await expectRefused(path, words);
  });

  it('is refused by check, start and doctor if it is a folder', async () => {
    await expectRefused(folder, 'is not a list that `foyer breached build` has completed');
  });

  async function expectRefused(path: string, words: string): Promise<void> {
    expect(await run('check', path)).toMatchObject({ code: 1, err: expect.stringContaining(`${path} ${words}`) });
    const start = startTestGateway({ config: ({ password }) => ({ password: { ...password, breachedList: path } }) });
    await expect(start).rejects.toThrow(`BREACHED_LIST: ${path} ${words}`);
    expect(inspectBreachedList(path, new Date())).toMatchObject([{ level: 'fault', what: expect.stringContaining(words) }]);
  }

  it.each([
    ['no hash', `${sha1('a')}:3\nmonkey\n`, 'line 2 is not HASH:COUNT, where HASH is the SHA-1 of a password.'],
    ['a hash of another kind', `${'A'.repeat(32)}:3\n`, 'line 1 is not HASH:COUNT, where HASH is the SHA-1 of a password.'],
    [
      'lines in another order',
      ['b', 'a']
        .map((text) => `${sha1(text)}:3`)
        .toSorted()
        .toReversed()
        .join('\n'),
      'must be ordered',
    ],
    ['nothing', '\n', 'contains no password that was found at least once'],
  ])('is not built from a download with %s, and a list that is there stays', async (_, text, words) => {
    const target = join(folder, 'target');
    copyFileSync(list, target);
    expect(await run('build', write('wrong.txt', text), target)).toMatchObject({ code: 1, err: expect.stringContaining(words) });
    expect(readFileSync(target).equals(readFileSync(list))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('leaves no part behind if not even its beginning can be written', async () => {
    const target = join(folder, 'full');
    symlinkSync('/dev/full', `${target}.part`);
    expect(await run('build', join(folder, 'download.txt'), target)).toMatchObject({
      code: 1,
      err: expect.stringContaining('ENOSPC'),
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual([]);
  });

  it('is not built without a download, into a folder that is missing, or with a wrong number', async () => {
    const missing = join(folder, 'missing');
    expect(await run('build', missing, list)).toMatchObject({ code: 1, err: expect.stringContaining('ENOENT') });
    const into = join(missing, 'list');
    expect(await run('build', join(folder, 'download.txt'), into)).toMatchObject({
      code: 1,
      err: expect.stringContaining('ENOENT'),
    });
    const download = join(folder, 'download.txt');
    for (const least of ['0', '4294967296', '1e3', '-1']) {
      const { code, err } = await run('build', download, list, `--least=${least}`);
      expect([code, err]).toEqual([2, expect.stringContaining('--least must be a whole number from 1 to 4294967295.')]);
    }
    const { err } = await run('build', download, list, '--least', '4294967295');
    expect(err).toContain('contains no password that was found at least 4294967295 times');
    expect(await run('check', missing)).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read (ENOENT)') });
  });
});

describe('a gateway with a list of breached passwords', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ config: ({ password }) => ({ password: { ...password, breachedList: list } }) });
  });
  afterAll(() => gateway.close());

  it('[VAL-1] refuses them in the account area, and says why', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const toFields = (newPassword: string) => ({ password: PASSWORD, newPassword, newPasswordRepeat: newPassword });
    const refused = await user.post(PATHS.managePassword, toFields(BREACHED));
    expect(refused.state('manage_password').manage_password).toMatchObject({
      error: 'password not strong enough',
      reasons: ['breached'],
    });
    expect((await user.post(PATHS.managePassword, toFields(RARE))).status).toBe(303);
  });

  it('[VAL-1] refuses them for an account that exists', async () => {
    const account = await gateway.account('breached.owner');
    expect(await gateway.get(SetPassword).setPassword(account.id, BREACHED)).toEqual(['breached']);
  });

  it('has a doctor that says how old the list is', async () => {
    const now = Date.now();
    expect(inspectBreachedList(list, new Date(now))).toMatchObject([{ level: 'ok', what: expect.stringContaining('3002') }]);
    expect(inspectBreachedList(list, new Date(now + 366 * 86_400_000))).toMatchObject([{ level: 'hint' }]);
    expect(inspectBreachedList(undefined, new Date(now))).toEqual([]);
  });
});

it('[VAL-1] the operator API refuses them for new and imported accounts', async () => {
  const operator = await startTestOperator({ config: ({ password }) => ({ password: { ...password, breachedList: list } }) });
  try {
    const created = await operator.call('POST', '/accounts', { username: 'anna.breached', password: BREACHED });
    expect(created).toMatchObject({ status: 422, json: { error: 'password_refused', faults: ['breached'] } });
    const lines = [BREACHED, FRESH].map((password, index) => JSON.stringify({ username: `imported.${index}`, password }));
    const { text } = await operator.call('POST', '/imports', lines.join('\n'), { 'content-type': 'application/x-ndjson' });
    const results = text.trim().split('\n');
    expect(results.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { result: 'invalid', faults: ['breached'] },
      { result: 'created' },
    ]);
  } finally {
    await operator.close();
  }
});

describe('[TSK-7] a sign-in with a breached password', () => {
  let gateway: TestGateway;
  let story: SecondStepStory;
  let count = 0;

  beforeAll(async () => {
    gateway = await startTestGateway({ config: ({ password }) => ({ password: { ...password, breachedList: list } }) });
    story = new SecondStepStory(gateway);
  });
  afterAll(() => gateway.close());

  /** Creates an account whose password was breached after it was set. */
  async function createBreached(): Promise<Account> {
    const account = await gateway.account(`breached.${(count += 1)}`);
    const hash = await gateway.get(SetPassword).hash(BREACHED);
    await gateway.database.db.updateTable('password_credential').set({ hash }).where('account_id', '=', account.id).execute();
    gateway.clock.advanceSeconds(60);
    return account;
  }

  async function signIn({ username }: Account, password: string) {
    const opened = await story.openLogin();
    return { ...opened, answer: await opened.browser.post(PATHS.loginNative, { ...opened.fields, username, password }) };
  }

  const listRequired = async ({ id }: Account) =>
    (await gateway.get(AuditLog).list(id)).entries.filter(({ kind }) => kind === 'password.change-required');

  it('leads to a new password, which is not in the list, and then to the app', async () => {
    const account = await createBreached();
    const { browser, challenge, answer } = await signIn(account, BREACHED);
    expect(answer.location).toBe(`${PATHS.loginTask}?login_challenge=${challenge}`);
    const { task } = (await browser.get(answer.location ?? '')).state('task');
    expect(task).toMatchObject({ kind: 'password', required_by: 'breached' });
    const fields = { _xsrf: task.xsrf_token, login_challenge: challenge, task: 'password' };
    const choose = (password: string) => browser.post(PATHS.loginTask, { ...fields, password, password_repeat: password });
    expect((await choose(MANY[0]?.[0] ?? '')).state('task').task.error).toBe('password-strength');
    expect((await choose(FRESH)).location).toContain('login_verifier=');
    expect((await signIn(account, FRESH)).answer.location).toContain('login_verifier=');
  });

  it('[S-122] asks for the passkey of the account before the new password', async () => {
    const passkeys = new PasskeyStory(gateway);
    const passkey = await passkeys.createHolder({ account: await createBreached() });
    const { browser, challenge, answer } = await signIn(passkey.account, BREACHED);
    expect(answer.location).toBe(stepAddress(challenge));
    const waiting = await story.openStep(browser, challenge);
    const typed = { task: 'password', password: FRESH, password_repeat: FRESH };
    const early = await browser.post(PATHS.loginTask, { ...waiting.fields, ...typed });
    expect(early.location).toBe(stepAddress(challenge));
    expect((await passkeys.proveStep(waiting, passkey)).location).toBe(`${PATHS.loginTask}?login_challenge=${challenge}`);
    const done = await browser.post(PATHS.loginTask, { ...waiting.fields, ...typed });
    expect(done.location).toContain('login_verifier=');
  });

  it('is recorded once, and a wrong password is not looked up', async () => {
    const account = await createBreached();
    expect((await signIn(account, MANY[1]?.[0] ?? '')).answer.status).toBe(422);
    expect(await listRequired(account)).toEqual([]);
    for (let time = 0; time < 2; time += 1) await signIn(account, BREACHED);
    expect(await listRequired(account)).toMatchObject([{ actor: 'system', detail: { cause: 'breached' } }]);
  });

  it('goes on if the requirement cannot be stored', async () => {
    const account = await createBreached();
    const { db } = gateway.database;
    await sql`create function refuse_requirement() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(
      db,
    );
    await sql`create trigger refuse_requirement before update on account for each row
      when (new.password_change_reason = 'breached') execute function refuse_requirement()`.execute(db);
    try {
      expect((await signIn(account, BREACHED)).answer.location).toContain('login_verifier=');
    } finally {
      await sql`drop trigger refuse_requirement on account`.execute(db);
    }
    expect(gateway.logLines.some(({ msg }) => String(msg).startsWith('a new password could not be required'))).toBe(true);
  });
});
