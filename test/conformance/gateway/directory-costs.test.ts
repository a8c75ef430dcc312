/** The statements, calls to Hydra and operations of the directory for the sign-in of a person from a directory. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { LdapSource } from '../../../src/sources/ldap/ldap-source.js';
import { CountedWork } from '../../support/counted-work.js';
import { ScriptedLdap, type ScriptedEntry } from '../../support/scripted-ldap.js';
import { readSources } from '../../support/slapd.js';
import { TestClock } from '../../support/test-clock.js';
import { embeddedLeg } from '../../support/upstream-embedded.js';
import { arrive, signIn, startFront, type Front } from './front.js';

const SEARCHER = 'cn=searcher,dc=example';
const ANNA: ScriptedEntry = {
  dn: 'uid=anna,dc=example',
  attributes: { uid: ['anna'], mail: ['anna@example.org'], entryUUID: ['an-id'] },
};
const PASSWORD = 'kupfer linde 4821';

let operations: string[] = [];
let directory: ScriptedLdap;
let front: Front;
const work = new CountedWork();

beforeEach(async () => {
  directory = await ScriptedLdap.start({
    bind: (dn, password) => {
      operations.push(`bind ${dn}`);
      return { code: dn === ANNA.dn && password !== PASSWORD ? 49 : 0 };
    },
    search: (base, filter) => {
      operations.push(`search ${base}`);
      return { entries: base === 'dc=example' && filter.includes('anna') ? [ANNA] : [] };
    },
  });
});
afterEach(async () => {
  await front.close();
  await directory.close();
});

async function start(more: object): Promise<void> {
  const [settings] = readSources([
    {
      ...{ id: 'staff', type: 'ldap', urls: [directory.url], plaintext: true, base: 'dc=example' },
      ...{ bind_dn: SEARCHER, bind_password: 'x', groups: { base: 'ou=groups' }, ...more },
    },
  ]);
  if (!settings) throw new Error('no settings');
  const source = new LdapSource(settings, { clock: new TestClock(), log: pino({ level: 'silent' }) });
  front = await startFront(embeddedLeg, { telemetry: work, sources: [source] });
}

/** Signs in with a new browser. */
async function findCosts(username: string, password = PASSWORD) {
  const client = await front.register({ skip_consent: true });
  const person = front.person();
  const page = await arrive({ client }, person);
  work.take();
  operations = [];
  const end = await signIn(person, page, { username, password });
  const costs = work.take().map(({ request, statements, calls }) => [request, statements.length, calls.length]);
  return { status: end.status, costs, operations: operations.toSorted() };
}

const LOCAL = [
  ['POST /login/native', 14, 1],
  ['GET /consent', 2, 2],
];
const SIGNED_IN = [`bind ${ANNA.dn}`, 'search dc=example', 'search ou=groups'];
const FAILED = ['search dc=example'];

describe('statements, calls and operations', () => {
  it('of a sign-in are those of a local password, one search, the password, and one search for groups', async () => {
    await start({});
    await findCosts('anna');
    expect(await findCosts('anna')).toMatchObject({ costs: LOCAL, operations: SIGNED_IN });
    const failed = { status: 422, costs: [['POST /login/native', 4, 0]] };
    expect(await findCosts('anna', 'wrong')).toEqual({ ...failed, operations: [`bind ${ANNA.dn}`, ...FAILED] });
    const unknown = { ...failed, operations: [`bind ${SEARCHER}`, ...FAILED] };
    for (const name of ['nobody.at.all', 'maria.musterfrau']) expect(await findCosts(name, 'wrong')).toEqual(unknown);
  });

  it('of people with several names are the same and one more statement, whether the name is known or not', async () => {
    await start({ login: ['uid', 'mail'] });
    await findCosts('anna');
    const [, ...others] = LOCAL;
    // A person who signs in with another name than the username is found by the id, once no local password matches.
    for (const [name, statements] of [
      ['anna', 15],
      ['anna@example.org', 16],
    ] as const) {
      const costs = [['POST /login/native', statements, 1], ...others];
      expect(await findCosts(name)).toMatchObject({ costs, operations: SIGNED_IN });
    }
    for (const name of ['anna', 'anna@example.org', 'nobody.at.all', 'maria.musterfrau'])
      expect(await findCosts(name, 'wrong')).toMatchObject({ status: 422, costs: [['POST /login/native', 5, 0]] });
  });
});
