/** The doctor on directories: real ones that are well, and each with one thing wrong. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { diagnose } from '../support/doctor-installation.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { PEOPLE, Slapd, whyNoSlapd } from '../support/slapd.js';

const missing = whyNoSlapd();
const onOpenLdap = missing === null ? describe : describe.skip;
if (missing !== null) console.warn(`The doctor is not tested on OpenLDAP: ${missing}`);

onOpenLdap('the doctor', () => {
  let slapd: Slapd;

  beforeAll(async () => {
    slapd = await Slapd.start();
    slapd.addPerson({ uid: 'maria', password: 'x' });
  });
  afterAll(() => slapd.stop());

  async function said(...sources: object[]): Promise<[string, string][]> {
    return saidWith({}, ...sources);
  }

  async function saidWith(env: Record<string, string>, ...sources: object[]): Promise<[string, string][]> {
    const { findings } = await diagnose({ PUBLIC_URL: 'http://localhost:3000', USER_SOURCES: JSON.stringify(sources), ...env });
    return findings.filter(({ check }) => check === 'Sources of people').map(({ level, what }) => [level, what]);
  }

  it('finds a source that is well, and says how it is reached', async () => {
    expect(await said(slapd.entry())).toEqual([['ok', `The source staff answers (${slapd.tlsUrl}, TLSv1.3) and has 1 person.`]]);
  });

  it('finds a certificate that nobody vouches for, a wrong password, a base without people and a directory that is silent', async () => {
    const proxy = await FaultProxy.before(slapd.tlsPort);
    proxy.fault = 'hang';
    expect(await said(slapd.entry({ ca: undefined }))).toEqual([['fault', expect.stringMatching(/CERT|SIGNATURE/)]]);
    expect(await said(slapd.entry({ bind_password: 'wrong' }))).toEqual([
      ['fault', expect.stringContaining('search account is refused')],
    ]);
    expect(await said(slapd.entry({ base: 'ou=nobody,dc=example,dc=com' }))).toEqual([
      ['fault', expect.stringContaining('cannot be searched')],
    ]);
    expect(await said(slapd.entry({ filter: '(uid=nobody)' }))).toEqual([['hint', expect.stringContaining('has no people')]]);
    expect(await said(slapd.entry({ filter: '(&(a=b)c)' }))).toEqual([['fault', expect.stringContaining('cannot be read')]]);
    const silent = { urls: [`ldaps://localhost:${proxy.port}`], timeout_ms: 200 };
    expect(await said(slapd.entry(silent))).toEqual([['fault', expect.stringContaining('no answer in time')]]);
    await proxy.close();
  });

  it('finds attributes that the schema does not take, without their values', async () => {
    for (const [uid, department] of Object.entries({ paula: '42', otto: 'secret' })) {
      slapd.addPerson({ uid, password: 'x' });
      slapd.change([
        `dn: uid=${uid},${PEOPLE}`,
        'changetype: modify',
        'add: departmentNumber',
        `departmentNumber: ${department}`,
      ]);
    }
    const ACCOUNT_SCHEMA = JSON.stringify({ properties: { department: { type: 'integer' } } });
    const findings = await saidWith({ ACCOUNT_SCHEMA }, slapd.entry({ attributes: { department: 'departmentNumber' } }));
    expect(findings.filter(([level]) => level === 'hint')).toEqual([
      ['hint', '1 person of the source staff has attributes that ACCOUNT_SCHEMA does not take: /department must be integer.'],
    ]);
  });

  it('names those whom two sources know', async () => {
    expect(await said(slapd.entry(), slapd.entry({ id: 'others' }))).toContainEqual([
      'hint',
      '3 names of the source others are a name of staff too, which comes first: maria, paula, otto.',
    ]);
  });
});
