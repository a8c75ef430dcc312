/** Gateways that are killed while they deliver events: every event arrives, in the order of its account. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { EventDeliveries } from '../../src/accounts/queue/event-deliveries.js';
import { copyTemplate, execute, serverUrl, whyNoServer } from '../support/databases.js';
import { EventReceiver } from '../support/event-receiver.js';
import { IS_FULL } from '../support/matrix.js';
import { ProcessGateway } from '../support/process-gateway.js';
import { waitUntil } from '../support/upstream-waiting.js';

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED: gateways that are killed while they deliver: ${reason}\n`);
const TIMEOUT_MS = IS_FULL ? 3_600_000 : 600_000;
const EVENTS = IS_FULL ? 100_000 : 1600;
const ACCOUNTS = IS_FULL ? 1000 : 100;
const KILLS = IS_FULL ? 40 : 2;
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

(reason === null ? describe : describe.skip)('two gateways that are killed while they deliver events', () => {
  let name: string;
  let receiver: EventReceiver;
  const gateways: ProcessGateway[] = [];

  beforeAll(async () => {
    name = await copyTemplate();
    receiver = await EventReceiver.start(SECRET);
    const sinks = [
      { name: 'crm', kind: 'webhook', address: receiver.url, secrets: [SECRET], events: ['sign-in.*', 'account.*'] },
    ];
    const env = { EVENT_SINKS: JSON.stringify(sinks) };
    for (let count = 0; count < 2; count++) gateways.push(await ProcessGateway.start(serverUrl(name), env));
  }, TIMEOUT_MS);

  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await receiver.close();
    await execute(`drop database if exists ${name} with (force)`);
  }, TIMEOUT_MS);

  /** What is left of a killed gateway's leases ends now; nothing else waits for real time. */
  const endLeases = async (): Promise<void> => {
    if (IS_FULL) return;
    // Rows that the living gateway changes at the moment are skipped: waiting for them could end in a deadlock.
    const claimed = sql`select id from event_delivery where claimed_until is not null and delivered_at is null for update skip locked`;
    await sql`update event_delivery set claimed_until = null where id in (${claimed})`.execute(gateways[0]!.database.db);
  };

  it('an operator changes an account, the gateway dies before the event has arrived, and it arrives', async () => {
    const [first] = gateways;
    if (!first) throw new Error('There is no gateway.');
    const account = await first.account('maria');
    receiver.answer = () => undefined;
    expect(await first.operator('POST', `/accounts/${account.id}/disable`)).toBe(200);
    await waitUntil(TIMEOUT_MS, () => Promise.resolve(receiver.events.some(({ type }) => type === 'foyer.account.disabled')));
    await first.kill();
    receiver.accept();
    await endLeases();
    await first.restart();
    await waitUntil(TIMEOUT_MS, () => Promise.resolve(receiver.findIds(account.id).length === 1));
  });

  it(
    `of ${EVENTS} events none is lost, and none arrives before an earlier one of its account`,
    async () => {
      const { database } = gateways[0]!;
      const audit = new AuditLog(database);
      // Events of a third gateway, which delivers nothing.
      const sink = {
        name: 'crm',
        kind: 'webhook',
        address: receiver.url,
        secrets: [],
        events: ['sign-in.*'],
        person: [],
      } as const;
      void new EventDeliveries(database, audit, { eventSinks: [sink] });
      const accounts = Array.from({ length: ACCOUNTS }, () => randomUUID());
      const perAccount = EVENTS / ACCOUNTS;
      let answers = 0;
      receiver.answer = (_, response) => void response.writeHead((answers += 1) % 97 === 0 ? 503 : 204).end();
      const write = async (part: readonly string[]): Promise<void> => {
        for (let step = 0; step < perAccount; step++) {
          for (const accountId of part)
            await audit.record({ kind: 'sign-in.ok', actor: 'person', accountId, detail: { step: String(step) } });
        }
      };
      const parts = [0, 1, 2, 3].map((part) => accounts.filter((_, index) => index % 4 === part));
      const written = Promise.all(parts.map(write));
      const countArrived = () => new Set(receiver.accepted.map(({ id }) => id)).size;
      for (let kill = 0; kill < KILLS; kill++) {
        const enough = ((kill + 1) * EVENTS) / (KILLS + 2);
        await waitUntil(TIMEOUT_MS, () => Promise.resolve(countArrived() >= enough));
        await gateways[kill % 2]!.kill();
        await endLeases();
        await gateways[kill % 2]!.restart();
      }
      await written;
      const isDone = async (): Promise<boolean> => {
        const { rows } = await sql`select from event_delivery where delivered_at is null limit 1`.execute(database.db);
        return rows.length === 0;
      };
      await waitUntil(TIMEOUT_MS, isDone);
      const steps = accounts.map((account) => {
        const arrived = receiver.accepted
          .filter(({ subject }) => subject === account)
          .map(({ data }) => Number(data.detail['step']));
        return [...new Set(arrived)];
      });
      const wanted = Array.from({ length: perAccount }, (_, step) => step);
      expect(steps).toEqual(accounts.map(() => wanted));
    },
    TIMEOUT_MS,
  );
});
