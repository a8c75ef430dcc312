/** Challenges that were answered and followed, in Hydra up to v2.1: 410 when read, 409 when answered again. */
import { expect } from '@jest/globals';
import { toJson } from '../../../support/upstream-answer.js';
import type { WireError } from '../../../support/upstream-wire.js';
import { newSubject } from '../scene.js';
import type { Rows } from '../rows.js';
import { beginLogin, findChallenge, getCode, grantAll, passConsent, signIn } from '../walk.js';

export function secondUseRows({ row }: Rows): void {
  row('D.38 the request of a followed login is answered with 410 and the address for a new start', async (scene) => {
    const { login, consent } = await signIn(scene, scene.browser());
    for (const [purpose, challenge] of [
      ['login', login.challenge],
      ['consent', consent.challenge],
    ] as const) {
      const answer = await scene.admin.request(purpose, '', challenge);
      expect([purpose, answer.status, toJson(answer)]).toEqual([purpose, 410, { redirect_to: login.request_url }]);
    }
  });

  row('D.38 a request can be read and accepted again before it is followed', async (scene) => {
    const browser = scene.browser();
    const challenge = await beginLogin(scene, browser);
    const subject = newSubject();
    await scene.admin.acceptLogin(challenge, { subject });
    expect((await scene.admin.getLogin(challenge)).challenge).toBe(challenge);
    const consentChallenge = findChallenge(await browser.get(await scene.admin.acceptLogin(challenge, { subject })), 'consent');
    const consent = await scene.admin.getConsent(consentChallenge);
    expect(consent.subject).toBe(subject);
    await scene.admin.acceptConsent(consentChallenge, grantAll(consent));
    getCode(await passConsent(scene, browser, consentChallenge, grantAll(consent)));
  });

  row('D.39 an answer to a followed request is refused with 409', async (scene) => {
    const { login, consent } = await signIn(scene, scene.browser());
    const { subject } = consent;
    const answers = [
      await scene.admin.request('login', 'accept', login.challenge, { body: { subject } }),
      await scene.admin.request('login', 'reject', login.challenge, { body: { error: 'access_denied' } }),
      await scene.admin.request('consent', 'accept', consent.challenge, { body: grantAll(consent) }),
      await scene.admin.request('consent', 'reject', consent.challenge, { body: { error: 'access_denied' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    for (const answer of answers) expect(toJson<WireError>(answer).error).toBe('Conflict');
  });
}
