/**
 * The table in docs/people.md of what people can do, wherever they are from: each cell is what happened here, on a real
 * directory and a real service.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { hashPassword } from '../../embedded/people/people-service.js';
import type { ServicePerson } from '../../embedded/people/people-service.js';
import { Accounts } from '../../src/accounts/account/accounts.js';
import type { Account } from '../../src/accounts/account/accounts.js';
import { CredentialFreeze } from '../../src/accounts/account/credential-freeze.js';
import { SecureAccount } from '../../src/accounts/account/secure-account.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import { PATHS } from '../../src/contract/paths.js';
import { RequestedMails } from '../../src/flows/password-reset/requested-mails.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { textOf } from '../support/documents.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { PASSWORD, startTestGateway } from '../support/gateway.js';
import type { TestGateway } from '../support/gateway.js';
import { ManageUser, signIn } from '../support/manage.js';
import { startTestOperator } from '../support/operator.js';
import type { TestOperator } from '../support/operator.js';
import { TestPeopleService } from '../support/people-service.js';
import { NotMeStory } from '../support/not-me.js';
import { ResetStory } from '../support/resets.js';
import { GROUPS, PEOPLE, Slapd, whyNoSlapd } from '../support/slapd.js';

const BY = { actor: 'operator', requestId: 'test' } as const;
const KINDS = ['here', 'LDAP', 'HTTP'] as const;
type Kind = (typeof KINDS)[number];
/** @returns what the table says */
type Story = (kind: Kind, username: string) => Promise<string>;

const missing = whyNoSlapd();
if (missing !== null) console.warn(`The table of docs/people.md is not tested: ${missing}`);

let slapd: Slapd;
let service: TestPeopleService;
/** Before the directory, and before the service. */
let proxies: readonly FaultProxy[] = [];
let gateway: TestGateway;
let operator: TestOperator;
let count = 0;

beforeAll(async () => {
  if (missing !== null) return;
  slapd = await Slapd.start();
  service = await TestPeopleService.start([]);
  const [directoryProxy, serviceProxy] = await Promise.all([
    FaultProxy.before(slapd.tlsPort),
    FaultProxy.before(service.port, 'localhost'),
  ]);
  proxies = [directoryProxy, serviceProxy];
  const sources = [
    slapd.settings({ urls: [`ldaps://localhost:${directoryProxy.port}`], groups: { base: GROUPS }, timeout_ms: 10_000 }),
    service.settings({ id: 'shop', url: `http://localhost:${serviceProxy.port}`, groups: {}, timeout_ms: 10_000 }),
  ];
  const server = { host: 'localhost', port: 1, encryption: 'none' as const };
  gateway = await startTestGateway({ config: ({ mail }) => ({ sources, mail: { ...mail, server } }) });
  operator = await startTestOperator({
    database: gateway.database,
    foundation: () => ({ sources: gateway.get(UserSources) }),
  });
});
afterAll(async () => {
  if (missing !== null) return;
  await operator.close();
  await gateway.close();
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await service.close();
  await slapd.stop();
});

async function status(username: string, password = PASSWORD): Promise<number> {
  const challenge = `table-${(count += 1)}`;
  const browser = gateway.browser({ 'x-forwarded-for': `198.51.100.${count}` });
  gateway.hydra.addLogin({ challenge, sessionId: `sid-${challenge}` });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf, ticket } = page.state('login').login;
  return (await browser.post(PATHS.loginNative, { _xsrf, ticket, login_challenge: challenge, username, password })).status;
}

async function accountOf(username: string): Promise<Account> {
  const account = await gateway.get(Accounts).findByUsername(username);
  if (!account) throw new Error('no account');
  return account;
}

/** Signed in once. */
async function known(username: string): Promise<Account> {
  await signIn(gateway, gateway.browser(), { username } as Account);
  return accountOf(username);
}

const modify = (uid: string, ...lines: string[]): void =>
  slapd.change([`dn: uid=${uid},${PEOPLE}`, 'changetype: modify', ...lines]);

function atService(username: string): ServicePerson {
  const person = service.people.find((one) => one.username === username);
  if (!person) throw new Error('no person');
  return person;
}

/** The first of the pairs whose value is the one that came; anything else is a failure of the test. */
function word<Value>(value: Value, ...pairs: [Value, string][]): string {
  return pairs.find(([one]) => one === value)?.[1] ?? `unexpected: ${String(value)}`;
}

/** @returns the groups from then on */
async function changedGroups(kind: Kind, { id, username }: { id: string; username: string }): Promise<string[]> {
  const groups = [`sales of ${username}`];
  if (kind === 'here') await gateway.get(Accounts).update(id, { groups });
  else if (kind === 'HTTP') atService(username).groups = groups;
  else slapd.addGroup(groups.join(), [`uid=${username},${PEOPLE}`]);
  return groups;
}

const STORIES: Record<string, Story> = {
  'the first sign-in': async (_, username) => {
    const before = await gateway.get(Accounts).findByUsername(username);
    expect(await status(username)).toBe(303);
    return before ? 'needs an account made before' : 'makes the account';
  },
  'wrong passwords': async (_, username) => {
    for (let failure = 0; failure < 5; failure += 1) expect(await status(username, 'wrong')).toBe(422);
    return word(await status(username), [429, 'a wait after five']);
  },
  'a second factor': async (_, username) => {
    const user = await ManageUser.enter(gateway, { account: await known(username), fresh: true });
    return word((await (await user.rpc()).post('/mfa-init-totp')).status, [200, 'is set up in the account area']);
  },
  'username and password': async (kind, username) => {
    const user = await ManageUser.enter(gateway, { account: await known(username), fresh: true });
    const { manage } = await user.page(PATHS.manage, 'manage');
    const isElsewhere = manage.username_elsewhere === true && manage.password_elsewhere !== undefined;
    if (!isElsewhere) return 'are changed in the account area';
    return kind === 'LDAP' ? 'are changed in the directory' : 'are changed at the service';
  },
  'a forgotten password': async (_, username) => {
    const account = await known(username);
    await new ResetStory(gateway).ask(username);
    await gateway.get(RequestedMails).settled();
    const kind = (await new NotMeStory(gateway).mails(account)).at(-1)?.kind;
    return word(kind, ['password-reset', 'a link by mail'], ['password-elsewhere', 'a mail that says where it is changed']);
  },
  '"That was not me"': async (_, username) => {
    const account = await known(username);
    const token = await gateway.get(OneTimeSecrets).issue({ purpose: 'not-me', accountId: account.id, lifetimeSeconds: 60 });
    await gateway.get(SecureAccount).secure(token, BY);
    expect(await status(username)).toBe(422);
    await gateway.get(CredentialFreeze).lift(account, BY);
    return word(await status(username), [422, 'the password is void'], [303, 'the password waits until the freeze is over']);
  },
  disabled: async (kind, username) => {
    const { id } = await known(username);
    if (kind === 'here') await gateway.get(Accounts).setStatus(id, 'disabled');
    else if (kind === 'HTTP') atService(username).state = 'disabled';
    else modify(username, 'add: pwdAccountLockedTime', 'pwdAccountLockedTime: 000001010000Z');
    return word(await status(username), [422, 'cannot sign in'], [403, 'cannot sign in']);
  },
  renamed: async (kind, username) => {
    const { id } = await known(username);
    const renamed = `${username}.new`;
    if (kind === 'here') await gateway.get(Accounts).update(id, { username: renamed });
    else if (kind === 'HTTP') atService(username).username = renamed;
    else slapd.change([`dn: uid=${username},${PEOPLE}`, 'changetype: modrdn', `newrdn: uid=${renamed}`, 'deleteoldrdn: 1']);
    expect(await status(renamed)).toBe(303);
    return (await accountOf(renamed)).id === id ? 'keeps the account' : 'gets another one';
  },
  'groups that change': async (kind, username) => {
    const { id } = await known(username);
    const changed = await changedGroups(kind, { id, username });
    const now = (await accountOf(username)).groups;
    expect(await status(username)).toBe(303);
    expect((await accountOf(username)).groups).toEqual(changed);
    return now.length > 0 ? 'count at once' : 'count from the next sign-in on';
  },
  '`account refresh`': async (kind, username) => {
    const { id } = await known(username);
    const changed = await changedGroups(kind, { id, username });
    const { status: said, json } = await operator.call('POST', `/accounts/${id}/refresh`);
    if (said === 200) expect(json['groups']).toEqual(changed);
    return word(said, [409, 'has nothing to take over'], [200, 'takes over what has changed']);
  },
  'the source is down': async (_, username) => {
    await known(username);
    for (const proxy of proxies) {
      proxy.fault = 'cut';
      proxy.dropAll();
    }
    try {
      return word(await status(username), [303, 'signs in as usual'], [503, 'is asked to come back later']);
    } finally {
      for (const proxy of proxies) proxy.fault = 'none';
      gateway.clock.advanceSeconds(6);
    }
  },
};

(missing === null ? it : it.skip)(
  '[LOG-1] docs/people.md says what people can do who are from here, a directory or a service',
  async () => {
    const rows: string[] = [];
    for (const [row, story] of Object.entries(STORIES)) {
      const cells: string[] = [];
      for (const kind of KINDS) {
        const username = `person.${(count += 1)}`;
        const mail = `${username}@example.com`;
        if (kind === 'here') await gateway.account(username, { email: mail });
        else if (kind === 'LDAP') slapd.addPerson({ uid: username, password: PASSWORD, mail });
        else service.people.push({ sub: `id-${username}`, username, email: mail, hash: hashPassword(PASSWORD) });
        cells.push(await story(kind, username));
      }
      rows.push(`| ${[row, ...cells].join(' | ')} |`);
    }
    const [, table = ''] = textOf('docs/people.md').split(
      '| | password here | password in a directory (LDAP) | password at a service (HTTP) |\n|---|---|---|---|\n',
    );
    expect(table.split('\n\n')[0]).toBe(rows.join('\n'));
  },
);
