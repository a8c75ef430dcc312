/** Tests overloaded directory servers, and people who try many names. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { LdapSource } from '../../../src/sources/ldap/ldap-source.js';
import { SourceUnavailable } from '../../../src/sources/source.errors.js';
import { ScriptedLdap, type LdapScript, type ScriptedEntry } from '../../support/scripted-ldap.js';
import { readSources } from '../../support/slapd.js';
import { TestClock } from '../../support/test-clock.js';

const SEARCHER = 'cn=searcher,dc=example';
const MARIA: ScriptedEntry = { dn: 'uid=maria,dc=example', attributes: { uid: ['maria'], entryUUID: ['an-id'] } };
const PASSWORD = 'kupfer linde 4821';

const clock = new TestClock();
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function startServer(script: LdapScript): Promise<ScriptedLdap> {
  const server = await ScriptedLdap.start(script);
  opened.push(server);
  return server;
}

function toSource(...servers: ScriptedLdap[]): LdapSource {
  const [settings] = readSources([
    {
      ...{ id: 'staff', type: 'ldap', urls: servers.map(({ url }) => url), plaintext: true, base: 'dc=example' },
      ...{ bind_dn: SEARCHER, bind_password: 'x', timeout_ms: 10_000 },
    },
  ]);
  if (!settings) throw new Error('no settings');
  const source = new LdapSource(settings, { clock, log: pino({ level: 'silent' }) });
  opened.push(source);
  return source;
}

const WELL: LdapScript = { bind: () => ({ code: 0 }), search: () => ({ entries: [MARIA] }) };

async function signIn(source: LdapSource): Promise<unknown> {
  const found = await source.find({ identifier: 'maria' });
  return found && (await source.verify(found, PASSWORD)).kind;
}

describe.each([
  ['busy', 51],
  ['unavailable', 52],
])('a server that answers %s (%i)', (_, code) => {
  it.each<[string, Partial<LdapScript>]>([
    ['a search', { search: () => ({ entries: [], answer: { code } }) }],
    ['the password of a person', { bind: (dn) => ({ code: dn === SEARCHER ? 0 : code }) }],
    ['the search account', { bind: () => ({ code }) }],
  ])('to %s: the next server is asked, and this one is not asked for a moment', async (_what, script) => {
    const asked: string[] = [];
    const counted: LdapScript = {
      bind: (dn, password) => (asked.push(dn), (script.bind ?? WELL.bind)(dn, password)),
      search: script.search ?? WELL.search,
    };
    const source = toSource(await startServer(counted), await startServer(WELL));
    expect(await signIn(source)).toBe('proven');
    const before = asked.length;
    expect(await signIn(source)).toBe('proven');
    expect(asked).toHaveLength(before);
  });

  it('after many searches that it answered well: its connections are not used any more', async () => {
    let isBusy = false;
    const search: LdapScript['search'] = () => (isBusy ? { entries: [], answer: { code } } : { entries: [MARIA] });
    const source = toSource(await startServer({ ...WELL, search }), await startServer(WELL));
    await Promise.all(Array.from({ length: 8 }, () => signIn(source)));
    isBusy = true;
    expect(await signIn(source)).toBe('proven');
  });
});

describe('more passwords at once than are checked', () => {
  it('are refused as unavailable, and never as wrong', async () => {
    const server = await startServer({ ...WELL, bind: (dn) => (dn === SEARCHER ? { code: 0 } : null) });
    const source = toSource(server);
    const found = await source.find({ identifier: 'maria' });
    if (!found) throw new Error('nobody was found');
    const held = Array.from({ length: 64 }, () => source.verify(found, PASSWORD).catch(() => undefined));
    await expect(source.verify(found, PASSWORD)).rejects.toMatchObject({ reason: 'too many passwords are checked at once' });
    await server.close();
    await Promise.all(held);
  });
});

describe('many tries of names that nobody has', () => {
  it('do not keep a person with the right password out', async () => {
    const server = await startServer({ ...WELL, bind: (dn) => (isFlooded && dn === SEARCHER ? null : { code: 0 }) });
    let isFlooded = false;
    const source = toSource(server);
    await source.find({ identifier: 'maria' });
    isFlooded = true;
    const tries = Array.from({ length: 200 }, () => source.verifyDummy().catch(() => undefined));
    expect(await signIn(source)).toBe('proven');
    await server.close();
    await Promise.all(tries);
  });

  it('are refused as unavailable if too many of them wait', async () => {
    const server = await startServer({ ...WELL, bind: () => null });
    const source = toSource(server);
    const tries = Promise.allSettled(Array.from({ length: 32 + 1024 }, () => source.verifyDummy()));
    try {
      await expect(source.verifyDummy()).rejects.toBeInstanceOf(SourceUnavailable);
    } finally {
      await server.close();
      await tries;
    }
  });
});
