/** A person of a user source who has connected a provider too: the source still decides who may sign in. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { PASSWORD } from '../support/gateway.js';
import { signIn } from '../support/manage.js';
import { ProviderStory } from '../support/provider-story.js';

let staff: FakeUserSource;
let story: ProviderStory;
let count = 0;

beforeAll(async () => {
  staff = new FakeUserSource('staff', 'https://password.example/change');
  story = await ProviderStory.start({ sources: [staff] });
});

afterAll(() => story.gateway.close());

async function connectNewPerson(): Promise<{ person: FakePerson; account: Account; subject: string }> {
  const username = `leaver.${(count += 1)}`;
  const fields = { subject: `id-of-${username}`, username, email: `${username}@there.example`, emailVerified: false };
  const person = { ...fields, isActive: true, attributes: {}, password: PASSWORD };
  staff.people.push(person);
  await signIn(story.gateway, story.gateway.browser(), { username } as Account);
  const account = await story.gateway.get(Accounts).findByUsername(username);
  if (!account) throw new Error('no account was made');
  return { person, account, subject: await story.connect(account) };
}

describe('[S-124] a person of a source who has connected a provider', () => {
  it('can sign in with it while the source knows them, with the current data of the source', async () => {
    const { person, account, subject } = await connectNewPerson();
    person.displayName = 'Somebody New';
    const { challenge } = await story.signIn(subject);
    expect(story.findAccepted(challenge)).toHaveLength(1);
    expect((await story.gateway.get(Accounts).find(account.id))?.displayName).toBe('Somebody New');
  });

  it.each<[string, (person: FakePerson) => void]>([
    ['was disabled there', (person) => void (person.isActive = false)],
    ['has left', (person) => void staff.people.splice(staff.people.indexOf(person), 1)],
  ])('cannot sign in if the person %s', async (_, leave) => {
    const { person, account, subject } = await connectNewPerson();
    leave(person);
    const { answer, challenge } = await story.signIn(subject);
    expect(story.findAccepted(challenge)).toEqual([]);
    expect([answer.status, answer.state('server_error').server_error.code]).toEqual([403, 'not_allowed']);
    const [event] = (await story.gateway.get(AuditLog).list(account.id)).entries;
    expect(event).toMatchObject({ kind: 'source.refused', detail: { source: 'staff' } });
  });

  it('waits for a source that does not answer', async () => {
    const { subject } = await connectNewPerson();
    staff.isDown = true;
    const { answer, challenge } = await story.signIn(subject);
    staff.isDown = false;
    expect([answer.status, answer.state('server_error').server_error.code]).toEqual([503, 'source_unavailable']);
    expect(story.findAccepted(challenge)).toEqual([]);
  });
});
