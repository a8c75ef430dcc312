import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { testConfig } from '../../test/support/test-config.js';
import { TELEMETRY_OFF } from '../telemetry/telemetry.js';
import type { WaitingMail } from './mail-queue.port.js';
import { OutboxWorker } from './outbox-worker.js';

const WAKE_DELAY_MS = 250;
const MAIL: WaitingMail = {
  id: 1,
  tries: 1,
  triesLeft: 7,
  kind: 'totp-added',
  recipient: 'maria@example.org',
  locale: 'en',
  values: {},
  queuedAt: new Date(0),
  expired: false,
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('wake-ups while a mail is being sent start one further delivery, however many they are', async () => {
  let claims = 0;
  const claim = async (): Promise<WaitingMail[]> => (++claims === 1 ? [MAIL] : []);
  const end = async (): Promise<void> => undefined;
  const queue = { claim, claimOldest: claim, markSent: end, postpone: end, abandon: end, onQueued: () => undefined };
  let finishSending: () => void = () => undefined;
  const send = (): Promise<void> => new Promise((resolve) => (finishSending = resolve));
  const worker = new OutboxWorker(queue, { send, close: end }, testConfig(), pino({ level: 'silent' }), TELEMETRY_OFF);
  worker.onApplicationBootstrap();
  const wake = async (): Promise<void> => {
    worker.wakeSoon();
    await jest.advanceTimersByTimeAsync(WAKE_DELAY_MS);
  };
  await wake();
  const claimsOfOneDelivery = claims;
  for (let count = 0; count < 10; count += 1) await wake();
  finishSending();
  await jest.advanceTimersByTimeAsync(0);
  expect(claims).toBe(2 * claimsOfOneDelivery);
  await worker.onApplicationShutdown();
});
