/** The workers beside requests: when they begin, and the order in which everything stops. */
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { AccountsModule } from '../../src/accounts/accounts.module.js';
import { StartEvent } from '../../src/accounts/audit/start-event.js';
import { CleanupWorker } from '../../src/accounts/cleanup-worker.js';
import { QueuesModule, type Foundation } from '../../src/app.module.js';
import type { Database } from '../../src/database/database.js';
import { ListenerAdapter } from '../../src/gateway/http/listener.adapter.js';
import { HydraModule } from '../../src/hydra/hydra.module.js';
import { FactorsModule } from '../../src/mfa/factors.module.js';
import { RevocationWorker } from '../../src/hydra/revocation-worker.js';
import { OutboxWorker } from '../../src/mail/outbox-worker.js';
import { createWorkers } from '../../src/start-foyer.js';
import { openTestDatabase } from '../support/databases.js';
import { openModules, testFoundation } from '../support/modules.js';
import { TestClock } from '../support/test-clock.js';
import { testConfig } from '../support/test-config.js';

const MODULES = [AccountsModule, FactorsModule, HydraModule, QueuesModule];
const SMTP = { host: 'localhost', port: 9, encryption: 'none' } as const;

let database: Database;
let foundation: Foundation;

beforeAll(async () => {
  const clock = new TestClock();
  database = await openTestDatabase('either', clock);
  const config = testConfig(({ mail }) => ({ mail: { ...mail, server: SMTP } }));
  foundation = testFoundation({ config, clock, database });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await database.close();
});

const countStarts = async () =>
  (await database.db.selectFrom('audit_event').select('detail').where('kind', '=', 'system.started').execute()).length;

/** @param closed receives the name when the listener is closed */
const createListener = (name: string, closed: string[]) =>
  ({
    getHttpAdapter: () => new ListenerAdapter(foundation.config.http),
    close: async () => void closed.push(name),
  }) as unknown as INestApplication<Server>;

it('the audit log records the start of the installation once, and not for a gateway without workers', async () => {
  const gateway = await openModules(foundation, MODULES);
  expect(await countStarts()).toBe(0);
  const workers = await createWorkers(foundation, gateway);
  expect(await countStarts()).toBe(1);
  await Promise.all([workers.close(), gateway.close()]);
});

it('[INS-10] first no more work begins, then the listeners close, then work in progress is waited for', async () => {
  const order: string[] = [];
  const record = (type: { prototype: object }, hook: string, name: string): void => {
    const prototype = type.prototype as Record<string, () => unknown>;
    const real = prototype[hook];
    jest.spyOn(prototype, hook).mockImplementation(function (this: unknown) {
      order.push(name);
      return real?.call(this);
    });
  };
  record(CleanupWorker, 'onModuleDestroy', 'cleanup');
  record(RevocationWorker, 'onApplicationShutdown', 'revocations');
  record(OutboxWorker, 'onApplicationShutdown', 'mail');
  const gateway = await openModules(foundation, MODULES);
  const workers = await createWorkers(foundation, gateway, [createListener('gateway', order), createListener('operator', order)]);
  await workers.close();
  expect(order.slice(0, 3)).toEqual(['cleanup', 'gateway', 'operator']);
  expect(order.slice(3).sort()).toEqual(['mail', 'revocations']);
  await gateway.close();
});

it('the listeners close if the workers cannot start', async () => {
  const closed: string[] = [];
  const start = jest.spyOn(StartEvent.prototype, 'onModuleInit').mockRejectedValue(new Error('The database is gone.'));
  const gateway = await openModules(foundation, MODULES);
  const listeners = [createListener('gateway', closed), createListener('operator', closed)];
  await expect(createWorkers(foundation, gateway, listeners)).rejects.toThrow('The database is gone.');
  expect(closed.sort()).toEqual(['gateway', 'operator']);
  start.mockRestore();
  await gateway.close();
});
