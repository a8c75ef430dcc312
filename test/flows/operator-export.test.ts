/** Exporting all accounts from an installation and importing them into another. */
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountExports } from '../../src/accounts/transfer/exports.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { toBatch, commandLine, toEnvironment, expectError, importer, parseLines } from '../support/operator-story.js';

const PASSWORD = 'Grüße, Welt 7';
const BCRYPT = '$2y$04$abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G';
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const PEOPLE = 1100;

let operator: TestOperator;
let scratch: string;
const foyer = commandLine(() => operator);
const { importLines } = importer(() => operator);

const whole = {
  id: '33333333-7a5d-4a52-9d1f-3f0e5a8f1d11',
  username: 'Whole.Person',
  display_name: 'Eine Person',
  email: 'whole@example.org',
  email_verified: true,
  picture: 'https://example.org/p.png',
  language: 'de',
  group_name: 'Einkauf',
  status: 'disabled',
  second_factor: 'required',
  created_at: '2019-05-04T08:00:00.000Z',
};

beforeAll(async () => {
  operator = await startTestOperator();
  scratch = await mkdtemp(join(tmpdir(), 'foyer-export-'));
  await importLines([{ ...whole, password_hash: BCRYPT, totp_secret: SEED }]);
  await importLines([{ username: 'owner', password_hash: BCRYPT }]);
  for (const half of [0, 1]) {
    const first = half * (PEOPLE / 2);
    await importLines(Array.from({ length: PEOPLE / 2 }, (_, index) => ({ username: `person-${first + index}` })));
  }
});

afterAll(async () => {
  await operator.close();
  await rm(scratch, { recursive: true, force: true });
});

const exports = async (query = '') => {
  const answer = await operator.call('GET', `/exports${query}`);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  return parseLines(answer.text);
};

async function findEvents(): Promise<unknown[]> {
  const rows = operator.database.db.selectFrom('audit_event').select(['actor', 'account_id', 'detail']);
  return rows.where('kind', '=', 'accounts.exported').orderBy('seq').execute();
}

describe('[OPR-6] GET /exports', () => {
  it('lists everybody once, oldest first, without secrets', async () => {
    const lines = await exports();
    expect(lines).toHaveLength(PEOPLE + 2);
    expect(lines[0]).toEqual(whole);
    const names = lines.map(({ username }) => username);
    expect(names.slice(1)).toEqual(['owner', ...Array.from({ length: PEOPLE }, (_, index) => `person-${index}`)]);
    expect(JSON.stringify(lines)).not.toMatch(/password|totp|\$2y\$|GEZD/);
  });

  it('contains hashes and seeds only on request, which the audit log records', async () => {
    const before = (await findEvents()).length;
    expect((await exports('?password_hashes=true'))[0]).toEqual({ ...whole, password_hash: BCRYPT });
    expect((await exports('?totp_secrets=true&password_hashes=false'))[0]).toEqual({ ...whole, totp_secret: SEED });
    const event = (hashes: boolean, seeds: boolean) => ({ actor: 'operator', account_id: null, detail: { hashes, seeds } });
    expect((await findEvents()).slice(before)).toEqual([event(true, false), event(false, true)]);
    expectError(await operator.call('GET', '/exports?password_hashes=1'), 400, 'wrong_type', 'password_hashes');
    expectError(await operator.call('GET', '/exports', undefined, { authorization: 'Bearer none' }), 401, 'unauthorized');
    expect(await findEvents()).toHaveLength(before + 2);
  });

  it('can be imported unchanged: same ids, same passwords, same authenticator apps', async () => {
    const other = await startTestOperator();
    try {
      const { text } = await operator.call('GET', '/exports?password_hashes=true&totp_secrets=true');
      const into = importer(() => other);
      const lines = text.trimEnd().split('\n');
      for (let first = 0; first < lines.length; first += 1000) {
        const answers = await into.importLines(lines.slice(first, first + 1000));
        expect(answers.filter(({ result }) => result !== 'created')).toEqual([]);
      }
      const back = await other.call('GET', '/exports?password_hashes=true&totp_secrets=true');
      expect(parseLines(back.text)).toEqual(parseLines(text));
      const attempt = { username: 'owner', password: PASSWORD, address: '192.0.2.7', device: null, requestId: 'request' };
      expect((await other.services.signIn.prove(attempt)).kind).toBe('proven');
    } finally {
      await other.close();
    }
  });

  it('contains the accounts that existed when it began', async () => {
    const names: string[] = [];
    const secrets = { passwordHashes: false, totpSecrets: false };
    for await (const page of operator.services.exports.pages(secrets, { actor: 'operator' })) {
      if (names.length === 0) await operator.services.accounts.create({ username: 'late.comer' });
      names.push(...page.map(({ account }) => account.username));
    }
    expect(names).toHaveLength(PEOPLE + 2);
    expect(names).not.toContain('late.comer');
    await operator.database.db.deleteFrom('account').where('username', '=', 'late.comer').execute();
  });

  it('reads a page only after the client has taken the previous page', async () => {
    let pages = 0;
    let whenEnded = (): void => undefined;
    const ended = new Promise<void>((resolve) => (whenEnded = resolve));
    const endless = {
      async *pages() {
        try {
          for (; pages < 3000; pages++) yield [{ account: { ...account, username: 'x'.repeat(100_000) } }];
        } finally {
          whenEnded();
        }
      },
    };
    const [account] = [await operator.services.accounts.findByUsername('owner')];
    const slow = await startTestOperator({
      database: operator.database,
      instead: { part: AccountExports, build: () => endless },
    });
    try {
      const { port } = new URL(slow.url);
      const call = request({
        port,
        host: '127.0.0.1',
        path: '/operator/v1/exports',
        headers: { authorization: `Bearer ${slow.token}` },
      });
      const response = await new Promise<NodeJS.ReadableStream & { destroy(): void }>((resolve) =>
        call.once('response', resolve).end(),
      );
      response.pause();
      // An unbounded writer would use these turns of the event loop.
      for (let turn = 0; turn < 2000; turn++) await new Promise(setImmediate);
      expect(pages).toBeGreaterThan(0);
      expect(pages).toBeLessThan(1000);
      response.destroy();
      await ended;
      expect(pages).toBeLessThan(1000);
    } finally {
      await slow.close();
    }
  });

  it('is cut off when the storage fails, and never looks complete', async () => {
    let resolveHalfWritten = (): void => undefined;
    const halfWritten = new Promise<void>((resolve) => (resolveHalfWritten = resolve));
    const failing = await startTestOperator({
      database: operator.database,
      instead: {
        part: AccountExports,
        build: () => ({
          async *pages() {
            const [account] = [await operator.services.accounts.findByUsername('owner')];
            yield Array.from({ length: 500 }, () => ({ account }));
            await halfWritten;
            throw new Error('the storage is gone');
          },
        }),
      },
    });
    try {
      const file = join(scratch, 'broken.jsonl');
      const { code, err } = await foyer(['account', 'export', '--output', file], {
        env: toEnvironment(failing),
        progress: resolveHalfWritten,
      });
      expect([code, err]).toEqual([
        5,
        expect.stringMatching(/^foyer: The export is incomplete, because the connection broke \(.+\)\.\n$/),
      ]);
      expect((await readdir(scratch)).filter((name) => name.startsWith('broken'))).toEqual([]);
    } finally {
      await failing.close();
    }
  });
});

describe('[OPR-6] foyer account export', () => {
  it('writes to standard output in the form that an import accepts', async () => {
    const { code, out, err } = await foyer('account export');
    expect([code, err]).toEqual([0, '']);
    expect(parseLines(out)).toHaveLength(PEOPLE + 2);
    const file = join(scratch, 'out.jsonl');
    await writeFile(file, out);
    const again = await foyer(['account', 'import', file]);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining(`Already exist  1 102\n`)]);
  });

  it('writes a new file that only its owner may read', async () => {
    const file = join(scratch, 'secrets.jsonl');
    const { code, out } = await foyer(['account', 'export', '--with-hashes', '--with-totp', '--output', file]);
    expect([code, out]).toEqual([0, `1 102 accounts were written to ${file}.\n`]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(parseLines(await readFile(file, 'utf8'))[0]).toEqual({ ...whole, password_hash: BCRYPT, totp_secret: SEED });
    const again = await foyer(['account', 'export', '--output', file]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('already exists;')]);
    expect((await foyer(['account', 'export', '--output', join(scratch, 'no', 'folder')])).err).toMatch(/\(ENOENT\)\.\n$/);
  });

  it('shows no secret on a terminal', async () => {
    for (const option of ['--with-hashes', '--with-totp']) {
      const { code, out, err } = await foyer(`account export ${option}`, { columns: 80 });
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(/--output FILE\.\n$/);
      expect((await foyer(`account export ${option}`)).code).toBe(0);
    }
  });

  it('does not trust the received lines', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/x-ndjson').end(`${toBatch([{ username: '\u202Egnp' }])}not JSON\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const file = join(scratch, 'strange.jsonl');
    const { code, err } = await foyer(['account', 'export', '--output', file, '--url', `http://127.0.0.1:${port}`]);
    server.close();
    expect([code, err]).toEqual([5, expect.stringMatching(/^foyer: The server at .+ is not an operator API/)]);
    expect((await readdir(scratch)).filter((name) => name.startsWith('strange'))).toEqual([]);
  });
});
