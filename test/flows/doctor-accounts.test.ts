/** The doctor on accounts that do not fit the current settings, and on tables of a newer version. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createDoctorDatabase, diagnose } from '../support/doctor-installation.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

it('[INS-3] reports attributes that no longer fit, and addresses that several accounts have verified, as hints', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-own-'));
  const { env, open } = await createDoctorDatabase(dataDir);
  const database = await open();
  const now = new Date();
  for (const [username, attributes] of [
    ['anna', { department: 'Sales' }],
    ['berta', { department: 'Closed' }],
    ['clara', {}],
  ] as const) {
    const [email, names] = ['shared@example.org', { username, username_key: username, display_name: username }];
    const address = { email, email_key: email, email_verified: username !== 'clara' };
    const row = { ...names, ...address, attributes: JSON.stringify(attributes), created_at: now, updated_at: now };
    await database.db.insertInto('account').values(row).execute();
  }
  await database.close();
  const schema = { ACCOUNT_SCHEMA: '{"properties":{"department":{"enum":["Sales"]}}}', LOGIN_WITH: 'username,email' };
  const { findings } = await diagnose({ ...env, ...schema });
  const hints = findings
    .filter(({ check }) => ['Attributes', 'Usernames'].includes(check))
    .map(({ level, what }) => [level, what]);
  expect(hints).toEqual([
    ['hint', 'These verified e-mail addresses belong to several accounts: shared@example.org.'],
    ['hint', expect.stringContaining('1 of 3 checked accounts has attributes that do not fit ACCOUNT_SCHEMA')],
  ]);
  await rm(dataDir, { recursive: true });
});

it('[INS-3] reports scopes of CLAIMS without a text for the consent page as hints, and where the claims of access tokens are', async () => {
  const CLAIMS = JSON.stringify({
    hr: { department: 'given_name' },
    team: { lead: 'given_name' },
    profile: { lead: 'given_name' },
    phone: { mobile: { attribute: 'phone_number', in: ['access_token'] } },
  });
  const CONSENT_SCOPES = JSON.stringify({ team: { title: { en: 'Your team' } } });
  const { findings } = await diagnose({ PUBLIC_URL: 'http://localhost:3000', CLAIMS, CONSENT_SCOPES });
  expect(findings.filter(({ check }) => check === 'Attributes').map(({ level, what }) => [level, what])).toEqual([
    [
      'hint',
      'CLAIMS releases claims for the scope "hr", for which the consent page has no text: it shows the name of the scope.',
    ],
    ['ok', expect.stringMatching(/^CLAIMS adds "mobile" to access tokens, .* oauth2\.allowed_top_level_claims of Hydra\.$/)],
  ]);
});

it('reports event sinks that fail, have given events up, or were removed with events that wait', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-own-'));
  const { env, open } = await createDoctorDatabase(dataDir);
  const database = await open();
  await sql`insert into event_sink (name, configured_at, failing_since, last_status) values
    ('crm', now(), now() - interval '1 hour', '500'), ('old', now(), null, null), ('siem', now() + interval '1 hour', null, '204')`.execute(
    database.db,
  );
  await sql`insert into event_delivery (sink, event, created_at, dead_at) values
    ('crm', 1, now(), now()), ('crm', 2, now(), null), ('old', 1, now() - interval '1 day', null)`.execute(database.db);
  await database.close();
  const webhook = { kind: 'webhook', address: 'https://crm.example.com/', secrets: [SECRET], events: ['*'] };
  const EVENT_SINKS = JSON.stringify(['crm', 'new', 'siem'].map((name) => ({ name, ...webhook })));
  const { findings } = await diagnose({ ...env, EVENT_SINKS });
  expect(findings.filter(({ check }) => check === 'Event sinks').map(({ level, what }) => [level, what])).toEqual([
    ['fault', expect.stringMatching(/^The event sink crm has failed since .*Z \(last answer: 500\)/)],
    ['hint', '1 event for the sink crm was given up after three days.'],
    ['hint', 'No gateway has started with the event sink new yet.'],
    ['ok', 'The event sink siem accepts events (last answer: 204).'],
    ['hint', expect.stringContaining('Events wait for the sink old, which EVENT_SINKS no longer names.')],
    ['fault', expect.stringContaining('The clock of the database was set back by at least 59 minutes')],
  ]);
  const faulty = await diagnose({ ...env, EVENT_SINKS: '[{}]' });
  expect(faulty.findings.filter(({ check }) => check === 'Event sinks')).toEqual([]);
  await rm(dataDir, { recursive: true });
});

it('[INS-3] reports a database that a newer version has migrated as a hint', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-own-'));
  const { env, open } = await createDoctorDatabase(dataDir);
  const database = await open();
  await sql`insert into schema_migration (number, name) values (998, 'later'), (999, 'latest')`.execute(database.db);
  await database.close();
  const { findings } = await diagnose(env);
  expect(findings.filter(({ check, level }) => check === 'Database' && level !== 'ok')).toEqual([
    expect.objectContaining({
      level: 'hint',
      what: 'The database is 2 migrations ahead of this version of Foyer; the newest is 999 (latest).',
      fix: expect.stringMatching(/During an update, this is expected.*After a return/),
    }),
  ]);
  await rm(dataDir, { recursive: true });
});
