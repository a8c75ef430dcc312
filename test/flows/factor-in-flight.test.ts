/** A factor that is set up at the moment in which its account is secured does not exist afterwards. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { Factors } from '../../src/mfa/factors.js';
import { Outbox } from '../../src/accounts/queue/outbox.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { PATHS } from '../../src/contract/paths.js';
import { ManageUser, newPerson } from '../support/manage.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { NotMeStory } from '../support/not-me.js';
import { ResetStory } from '../support/resets.js';
import { SecondStepStory, call } from '../support/second-step.js';
import { SyntheticKey } from '../support/synthetic-key.js';
import { TotpApp } from '../../test-kit/totp-app.js';

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.close());

const person = () => newPerson(gateway, { email: `in.flight${(count += 1)}@example.org` });

async function resetPassword(account: Account): Promise<void> {
  const { secret } = await gateway.get(PasswordResets).issue(account, { actor: 'operator' });
  await new ResetStory(gateway).reset(secret);
}

async function secureAccount(account: Account): Promise<void> {
  const notice = { kind: 'username-changed', accountId: account.id } as const;
  await gateway.database.transaction((trx) => gateway.get(Outbox).queueNotice(notice, trx));
  const story = new NotMeStory(gateway);
  await story.submit(await story.findToken(account, 'username-changed'));
}

/** The code or the key is right; before it is stored, the owner acts. */
async function actMeanwhile(owner: () => Promise<void>, finish: () => Promise<unknown>): Promise<void> {
  const factors = gateway.get(Factors);
  const { add } = factors;
  factors.add = async (...given) => {
    factors.add = add;
    await owner();
    return add.apply(factors, given);
  };
  await finish();
}

const toKey = () => {
  const { origin, hostname } = new URL(gateway.config.publicUrl);
  return new SyntheticKey({ origin, rpId: hostname });
};

const readCounts = ({ id }: Account) => gateway.get(Factors).readCounts(id);
const NONE = {};

describe('a set-up whose answer was checked and is not stored yet', () => {
  it.each([
    ['a password reset', resetPassword],
    ['“that was not me”', secureAccount],
  ] as const)('[S-44] [MAN-14] in the account area: nothing is added after %s', async (_name, ends) => {
    const account = await person();
    const rpc = await (await ManageUser.enter(gateway, { account, fresh: true })).rpc();
    const { body } = await rpc.post('/mfa-init-totp');
    const app = new TotpApp(String(body['secret']), gateway.clock);
    await actMeanwhile(
      () => ends(account),
      () => rpc.post('/mfa-verify-totp', { code: app.code() }).catch(() => null),
    );
    expect(await readCounts(account)).toEqual(NONE);
    expect((await gateway.get(Accounts).find(account.id))?.status).toBe('active');
  });

  it('[S-44] [NTC-1] during a sign-in, with a key, adds nothing after “that was not me”', async () => {
    const account = await person();
    const steps = new SecondStepStory(gateway);
    const waiting = await steps.reachStep(account, { acrValues: ['urn:foyer:acr:mfa'] });
    const headers = { authorization: `Bearer ${waiting.state.enrol_token ?? ''}` };
    const begun = await call(waiting, `${PATHS.manageRpc}/mfa-init-fido2`, {}, headers);
    const { challenge, sessionId } = begun.body as { challenge: string; sessionId: string };
    const next = { authorization: `Bearer ${begun.headers.get('x-api-next-token') ?? ''}` };
    const finished = { sessionId, credentialJson: toKey().register(challenge) };
    await actMeanwhile(
      () => secureAccount(account),
      () => call(waiting, `${PATHS.manageRpc}/mfa-verify-fido2`, finished, next),
    );
    expect(await readCounts(account)).toEqual(NONE);
  });
});
