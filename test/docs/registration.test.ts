/** Checks that `docs/registration.md` describes what the product does: compares its tokens, and runs its example. */
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
import { findFreePorts } from '../../test-kit/free-ports.js';

const scratch = new ScratchTree();
const text = scratch.projectFile('docs/registration.md');

afterAll(() => scratch.remove());

/** @param name the words after the opening fence of the block */
function readBlock(name: string): string {
  const found = new RegExp(`\n\`\`\`${name}\n([^]*?)\n\`\`\``).exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/registration.md has no block ${name}.`);
  return found;
}

const readExample = (name: string) => JSON.parse(readBlock(`json ${name}`)) as JWTPayload;

/** Replaces every value with its type, in nested objects too. */
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

  it('[REG-1] shows the claims and the header of a real ticket', async () => {
    const ticketPage = await continueToService(gateway, {}, { contract: 'BAV-2231' });
    expect(toShape(ticketPage.ticket)).toEqual(toShape(readExample('ticket')));
    expect([ticketPage.ticket['hints'], ticketPage.ticket['locale']]).toEqual([{ contract: 'BAV-2231' }, 'de']);
    const { exp = 0, iat = 0 } = readExample('ticket');
    expect(exp - iat).toBe((ticketPage.ticket.exp ?? 0) - (ticketPage.ticket.iat ?? 0));
    const { typ, alg } = decodeProtectedHeader(ticketPage.encoded);
    expect(readExample('ticket-header')).toMatchObject({ typ, alg });
  });

  it('[REG-3] shows an answer that Foyer accepts', async () => {
    const ticketPage = await continueToService(gateway);
    const { account } = readExample('answer');
    const header = readExample('answer-header');
    const answer = await demoService.answer(
      gateway,
      ticketPage,
      { account },
      { header: { typ: header['typ'], alg: header['alg'] } },
    );
    expect(toShape(decodeJwt(answer))).toEqual(toShape(readExample('answer')));
    expect((await returnToFoyer(ticketPage.browser, answer)).location).toContain('login_verifier=');
    expect(await gateway.get(Accounts).findByUsername('nele.neumann')).toMatchObject({
      displayName: 'Nele Neumann',
      email: 'nele@example.org',
      emailVerified: true,
      language: 'de',
      groupName: 'Nord',
    });
  });

  it('mentions only settings that exist', () => {
    const table = scratch.projectFile('docs/settings.md');
    const names = [...new Set(text.match(/\bREG(?:ISTRATION)?_[A-Z_]+\b/g))];
    expect(names).toHaveLength(5);
    for (const name of names) expect(table).toContain(`\`${name}\``);
  });
});

describe('the example service of the document', () => {
  let gateway: TestGateway;
  let service: ChildProcess;
  let self: string;

  beforeAll(async () => {
    const [gatewayPort = 0, port = 0] = await findFreePorts(2);
    const publicUrl = `http://127.0.0.1:${gatewayPort}`;
    self = `http://localhost:${port}`;
    const proof = { kind: 'jwks', url: `${self}/jwks` } as const;
    const registration = { hintNames: [], service: { url: `${self}/`, issuer: self, proof } };
    gateway = await startTestGateway({ port: gatewayPort, config: () => ({ publicUrl, registration }) });
    scratch.write('service.mjs', readBlock('js service.mjs'));
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

  it('[REG-1] [REG-3] creates an account and signs in, explains a refusal, and accepts a ticket only once', async () => {
    await gateway.account('taken.name');
    gateway.hydra.addLogin({ challenge: 'example' });
    const [browser, serviceBrowser] = [gateway.browser(), new TestBrowser(self)];
    const follow = async (address: string | null): Promise<void> => {
      expect((await serviceBrowser.get(address ?? '')).location).toBe('/');
    };
    const submitUsername = async (username: string) => browser.get((await serviceBrowser.post('/', { username })).location ?? '');

    const registration = await browser.get(`${PATHS.register}?login_challenge=example`);
    await follow(registration.location);
    expect((await serviceBrowser.get('/')).html).toContain('New account for Beispielportal');
    await follow((await submitUsername('taken.name')).location);
    expect((await serviceBrowser.get('/')).html).toContain('Not possible: username-taken');
    expect((await submitUsername('free.name')).location).toContain('login_verifier=');
    expect(await gateway.get(Accounts).findByUsername('free.name')).not.toBeNull();
    expect((await new TestBrowser(self).get(registration.location ?? '')).status).toBe(400);
  });
});
