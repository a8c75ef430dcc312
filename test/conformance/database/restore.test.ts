/** Backup, restore and a change of SECRETS_SYSTEM as docs/production.md describes them, with the tools of PostgreSQL. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeedResealer } from '../../../src/mfa/factors/totp/seed-resealer.js';
import { openDatabase } from '../../../src/database/open-database.js';
import type { Database } from '../../../src/database/database.js';
import { toExamples } from '../../support/doc-examples.js';
import { PostgresCluster, whyNoCluster } from '../../support/postgres-cluster.js';
import { TestClock } from '../../support/test-clock.js';
import { BY, FactorParts, SECRET } from './factor-parts.js';

const NEWER = 'the newer secret of the installation';
const TIMEOUT_MS = 180_000;

const reason = whyNoCluster();
if (reason !== null) process.stderr.write(`SKIPPED: backup and restore of docs/production.md: ${reason}\n`);

(reason === null ? describe : describe['skip'])('a backup, as docs/production.md makes it', () => {
  const clock = new TestClock();
  const opened: Database[] = [];
  let cluster: PostgresCluster;
  let folder: string;

  const open = async (name: string): Promise<Database> => {
    const settings = { url: cluster.url(name), poolSize: 2, dataDir: '' };
    const database = await openDatabase({ database: settings, clock, acquireTimeoutMs: TIMEOUT_MS });
    opened.push(database);
    return database;
  };
  const run = (block: string, database: string) => {
    const env = { PATH: `${cluster.tools}:${process.env['PATH'] ?? ''}`, DATABASE_URL: cluster.url(database) };
    const script = toExamples('docs/production.md').get(block) ?? 'exit 9';
    return promisify(execFile)('sh', ['-e', '-c', script], { cwd: folder, env });
  };

  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    await cluster.start();
    folder = await mkdtemp(join(tmpdir(), 'foyer-backup-'));
  }, TIMEOUT_MS);

  afterAll(async () => {
    for (const database of opened) await database.close();
    await cluster.remove();
    await rm(folder, { recursive: true });
  }, TIMEOUT_MS);

  it('contains accounts, factors and audit log; the secrets of its time open it, and can be rotated afterwards', async () => {
    await cluster.execute('create database lived');
    await cluster.execute('create database restored');
    const before = await FactorParts.create({ clock, database: await open('lived') });
    const { account, app } = await before.createWithTotp();
    await run('backup.sh', 'lived');
    const late = await before.createPerson();

    await run('restore.sh', 'restored');
    const test = { clock, database: await open('restored') };
    const [known, rotating, rotated] = await Promise.all(
      [[SECRET], [NEWER, SECRET], [NEWER]].map((secrets) => FactorParts.create(test, { secrets })),
    );
    const proveCode = (parts: FactorParts | undefined): unknown => {
      clock.advanceSeconds(30);
      return parts?.totp.verify({ accountId: account.id, code: app.code(), auditContext: BY });
    };
    expect(await known?.accounts.findByUsername(account.username)).toEqual(account);
    expect(await known?.accounts.findByUsername(late.username)).toBeNull();
    expect((await known?.listAuditEvents(account))?.map(({ kind }) => kind)).toEqual(
      (await before.listAuditEvents(account)).map(({ kind }) => kind),
    );
    expect(await proveCode(known)).toEqual({ kind: 'proven' });
    await expect(proveCode(rotated)).rejects.toThrow('SECRETS_SYSTEM');

    expect(await rotating?.service(SeedResealer).reseal()).toEqual({ resealed: 1, lost: 0 });
    expect(await proveCode(rotated)).toEqual({ kind: 'proven' });
    await expect(proveCode(known)).rejects.toThrow('SECRETS_SYSTEM');
  });

  it('is not restored into a database that is in use', async () => {
    await expect(run('restore.sh', 'lived')).rejects.toThrow('already exists');
  });
});
