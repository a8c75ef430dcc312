/** The doctor on user sources: without a fault, and each with one fault. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Keys } from '../../src/config/keys.js';
import { diagnose } from '../support/doctor-installation.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { TestPeopleService } from '../support/people-service.js';
import { ScriptedPeople } from '../support/scripted-people.js';
import { GROUPS, PEOPLE, Slapd, whyNoSlapd } from '../support/slapd.js';
import { testConfig } from '../support/test-config.js';

const SECRET = 'a secret of the installation that the doctor examines';
const { publicUrl } = testConfig();
const missing = whyNoSlapd();
const onOpenLdap = missing === null ? describe : describe.skip;
if (missing !== null) console.warn(`The doctor is not tested on OpenLDAP: ${missing}`);

/** @returns level and text of each finding about sources */
function diagnoseSources(...sources: object[]): Promise<[string, string][]> {
  return diagnoseSourcesWith({}, ...sources);
}

async function diagnoseSourcesWith(env: Record<string, string>, ...sources: object[]): Promise<[string, string][]> {
  const own = { PUBLIC_URL: publicUrl, SECRETS_SYSTEM: SECRET, USER_SOURCES: JSON.stringify(sources) };
  const { findings } = await diagnose({ ...own, ...env });
  return findings.filter(({ check }) => check === 'User sources').map(({ level, what }) => [level, what]);
}

describe('[INS-3] the doctor, on a user source over HTTP', () => {
  let service: TestPeopleService;

  beforeAll(async () => {
    service = await TestPeopleService.start([], new Keys([SECRET]));
  });
  afterAll(() => service.close());

  const entry = (more: object = {}) => {
    const address = { url: service.url, jwks_url: `${service.url}/jwks` };
    return { id: 'shop', type: 'http', ...address, timeout_ms: 20_000, ...more };
  };

  it('finds no fault if it is reached, and answers are signed in both directions', async () => {
    expect(await diagnoseSources(entry())).toEqual([
      [
        'ok',
        `The source shop answers (${service.url}, not encrypted), and Foyer and the service accept each other's signatures.`,
      ],
    ]);
  });

  it('reports a service that is missing, refuses the question, or signs with unpublished keys', async () => {
    const there = 'http://localhost:1';
    expect(await diagnoseSources(entry({ url: there }))).toEqual([['fault', expect.stringContaining(`${there} (ECONNREFUSED)`)]]);
    expect(await diagnoseSources(entry({ issuer: 'https://other.example' }))).toEqual([
      ['fault', expect.stringContaining('it refuses the request (HTTP 401)')],
    ]);
    expect(await diagnoseSources(entry({ jwks_url: undefined, secret: 'x'.repeat(32) }))).toEqual([
      ['fault', expect.stringContaining('not a JWT as documented')],
    ]);
    expect(await diagnoseSources(entry({ jwks_url: `${service.url}/elsewhere` }))).toEqual([
      ['fault', expect.stringContaining('its keys cannot be read (it fails (HTTP 404))')],
    ]);
  });

  it('does not ask it if USER_SOURCES is invalid, and asks no other source instead', async () => {
    expect(await diagnoseSources(entry(), { id: 'no type' })).toEqual([
      ['hint', expect.stringContaining('USER_SOURCES has a fault')],
    ]);
  });

  it('reports a clock that differs', async () => {
    const people = await ScriptedPeople.start();
    people.answer = () => {
      const now = Math.floor(Date.now() / 1000) - 100;
      return { claims: { result: 'nobody', iat: now, exp: now + 30 } };
    };
    const { url, issuer, proof } = people.settings();
    const secret = proof.kind === 'secret' ? proof.secret : '';
    const found = await diagnoseSources({ id: 'shop', type: 'http', url, issuer, secret, timeout_ms: 20_000 });
    expect(found).toEqual([['fault', expect.stringMatching(/its clock is 10\d seconds behind/)]]);
    await people.close();
  });
});

onOpenLdap('the doctor', () => {
  let slapd: Slapd;

  beforeAll(async () => {
    slapd = await Slapd.start();
    slapd.addPerson({ uid: 'maria', password: 'x', mail: 'maria@example.com', displayName: 'Maria' });
  });
  afterAll(() => slapd.stop());

  it('finds no fault in a directory, and reports how it is reached', async () => {
    expect(await diagnoseSources(slapd.entry())).toEqual([
      ['ok', `The source staff answers (${slapd.tlsUrl}, TLSv1.3) and has 1 person.`],
    ]);
  });

  it('reports an untrusted certificate, a wrong password, a base without people and a silent directory', async () => {
    const proxy = await FaultProxy.start(slapd.tlsPort);
    proxy.fault = 'hang';
    expect(await diagnoseSources(slapd.entry({ ca: undefined }))).toEqual([['fault', expect.stringMatching(/CERT|SIGNATURE/)]]);
    expect(await diagnoseSources(slapd.entry({ bind_password: 'wrong' }))).toEqual([
      ['fault', expect.stringContaining('search account is refused')],
    ]);
    expect(await diagnoseSources(slapd.entry({ base: 'ou=nobody,dc=example,dc=com' }))).toEqual([
      ['fault', expect.stringContaining('cannot be searched')],
    ]);
    expect(await diagnoseSources(slapd.entry({ filter: '(uid=nobody)' }))).toEqual([
      ['hint', expect.stringContaining('has no people')],
    ]);
    expect(await diagnoseSources(slapd.entry({ filter: '(&(a=b)c)' }))).toEqual([
      ['fault', expect.stringContaining('cannot be read')],
    ]);
    const silent = { urls: [`ldaps://localhost:${proxy.port}`], timeout_ms: 200 };
    expect(await diagnoseSources(slapd.entry(silent))).toEqual([['fault', expect.stringContaining('no answer in time')]]);
    await proxy.close();
  });

  it('reports settings with attributes that people do not have', async () => {
    const lacking = { subject: 'objectGUID', username: 'sAMAccountName', login: ['uidd'] };
    for (const [setting, attribute] of Object.entries(lacking)) {
      expect(await diagnoseSources(slapd.entry({ [setting]: attribute }))).toContainEqual([
        'fault',
        `Nobody in the source staff has ${String(attribute)} (${setting}), which a first sign-in requires.`,
      ]);
    }
    expect(await diagnoseSources(slapd.entry({ display_name: 'fullName', login: ['uid', 'emailAddress'] }))).toEqual([
      ['ok', expect.anything()],
      ['hint', 'Nobody in the source staff has emailAddress (login).'],
      ['hint', 'Nobody in the source staff has fullName (display_name).'],
    ]);
  });

  it('counts people who lack an attribute that others have', async () => {
    slapd.addPerson({ uid: 'nora', password: 'x' });
    const found = await diagnoseSources(slapd.entry({ username: 'mail' }));
    expect(found[1]).toEqual(['hint', '1 person in the source staff lacks mail (username), which a first sign-in requires.']);
    slapd.change([`dn: uid=nora,${PEOPLE}`, 'changetype: delete']);
  });

  it('reports groups that cannot be searched, do not exist, or have other attributes', async () => {
    const withGroups = async (groups: object) => (await diagnoseSources(slapd.entry({ groups }))).slice(1);
    expect(await withGroups({ base: 'ou=nothing,dc=example,dc=com' })).toEqual([
      [
        'fault',
        expect.stringMatching(/^The groups of the source staff cannot be searched \(result code 32.*: none of its people can/),
      ],
    ]);
    expect(await withGroups({ base: GROUPS })).toEqual([['hint', 'The source staff has no groups.']]);
    slapd.addGroup('staff', [`uid=maria,${PEOPLE}`]);
    expect(await withGroups({ base: GROUPS })).toEqual([]);
    expect(await withGroups({ base: GROUPS, member: 'uniqueMember', name: 'ou' })).toEqual([
      ['hint', 'No group of the source staff has ou (groups: name).'],
      ['hint', 'No group of the source staff has uniqueMember (groups: member).'],
    ]);
  });

  it('reports attributes that do not fit the schema, without their values', async () => {
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
    const findings = await diagnoseSourcesWith(
      { ACCOUNT_SCHEMA },
      slapd.entry({ attributes: { department: 'departmentNumber' } }),
    );
    expect(findings.filter(([level]) => level === 'hint')).toEqual([
      ['hint', '1 person of the source staff has attributes that do not fit ACCOUNT_SCHEMA: /department must be integer.'],
    ]);
  });

  it('reports names that two sources know', async () => {
    expect(await diagnoseSources(slapd.entry(), slapd.entry({ id: 'others' }))).toContainEqual([
      'hint',
      '3 names of the source others are also in staff, which comes first: maria, paula, otto.',
    ]);
  });
});
