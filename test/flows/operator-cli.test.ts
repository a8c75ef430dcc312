import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { measureWidth } from '../../src/operator/cli/shown-text.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, toEnvironment } from '../support/operator-story.js';
import { processEnvironment } from '../support/process-environment.js';
import { findFreePorts } from '../../test-kit/free-ports.js';

const PASSWORD = 'kupfer linde 4821';
const MAIN = fileURLToPath(new URL('../../dist/src/operator/cli/main.js', import.meta.url));

let operator: TestOperator;
let scratch: string;
const foyer = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
  scratch = await mkdtemp(join(tmpdir(), 'foyer-cli-'));
});

afterAll(async () => {
  await operator.close();
  await rm(scratch, { recursive: true, force: true });
});

afterEach(() => operator.hydra.fail(null));

async function json(line: string): Promise<Record<string, unknown>> {
  const { code, out } = await foyer(`${line} --json`);
  expect(code).toBe(0);
  return JSON.parse(out) as Record<string, unknown>;
}

async function canSignIn(username: string, password: string): Promise<boolean> {
  const attempt = { username, password, address: '192.0.2.7', device: null, requestId: 'request' };
  return (await operator.services.signIn.prove(attempt)).kind === 'proven';
}

describe('[OPR-2] foyer account create', () => {
  it('creates an account with all given options', async () => {
    const args = ['--username', 'maria', '--name', 'Maria Musterfrau', '--email', 'maria@example.org', '--language', 'de'];
    const { code, out, err } = await foyer(['account', 'create', ...args, '--group', 'Einkauf']);
    expect([code, err]).toEqual([0, '']);
    for (const line of ['Username  maria', 'Name      Maria Musterfrau', 'E-mail    maria@example.org (not verified)']) {
      expect(out.split('\n')).toContain(line);
    }
    expect(out).not.toContain('Password');
    expect(await json('account show maria')).toMatchObject({ language: 'de', group_name: 'Einkauf', status: 'active' });
  });

  it('generates a password of words and digits, shows it once, and the password works', async () => {
    const { code, out } = await foyer('account create --username drawn.person --password-generate');
    expect(code).toBe(0);
    const [, password = ''] = /^Password, shown only now: (\S+)$/m.exec(out) ?? [];
    expect(password).toMatch(/^([A-Z][a-z]+-){5}\d{4}$/);
    expect(await canSignIn('drawn.person', password)).toBe(true);
    const other = await json('account create --username drawn.other --password-generate');
    expect(other['password']).not.toBe(password);
  });

  it('generates a longer one where the installation requires it', async () => {
    const strict = await startTestOperator({
      database: operator.database,
      config: ({ password }) => ({ password: { ...password, minLength: 60, requireUpper: true, requireDigit: true } }),
    });
    try {
      const line = 'account create --username strict.person --password-generate --json';
      const { code, out } = await foyer(line, { env: toEnvironment(strict) });
      expect(code).toBe(0);
      expect((JSON.parse(out) as { password: string }).password.length).toBeGreaterThanOrEqual(60);
    } finally {
      await strict.close();
    }
  });

  it('reads a password from standard input, without the line break', async () => {
    const typed = { readSecret: () => Promise.resolve(`${PASSWORD}\n`) };
    const { code, out } = await foyer('account create --username typed.person --password-stdin', typed);
    expect(code).toBe(0);
    expect(out).not.toContain(PASSWORD);
    expect(await canSignIn('typed.person', PASSWORD)).toBe(true);
    expect((await foyer('account create --username empty.person --password-stdin')).code).toBe(2);
  });

  it('reports what is wrong, and what is taken', async () => {
    await foyer('account create --username taken.person');
    expect(await foyer('account create --username TAKEN.person')).toEqual({
      code: 4,
      out: '',
      err: 'foyer: This username is taken.\n',
    });
    const weak = { readSecret: () => Promise.resolve('12345') };
    const { code, err } = await foyer('account create --username weak.person --password-stdin', weak);
    expect([code, err]).toEqual([
      1,
      'foyer: The password is refused: it is too short, it is among the passwords that are guessed first.\n',
    ]);
    expect((await foyer('account create --username bad.person --email nonsense')).err).toBe(
      'foyer: email is not an e-mail address.\n',
    );
    expect((await foyer('account create --username bad.person --email nonsense --json')).err).toBe(
      '{\n  "error": "format",\n  "message": "email is not an e-mail address."\n}\n',
    );
  });
});

describe('[OPR-2] foyer account …', () => {
  it('accepts an id or a username as the account', async () => {
    const { id } = await json('account create --username named.person');
    expect(await json(`account show ${String(id)}`)).toMatchObject({ username: 'named.person' });
    expect(await json('account show NAMED.person')).toMatchObject({ id });
    for (const nobody of ['nobody.here', '00000000-0000-4000-8000-000000000000', '../health', 'a b']) {
      const { code, err } = await foyer(['account', 'show', nobody]);
      expect([code, err]).toEqual([3, `foyer: There is no account "${nobody}"; foyer account list shows all accounts.\n`]);
    }
  });

  it('treats an id as an id, also if another account has it as its name', async () => {
    const { id: first } = await json('account create --username first.person');
    await json(`account create --username ${String(first)}`);
    expect(await json(`account show ${String(first)}`)).toMatchObject({ username: 'first.person' });
    const name = 'aaaaaaaa-0000-4000-8000-000000000000';
    await json(`account create --username ${name}`);
    expect(await json(`account show ${name}`)).toMatchObject({ username: name });
  });

  it('changes and clears values with update', async () => {
    await foyer('account create --username updated.person --email old@example.org --group G');
    const args = ['--name', 'Ein Name', '--picture', 'https://example.org/p.png', '--clear', 'email', '--clear', 'group'];
    const { code, out } = await foyer(['account', 'update', 'updated.person', ...args]);
    expect(code).toBe(0);
    expect(out).toContain('Name      Ein Name\n');
    const expected = { display_name: 'Ein Name', email: null, group_name: null, picture: 'https://example.org/p.png' };
    expect(await json('account show updated.person')).toMatchObject(expected);
    for (const wrong of ['', '--clear status', '--clear email --email a@example.org', '--username other']) {
      expect((await foyer(`account update updated.person ${wrong}`.trim())).code).toBe(2);
    }
  });

  it('reports the results of disable, enable and sessions end', async () => {
    await foyer('account create --username away.person');
    expect(await foyer('account disable away.person')).toEqual({ code: 0, out: 'away.person is disabled.\n', err: '' });
    expect(await json('account show away.person')).toMatchObject({ status: 'disabled' });
    expect((await foyer('account enable away.person')).out).toBe('away.person is active.\n');
    expect((await foyer('account sessions end away.person')).out).toBe(
      'All sessions of away.person have ended (sessions ended: 0).\n',
    );
    operator.hydra.fail();
    const silent = await foyer('account sessions end away.person');
    expect([silent.code, silent.err]).toEqual([0, expect.stringMatching(/^Hydra did not answer\. .+\n$/)]);
    expect((await foyer('account disable away.person')).err).toBe(silent.err);
    expect(await foyer('account audit away.person --kind factor')).toEqual({ code: 0, out: '', err: 'No event was found.\n' });
    const auditLog = await foyer('account audit away.person');
    expect(auditLog.out.split('\n')[0]).toMatch(/^TIME +EVENT +BY +ADDRESS +DETAIL$/);
    expect(auditLog.out).toMatch(/Z {2}account\.disabled +operator +127\.0\.0\.1$/m);
    expect(auditLog.out).toMatch(/upstream-sessions\.ended +operator +127\.0\.0\.1 +outcome=unavailable$/m);
  });
});

describe('[OPR-10] foyer account unlock', () => {
  it('admits a person who is delayed by wrong passwords, by name or id, and can be repeated', async () => {
    await foyer('account create --username held.person --password-stdin', { readSecret: () => Promise.resolve(PASSWORD) });
    for (let failure = 0; failure < 5; failure++) expect(await canSignIn('held.person', 'wrong')).toBe(false);
    const done = { code: 0, out: 'held.person is unlocked.\n', err: '' };
    expect(await foyer('account unlock held.person')).toEqual(done);
    expect(await canSignIn('held.person', PASSWORD)).toBe(true);
    const { id } = await json('account unlock held.person');
    expect(await foyer(`account unlock ${String(id)}`)).toEqual({ ...done, out: 'held.person was not locked.\n' });
    await canSignIn('held.person', 'wrong');
    expect((await json('account unlock held.person'))['was_locked']).toBe(false);
    expect((await foyer('account unlock nobody.there')).code).toBe(3);
  });
});

describe('[OPR-2] foyer account list', () => {
  it('continues where it stopped, and says so beside the result', async () => {
    for (const name of ['page.one', 'page.two']) await foyer(`account create --username ${name} --email page@example.org`);
    const first = await foyer('account list --email page@example.org --limit 1');
    expect([first.code, first.out.split('\n').length]).toEqual([0, 3]);
    const [, cursor = ''] = /^More accounts: --cursor (\d+)\n$/.exec(first.err) ?? [];
    const second = await foyer(`account list --email page@example.org --limit 1 --cursor ${cursor}`);
    expect([first.out.includes('page.one'), second.out.includes('page.two'), second.err]).toEqual([true, true, '']);
    expect(await foyer('account list --username nobody.here')).toEqual({ code: 0, out: '', err: 'No account was found.\n' });
    expect(JSON.parse((await foyer('account list --username nobody.here --json')).out)).toEqual({ accounts: [] });
    expect((await foyer('account list --limit many')).err).toBe('foyer: limit must be a whole number from 1 to 200.\n');
  });

  it('fits the window, keeps ids whole, and counts wide characters', async () => {
    const names = { wide: '山田太郎山田太郎山田太郎山田太郎山田太郎', accented: 'e\u0301'.repeat(30), plain: 'x'.repeat(60) };
    for (const [name, display] of Object.entries(names)) {
      await foyer(['account', 'create', '--username', `window.${name}`, '--name', display, '--email', 'window@example.org']);
    }
    const { out } = await foyer('account list --email window@example.org', { columns: 100 });
    const lines = out.trimEnd().split('\n');
    expect(lines.map(measureWidth).every((width) => width <= 100)).toBe(true);
    expect(new Set(lines.slice(1).map((line) => measureWidth(line))).size).toBe(1);
    for (const line of lines.slice(1)) expect(line).toMatch(/… .*active {2}[0-9a-f-]{36}$/);
    expect((await foyer('account list --email window@example.org')).out).toContain('x'.repeat(60));
  });

  it('has colours only where they are wanted', async () => {
    const line = 'account list --email window@example.org';
    expect((await foyer(line, { colours: true })).out).toContain('\u001b[1mUSERNAME\u001b[0m');
    expect((await foyer(line)).out).not.toContain('\u001b');
  });
});

describe('[OPR-2] the command line', () => {
  it.each(['--password geheim', '--password=geheim', '-p geheim', '--token geheim', '--token=geheim'])(
    'accepts no secret as an argument (%s), and does not repeat it',
    async (secret) => {
      const { code, out, err } = await foyer(`account create --username some.person ${secret}`);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(
        /must not be an argument, because all users of this machine can read arguments\. Use (--password-stdin|OPERATOR_TOKEN)/,
      );
      expect(err).not.toContain('geheim');
    },
  );

  it.each([
    ['', 'foyer: A command is required; foyer --help lists all commands.'],
    ['account', 'foyer: There is no command "account"; foyer --help lists all commands.'],
    ['acount list', 'foyer: There is no command "acount list"; foyer --help lists all commands.'],
    ['account show', 'foyer: The number of arguments is wrong. Usage: foyer account show <id|username> [options]'],
    ['account show a b', 'foyer: The number of arguments is wrong. Usage: foyer account show <id|username> [options]'],
    ['account show a --email b', 'foyer: foyer account show has no option --email; foyer account show --help lists its options.'],
    ['account create', 'foyer: --username is required.'],
    ['account create --username a --username b', 'foyer: --username must not be repeated.'],
    ['account list --pasword=geheim', "foyer: Unknown option '--pasword'. foyer --help lists all options."],
    ['account list --json=yes', "foyer: Option '--json' does not take an argument. foyer --help lists all options."],
    ['account create --username a --password-stdin --password-generate', expect.stringContaining('must not be given together')],
  ])('explains what is wrong with %s', async (line, sentence) => {
    const { code, out, err } = await foyer(line);
    expect([code, out]).toEqual([2, '']);
    expect(err.trimEnd()).toEqual(sentence);
  });

  it('explains itself as a whole, in parts and by command', async () => {
    for (const line of ['--help', '-h', 'help']) {
      const { code, out, err } = await foyer(line, { env: {} });
      expect([code, err]).toEqual([0, '']);
      for (const command of ['account create', 'account sessions end <id|username>', 'health', 'Exit codes: 0 success']) {
        expect(out).toContain(command);
      }
      expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(130);
    }
    expect((await foyer('account --help')).out).not.toContain('\n  health');
    for (const line of ['account create --help', 'help account create', '--help account create --username x']) {
      expect((await foyer(line)).out).toMatch(/^Usage: foyer account create \[options\]\n[\s\S]+--password-generate/);
    }
    expect((await foyer('nonsense --help')).code).toBe(2);
  });

  it('reports with health what answers, and fails when something does not', async () => {
    expect(await foyer('health')).toEqual({ code: 0, out: 'foyer     ok\ndatabase  ok\nclock     ok\nupstream  ok\n', err: '' });
    operator.hydra.fail();
    const { code, out } = await foyer('health --json');
    expect([code, JSON.parse(out)]).toEqual([
      1,
      { status: 'unavailable', ready: true, parts: { database: 'ok', clock: 'ok', upstream: 'unavailable' } },
    ]);
  });
});

describe('[OPR-2] the connection to the API', () => {
  const withFile = async (name: string, text: string): Promise<string> => {
    await writeFile(join(scratch, name), text);
    return join(scratch, name);
  };

  it('reads the token from a file, from the environment, or from a file that the environment names', async () => {
    const { url, token } = operator;
    const path = await withFile('token', `${token}\n`);
    expect((await foyer(['health', '--url', url, '--token-file', path], { env: {} })).code).toBe(0);
    expect((await foyer('health', { env: { OPERATOR_URL: `${url}/operator/v1/`, OPERATOR_TOKEN_FILE: path } })).code).toBe(0);
    const [host, port = ''] = url.replace('http://', '').split(':');
    expect((await foyer('health', { env: { OPERATOR_HOST: host, OPERATOR_PORT: port, OPERATOR_TOKEN: token } })).code).toBe(0);
  });

  it('reads the token of the installation, only outside production and on this machine', async () => {
    const dataDir = await mkdtemp(join(scratch, 'data-'));
    await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ system: 's'.repeat(40), operatorToken: operator.token }));
    const env = { OPERATOR_URL: operator.url, DATA_DIR: dataDir };
    expect((await foyer('health', { env })).code).toBe(0);
    const unknown = expect.stringMatching(/^foyer: The token of the operator API is unknown: set OPERATOR_TOKEN, /);
    for (const other of [
      { NODE_ENV: 'production' },
      { OPERATOR_URL: 'http://foyer.example:3001' },
      { DATA_DIR: join(scratch, 'none') },
    ]) {
      const { code, err } = await foyer('health', { env: { ...env, ...other } });
      expect([code, err]).toEqual([1, unknown]);
    }
    expect(existsSync(join(scratch, 'none'))).toBe(false);
    await writeFile(join(dataDir, 'secrets.json'), '{"operatorToken":"');
    expect((await foyer('health', { env })).err).toMatch(
      /^foyer: DATA_DIR: .+ does not contain the secrets of this installation/,
    );
  });

  it.each([
    [{ OPERATOR_TOKEN: 'with spaces in it' }, [], 1, /^foyer: OPERATOR_TOKEN: the value contains spaces/],
    [{ OPERATOR_PORT: '0' }, [], 1, /^foyer: OPERATOR_PORT: "0" is not a whole number/],
    [{ OPERATOR_URL: 'ftp://localhost' }, [], 2, /^foyer: OPERATOR_URL is not an address that begins with http/],
    [{}, ['--url', 'http://user:geheim@localhost'], 2, /^foyer: --url must not contain a username or password\.\n$/],
    [{}, ['--token-file', '/nowhere/token'], 2, /^foyer: --token-file: "\/nowhere\/token" cannot be read \(ENOENT\)/],
    [{ HASH_MEMORY_KIB: 'nonsense' }, [], 0, /^$/],
  ])('reports what is wrong with %j %j', async (more, args, exit, sentence) => {
    const { code, err } = await foyer(['health', ...args], { env: { ...toEnvironment(operator), ...more } });
    expect([code, err]).toEqual([exit, expect.stringMatching(sentence)]);
  });

  it('reports that nothing answers, that another service does, and that the token is refused', async () => {
    const [port] = await findFreePorts(1);
    const { err, code } = await foyer(`health --url http://127.0.0.1:${String(port)}`);
    expect([code, err]).toEqual([
      5,
      expect.stringMatching(/^foyer: No operator API answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Is Foyer running\?/),
    ]);
    const refused = await foyer('health', { env: { ...toEnvironment(operator), OPERATOR_TOKEN: 'a-wrong-token' } });
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/refused the token/)]);
    expect(refused.err).not.toContain('a-wrong-token');
  });

  it('does not trust answers: neither their colours, nor their addresses, nor their shape', async () => {
    let redirected = 0;
    const answers: [RequestListener, number, RegExp][] = [
      [
        (_, response) => response.end('<html>'),
        5,
        /^foyer: The server at \S+ is not an operator API \(200\)\. Use --url or OPERATOR_URL for another address\.\n$/,
      ],
      [(_, response) => response.end('null'), 5, /^foyer: The server at \S+ is not an operator API/],
      [
        (_, response) => response.writeHead(302, { location: '/there' }).end(),
        5,
        /^foyer: The server at \S+ is not an operator API \(302\)/,
      ],
      [(request) => request.socket.destroy(), 5, /^foyer: No operator API answers/],
      [(_, response) => response.writeHead(418).end('{"message":"\\u001b[2Jgone","error":7}'), 1, /^foyer: \uFFFD\[2Jgone\n$/],
      [(_, response) => response.writeHead(418).end('{"message":{}}'), 1, /^foyer: The operator API answered 418\.\n$/],
    ];
    for (const [listener, exit, sentence] of answers) {
      const server = createServer((request, response) => {
        if (request.url === '/there') redirected += 1;
        listener(request, response);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { code, err } = await foyer(`health --url ${url}`).finally(() => {
        server.close();
        server.closeAllConnections();
      });
      expect([code, err]).toEqual([exit, expect.stringMatching(sentence)]);
    }
    expect(redirected).toBe(0);
  });
});

describe('the program', () => {
  it('runs as a separate process, with a password on its standard input', async () => {
    const made = await program(
      ['account', 'create', '--username', 'process.person', '--password-stdin', '--json'],
      `${PASSWORD}\n`,
    );
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(made.out)).toMatchObject({ username: 'process.person', status: 'active' });
    expect(await canSignIn('process.person', PASSWORD)).toBe(true);
    expect(await program(['account', 'show', 'nobody.here'])).toMatchObject({ code: 3, out: '' });
    expect(await program([])).toMatchObject({ code: 2, out: '' });
  });
});

function program(args: readonly string[], input = ''): Promise<Record<'out' | 'err', string> & { code: number }> {
  if (!existsSync(MAIN)) throw new Error('There is no dist/src/operator/cli/main.js. `npm run build` makes it.');
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...processEnvironment(), ...toEnvironment(operator) } });
  const ended = { code: 0, out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.err += text));
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...ended, code: code ?? -1 })));
}
