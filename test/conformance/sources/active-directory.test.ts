/**
 * Tests the LDAP source with a scripted server: with the answers that the documentation of Active Directory describes, because no
 * Active Directory can run here, and with wrong answers to StartTLS.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { LdapSource } from '../../../src/sources/ldap/ldap-source.js';
import { SourceUnavailable } from '../../../src/sources/source.errors.js';
import { ScriptedLdap, result, type LdapScript, type ScriptedEntry } from '../../support/scripted-ldap.js';
import { readSources } from '../../support/slapd.js';
import { TestClock } from '../../support/test-clock.js';

const DN = 'CN=Maria Musterfrau,OU=Staff,DC=corp,DC=example';
const GUID = Buffer.from('33221100554477668899aabbccddeeff', 'hex');
const PASSWORD = 'kupfer linde 4821';

const MARIA: ScriptedEntry = {
  dn: DN,
  attributes: {
    objectGUID: [GUID],
    sAMAccountName: ['maria'],
    userPrincipalName: ['maria@corp.example'],
    displayName: ['Maria Musterfrau'],
    mail: ['Maria@example.com'],
    userAccountControl: ['512'],
    accountExpires: ['9223372036854775807'],
  },
};
const GROUPS = ['Everybody', 'Sales', 'Sales Managers'].map((cn) => ({ dn: `CN=${cn},DC=corp`, attributes: { cn: [cn] } }));

const clock = new TestClock();
let directory: ScriptedLdap;
let source: LdapSource;
const script: LdapScript & { people: ScriptedEntry[]; searches: Buffer[]; answer: { code: number; message?: string } } = {
  people: [MARIA],
  searches: [],
  answer: { code: 0 },
  bind: (dn) => (dn === DN ? script.answer : { code: 0 }),
  search: (base, request) => {
    script.searches.push(request);
    return base.startsWith('OU=Groups')
      ? { entries: GROUPS }
      : { entries: script.people, references: ['ldap://other.corp.example/DC=other'] };
  },
};

beforeAll(async () => {
  directory = await ScriptedLdap.start(script);
  const [settings] = readSources([
    {
      ...{
        id: 'corp',
        type: 'ldap',
        directory: 'active-directory',
        urls: [directory.url],
        plaintext: true,
        base: 'DC=corp,DC=example',
      },
      ...{ bind_dn: 'CN=search,DC=corp', bind_password: 'x', groups: { base: 'OU=Groups,DC=corp' }, timeout_ms: 10_000 },
    },
  ]);
  if (!settings) throw new Error('no settings');
  source = new LdapSource(settings, { clock, log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await source.close();
  await directory.close();
});

async function verifyPassword(answer: { code: number; message?: string }) {
  script.answer = answer;
  const foundPerson = await source.find({ identifier: 'maria' });
  if (!foundPerson) throw new Error('nobody was found');
  return source.verify(foundPerson, PASSWORD);
}

const refusal = (data: string) => ({
  code: 49,
  message: `80090308: LdapErr: DSID-0C090569, comment: AcceptSecurityContext error, data ${data}, v4563\u0000`,
});

describe('[SRC-2] Active Directory', () => {
  it('describes a person: the GUID as Windows writes it, the names, and the groups by the matching rule', async () => {
    script.searches.length = 0;
    expect(await verifyPassword({ code: 0 })).toEqual({
      kind: 'proven',
      person: {
        ...{ subject: '00112233-4455-6677-8899-aabbccddeeff', username: 'maria', displayName: 'Maria Musterfrau' },
        ...{ email: 'Maria@example.com', emailVerified: false, isActive: true, attributes: {} },
        names: ['maria', 'maria@corp.example'],
        ...{ groups: ['Everybody', 'Sales', 'Sales Managers'], hasGroupName: false },
      },
    });
    expect(script.searches.at(-1)?.toString('latin1')).toContain('1.2.840.113556.1.4.1941');
  });

  it('is searched with the bytes of the GUID', async () => {
    script.searches.length = 0;
    expect(await source.find({ subject: '00112233-4455-6677-8899-aabbccddeeff' })).not.toBeNull();
    expect(script.searches[0]?.includes(GUID)).toBe(true);
  });

  it.each([
    ['525', 'refused'],
    ['52e', 'refused'],
    ['775', 'refused'],
    ['532', 'password-change'],
    ['773', 'password-change'],
    ['530', 'not-allowed'],
    ['531', 'not-allowed'],
    ['533', 'not-allowed'],
    ['701', 'not-allowed'],
    ['abc', 'refused'],
  ])('maps code %s to %s', async (code, kind) => {
    expect(await verifyPassword(refusal(code))).toMatchObject({ kind, reason: expect.stringContaining(code) });
  });

  it.each([
    ['no domain controller', refusal('51f')],
    ['busy', { code: 51 }],
    ['a referral', { code: 10 }],
    ['TLS required', { code: 13 }],
  ])('never reports a wrong password for an error that is not about the password: %s', async (_, answer) => {
    await expect(verifyPassword(answer)).rejects.toBeInstanceOf(SourceUnavailable);
    clock.advance({ seconds: 6 });
  });

  it.each([
    ['disabled', { userAccountControl: ['514'] }],
    ['expired', { accountExpires: ['133800000000000000'] }],
  ])('a person who is %s there is not active, and cannot sign in', async (_, attributes) => {
    script.people = [{ ...MARIA, attributes: { ...MARIA.attributes, ...attributes } }];
    try {
      expect(await verifyPassword({ code: 0 })).toMatchObject({ kind: 'not-allowed' });
    } finally {
      script.people = [MARIA];
    }
  });

  it('is unavailable if a person has no id, two ids or an id of a wrong length', async () => {
    for (const objectGUID of [[], [GUID, GUID], [Buffer.from('short')]]) {
      script.people = [{ ...MARIA, attributes: { ...MARIA.attributes, objectGUID } }];
      await expect(source.find({ identifier: 'maria' })).rejects.toBeInstanceOf(SourceUnavailable);
    }
    script.people = [MARIA];
  });

  it.each(['', ' ', 'maria\u0000', 'x'.repeat(257)])(
    'is not searched for the name %j, which nobody can have',
    async (identifier) => {
      script.searches.length = 0;
      expect(await source.find({ identifier })).toBeNull();
      expect(script.searches).toEqual([]);
    },
  );

  it('finds nobody if the answer describes a person with another name', async () => {
    expect(await source.find({ identifier: 'admin' })).toBeNull();
  });
});

describe('[SRC-2] StartTLS', () => {
  const EXTENDED_RESPONSE = 0x78;
  const SUCCESS = { code: 0 };

  it.each([
    ['is not supported', result(1, EXTENDED_RESPONSE, { code: 2, message: 'unsupported' }), 'the server does not start TLS'],
    ['is answered with the response to a bind', result(1, 0x61, SUCCESS), 'the server does not start TLS'],
    ['is answered with success, but no TLS handshake follows', result(1, EXTENDED_RESPONSE, SUCCESS), ''],
    [
      'is followed by an answer to a bind that was not sent yet',
      Buffer.concat([result(1, EXTENDED_RESPONSE, SUCCESS), result(2, 0x61, SUCCESS)]),
      'the server sent data that is not its answer to StartTLS',
    ],
    [
      'is followed by the beginning of such an answer',
      Buffer.concat([result(1, EXTENDED_RESPONSE, SUCCESS), Buffer.from('3040020102613b0a0100', 'hex')]),
      'the server sent data that is not its answer to StartTLS',
    ],
    [
      'is answered with nonsense',
      Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
      'the server sent data that is not its answer to StartTLS',
    ],
    [
      'is answered with a message that does not end',
      Buffer.from(`3084ffffffff${'00'.repeat(5000)}`, 'hex'),
      'the answer to StartTLS is too long',
    ],
    ['is not answered', Buffer.alloc(0), 'no answer in time'],
  ])('%s: nothing else is sent without TLS', async (_, startTls, reason) => {
    const binds: string[] = [];
    const bind = (dn: string) => (binds.push(dn), { code: 0 });
    const server = await ScriptedLdap.start({ startTls, bind, search: () => ({ entries: [MARIA] }) });
    const [settings] = readSources([
      {
        id: 'corp',
        type: 'ldap',
        urls: [server.url],
        start_tls: true,
        base: 'DC=corp',
        bind_dn: 'CN=s',
        bind_password: 'x',
        // Only servers that do not answer are waited for until the time limit.
        timeout_ms: { 'no answer in time': 300, '': 2000 }[reason] ?? 20_000,
      },
    ]);
    if (!settings) throw new Error('no settings');
    const startTlsSource = new LdapSource(settings, { clock: new TestClock(), log: pino({ level: 'silent' }) });
    const failure: unknown = await startTlsSource.find({ identifier: 'maria' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SourceUnavailable);
    expect((failure as SourceUnavailable).reason).toContain(reason);
    expect(binds).toEqual([]);
    await startTlsSource.close();
    await server.close();
  });
});
