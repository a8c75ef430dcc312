/** Tests the LDAP source with overloaded directory servers, and with people who try many names. */
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
const resources: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of resources.splice(0).toReversed()) await one.close();
});

async function startServer(script: LdapScript): Promise<ScriptedLdap> {
  const server = await ScriptedLdap.start(script);
  resources.push(server);
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
  resources.push(source);
  return source;
}

const WORKING_SCRIPT: LdapScript = { bind: () => ({ code: 0 }), search: () => ({ entries: [MARIA] }) };

async function signIn(source: LdapSource): Promise<unknown> {
  const foundPerson = await source.find({ identifier: 'maria' });
  return foundPerson && (await source.verify(foundPerson, PASSWORD)).kind;
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
    const binds: string[] = [];
    const recordingScript: LdapScript = {
      bind: (dn, password) => (binds.push(dn), (script.bind ?? WORKING_SCRIPT.bind)(dn, password)),
      search: script.search ?? WORKING_SCRIPT.search,
    };
    const source = toSource(await startServer(recordingScript), await startServer(WORKING_SCRIPT));
    expect(await signIn(source)).toBe('proven');
    const bindCount = binds.length;
    expect(await signIn(source)).toBe('proven');
    expect(binds).toHaveLength(bindCount);
  });

  it('after many searches that it answered well: its connections are not used any more', async () => {
    let isBusy = false;
    const search: LdapScript['search'] = () => (isBusy ? { entries: [], answer: { code } } : { entries: [MARIA] });
    const source = toSource(await startServer({ ...WORKING_SCRIPT, search }), await startServer(WORKING_SCRIPT));
    await Promise.all(Array.from({ length: 8 }, () => signIn(source)));
    isBusy = true;
    expect(await signIn(source)).toBe('proven');
  });
});

describe('more passwords at once than are checked', () => {
  it('are refused as unavailable, and never as wrong', async () => {
    const server = await startServer({ ...WORKING_SCRIPT, bind: (dn) => (dn === SEARCHER ? { code: 0 } : null) });
    const source = toSource(server);
    const foundPerson = await source.find({ identifier: 'maria' });
    if (!foundPerson) throw new Error('nobody was found');
    const heldChecks = Array.from({ length: 64 }, () => source.verify(foundPerson, PASSWORD).catch(() => undefined));
    await expect(source.verify(foundPerson, PASSWORD)).rejects.toMatchObject({
      reason: 'too many passwords are checked at once',
    });
    await server.close();
    await Promise.all(heldChecks);
  });
});

describe('many tries of names that nobody has', () => {
  it('do not keep a person with the right password out', async () => {
    const server = await startServer({ ...WORKING_SCRIPT, bind: (dn) => (isFlooded && dn === SEARCHER ? null : { code: 0 }) });
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
    const server = await startServer({ ...WORKING_SCRIPT, bind: () => null });
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
