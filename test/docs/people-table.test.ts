/**
 * Tests the table in docs/people.md that says what people of each user source can do. Each story performs the action with a real
 * directory, a real service and a demo provider, and returns the text of the cell.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { CredentialFreeze } from '../../src/accounts/account/credential-freeze.js';
import { SecureAccount } from '../../src/accounts/changes/secure-account.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import { AccountSessions } from '../../src/accounts/sessions/account-sessions.js';
import { PATHS } from '../../src/contract/paths.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import { readText } from '../support/documents.js';
import { NotMeStory } from '../support/not-me.js';
import { KINDS, PeopleOfSources, type Kind } from '../support/people-of-sources.js';
import { ResetStory } from '../support/resets.js';
import { whyNoSlapd } from '../support/slapd.js';

const BY = { actor: 'operator', requestId: 'test' } as const;
const HEAD =
  '| | password here | password in a directory (LDAP) | password at a service (HTTP) | at an OpenID provider (`provision`) | sent by a directory (SCIM) |';
/** @returns the text of the cell in the table */
type Story = (kind: Kind, username: string) => Promise<string>;

/** Names of rows that the lint rules do not allow as keys. */
const DISABLED = 'disabled';
const RENAMED = 'renamed';
const missing = whyNoSlapd();
if (missing !== null) console.warn(`The table of docs/people.md is not tested: ${missing}`);

let people: PeopleOfSources;
let count = 0;

beforeAll(async () => {
  if (missing === null) people = await PeopleOfSources.start();
}, 60_000);
afterAll(async () => {
  if (missing === null) await people.close();
});

/** @returns the text of the first pair with this value. A value without a pair makes the test fail. */
function toCell<Value>(value: Value, ...pairs: [Value, string][]): string {
  return pairs.find(([one]) => one === value)?.[1] ?? `unexpected: ${String(value)}`;
}

const STORIES: Record<string, Story> = {
  'the first sign-in': async (kind, username) => {
    const before = await people.gateway.get(Accounts).findByUsername(username);
    expect(await people.status(kind, username)).toBe(303);
    if (kind === 'SCIM' && before) return 'finds the account that the directory has made';
    return before ? 'needs an account made before' : 'makes the account';
  },
  'wrong passwords': async (kind, username) => {
    // People of a provider type their password there. Here, their username has no password that could be right.
    await people.signInOnce(kind, username);
    for (let failure = 0; failure < 5; failure += 1) expect(await people.status('here', username, 'wrong')).toBe(422);
    expect(await people.status('here', username)).toBe(429);
    return toCell(await people.status(kind, username), [429, 'a wait after five'], [303, 'are counted at the provider']);
  },
  'a second factor': async (kind, username) => {
    const user = await people.openManage(kind, username);
    return toCell((await (await user.rpc()).post('/mfa-init-totp')).status, [200, 'is set up in the account area']);
  },
  'username and password': async (kind, username) => {
    const { manage } = await (await people.openManage(kind, username)).page(PATHS.manage, 'manage');
    const isElsewhere = manage.username_elsewhere === true && manage.password_elsewhere !== undefined;
    if (!isElsewhere) return 'are changed in the account area';
    return `are changed ${{ here: 'here', LDAP: 'in the directory', HTTP: 'at the service', provider: 'at the provider', SCIM: 'in the directory' }[kind]}`;
  },
  'the e-mail address': async (kind, username) => {
    const user = await people.openManage(kind, username);
    const { manage } = await user.page(PATHS.manage, 'manage');
    const calls = await user.rpc();
    const { status, body } = await calls.post('/email/init', { email: `${username}@example.net` });
    const isElsewhere = status === 409 && body['error'] === 'email elsewhere' && manage.email === undefined;
    if (!isElsewhere) return toCell(status, [200, 'is changed in the account area']);
    return `is changed ${{ here: 'here', LDAP: 'in the directory', HTTP: 'at the service', provider: 'at the provider', SCIM: 'in the directory' }[kind]}`;
  },
  'a forgotten password': async (kind, username) => {
    const account = await people.signInOnce(kind, username);
    await new ResetStory(people.gateway).ask(username);
    await people.gateway.get(RequestedMails).waitForAll();
    const mail = (await new NotMeStory(people.gateway).listMails(account)).at(-1)?.kind;
    return toCell(mail, ['password-reset', 'a link by mail'], ['password-elsewhere', 'a mail that says where it is changed']);
  },
  'consent for an app': async (kind, username) => {
    const { browser } = await people.signIn(kind, username);
    const { id } = await people.getAccount(username);
    const { hydra } = people.gateway;
    hydra.addConsent({ challenge: `table-${(count += 1)}`, subject: id });
    const page = await browser.get(`${PATHS.consent}?consent_challenge=table-${count}`);
    const { xsrf_token: _xsrf, ticket, scopes, consent_challenge } = page.state('consent').consent;
    const fields = { _xsrf, ticket, consent_challenge, scopes: scopes.map((scope) => scope.id) };
    expect((await browser.post(PATHS.consentAccept, fields)).status).toBe(303);
    const call = hydra.calls.at(-1);
    expect(call?.call === 'acceptConsent' && call.grant.idTokenClaims).toMatchObject({ preferred_username: username });
    return JSON.stringify(scopes).includes(username) ? 'shows what the app receives' : 'does not show what the app receives';
  },
  sessions: async (kind, username) => {
    const { id } = await people.signInOnce(kind, username);
    const before = await people.gateway.get(AccountSessions).list(id);
    expect((await people.operator.call('DELETE', `/accounts/${id}/sessions`)).status).toBe(200);
    const after = await people.gateway.get(AccountSessions).list(id);
    return toCell(`${before.length} ${after.length}`, ['1 0', 'are listed here, and end here']);
  },
  '"That was not me"': async (kind, username) => {
    const account = await people.signInOnce(kind, username);
    const { gateway } = people;
    const token = await gateway.get(OneTimeSecrets).issue({ purpose: 'not-me', accountId: account.id, lifetimeSeconds: 60 });
    await gateway.get(SecureAccount).secure(token, BY);
    expect(await people.status(kind, username)).not.toBe(303);
    await gateway.get(CredentialFreeze).lift(account, BY);
    const waits = kind === 'provider' || kind === 'SCIM' ? 'the provider waits' : 'the password waits';
    return toCell(await people.status(kind, username), [422, 'the password is void'], [303, `${waits} until the freeze is over`]);
  },
  [DISABLED]: async (kind, username) => {
    await people.disable(kind, await people.signInOnce(kind, username));
    return toCell(await people.status(kind, username), [422, 'cannot sign in'], [403, 'cannot sign in']);
  },
  [RENAMED]: async (kind, username) => {
    const account = await people.signInOnce(kind, username);
    const renamed = await people.rename(kind, account);
    expect(await people.status(kind, renamed)).toBe(303);
    return (await people.getAccount(renamed)).id === account.id ? 'keeps the account' : 'gets another one';
  },
  'groups that change': async (kind, username) => {
    const changed = await people.changeGroups(kind, await people.signInOnce(kind, username));
    const now = (await people.getAccount(username)).groups;
    expect(await people.status(kind, username)).toBe(303);
    expect((await people.getAccount(username)).groups).toEqual(changed);
    return now.length > 0 ? 'count at once' : 'count from the next sign-in on';
  },
  '`account refresh`': async (kind, username) => {
    const account = await people.signInOnce(kind, username);
    const changed = await people.changeGroups(kind, account);
    const { status, json } = await people.operator.call('POST', `/accounts/${account.id}/refresh`);
    if (status === 200) expect(json['groups']).toEqual(changed);
    const refused = /OpenID provider|SCIM/.test(String(json['message'])) ? 'has nobody to ask' : 'has nothing to take over';
    return toCell(status, [409, refused], [200, 'takes over what has changed']);
  },
  'the source is down': async (kind, username) => {
    await people.signInOnce(kind, username);
    const status = await people.askWhileDown(() => people.status(kind, username));
    return toCell(status, [303, 'signs in as usual'], [503, 'is asked to come back later']);
  },
};

(missing === null ? it : it.skip)(
  '[LOG-1] docs/people.md says what people of Foyer, of a directory, of a service, of a provider and of SCIM can do',
  async () => {
    const rows: string[] = [];
    for (const [row, story] of Object.entries(STORIES)) {
      const cells: string[] = [];
      for (const kind of KINDS) cells.push(await story(kind, await people.add(kind)));
      rows.push(`| ${[row, ...cells].join(' | ')} |`);
    }
    const [, table = ''] = readText('docs/people.md').split(`${HEAD}\n|---|---|---|---|---|---|\n`);
    expect(table.split('\n\n')[0]).toBe(rows.join('\n'));
  },
);
