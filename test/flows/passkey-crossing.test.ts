/** Parts of one passkey, account or ceremony that are used with another one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { FACTOR_CALLS, FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import type { PasskeyRequest } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { AssertionOptionsAnswer, InitPasskeyAnswer } from '../../src/contract/rpc.js';
import { PasskeyFactor } from '../../src/mfa/factors/passkey/passkey.factor.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { FLAGS, PasskeyStory } from '../support/passkeys.js';
import { RpcClient } from '../support/rpc-client.js';
import { SecondStepStory, call } from '../support/second-step.js';
import { SyntheticKey } from '../support/synthetic-key.js';

const INIT = FACTOR_CALLS.init('passkey');
const VERIFY = FACTOR_CALLS.verify('passkey');

let gateway: TestGateway;
let story: PasskeyStory;
let steps: SecondStepStory;

beforeAll(async () => {
  gateway = await startTestGateway({ config: ({ limits }) => ({ limits: { ...limits, addressFailures: 1000 } }) });
  story = new PasskeyStory(gateway);
  steps = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

const toPasskeys = ({ id }: Account) => gateway.get(PasskeyFactor).list(id);

function newKey(): SyntheticKey {
  const { origin, hostname } = new URL(gateway.config.publicUrl);
  return new SyntheticKey({ origin, rpId: hostname });
}

/** Begins a set-up. @returns the result with this credential */
async function beginSetUp(calls: RpcClient) {
  const { body } = await calls.post(INIT);
  const { sessionId, publicKey } = body as unknown as InitPasskeyAnswer;
  const { challenge } = publicKey as { challenge: string };
  return { challenge, ends: (credentialJson: object) => calls.post(VERIFY, { sessionId, credentialJson }) };
}

describe('[PKY-4] no passkey can be planted', () => {
  it('with what a sign-in provides before it is finished', async () => {
    const account = await gateway.account('crossing.enrolment');
    const client = gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } });
    const { browser, state, fields } = await steps.reachStep(account, { client });
    const answers = [];
    for (const token of [state.enrol_token ?? '', state.token]) {
      const { status, body } = await new RpcClient(gateway.url, token, browser.cookies('/')).post(INIT);
      answers.push([status, body['error']]);
    }
    expect(answers).toEqual([
      [409, 'factor unavailable'],
      [401, 'unauthorized'],
    ]);
    expect((await browser.post(FACTOR_PATHS.enrol('passkey'), fields)).status).toBe(404);
    expect(await toPasskeys(account)).toEqual([]);
  });

  it('with the id of another passkey, or of a security key', async () => {
    const { key: passkey } = await story.createHolder();
    const { key: securityKey } = await steps.createKeyHolder();
    const user = await ManageUser.enter(gateway, { fresh: true });
    const calls = await user.rpc();
    for (const { id } of [passkey, securityKey]) {
      const { challenge, ends } = await beginSetUp(calls);
      const { status, body } = await ends(newKey().register(challenge, { format: 'none', flags: FLAGS.device, id }));
      expect([status, body['error']]).toEqual([409, 'factor already registered']);
    }
    expect(await toPasskeys(user.account)).toEqual([]);
  });

  it('with the challenge of a sign-in', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const { ends } = await beginSetUp(await user.rpc());
    const { request } = await story.openLogin({}, user.browser);
    const { status } = await ends(newKey().register(request.challenge, { format: 'none', flags: FLAGS.device }));
    expect(status).toBe(422);
    expect(await toPasskeys(user.account)).toEqual([]);
  });
});

describe('[PKY-2] nobody can sign in', () => {
  it('with the challenge of a second step, a set-up or a proof', async () => {
    const holder = await story.createHolder();
    const waiting = await steps.reachStep(holder.account, { acrValues: ['urn:foyer:acr:mfa'] });
    const second = (await call(waiting, FACTOR_PATHS.init('passkey'))).body as unknown as AssertionOptionsAnswer;
    const user = await ManageUser.enter(gateway, { account: holder.account, fresh: true });
    const calls = await user.rpc();
    const beginProof = async () =>
      (await calls.post(FACTOR_CALLS.beginProof('passkey'))).body as unknown as AssertionOptionsAnswer;
    const own = holder.answer((await beginProof()).publicKey as PasskeyRequest);
    expect((await calls.post(FACTOR_CALLS.prove('passkey', true), JSON.parse(own))).status).toBe(200);
    const proof = await beginProof();
    const others = [second, proof].map(({ publicKey }) => (publicKey as { challenge: string }).challenge);
    for (const challenge of [...others, (await beginSetUp(calls)).challenge]) {
      const opened = await story.openLogin({}, waiting.browser);
      const page = await story.post(opened, holder, { challenge });
      expect([page.status, page.state('login').login.error]).toEqual([422, 'passkey-stale']);
    }
  });

  it('with a security key that verifies its user', async () => {
    const { key } = await steps.createKeyHolder();
    const { browser, fields, request } = await story.openLogin();
    const passkey = JSON.stringify(key.assert(request.challenge, { flags: FLAGS.device }));
    expect((await browser.post(PATHS.loginPasskey, { ...fields, passkey })).status).toBe(422);
  });

  it('to a request that the session has to answer', async () => {
    const holder = await story.createHolder();
    const { browser, fields, request } = await story.openLogin();
    const { challenge } = gateway.hydra.addLogin({ challenge: 'of-a-session', skip: true, upstreamSubject: holder.account.id });
    const form = { ...fields, login_challenge: challenge, passkey: holder.answer(request) };
    expect((await browser.post(PATHS.loginPasskey, form)).location).toBe(`${PATHS.login}?login_challenge=${challenge}`);
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('past a second step with the challenge of a sign-in', async () => {
    const holder = await story.createHolder();
    const waiting = await steps.reachStep(holder.account, { acrValues: ['urn:foyer:acr:mfa'] });
    const { request } = await story.openLogin({}, waiting.browser);
    const { status } = await call(waiting, FACTOR_PATHS.verify('passkey'), JSON.parse(holder.answer(request)));
    expect(status).toBe(422);
    expect(steps.findAccepted(waiting.challenge)).toEqual([]);
  });
});
