/** `foyer account import`: importing a file from another product. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { toBatch, commandLine, toEnvironment, parseLines } from '../support/operator-story.js';
import { findFreePorts } from '../../test-kit/free-ports.js';

const BCRYPT = '$2y$04$abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G';

let operator: TestOperator;
let scratch: string;
const foyer = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
  scratch = await mkdtemp(join(tmpdir(), 'foyer-import-'));
});

afterAll(async () => {
  await operator.close();
  await rm(scratch, { recursive: true, force: true });
});

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(scratch, name);
  await writeFile(path, content);
  return path;
}

const toCount = async () => (await operator.database.db.selectFrom('account').select('id').execute()).length;

const people = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    username: `${prefix}-${index}`,
    password_hash: BCRYPT,
    email: `${prefix}${index}@example.org`,
  }));

describe('[OPR-5] foyer account import', () => {
  it('imports a file, and reports at the second time that everybody exists', async () => {
    const path = await file('people.jsonl', toBatch(people('many', 1203)));
    const before = await toCount();
    const first = await foyer(['account', 'import', path]);
    expect(first).toEqual({
      code: 0,
      err: '',
      out: 'Lines          1 203\nCreated        1 203\nAlready exist  0\nDuplicates     0\nInvalid        0\n',
    });
    expect(await toCount()).toBe(before + 1203);
    const again = await foyer(['account', 'import', path]);
    expect(again.code).toBe(0);
    expect(again.out).toContain('Created        0\nAlready exist  1 203\n');
    expect(await toCount()).toBe(before + 1203);
  });

  it('names each faulty line by file and number, and imports the rest', async () => {
    const lines = [
      '\uFEFF{"username":"good.first"}',
      '',
      '{"username":"bad.mail","email":"nonsense"}',
      '{"username":',
      `{"username":"long.name","display_name":"${'x'.repeat(70_000)}"}`,
      '{"username":"GOOD.FIRST"}',
      '{"username":"bad.mail","email":"corrected@example.org"}',
      '   ',
      '{"username":"good.last"}',
    ];
    const latin = Buffer.from('{"username":"J\u00FCrgen.person"}\n', 'latin1');
    const path = await file('mixed.jsonl', Buffer.concat([Buffer.from(toBatch(lines)), latin]));
    const { code, out, err } = await foyer(['account', 'import', path]);
    expect([code, err]).toEqual([1, '']);
    expect(out.replaceAll(path, 'FILE').split('\n')).toEqual([
      'FILE:3: email is not an e-mail address.',
      'FILE:4: The line is not valid JSON.',
      'FILE:5: The line is longer than 64 kB.',
      'FILE:6: The username, id, subject or person is the same as in line 1.',
      'FILE:10: The line is not valid UTF-8.',
      'Lines          8',
      'Created        3',
      'Already exist  0',
      'Duplicates     1',
      'Invalid        4',
      '',
    ]);
  });

  it('finds a repeated name far apart in a file, in any spelling and by id, before anything is stored', async () => {
    const id = '22222222-7a5d-4a52-9d1f-3f0e5a8f1d11';
    const lines = [
      { username: 'far.person', id },
      ...people('between', 900),
      { username: 'FAR.Person' },
      { username: 'far.other', id: id.toUpperCase() },
    ];
    const path = await file('far.jsonl', toBatch(lines));
    const before = await toCount();
    const { code, out } = await foyer(['account', 'import', path, '--dry-run', '--json']);
    expect(code).toBe(1);
    const said = parseLines(out);
    expect(said).toHaveLength(904);
    expect(said[0]).toEqual({ line: 1, result: 'would_create', username: 'far.person' });
    expect(said.slice(901, 903)).toMatchObject([
      { line: 902, result: 'duplicate', first_line: 1 },
      { line: 903, result: 'duplicate', first_line: 1 },
    ]);
    expect(said.at(-1)).toEqual({ summary: { lines: 903, created: 0, would_create: 901, exists: 0, duplicate: 2, invalid: 0 } });
    expect(await toCount()).toBe(before);
    expect((await foyer(['account', 'import', path, '--dry-run'])).out).toContain('Would be created  901\n');
  });

  it('imports a name that was refused before, once its line is corrected', async () => {
    const lines = [
      { username: 'corrected.person', email: 'nonsense' },
      ...people('meantime', 600),
      { username: 'corrected.person' },
    ];
    const { code, out } = await foyer([
      'account',
      'import',
      await file('corrected.jsonl', toBatch(lines)),
      '--dry-run',
      '--json',
    ]);
    expect([code, parseLines(out).at(-1)]).toMatchObject([1, { summary: { would_create: 601, duplicate: 0, invalid: 1 } }]);
  });

  it('reads standard input, and sends few plain passwords at a time', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => ({
      username: `plain-${index}`,
      password: `kupfer linde ${index}${index}`,
    }));
    const batches = operator.logLines.length;
    const { code, out } = await foyer('account import -', { input: () => Readable.from([Buffer.from(toBatch(lines))]) });
    expect([code, out.split('\n')[1]]).toEqual([0, 'Created        60']);
    expect(operator.logLines.slice(batches).filter(({ path }) => path === '/operator/v1/imports')).toHaveLength(3);
    expect(JSON.stringify(operator.logLines)).not.toContain('kupfer');
  });

  it('shows its progress on a terminal, and leaves nothing of it behind', async () => {
    const path = await file('watched.jsonl', toBatch(people('watched', 20)));
    const said: string[] = [];
    await foyer(['account', 'import', path], { progress: (text) => void said.push(text) });
    expect(said[0]).toBe('100 %  20 lines');
    expect(said.at(-1)).toBe('');
  });

  it('reports where it stopped when the API becomes unavailable, and continues from there', async () => {
    const other = await startTestOperator({ database: operator.database });
    const path = await file('cut.jsonl', toBatch(people('cut', 1200)));
    const chunks = async function* () {
      const content = toBatch(people('cut', 1200));
      const half = content.indexOf('cut-700"');
      yield Buffer.from(content.slice(0, half));
      await other.close();
      yield Buffer.from(content.slice(half));
    };
    const cut = await foyer('account import -', { env: toEnvironment(other), input: chunks });
    expect(cut.code).toBe(5);
    expect(cut.err).toMatch(/Lines 1 to 500 are done; run the command again to continue\.\n$/);
    const rest = await foyer(['account', 'import', path]);
    expect(rest.out).toContain('Created        700\nAlready exist  500\n');
  });

  it('does not report lines as done that it only checked, if the API becomes unavailable', async () => {
    const other = await startTestOperator({ database: operator.database });
    const content = toBatch(people('cut-check', 1200));
    const half = content.indexOf('cut-check-700"');
    const chunks = async function* () {
      yield Buffer.from(content.slice(0, half));
      await other.close();
      yield Buffer.from(content.slice(half));
    };
    const { code, err } = await foyer('account import - --dry-run', { env: toEnvironment(other), input: chunks });
    expect([code, err]).toEqual([5, expect.stringMatching(/Only lines 1 to 500 were checked\.\n$/)]);
  });

  it('reports what it cannot read or reach', async () => {
    expect(await foyer(['account', 'import', join(scratch, 'nowhere')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('ENOENT') as unknown,
    });
    expect((await foyer(['account', 'import', scratch])).err).toMatch(/is a directory; name a file\.\n$/);
    const [port] = await findFreePorts(1);
    const path = await file('unreached.jsonl', toBatch(people('unreached', 2)));
    const { code, err } = await foyer(['account', 'import', path, '--url', `http://127.0.0.1:${String(port)}`]);
    expect([code, err]).toEqual([5, expect.stringMatching(/^foyer: No operator API answers/)]);
    expect((await foyer('account import')).code).toBe(2);
    const empty = await foyer(['account', 'import', await file('empty.jsonl', '')]);
    expect([empty.code, empty.out.split('\n')[0]]).toEqual([0, 'Lines          0']);
  });
});
