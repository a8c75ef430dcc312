/** Runs the script of docs/conformance.md without changes against an imitation of the suite's API with one module. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SuiteConfig } from '../../test-kit/index.js';
import { findChromium } from '../support/chromium.js';
import { toExamples } from '../support/doc-examples.js';
import { PROJECT, ScratchTree } from '../support/scratch-tree.js';

const TIMEOUT_MS = 300_000;
const run = promisify(execFile);

/** Imitates a suite with one module: a sign-in that ends at the callback, and a screenshot of the sign-in. */
class ImitatedSuite {
  readonly calls: string[] = [];
  #config: SuiteConfig | undefined;
  #isOpened = false;
  #code: string | null = null;
  #picture = '';
  readonly #server: Server = createServer((request, response) => {
    void this.#answer(request).then((answer) => response.end(JSON.stringify(answer)));
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, 'localhost', () => resolve()));
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  get result(): { hasCode: boolean; isPicture: boolean } {
    return { hasCode: this.#code !== null, isPicture: this.#picture.startsWith('data:image/png;base64,') };
  }

  stop(): void {
    this.#server.close();
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const url = new URL(request.url ?? '', 'http://suite');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.calls.push(`${request.method} ${url.pathname}`);
    switch (`${request.method} ${url.pathname}`) {
      case 'POST /api/plan':
        this.#config = JSON.parse(body) as SuiteConfig;
        return { id: 'plan', modules: [{ testModule: url.searchParams.get('planName'), variant: {} }] };
      case 'POST /api/runner':
        return { id: 'one' };
      case 'GET /api/info/one':
        return this.#picture === '' ? { status: 'WAITING' } : { status: 'FINISHED', result: 'PASSED' };
      case 'GET /api/runner/browser/one':
        return { urls: this.#isOpened ? [] : [await this.#authorizationUrl()] };
      case 'POST /api/runner/browser/one/visit':
        this.#isOpened = true;
        return {};
      case 'GET /api/log/one':
        return this.#picture === '' ? [{ upload: 'shot' }] : [];
      case 'POST /api/log/one/images/shot':
        this.#picture = body;
        return {};
      default:
        this.#code ??= url.searchParams.get('code');
        return {};
    }
  }

  async #authorizationUrl(): Promise<string> {
    if (!this.#config) throw new Error('The plan has no configuration.');
    const found = await fetch(this.#config.server.discoveryUrl);
    const { authorization_endpoint: endpoint } = (await found.json()) as { authorization_endpoint: string };
    const url = new URL(endpoint);
    const { port } = this.#server.address() as AddressInfo;
    url.search = new URLSearchParams({
      client_id: this.#config.client.client_id,
      response_type: 'code',
      scope: 'openid email',
      state: 'state-of-the-suite',
      redirect_uri: `http://localhost:${port}/test/a/${this.#config.alias}/callback`,
    }).toString();
    return url.href;
  }
}

describe('the script for the conformance suite', () => {
  const tree = new ScratchTree();
  const suite = new ImitatedSuite();
  let suiteUrl = '';

  beforeAll(async () => {
    const installed = join(tree.root, 'node_modules', 'foyer');
    mkdirSync(installed, { recursive: true });
    const { stdout } = await run(process.execPath, [join(PROJECT, 'scripts', 'pack.mjs'), tree.root]);
    await run('tar', ['-xzf', stdout.trim(), '-C', installed, '--strip-components=1']);
    tree.write('package.json', '{ "type": "module", "private": true }');
    tree.write('run-suite.mjs', toExamples('docs/conformance.md').get('run-suite.mjs') ?? '');
    suiteUrl = await suite.start();
  }, TIMEOUT_MS);
  afterAll(() => {
    suite.stop();
    tree.remove();
  });

  it(
    'runs a plan, signs in with Chromium, uploads the screenshot and prints the result',
    async () => {
      const { PATH = '', HOME = '' } = process.env;
      const root = process.getuid?.() === 0 ? { CHROMIUM_ARGS: '--no-sandbox' } : {};
      const env = { PATH, HOME, SUITE_URL: suiteUrl, CHROMIUM: findChromium(), ...root };
      const { stdout } = await run(process.execPath, ['run-suite.mjs'], { cwd: tree.root, env });
      expect(stdout).toContain('oidcc-basic-certification-test-plan: FINISHED PASSED\n');
      expect(suite.result).toEqual({ hasCode: true, isPicture: true });
    },
    TIMEOUT_MS,
  );
});
