/** The examples of docs/people.md are read as the gateway reads them, and the first one signs in people of a real directory. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { userSourcesKind } from '../../src/config/source-kinds.js';
import { examplesOf } from '../support/doc-examples.js';
import { startTestGateway } from '../support/gateway.js';
import type { TestGateway } from '../support/gateway.js';
import { signIn } from '../support/manage.js';
import { Accounts } from '../../src/accounts/account/accounts.js';
import type { Account } from '../../src/accounts/account/accounts.js';
import { PASSWORD } from '../support/gateway.js';
import { GROUPS, PEOPLE, SEARCHER, Slapd, whyNoSlapd } from '../support/slapd.js';

const EXAMPLES = examplesOf('docs/people.md');
const missing = whyNoSlapd();
const onOpenLdap = missing === null ? describe : describe.skip;
if (missing !== null) console.warn(`docs/people.md is not tested on OpenLDAP: ${missing}`);

/** @param ca content of the file of the authority */
function read(name: string, ca: string, change: (text: string) => string = (text) => text) {
  const files: Record<string, string> = { '/etc/foyer/ldap-ca.pem': ca, '/run/secrets/ldap-password': SEARCHER.password };
  const reading = userSourcesKind((path) => files[path] ?? '').read(change(EXAMPLES.get(name) ?? ''));
  if ('fault' in reading) throw new Error(reading.fault);
  return reading.value;
}

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
    const sources = read('openldap.json', slapd.ca, (text) =>
      text.replace('ldaps://ldap1.example.com', slapd.tlsUrl).replace('ldaps://ldap2.example.com', slapd.tlsUrl),
    );
    gateway = await startTestGateway({ config: ({ accounts }) => ({ sources, accounts: { ...accounts, schema } }) });
  });
  afterAll(async () => {
    await gateway.close();
    await slapd.stop();
  });

  it('signs in people of OpenLDAP by name and by address, with groups and attributes', async () => {
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
    expect(read('active-directory.json', slapd.ca)).toMatchObject([
      { id: 'corp', directory: 'active-directory', subject: 'objectGUID', groups: { nested: 'rule' } },
    ]);
  });
});
