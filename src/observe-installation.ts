/** What is read when somebody looks: queues, the pool, whether the parts answer. Each reading is cheap and may fail. */
import type { INestApplicationContext } from '@nestjs/common';
import { Attempts } from './accounts/limits/attempts.js';
import { OutboxWaiting } from './accounts/queue/outbox-waiting.js';
import { PasswordHasher } from './accounts/password/hasher.js';
import { RevocationJobs } from './accounts/queue/revocation-jobs.js';
import { Database } from './database/database.js';
import { READINESS_PROBES } from './gateway/http/health.controller.js';
import type { ReadinessProbe } from './gateway/http/health.controller.js';
import type { AttributesOf, ObservedName } from './telemetry/catalogue.js';
import type { Telemetry } from './telemetry/telemetry.js';

const POOL = { 'db.client.connection.pool.name': 'foyer' } as const;

/** Alerts wait for the first of them. */
const RARE = [
  ['token.reused', 'person'],
  ['mail.abandoned', 'system'],
] as const;

type Part = AttributesOf<'foyer.part.ready'>['foyer.part'];

export function observeInstallation(telemetry: Telemetry, app: Pick<INestApplicationContext, 'get'>): void {
  if (!telemetry.isOn) return;
  for (const [kind, actor] of RARE) telemetry.count('foyer.events', { 'foyer.event.kind': kind, 'foyer.actor': actor }, 0);
  observePool(telemetry, app.get(Database));
  observeQueues(telemetry, app);
  observeMail(telemetry, app.get(OutboxWaiting));
  observeRevocations(telemetry, app.get(RevocationJobs));
  const probes = app.get<readonly ReadinessProbe[]>(READINESS_PROBES);
  telemetry.observe('foyer.part.ready', () =>
    Promise.all(
      probes.map(async ({ name, isReady }) => ({
        value: (await isReady()) ? 1 : 0,
        attributes: { 'foyer.part': name as Part },
      })),
    ),
  );
}

function observePool(telemetry: Telemetry, database: Database): void {
  telemetry.observe('db.client.connection.count', () => {
    const { used, idle } = database.usage();
    return [
      { value: used, attributes: { ...POOL, 'db.client.connection.state': 'used' as const } },
      { value: idle, attributes: { ...POOL, 'db.client.connection.state': 'idle' as const } },
    ];
  });
  telemetry.observe('db.client.connection.max', () => [{ value: database.usage().most, attributes: POOL }]);
  telemetry.observe('db.client.connection.pending_requests', () => [{ value: database.usage().waiting, attributes: POOL }]);
}

function observeQueues(telemetry: Telemetry, app: Pick<INestApplicationContext, 'get'>): void {
  const [hasher, attempts] = [app.get(PasswordHasher), app.get(Attempts)];
  const readings: Partial<Record<ObservedName, () => number>> = {
    'foyer.hash.running': () => hasher.load.running,
    'foyer.hash.waiting': () => hasher.load.waiting,
    'foyer.hash.waiting.max': () => hasher.load.most,
    'foyer.login.waiting': () => attempts.waiting,
  };
  for (const [name, read] of Object.entries(readings)) {
    telemetry.observe(name as 'foyer.hash.running', () => [{ value: read(), attributes: {} }]);
  }
}

function observeMail(telemetry: Telemetry, outbox: OutboxWaiting): void {
  telemetry.observe('foyer.mail.waiting', async () => {
    const { due, later } = await outbox.count();
    return [
      { value: due, attributes: { 'foyer.mail.state': 'due' as const } },
      { value: later, attributes: { 'foyer.mail.state': 'later' as const } },
    ];
  });
  telemetry.observe('foyer.mail.oldest.age', async () => [{ value: (await outbox.count()).oldestSeconds, attributes: {} }]);
}

function observeRevocations(telemetry: Telemetry, revocations: RevocationJobs): void {
  telemetry.observe('foyer.revocation.jobs.waiting', async () => [
    { value: (await revocations.count()).waiting, attributes: {} },
  ]);
  telemetry.observe('foyer.revocation.jobs.oldest.age', async () => [
    { value: (await revocations.count()).oldestSeconds, attributes: {} },
  ]);
}
