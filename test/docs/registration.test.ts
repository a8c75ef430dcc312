/** What `docs/registration.md` tells the builders of a service is what the product does: its tokens, and its example, run. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { TestRegistrationService, returnToFoyer, continueToService } from '../support/registration-service.js';
import { processEnvironment } from '../support/process-environment.js';
import { ScratchTree } from '../support/scratch-tree.js';
import { TestBrowser } from '../support/test-browser.js';
import { freePorts } from '../../test-kit/free-ports.js';

const scratch = new ScratchTree();
const text = scratch.projectFile('docs/registration.md');

afterAll(() => scratch.remove());

/** A block of the document by the words behind its fence. */
function block(name: string): string {
  const found = new RegExp(`\n\`\`\`${name}\n([^]*?)\n\`\`\``).exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/registration.md has no block ${name}`);
  return found;
}

const readExample = (name: string) => JSON.parse(block(`json ${name}`)) as JWTPayload;

/** Names and kinds of values, all the way down. */
function toShape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, toShape(member)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

describe('the document for builders of a registration service', () => {
  let demoService: TestRegistrationService;
  let gateway: TestGateway;

  beforeAll(async () => {
    demoService = await new TestRegistrationService().start();
    gateway = await startTestGateway({ config: () => demoService.config() });
  });

  afterAll(async () => {
    await gateway.close();
    await demoService.stop();
  });

  it('[REG-1] shows a ticket as it is', async () => {
    const handed = await continueToService(gateway, {}, { contract: 'BAV-2231' });
    expect(toShape(handed.ticket)).toEqual(toShape(readExample('ticket')));
    expect([handed.ticket['hints'], handed.ticket['locale']]).toEqual([{ contract: 'BAV-2231' }, 'de']);
    const { exp = 0, iat = 0 } = readExample('ticket');
    expect(exp - iat).toBe((handed.ticket.exp ?? 0) - (handed.ticket.iat ?? 0));
    const { typ, alg } = decodeProtectedHeader(handed.encoded);
    expect(readExample('ticket-header')).toMatchObject({ typ, alg });
  });

  it('[REG-3] shows an answer that is taken', async () => {
    const handed = await continueToService(gateway);
    const { account } = readExample('answer');
    const header = readExample('answer-header');
    const answer = await demoService.answer(gateway, handed, { account }, { header: { typ: header['typ'], alg: header['alg'] } });
    expect(toShape(decodeJwt(answer))).toEqual(toShape(readExample('answer')));
    expect((await returnToFoyer(handed.browser, answer)).location).toContain('login_verifier=');
    expect(await gateway.get(Accounts).findByUsername('nele.neumann')).toMatchObject({
      displayName: 'Nele Neumann',
      email: 'nele@example.org',
      emailVerified: true,
      language: 'de',
      groupName: 'Nord',
    });
  });

  it('names every setting that it needs', () => {
    const table = scratch.projectFile('docs/settings.md');
    const names = [...new Set(text.match(/\bREG(?:ISTRATION)?_[A-Z_]+\b/g))];
    expect(names).toHaveLength(5);
    for (const name of names) expect(table).toContain(`\`${name}\``);
  });
});

describe('its example', () => {
  let gateway: TestGateway;
  let service: ChildProcess;
  let self: string;

  beforeAll(async () => {
    const [gatewayPort = 0, port = 0] = await freePorts(2);
    const publicUrl = `http://127.0.0.1:${gatewayPort}`;
    self = `http://localhost:${port}`;
    const proof = { kind: 'jwks', url: `${self}/jwks` } as const;
    const registration = { hintNames: [], service: { url: `${self}/`, issuer: self, proof } };
    gateway = await startTestGateway({ port: gatewayPort, config: () => ({ publicUrl, registration }) });
    scratch.write('service.mjs', block('js service.mjs'));
    service = spawn(process.execPath, [join(scratch.root, 'service.mjs')], {
      env: { ...processEnvironment(), FOYER: publicUrl, SELF: self, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(service.stdout!, 'data');
  });

  afterAll(async () => {
    const ended = once(service, 'exit');
    service.kill();
    await ended;
    await gateway.close();
  });

  it('[REG-1] [REG-3] makes an account and signs in, says what was refused, and takes a ticket once', async () => {
    await gateway.account('taken.name');
    gateway.hydra.addLogin({ challenge: 'example' });
    const [browser, there] = [gateway.browser(), new TestBrowser(self)];
    const follow = async (address: string | null): Promise<void> => {
      expect((await there.get(address ?? '')).location).toBe('/');
    };
    const submitUsername = async (username: string) => browser.get((await there.post('/', { username })).location ?? '');

    const away = await browser.get(`${PATHS.register}?login_challenge=example`);
    await follow(away.location);
    expect((await there.get('/')).html).toContain('New account for Beispielportal');
    await follow((await submitUsername('taken.name')).location);
    expect((await there.get('/')).html).toContain('Not possible: username-taken');
    expect((await submitUsername('free.name')).location).toContain('login_verifier=');
    expect(await gateway.get(Accounts).findByUsername('free.name')).not.toBeNull();
    expect((await new TestBrowser(self).get(away.location ?? '')).status).toBe(400);
  });
});
