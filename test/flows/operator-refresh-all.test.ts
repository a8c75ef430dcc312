/** `foyer account refresh --all --source NAME`: the accounts of a source are updated one after the other, by the API. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { SourceUnavailable } from '../../src/sources/source.errors.js';
import type { FoundPerson, SourcePerson } from '../../src/sources/user-source.port.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { PASSWORD } from '../support/gateway.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine } from '../support/operator-story.js';

const READER = { name: 'reader', token: 'x'.repeat(40), rights: 'read' } as const;
const LINE = 'account refresh --all --source staff';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A source that does not answer about some people. */
class WatchedSource extends FakeUserSource {
  readonly silentAbout = new Set<string>();
  /** If set, the first questions wait until so many are open. */
  waitsFor = 0;
  mostOpen = 0;
  #open = 0;

  override async describe(found: FoundPerson): Promise<SourcePerson> {
    this.#open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.#open);
    while (this.mostOpen < this.waitsFor) await nextTurn();
    // Whoever asks at the same time arrives meanwhile.
    if (this.waitsFor > 0) for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    this.#open -= 1;
    if (this.silentAbout.has(found.subject)) throw new SourceUnavailable(this.id, 'it is silent');
    return super.describe(found);
  }
}

let operator: TestOperator;
let staff: WatchedSource;
let count = 0;
const foyer = commandLine(() => operator);

beforeAll(async () => {
  staff = new WatchedSource('staff');
  operator = await startTestOperator({
    config: (config) => ({ operator: { ...config.operator, tokens: [READER] } }),
    foundation: ({ log }) => ({ sources: new UserSources([staff], log) }),
  });
});
afterAll(() => operator.close());
beforeEach(() => {
  staff.people = [];
  staff.silentAbout.clear();
  staff.waitsFor = 0;
  staff.mostOpen = 0;
});
afterEach(async () => {
  staff.isDown = false;
  operator.hydra.fail(null);
  await operator.database.db.deleteFrom('account').execute();
});

/** @returns the subjects of new people, whose accounts belong to the source */
async function enter(people: number): Promise<string[]> {
  const subjects: string[] = [];
  for (let index = 0; index < people; index += 1) {
    const username = `carla.${(count += 1)}`;
    const subject = `id-of-${username}`;
    const person = { subject, username, emailVerified: false, isActive: true, attributes: {}, groups: ['purchase'] };
    staff.people.push({ ...person, password: PASSWORD });
    const entry = { source: 'staff', person: { ...person, names: [username] }, auditContext: { actor: 'system' } } as const;
    await operator.services.sourceAccounts.createOrUpdate(entry);
    subjects.push(subject);
  }
  staff.calls.splice(0);
  return subjects;
}

const removePeople = (subjects: readonly string[]): void => {
  staff.people = staff.people.filter(({ subject }) => !subjects.includes(subject));
};
const readGroups = async (): Promise<unknown[]> =>
  (await operator.database.db.selectFrom('account').select(['groups']).execute()).map(({ groups }) => groups);

describe('foyer account refresh --all', () => {
  it('takes changes over, disables people who have left, and counts, in more than a page', async () => {
    const subjects = await enter(203);
    for (const person of staff.people) person.groups = ['board'];
    removePeople(subjects.slice(100, 102));
    for (const person of staff.people.slice(-1)) person.isActive = false;
    expect(await foyer([...LINE.split(' '), '--reason', 'weekly check'])).toEqual({
      ...{ code: 0, err: '' },
      out: 'Refreshed  200\nDisabled   3\nFailed     0\n',
    });
    expect((await readGroups()).filter((groups) => JSON.stringify(groups) === '["board"]')).toHaveLength(200);
    const { json } = await operator.call('GET', '/audit?kind=account.disabled');
    const details = (json['entries'] as { detail: unknown }[]).map(({ detail }) => detail);
    expect(details).toContainEqual(expect.objectContaining({ reason: 'weekly check', source: 'staff', state: 'gone' }));
    // A person who is disabled here is not asked for again.
    expect(JSON.parse((await foyer(`${LINE} --json`)).out)).toEqual({ refreshed: 200, disabled: 0, failed: 0, causes: {} });
  });

  it('asks about four people at once', async () => {
    await enter(12);
    staff.waitsFor = 4;
    expect((await foyer(LINE)).code).toBe(0);
    expect(staff.mostOpen).toBe(4);
  });

  it('names the people about whom the source does not answer, with the cause, goes on, and fails', async () => {
    const subjects = await enter(12);
    for (const subject of [subjects[0], subjects[6], subjects[11]]) staff.silentAbout.add(subject ?? '');
    const { code, out, err } = await foyer(LINE);
    expect([code, out]).toEqual([
      1,
      'Refreshed           9\nDisabled            0\nFailed              3\nsource_unavailable  3\n',
    ]);
    expect(err).toMatch(/^(carla\.\d+: The source staff does not answer .+\n){3}$/);
  });

  it('stops with a sentence when the source does not answer several times in a row', async () => {
    await enter(30);
    staff.isDown = true;
    const { code, out, err } = await foyer(LINE);
    expect([code, err]).toEqual([1, expect.stringMatching(/^foyer: The source staff did not answer 5 times in a row, .+\n$/m)]);
    expect(out).toMatch(/^Failed +[5-8]$/m);
  });

  it('stops when many in a row are gone, as after a change of its search, and goes on when it is run again', async () => {
    removePeople(await enter(25));
    await enter(1);
    const first = await foyer(LINE);
    expect([first.code, first.err]).toEqual([
      1,
      expect.stringMatching(/^foyer: 20 people in a row no longer exist at the source staff\./),
    ]);
    expect(first.out).toMatch(/^Disabled +2[0-3]$/m);
    expect(await foyer(LINE)).toMatchObject({ code: 0, out: expect.stringMatching(/^Refreshed +1$/m) as unknown });
  });

  it('says that Hydra did not answer about those who were disabled', async () => {
    removePeople(await enter(1));
    operator.hydra.fail();
    expect(await foyer(LINE)).toMatchObject({ code: 0, err: expect.stringMatching(/^Hydra did not answer/) as unknown });
  });

  it.each([
    ['is wrong', 'y'.repeat(40)],
    ['may only read', READER.token],
  ])('stops at the first refusal if the token %s', async (_, token) => {
    await enter(30);
    const env = { OPERATOR_URL: operator.url, OPERATOR_TOKEN: token };
    expect(await foyer(LINE, { env })).toEqual({ code: 1, out: '', err: expect.stringMatching(/^foyer: .+\n$/) as unknown });
    expect(staff.calls).toEqual([]);
  });

  it.each([
    ['account refresh', 2],
    ['account refresh --all', 2],
    ['account refresh --source staff', 2],
    ['account refresh somebody --source staff', 2],
    ['account refresh somebody --all --source staff', 2],
    ['account refresh --all --source https://id.example', 2],
    ['account refresh --all --source unknown', 3],
  ])('`%s` ends with %d and one sentence', async (line, status) => {
    expect(await foyer(line)).toEqual({ code: status, out: '', err: expect.stringMatching(/^foyer: .+\n$/) as unknown });
  });
});
