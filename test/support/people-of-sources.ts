/**
 * One gateway whose people have their password in Foyer, in a real directory, at a real service, or at a demo
 * provider, or whom a SCIM client sends, and changes of these people there.
 */
import { hashPassword, type ServicePerson } from '../../embedded/people/people-service.js';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { PATHS } from '../../src/contract/paths.js';
import type { ProviderSettings } from '../../src/config/config.js';
import { IdentityProviders } from '../../src/providers/identity-providers.port.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { FaultProxy } from './fault-proxy.js';
import { PASSWORD, startTestGateway, type TestGateway } from './gateway.js';
import { ManageUser, accessToken } from './manage.js';
import { startTestOperator, type TestOperator } from './operator.js';
import { NotMeStory } from './not-me.js';
import { TestPeopleService } from './people-service.js';
import { chooseAtProvider, startProviderInstallation, type ProviderInstallation } from './provider-installation.js';
import { toCallback } from './provider-story.js';
import { GROUP, ScimClient, scimSource } from './scim-client.js';
import { GROUPS, PEOPLE, Slapd } from './slapd.js';
import type { TestBrowser, TestPage } from './test-browser.js';

export const KINDS = ['here', 'LDAP', 'HTTP', 'provider', 'SCIM'] as const;
export type Kind = (typeof KINDS)[number];

interface Parts {
  slapd: Slapd;
  service: TestPeopleService;
  /** The proxies in front of the directory and of the service. */
  proxies: readonly FaultProxy[];
  at: ProviderInstallation;
  gateway: TestGateway;
  operator: TestOperator;
}

/** The providers at which people sign in. */
const PROVIDERS = { provider: 'company', SCIM: 'google' } as const;
const SCIM = scimSource('cloud', { signIn: { provider: PROVIDERS.SCIM, claim: 'sub' }, groups: { most: 100, groupName: false } });
const PROVISION = { username: 'preferred_username', displayName: 'name', email: 'email', emailVerified: true } as const;

export class PeopleOfSources {
  /** The claims of the people at the provider. */
  readonly #claims = new Map<string, Record<string, unknown>>();
  /** The questions to the sources; a sign-in may be answered before all of them. */
  readonly #questions: Promise<unknown>[] = [];
  #count = 0;

  private constructor(private readonly parts: Parts) {
    for (const source of parts.gateway.get(UserSources).list) {
      const find = source.find.bind(source);
      source.find = (key) => this.#keep(find(key));
      const verifyDummy = source.verifyDummy.bind(source);
      source.verifyDummy = () => this.#keep(verifyDummy());
    }
  }

  static async start(): Promise<PeopleOfSources> {
    const [slapd, service, at] = await Promise.all([Slapd.start(), TestPeopleService.start([]), startProviderInstallation()]);
    const proxies = await Promise.all([FaultProxy.start(slapd.tlsPort), FaultProxy.start(service.port, 'localhost')]);
    const [directoryPort, servicePort] = proxies.map(({ port }) => port);
    const sources = [
      slapd.settings({ urls: [`ldaps://localhost:${directoryPort}`], groups: { base: GROUPS }, timeout_ms: 10_000 }),
      service.settings({ id: 'shop', url: `http://localhost:${servicePort}`, groups: {}, timeout_ms: 10_000 }),
    ];
    const server = { host: 'localhost', port: 1, encryption: 'none' as const };
    const require = [{ claim: 'employed', values: [true] }];
    const provision = { ...PROVISION, groups: 'groups', groupName: false, attributes: {} };
    const withProvision = (one: ProviderSettings): ProviderSettings =>
      one.id === 'company' ? { ...one, require, provision } : one;
    const gateway = await startTestGateway({
      config: ({ mail }) => ({ sources, scim: [SCIM], mail: { ...mail, server } }),
      identityProviders: at.adapter(withProvision, 30_000),
    });
    const operator = await startTestOperator({
      database: gateway.database,
      config: () => ({ scim: [SCIM] }),
      foundation: () => ({ sources: gateway.get(UserSources), identityProviders: gateway.get(IdentityProviders) }),
    });
    return new PeopleOfSources({ slapd, service, proxies, at, gateway, operator });
  }

  get gateway(): TestGateway {
    return this.parts.gateway;
  }

  get operator(): TestOperator {
    return this.parts.operator;
  }

  async close(): Promise<void> {
    const { slapd, service, proxies, at, gateway, operator } = this.parts;
    await operator.close();
    await gateway.close();
    await Promise.all([...proxies.map((proxy) => proxy.close()), at.close(), service.close()]);
    await slapd.stop();
  }

  /** @returns the name of a new person, who has not signed in yet */
  async add(kind: Kind): Promise<string> {
    const { slapd, service, gateway } = this.parts;
    const username = `person.${(this.#count += 1)}`;
    const email = `${username}@example.com`;
    if (kind === 'here') await gateway.account(username, { email });
    else if (kind === 'LDAP') slapd.addPerson({ uid: username, password: PASSWORD, mail: email });
    else if (kind === 'HTTP') service.people.push({ sub: `id-${username}`, username, email, hash: hashPassword(PASSWORD) });
    else {
      const claims = { sub: `id-${username}`, preferred_username: username, name: username, email, email_verified: true };
      this.#claims.set(username, { ...claims, employed: true });
      if (kind === 'SCIM')
        await this.#client.newUser(username, { externalId: claims.sub, emails: [{ value: email, type: 'work' }] });
    }
    return username;
  }

  /** Signs in with the form, or at the provider. */
  async signIn(kind: Kind, username: string, password = PASSWORD): Promise<{ page: TestPage; browser: TestBrowser }> {
    const { gateway, at } = this.parts;
    const challenge = `people-${(this.#count += 1)}`;
    const browser = gateway.browser({ 'x-forwarded-for': `198.51.100.${this.#count % 250}`, 'accept-language': 'en' });
    gateway.hydra.addLogin({ challenge, sessionId: `sid-${challenge}` });
    if (kind !== 'provider' && kind !== 'SCIM') {
      const login = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
      const { xsrf_token: _xsrf, ticket } = login.state('login').login;
      const fields = { _xsrf, ticket, login_challenge: challenge, username, password };
      return { page: await browser.post(PATHS.loginNative, fields), browser };
    }
    const said = this.#claims.get(username) ?? {};
    const provider = PROVIDERS[kind];
    at.demoProviders.setClaims(provider, { idToken: said, userinfo: said });
    const begun = await browser.get(`${PATHS.login}/${provider}?login_challenge=${challenge}`);
    if (begun.status !== 303) return { page: begun, browser };
    const answer = await chooseAtProvider(begun.location ?? '', 'maria');
    return { page: await browser.get(`${toCallback(provider)}?${answer.toString()}`), browser };
  }

  async status(kind: Kind, username: string, password = PASSWORD): Promise<number> {
    return (await this.signIn(kind, username, password)).page.status;
  }

  async getAccount(username: string): Promise<Account> {
    const account = await this.gateway.get(Accounts).findByUsername(username);
    if (!account) throw new Error('no account');
    return account;
  }

  /** Signs in once, so that the account exists. */
  async signInOnce(kind: Kind, username: string): Promise<Account> {
    const status = await this.status(kind, username);
    if (status !== 303) throw new Error(`The sign-in was answered with ${status}.`);
    return this.getAccount(username);
  }

  /** Opens the account area with a fresh proof. */
  async openManage(kind: Kind, username: string): Promise<ManageUser> {
    const { browser } = await this.signIn(kind, username);
    const account = await this.getAccount(username);
    const entry = await browser.get(`${PATHS.manage}?t=${accessToken(this.gateway, account)}`);
    if (entry.location !== PATHS.manage) throw new Error(`The account area answered ${entry.status}.`);
    const user = new ManageUser(this.gateway, account, browser);
    if (kind === 'provider' || kind === 'SCIM') await this.#prove(user);
    return user;
  }

  async disable(kind: Kind, { id, username }: Account): Promise<void> {
    if (kind === 'here') await this.gateway.get(Accounts).setStatus(id, 'disabled');
    else if (kind === 'HTTP') this.#getServicePerson(username).state = 'disabled';
    else if (kind === 'provider') this.#changeClaims(username, { employed: false });
    else if (kind === 'SCIM') await this.#replace(id, 'active', false);
    else this.#modify(username, 'add: pwdAccountLockedTime', 'pwdAccountLockedTime: 000001010000Z');
  }

  async rename(kind: Kind, { id, username }: Account): Promise<string> {
    const { slapd, gateway } = this.parts;
    const renamed = `${username}.new`;
    if (kind === 'here') await gateway.get(Accounts).update(id, { username: renamed });
    else if (kind === 'HTTP') this.#getServicePerson(username).username = renamed;
    else if (kind === 'LDAP')
      slapd.change([`dn: uid=${username},${PEOPLE}`, 'changetype: modrdn', `newrdn: uid=${renamed}`, 'deleteoldrdn: 1']);
    else {
      if (kind === 'SCIM') await this.#replace(id, 'userName', renamed);
      this.#changeClaims(username, { preferred_username: renamed });
      this.#claims.set(renamed, this.#claims.get(username) ?? {});
    }
    return renamed;
  }

  /** @returns the groups from then on */
  async changeGroups(kind: Kind, { id, username }: Account): Promise<string[]> {
    const groups = [`sales of ${username}`];
    if (kind === 'here') await this.gateway.get(Accounts).update(id, { groups });
    else if (kind === 'HTTP') this.#getServicePerson(username).groups = groups;
    else if (kind === 'provider') this.#changeClaims(username, { groups });
    else if (kind === 'SCIM')
      await this.#client.call('POST', '/Groups', { schemas: [GROUP], displayName: groups.join(), members: [{ value: id }] });
    else this.parts.slapd.addGroup(groups.join(), [`uid=${username},${PEOPLE}`]);
    return groups;
  }

  /** Asks while directory, service and provider do not answer, and the SCIM client does not call. */
  async askWhileDown<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const { proxies, at, gateway } = this.parts;
    for (const proxy of proxies) {
      proxy.fault = 'cut';
      proxy.dropAll();
    }
    at.demoProviders.setFault('company', 'status-500-token');
    try {
      return await ask();
    } finally {
      // A source is not asked for some seconds after a failure, and a late failure would begin these seconds again.
      while (this.#questions.length > 0) await Promise.all(this.#questions.splice(0));
      for (const proxy of proxies) proxy.fault = 'none';
      at.demoProviders.setFault('company', null);
      gateway.clock.advanceSeconds(6);
    }
  }

  /** Proves the person by a mailed code, because a sign-in at a provider does not count as a fresh proof. */
  async #prove(user: ManageUser): Promise<void> {
    const rpc = await user.rpc();
    await rpc.post('/proof/init-mail');
    const mail = (await new NotMeStory(this.gateway).listMails(user.account)).find(({ kind }) => kind === 'proof-code');
    const { status } = await rpc.post('/proof/verify-mail', { code: mail?.values['code'] });
    if (status !== 200) throw new Error(`The mailed code was answered with ${status}.`);
  }

  #keep<Answer>(question: Promise<Answer>): Promise<Answer> {
    this.#questions.push(question.catch(() => null));
    return question;
  }

  get #client(): ScimClient {
    return new ScimClient(this.operator, SCIM.tokens[0]);
  }

  async #replace(id: string, path: string, value: unknown): Promise<void> {
    const { status, json } = await this.#client.patch(`/Users/${id}`, { op: 'replace', path, value });
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(json)}`);
  }

  #changeClaims(username: string, more: Record<string, unknown>): void {
    this.#claims.set(username, { ...this.#claims.get(username), ...more });
  }

  #modify(uid: string, ...lines: string[]): void {
    this.parts.slapd.change([`dn: uid=${uid},${PEOPLE}`, 'changetype: modify', ...lines]);
  }

  #getServicePerson(username: string): ServicePerson {
    const person = this.parts.service.people.find((one) => one.username === username);
    if (!person) throw new Error('no person');
    return person;
  }
}
