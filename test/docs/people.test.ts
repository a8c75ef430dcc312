/** Reads the examples of docs/people.md as the gateway does, and signs in people of a real directory with the first example. */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { pino } from 'pino';
import { hashPassword, type ServicePerson } from '../../embedded/people/people-service.js';
import { buildUserSourcesKind } from '../../src/config/source-kinds.js';
import { HttpSource } from '../../src/sources/http/http-source.js';
import { toExamples } from '../support/doc-examples.js';
import { startTestGateway, type TestGateway, PASSWORD } from '../support/gateway.js';
import { signIn } from '../support/manage.js';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { TestPeopleService, sourceParts } from '../support/people-service.js';
import { ScriptedPeople } from '../support/scripted-people.js';
import { GROUPS, PEOPLE, SEARCHER, Slapd, whyNoSlapd } from '../support/slapd.js';

const EXAMPLES = toExamples('docs/people.md');
const missing = whyNoSlapd();
const onOpenLdap = missing === null ? describe : describe.skip;
if (missing !== null) console.warn(`docs/people.md is not tested on OpenLDAP: ${missing}`);

/** @param ca content of the file with the certificate authority */
function readSources(name: string, ca: string, change: (text: string) => string = (text) => text) {
  const files: Record<string, string> = { '/etc/foyer/ldap-ca.pem': ca, '/run/secrets/ldap-password': SEARCHER.password };
  const reading = buildUserSourcesKind((path) => files[path] ?? '').read(change(EXAMPLES.get(name) ?? ''));
  if ('fault' in reading) throw new Error(reading.fault);
  return reading.value.filter((one) => one.type !== 'scim');
}

describe('docs/people.md, a service over HTTP', () => {
  const document = readFileSync(new URL('../../docs/people.md', import.meta.url), 'utf8');
  const readBlock = (name: string): Record<string, unknown> => {
    const text = new RegExp(`\n\`\`\`json ${name}\n([^]*?)\n\`\`\``).exec(document)?.[1];
    if (text === undefined) throw new Error(`docs/people.md has no block ${name}.`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const toNames = (claims: object) => Object.keys(claims).sort();

  it('signs in a person of the example service, which is started and configured as the document says', async () => {
    // The service has the people of the document, and listens on a free port.
    const started = /people: (\[[^]*\]),\n\}\);/.exec(EXAMPLES.get('people.mjs') ?? '')?.[1] ?? '';
    const service = await TestPeopleService.start(runInNewContext(started, { hashPassword }) as ServicePerson[]);
    const sources = readSources('http.json', '', (text) =>
      text.replaceAll('https://people.example.com/foyer', service.url).replaceAll('https://people.example.com', service.url),
    );
    const schema = { type: 'object', properties: { department: { type: 'string' } } };
    const gateway = await startTestGateway({ config: ({ accounts }) => ({ sources, accounts: { ...accounts, schema } }) });
    await signIn(gateway, gateway.browser(), { username: 'klara.vorbild' } as Account, 'the password of Klara');
    expect(await gateway.get(Accounts).findByUsername('klara.vorbild')).toMatchObject({
      ...{ displayName: 'Klara Vorbild', email: 'klara.vorbild@example.com', emailVerified: false },
      ...{ groups: ['Sales'], attributes: { department: '42' } },
    });
    await gateway.close();
    await service.close();
  });

  it('shows the questions and answers that the service really receives and sends', async () => {
    const people = await ScriptedPeople.start();
    const source = new HttpSource(people.settings(), sourceParts(pino({ level: 'silent' })));
    const { person } = readBlock('lookup-answer');
    people.answer = ({ password }) => ({ claims: password === undefined ? { result: 'found', person } : { result: 'proven' } });
    const found = await source.find({ identifier: 'k.vorbild' });
    expect(found && (await source.verify(found, 'x'))).toMatchObject({ kind: 'proven', person: { username: 'klara.vorbild' } });
    expect(toNames(people.questions[1] ?? {})).toEqual(toNames(readBlock('question')));
    const { kid, ...header } = decodeProtectedHeader(people.tokens[0] ?? '');
    expect([kid, readBlock('question-header')]).toEqual([expect.any(String), { ...header, kid: '…' }]);
    const { exp = 0, iat = 0 } = people.questions[0] ?? {};
    expect(exp - iat).toBe(Number(readBlock('question')['exp']) - Number(readBlock('question')['iat']));
    await source.close();
    await people.close();
  });
});

onOpenLdap('docs/people.md', () => {
  let slapd: Slapd;
  let gateway: TestGateway;

  beforeAll(async () => {
    slapd = await Slapd.start();
    slapd.addPerson({ uid: 'maria', password: PASSWORD, mail: 'maria@example.com', displayName: 'Maria Musterfrau' });
    slapd.change([`dn: uid=maria,${PEOPLE}`, 'changetype: modify', 'add: departmentNumber', 'departmentNumber: 42']);
    slapd.addGroup('sales', [`uid=maria,${PEOPLE}`]);
    slapd.addGroup('all', [`cn=sales,${GROUPS}`]);
    const schema = { type: 'object', properties: { department: { type: 'string' } } };
    const sources = readSources('openldap.json', slapd.ca, (text) =>
      text.replace('ldaps://ldap1.example.com', slapd.tlsUrl).replace('ldaps://ldap2.example.com', slapd.tlsUrl),
    );
    gateway = await startTestGateway({ config: ({ accounts }) => ({ sources, accounts: { ...accounts, schema } }) });
  });
  afterAll(async () => {
    await gateway.close();
    await slapd.stop();
  });

  it('signs in people of OpenLDAP by username and by e-mail address, with groups and attributes', async () => {
    await signIn(gateway, gateway.browser(), { username: 'maria@example.com' } as Account);
    await signIn(gateway, gateway.browser(), { username: 'maria' } as Account);
    expect(await gateway.get(Accounts).findByUsername('maria')).toMatchObject({
      displayName: 'Maria Musterfrau',
      email: 'maria@example.com',
      groups: ['all', 'sales'],
      attributes: { department: '42' },
    });
  });

  it('has an example for Active Directory that can be read', () => {
    expect(readSources('active-directory.json', slapd.ca)).toMatchObject([
      { id: 'corp', directory: 'active-directory', subject: 'objectGUID', groups: { nested: 'rule' } },
    ]);
  });
});
