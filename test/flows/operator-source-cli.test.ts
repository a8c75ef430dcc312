/** `foyer account link`, `unlink` and `refresh`: the output on a terminal, and the exit codes for scripts. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProviderSettings } from '../../src/config/config.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { PASSWORD } from '../support/gateway.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, toEnvironment } from '../support/operator-story.js';

const COMPANY = { id: 'company', name: 'Musterwerk', issuer: 'https://id.example', provision: {} } as ProviderSettings;
const SILENT = /^Hydra did not answer\. .+\n$/;
const SUPPORT = { name: 'helpdesk', token: 'x'.repeat(40), rights: 'support' } as const;

let operator: TestOperator;
let staff: FakeUserSource;
const foyer = commandLine(() => operator);

beforeAll(async () => {
  staff = new FakeUserSource('staff');
  operator = await startTestOperator({
    config: (config) => ({ providers: [COMPANY], operator: { ...config.operator, tokens: [SUPPORT] } }),
    foundation: ({ log }) => ({ sources: new UserSources([staff], log) }),
  });
});
afterAll(() => operator.close());
afterEach(() => {
  staff.isDown = false;
  operator.hydra.fail(null);
});

/** Creates an account with a password, and a person of the source to whom the account will belong. */
async function account(username: string): Promise<string> {
  await foyer(`account create --username ${username} --password-stdin`, { readSecret: () => Promise.resolve(PASSWORD) });
  const there = { subject: `id-${username}`, username: `${username}.there`, emailVerified: false, attributes: {} };
  staff.people.push({ ...there, isActive: true, password: PASSWORD });
  return username;
}

/** The command for accounts of sources refuses all other accounts. */
const isLinked = async (username: string) => (await foyer(`account unlink ${username}`)).code === 0;

describe('[SRC-13] foyer account link', () => {
  it('shows to whom the account belongs, by the name there', async () => {
    const name = await account('linked.one');
    expect(await foyer(`account link ${name} staff --username ${name}.there`)).toEqual({
      ...{ code: 0, err: '' },
      out: 'linked.one is linked to id-linked.one of staff.\n',
    });
    expect((await foyer(`account audit ${name}`)).out).toMatch(/Z {2}source\.connected +operator .* source=staff$/m);
    const reset = await foyer(`account password-reset ${name}`);
    expect([reset.code, reset.err]).toEqual([4, expect.stringMatching(/^foyer: /)]);
  });

  it('answers scripts with JSON, for a person of a provider by the id there', async () => {
    const name = await account('linked.two');
    const { code, out, err } = await foyer(`account link ${name} company --subject sub-2 --json`);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ username: name, source: 'company', source_subject: 'sub-2', upstream: 'ended' });
  });

  it.each([
    ['account link linked.bad unknown --subject x', 1],
    ['account link linked.bad staff --username nobody', 3],
    ['account link linked.bad staff', 1],
    ['account link linked.bad company --username somebody', 1],
    ['account link linked.bad staff --subject a --username b', 1],
    ['account link linked.bad', 2],
    ['account link nobody.here staff --subject x', 3],
  ])('`%s` ends with %d, one sentence and no change', async (line, status) => {
    if ((await foyer('account show linked.bad')).code !== 0) await account('linked.bad');
    const { code, out, err } = await foyer(line);
    expect([code, out, err]).toEqual([status, '', expect.stringMatching(/^foyer: .+\n/)]);
    expect(await isLinked('linked.bad')).toBe(false);
  });

  it('refuses a second person for an account, and a second account for a person', async () => {
    const name = await account('linked.three');
    const other = await account('linked.four');
    await foyer(`account link ${name} staff --username ${name}.there`);
    expect((await foyer(`account link ${name} staff --username ${other}.there`)).code).toBe(4);
    expect((await foyer(`account link ${other} staff --username ${name}.there`)).code).toBe(4);
    expect(await isLinked(other)).toBe(false);
  });

  it('reports that the source is down, or that Hydra is silent', async () => {
    const name = await account('linked.five');
    staff.isDown = true;
    const down = await foyer(`account link ${name} staff --username ${name}.there`);
    expect([down.code, down.err]).toEqual([1, expect.stringMatching(/^foyer: .+staff/)]);
    staff.isDown = false;
    operator.hydra.fail();
    const silent = await foyer(`account link ${name} staff --username ${name}.there`);
    expect([silent.code, silent.out, silent.err]).toEqual([
      0,
      'linked.five is linked to id-linked.five of staff.\n',
      expect.stringMatching(SILENT),
    ]);
  });

  it('requires the right `admin`, as `unlink` does', async () => {
    const name = await account('linked.six');
    const env = { ...toEnvironment(operator), OPERATOR_TOKEN: SUPPORT.token };
    for (const line of [`account link ${name} staff --username ${name}.there`, `account unlink ${name}`]) {
      const { code, err } = await foyer(line, { env });
      expect([line, code, err]).toEqual([line, expect.any(Number), expect.stringContaining('the right "admin"')]);
      expect(code).not.toBe(0);
    }
    expect(await isLinked(name)).toBe(false);
  });
});

describe('[SRC-13] foyer account unlink', () => {
  it('warns that nobody can sign in afterwards, and a link to a new password can be handed out', async () => {
    const name = await account('unlinked.one');
    await foyer(`account link ${name} staff --username ${name}.there`);
    const { code, out, err } = await foyer(`account unlink ${name}`);
    expect([code, out]).toEqual([0, 'unlinked.one is no longer linked to staff.\n']);
    expect(err).toBe(
      'Nobody can sign in to the account now: create a link with foyer account password-reset, and hand it to the owner.\n',
    );
    expect(await foyer(`account unlink ${name}`)).toMatchObject({ code: 4, out: '' });
    expect((await foyer(`account password-reset ${name}`)).code).toBe(0);
  });

  it('answers scripts with JSON', async () => {
    const name = await account('unlinked.two');
    await foyer(`account link ${name} company --subject sub-of-two`);
    const { out } = await foyer(`account unlink ${name} --json`);
    expect(JSON.parse(out)).toMatchObject({ username: name, source: 'company', can_sign_in: false });
  });
});

it('[SRC-13] foyer account refresh takes changes over, disables an account whose person is gone, and ignores local accounts', async () => {
  const name = await account('refreshed');
  expect((await foyer(`account refresh ${name}`)).code).toBe(4);
  await foyer(`account link ${name} staff --username ${name}.there`);
  expect((await foyer(`account refresh ${name}`)).out).toBe('refreshed.there is up to date with the source staff.\n');
  staff.people = staff.people.filter(({ subject }) => subject !== 'id-refreshed');
  expect((await foyer('account refresh refreshed.there')).out).toBe(
    'refreshed.there is now disabled, because the person no longer exists at the source staff.\n',
  );
  expect((await foyer('account show refreshed.there')).out).toContain('disabled');
});
