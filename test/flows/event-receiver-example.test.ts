/** The receiver of docs/event-sinks.md, as it stands there. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createWebhookTransport } from '../../src/events/transports/webhook.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { toExamples } from '../support/doc-examples.js';
import { processEnvironment } from '../support/process-environment.js';
import { PROJECT } from '../support/scratch-tree.js';
import { waitUntil } from '../support/upstream-waiting.js';

const TIMEOUT_MS = 180_000;
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const EVENT = {
  id: '17',
  kind: 'account.disabled',
  at: new Date('2026-11-28T09:00:00Z'),
  actor: 'operator',
  operator: 'olga',
  account: { id: '7c1f5b1e-9a43-4d0c-8b3a-2f6f0f1d9e55' },
  address: null,
  requestId: null,
  detail: { reason: 'left' },
} as const;

let receiver: ChildProcess;
let address: string;
let output = '';

beforeAll(async () => {
  const code = toExamples('docs/event-sinks.md').get('receiver.mjs') ?? '';
  expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(22);
  const [port = 0] = await findFreePorts(1);
  address = `http://localhost:${port}/`;
  receiver = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: PROJECT,
    env: { ...processEnvironment(), WEBHOOK_SECRET: SECRET, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver.stdout?.on('data', (text: Buffer) => (output += text.toString()));
  await waitUntil(TIMEOUT_MS, () => Promise.resolve(output.includes('listening')));
});

afterAll(async () => {
  const exit = once(receiver, 'exit');
  receiver.kill();
  await exit;
});

it('takes an event once, and refuses one that another key has signed', async () => {
  const settings = { address, source: 'https://login.example.com', now: () => new Date() };
  const transport = createWebhookTransport({ ...settings, secrets: [SECRET] });
  expect(await transport.deliver(EVENT)).toMatchObject({ isDelivered: true, status: '204' });
  expect(await transport.deliver(EVENT)).toMatchObject({ isDelivered: true });
  await transport.close();
  const forged = createWebhookTransport({ ...settings, secrets: [`whsec_${randomBytes(32).toString('base64')}`] });
  expect(await forged.deliver(EVENT)).toMatchObject({ isDelivered: false, status: '401' });
  await forged.close();
  const lines = output.split('\n').filter((line) => line.includes('foyer.'));
  expect(lines).toEqual([`2026-11-28T09:00:00.000Z foyer.account.disabled ${EVENT.account.id} {"reason":"left"}`]);
});
