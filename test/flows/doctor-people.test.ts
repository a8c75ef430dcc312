/** The doctor on accounts whose people belong to sources and providers that are missing, and on people without an account. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePorts } from '../../test-kit/free-ports.js';
import type { Database } from '../../src/database/database.js';
import { createDoctorDatabase, diagnose, type DatabaseForDoctor } from '../support/doctor-installation.js';
import { keepByScim } from '../support/scim-people.js';

/** No service answers at this address. */
const ISSUER = 'http://localhost:9/work';
const DAY_MS = 86_400_000;
const PROVIDER = {
  ...{ id: 'work', name: 'Work', issuer: ISSUER, client_id: 'foyer', client_secret: 'f0Yer-at-the-provider' },
  provision: true,
};

let dataDir: string;
let doctorDatabase: DatabaseForDoctor;
let database: Database;
/** Nothing listens at this address. */
let gatewayPort = 0;
let peoplePort = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-own-'));
  doctorDatabase = await createDoctorDatabase(dataDir);
  [gatewayPort = 0, peoplePort = 0] = await findFreePorts(2);
});
afterAll(() => rm(dataDir, { recursive: true }));

async function fillDatabase(fill: () => Promise<void>): Promise<void> {
  database = await doctorDatabase.open();
  await fill();
  await database.close();
}

async function person(source: string, table: 'source_account' | 'migrated_account' = 'source_account'): Promise<void> {
  const username = `p${randomUUID().slice(0, 8)}`;
  const now = new Date();
  const names = { username, username_key: username, display_name: username, created_at: now, updated_at: now };
  const { id } = await database.db.insertInto('account').values(names).returning('id').executeTakeFirstOrThrow();
  const link = { account_id: id, source, subject: username };
  if (table === 'migrated_account')
    await database.db
      .insertInto(table)
      .values({ ...link, migrated_at: now })
      .execute();
  else
    await database.db
      .insertInto(table)
      .values({ ...link, profile: '', connected_at: now, seen_at: now })
      .execute();
}

async function recordRefusal(subject: string, reason: string, days = 0): Promise<void> {
  const detail = JSON.stringify({ provider: 'work', subject, reason });
  const event = { kind: 'provider.refused', actor: 'person', detail, at: new Date(Date.now() - days * DAY_MS) };
  await database.db.insertInto('audit_event').values(event).execute();
}

/** @returns level, text and fix of the findings about sources and providers */
async function diagnosePeople(env: Record<string, string> = {}): Promise<[string, string, string | undefined][]> {
  const ports = {
    PUBLIC_URL: `http://localhost:${gatewayPort}`,
    PORT: String(gatewayPort),
    EMBEDDED_PEOPLE_PORT: String(peoplePort),
  };
  const { findings } = await diagnose({ ...ports, ...doctorDatabase.env, ...env });
  return findings
    .filter(({ check }) => ['User sources', 'Providers and registration', 'SCIM sources'].includes(check))
    .map(({ level, what, fix }) => [level, what, fix]);
}

describe('[INS-3] the doctor', () => {
  it('reports that the example service runs only with Foyer, also before the first start', async () => {
    expect(await diagnosePeople()).toContainEqual([
      'hint',
      'The example user source runs only while Foyer runs.',
      expect.any(String),
    ]);
  });

  it('names sources and providers of accounts that are no longer configured', async () => {
    await fillDatabase(async () => {
      await person('staff');
      await person(ISSUER);
    });
    const first = await diagnosePeople();
    expect(first).toContainEqual([
      'fault',
      '1 account belongs to the source staff, which is not configured: nobody can sign in to it by password.',
      'Add the source to USER_SOURCES again, with the same id, or unlink the accounts from it (foyer account unlink).',
    ]);
    expect(first).toContainEqual([
      'fault',
      `1 account belongs to a person of ${ISSUER}, which is not configured: they cannot sign in.`,
      'Add the provider to OIDC_PROVIDERS again, or unlink the accounts from it (foyer account unlink).',
    ]);
    await fillDatabase(() => person(ISSUER));
    const texts = (await diagnosePeople()).map(([, what]) => what);
    expect(texts).toContainEqual(expect.stringMatching(/^2 accounts belong to people of /));
    expect((await diagnosePeople({ OIDC_PROVIDERS: JSON.stringify([PROVIDER]) })).map(([, what]) => what).join()).not.toContain(
      'accounts belong to people',
    );
  });

  it('counts people for whom no account could be created, each once, in the last 30 days', async () => {
    await fillDatabase(async () => {
      await recordRefusal('one', 'no account');
      await recordRefusal('one', 'no account');
      await recordRefusal('two', 'not admitted');
      await recordRefusal('three', 'no account', 31);
    });
    const filterNotCreated = (findings: Awaited<ReturnType<typeof diagnosePeople>>) =>
      findings.filter(([, what]) => what.includes('no account could'));
    expect(filterNotCreated(await diagnosePeople())).toEqual([
      ['hint', 'In the last 30 days, no account could be created for 1 person of work.', expect.stringContaining('foyer audit')],
    ]);
    await fillDatabase(() => recordRefusal('four', 'no account'));
    expect(filterNotCreated(await diagnosePeople())).toEqual([
      ['hint', 'In the last 30 days, no account could be created for 2 people of work.', expect.any(String)],
    ]);
  });

  it('reports SCIM sources that are silent, refused requests, people who cannot sign in, and sources that are missing', async () => {
    const token = 'a-token-of-the-directory-0123456789';
    const source = { id: 'entra', type: 'scim', name: 'Entra ID', token };
    const find = async (more: object = {}) =>
      (await diagnosePeople({ USER_SOURCES: JSON.stringify([{ ...source, ...more }]) }))
        .map(([level, what]) => `${level}: ${what}`)
        .filter((text) => text.includes('Entra ID') || text.includes('SCIM'));
    await fillDatabase(async () => {
      for (const externalId of ['object-1', null]) {
        const username = `p${randomUUID().slice(0, 8)}`;
        const now = database.now();
        const names = { username, username_key: username, display_name: username, created_at: now, updated_at: now };
        const { id } = await database.db.insertInto('account').values(names).returning('id').executeTakeFirstOrThrow();
        await keepByScim({ database }, { id, username }, { externalId });
      }
      await person('scim:former');
    });
    expect(await find()).toEqual([
      'hint: 1 account belongs to the SCIM source former, which is not in USER_SOURCES.',
      'hint: Entra ID has made no request yet.',
      'hint: 2 people of Entra ID cannot sign in yet.',
    ]);
    await fillDatabase(async () => {
      const now = database.now();
      await database.db.insertInto('scim_source').values({ source: 'scim:entra', last_at: now }).execute();
      const call = { source: 'scim:entra', at: now, last_at: now, method: 'POST', resource: 'User', subject: 'userName:x' };
      const fault = { ...call, code: 'uniqueness', field: 'userName', detail: 'userName is taken.', account_id: null };
      await database.db.insertInto('scim_fault').values(fault).execute();
    });
    const providers = { OIDC_PROVIDERS: JSON.stringify([PROVIDER]) };
    const signIn = { USER_SOURCES: JSON.stringify([{ ...source, sign_in: { provider: 'work' } }]) };
    expect((await diagnosePeople({ ...providers, ...signIn })).map(([, what]) => what)).toEqual(
      expect.arrayContaining(['1 request of Entra ID was refused.', '1 person of Entra ID cannot sign in yet.']),
    );
  });

  it('reports how many passwords have been taken over', async () => {
    await fillDatabase(async () => {
      await person('shop', 'migrated_account');
      await person('shop');
    });
    expect(await diagnosePeople()).toContainEqual([
      'ok',
      'The password of 1 account was copied here from the source shop; 1 account still has its password there.',
      undefined,
    ]);
  });
});
