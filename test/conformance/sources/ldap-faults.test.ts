/** Tests the LDAP source with OpenLDAP: behind a network that fails, with refused passwords, unusual names, groups and renamed people. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { LdapSource } from '../../../src/sources/ldap/ldap-source.js';
import { SeveralPeople, SourceUnavailable } from '../../../src/sources/source.errors.js';
import { UserSources } from '../../../src/sources/user-sources.js';
import { FaultProxy, SHORT_MS, askUntilAvailable, type Fault } from '../../support/fault-proxy.js';
import { GROUPS, PEOPLE, SUFFIX, Slapd, whyNoSlapd } from '../../support/slapd.js';
import { TestClock } from '../../support/test-clock.js';
import { MARIA } from './contract.js';

const skipReason = whyNoSlapd();
const describeOnOpenLdap = skipReason === null ? describe : describe.skip;
if (skipReason !== null) console.warn(`The LDAP source is not tested with OpenLDAP: ${skipReason}`);

describeOnOpenLdap('a directory', () => {
  let slapd: Slapd;
  let proxy: FaultProxy;
  const clock = new TestClock();
  const ldapSources: LdapSource[] = [];
  const lines: string[] = [];

  beforeAll(async () => {
    slapd = await Slapd.start(['index uid eq']);
    proxy = await FaultProxy.start(slapd.tlsPort);
    slapd.addPerson(MARIA);
  });
  afterEach(async () => {
    proxy.fault = 'none';
    proxy.dropAll();
    await Promise.all(ldapSources.splice(0).map((source) => source.close()));
  });
  afterAll(async () => {
    await proxy.close();
    await slapd.stop();
  });

  function open(more: Record<string, unknown> = {}): LdapSource {
    const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const source = new LdapSource(slapd.settings({ timeout_ms: 10_000, ...more }), { clock, log });
    ldapSources.push(source);
    return source;
  }

  const listProxyUrls = () => [`ldaps://localhost:${proxy.port}`];
  const openWithShortLimit = (...otherUrls: string[]) => open({ urls: [...listProxyUrls(), ...otherUrls], timeout_ms: SHORT_MS });
  const find = (source: LdapSource, identifier = 'maria') => source.find({ identifier });

  async function toVerdict(source: LdapSource, identifier: string, password: string) {
    const foundPerson = await find(source, identifier);
    if (!foundPerson) throw new Error('nobody was found');
    return source.verify(foundPerson, password);
  }

  it.each<Fault>(['hang', 'cut', 'half', 'nonsense'])(
    'is unavailable while the network fails (%s), and available again afterwards',
    async (fault) => {
      const source = openWithShortLimit();
      proxy.fault = fault;
      await expect(find(source)).rejects.toBeInstanceOf(SourceUnavailable);
      proxy.fault = 'none';
      expect(await askUntilAvailable(() => find(source), clock)).not.toBeNull();
    },
  );

  it.each<Fault>(['hang', 'cut', 'half', 'nonsense'])(
    'never reports a wrong password when it fails (%s) while a password is verified',
    async (fault) => {
      const source = openWithShortLimit();
      const foundPerson = await askUntilAvailable(() => find(source), clock);
      if (!foundPerson) throw new Error('nobody was found');
      proxy.fault = fault;
      await expect(source.verify(foundPerson, MARIA.password)).rejects.toBeInstanceOf(SourceUnavailable);
      await expect(source.verify(foundPerson, 'wrong')).rejects.toBeInstanceOf(SourceUnavailable);
    },
  );

  it('is not asked for a moment after a failure, so that nobody waits twice', async () => {
    const source = openWithShortLimit();
    proxy.fault = 'hang';
    await expect(find(source)).rejects.toBeInstanceOf(SourceUnavailable);
    const { connections } = proxy;
    await expect(find(source)).rejects.toBeInstanceOf(SourceUnavailable);
    expect(proxy.connections).toBe(connections);
  });

  it('is asked again on a new connection after it ended an idle one', async () => {
    const source = open({ urls: listProxyUrls() });
    await find(source);
    proxy.dropAll();
    expect(await find(source)).not.toBeNull();
  });

  it('is searched on few connections, however many people sign in', async () => {
    const source = open({ urls: listProxyUrls() });
    const { connections } = proxy;
    await Promise.all(Array.from({ length: 30 }, () => find(source)));
    expect(proxy.connections - connections).toBeLessThanOrEqual(4);
  });

  it('[SRC-2] has several servers: the next server answers if the first one does not', async () => {
    const source = openWithShortLimit(slapd.tlsUrl);
    proxy.fault = 'hang';
    const verdict = await askUntilAvailable(() => toVerdict(source, 'maria', MARIA.password), clock);
    expect(verdict).toMatchObject({ kind: 'proven' });
  });

  it('[SRC-2] is not asked if its certificate is not trusted, or has another name', async () => {
    const otherCa = await readFile(join(slapd.directory, 'other.pem'), 'utf8');
    await expect(find(open({ ca: otherCa }))).rejects.toMatchObject({ reason: expect.stringMatching(/CERT|SIGNATURE|ISSUER/) });
    await expect(find(open({ urls: [slapd.tlsUrl.replace('localhost', '127.0.0.1')] }))).rejects.toMatchObject({
      reason: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    });
  });

  it('is unavailable if it refuses the search account, or does not contain the search base', async () => {
    await expect(find(open({ bind_password: 'wrong' }))).rejects.toMatchObject({
      reason: expect.stringContaining('search account'),
    });
    await expect(find(open({ base: 'ou=nobody,dc=example,dc=com' }))).rejects.toMatchObject({
      reason: expect.stringContaining('32'),
    });
  });

  it('[SRC-2] never receives an empty password, because it would accept everybody', async () => {
    const source = open();
    const foundPerson = await find(source);
    if (!foundPerson) throw new Error('nobody was found');
    await expect(source.verify(foundPerson, '')).rejects.toBeInstanceOf(RangeError);
  });

  it('does not identify a person if it truncates its answers', async () => {
    const limitedSlapd = await Slapd.start(['limits * size=1']);
    for (const uid of ['one', 'two']) limitedSlapd.addPerson({ uid, password: 'x', mail: 'both@example.com' });
    const settings = limitedSlapd.settings({ login: ['uid', 'mail'] });
    const source = new LdapSource(settings, { clock, log: pino({ level: 'silent' }) });
    await expect(find(source, 'both@example.com')).rejects.toBeInstanceOf(SeveralPeople);
    expect(await find(source, 'one')).not.toBeNull();
    await source.close();
    await limitedSlapd.stop();
  });

  it('has a line in the log if it returns only some of the groups of a person', async () => {
    const limitedSlapd = await Slapd.start(['limits * size=5']);
    limitedSlapd.addPerson({ uid: 'gerda', password: 'x' });
    const toGroups = async () => {
      lines.length = 0;
      const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
      const source = new LdapSource(limitedSlapd.settings({ groups: { base: GROUPS } }), { clock, log });
      const person = await find(source, 'gerda');
      const groups = person && (await source.describe(person)).groups;
      await source.close();
      return groups;
    };
    for (const name of ['a', 'b', 'c', 'd', 'e']) limitedSlapd.addGroup(name, [`uid=gerda,${PEOPLE}`]);
    expect([(await toGroups())?.length, lines]).toEqual([5, []]);
    limitedSlapd.addGroup('f', [`uid=gerda,${PEOPLE}`]);
    expect([(await toGroups())?.length, lines]).toEqual([5, [expect.stringContaining('groups')]]);
    await limitedSlapd.stop();
  });

  it('has a line in the log if a name belongs to two people, without the name', async () => {
    for (const uid of ['twin1', 'twin2']) slapd.addPerson({ uid, password: 'x', mail: 'twins@example.com' });
    const sources = new UserSources(
      [open({ login: ['mail'] })],
      pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    );
    expect(await sources.check({ identifier: 'twins@example.com', password: 'x' })).toEqual({ kind: 'unknown' });
    expect(lines.join('')).toContain('more than one person');
    expect(lines.join('')).not.toContain('twins@');
  });

  it.each([
    ['o,reilly+cn=root', 'o\\,reilly\\+cn=root'],
    ['"q" <x>;#\\=', '\\"q\\" \\<x\\>\\;#\\\\='],
    ['*)(uid=*', '*)(uid=*'],
    ['größe ∆', 'größe ∆'],
    ['# first', '\\# first'],
  ])('[S-97] finds %s by exactly this name, with password and groups', async (uid, escapedName) => {
    const dn = `uid=${escapedName},${PEOPLE}`;
    const base64 = (text: string): string => `: ${Buffer.from(text).toString('base64')}`;
    const names = ['uid', 'cn', 'sn'].map((attribute) => `${attribute}:${base64(uid)}`);
    slapd.change([`dn:${base64(dn)}`, 'changetype: add', 'objectClass: inetOrgPerson', ...names, 'userPassword: right one 1']);
    const group = `of ${Buffer.from(uid).toString('hex')}`;
    slapd.change([
      ...[`dn: cn=${group},${GROUPS}`, 'changetype: add', 'objectClass: groupOfNames', `cn: ${group}`],
      `member:${base64(dn)}`,
    ]);
    const source = open({ groups: { base: GROUPS } });
    const verdict = await toVerdict(source, uid, 'right one 1');
    expect(verdict).toMatchObject({ kind: 'proven', person: { username: uid, groups: [group] } });
    expect(await toVerdict(source, uid, 'wrong')).toMatchObject({ kind: 'refused' });
    expect(await find(source, escapedName === uid ? `${uid} ${uid}` : escapedName)).toBeNull();
  });

  it('keeps the id of a person who is renamed and moved', async () => {
    slapd.addPerson({ uid: 'renate', password: 'x' });
    const source = open({ base: SUFFIX });
    const personBefore = await find(source, 'renate');
    slapd.change([
      `dn: uid=renate,${PEOPLE}`,
      'changetype: modrdn',
      'newrdn: uid=beate',
      'deleteoldrdn: 1',
      `newsuperior: ou=other,${SUFFIX}`,
    ]);
    expect((await find(source, 'beate'))?.subject).toBe(personBefore?.subject);
    expect(await find(source, 'renate')).toBeNull();
  });

  it('[SRC-2] finds groups of groups, up to the limit and only the groups that the settings name', async () => {
    slapd.addPerson({ uid: 'gerda', password: 'x' });
    slapd.addGroup('sales', [`uid=gerda,${PEOPLE}`]);
    slapd.addGroup('all', [`cn=sales,${GROUPS}`]);
    // This group contains itself.
    slapd.addGroup('circle', [`cn=all,${GROUPS}`, `cn=circle,${GROUPS}`]);
    const toGroups = async (groups: object) => {
      const source = open({ groups: { base: GROUPS, ...groups } });
      const foundPerson = await find(source, 'gerda');
      return foundPerson && (await source.describe(foundPerson)).groups;
    };
    expect(await toGroups({})).toEqual(['sales']);
    expect(await toGroups({ nested: 'search' })).toEqual(['all', 'circle', 'sales']);
    expect(await toGroups({ nested: 'search', only: ['all', 'other'] })).toEqual(['all']);
    expect(await toGroups({ nested: 'search', most: 2 })).toEqual(['all', 'circle']);
  });

  it('is searched for five levels of groups, and no further', async () => {
    slapd.addPerson({ uid: 'hugo', password: 'x' });
    let member = `uid=hugo,${PEOPLE}`;
    for (let level = 1; level <= 7; level += 1) {
      slapd.addGroup(`level ${level}`, [member]);
      member = `cn=level ${level},${GROUPS}`;
    }
    const source = open({ groups: { base: GROUPS, nested: 'search' } });
    const foundPerson = await find(source, 'hugo');
    expect(foundPerson && (await source.describe(foundPerson)).groups).toEqual([1, 2, 3, 4, 5].map((level) => `level ${level}`));
  });

  it('distinguishes a locked account, a reset password and a permanently locked account, and does not reveal a lock', async () => {
    const source = open();
    slapd.addPerson({ uid: 'otto', password: 'right one 1' });
    for (let time = 0; time < 5; time += 1) await toVerdict(source, 'otto', 'wrong');
    expect(await toVerdict(source, 'otto', 'right one 1')).toMatchObject({ kind: 'refused', reason: 'the account is locked' });
    slapd.addPerson({ uid: 'paula', password: 'right one 1' });
    slapd.change([`dn: uid=paula,${PEOPLE}`, 'changetype: modify', 'replace: pwdReset', 'pwdReset: TRUE']);
    expect(await toVerdict(source, 'paula', 'wrong')).toMatchObject({ kind: 'refused' });
    expect(await toVerdict(source, 'paula', 'right one 1')).toMatchObject({ kind: 'password-change' });
    slapd.addPerson({ uid: 'quirin', password: 'right one 1' });
    slapd.change([
      `dn: uid=quirin,${PEOPLE}`,
      'changetype: modify',
      'add: pwdAccountLockedTime',
      'pwdAccountLockedTime: 000001010000Z',
    ]);
    const quirin = await find(source, 'quirin');
    expect(quirin && (await source.describe(quirin)).isActive).toBe(false);
  });
});
