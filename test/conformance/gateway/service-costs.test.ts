/** The statements, calls to Hydra and requests to the service for the sign-in of a person from an HTTP service. */
import { afterEach, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { HttpSource } from '../../../src/sources/http/http-source.js';
import { CountedWork } from '../../support/counted-work.js';
import { PASSWORD } from '../../support/gateway.js';
import { sourceParts } from '../../support/people-service.js';
import { ScriptedPeople, type ScriptedHttpAnswer } from '../../support/scripted-people.js';
import { embeddedLeg } from '../../support/upstream-embedded.js';
import { arrive, signIn, startFront, type Front } from './front.js';

const work = new CountedWork();
let service: ScriptedPeople;
let front: Front;

afterEach(async () => {
  await front.close();
  await service.close();
});

async function start(): Promise<void> {
  service = await ScriptedPeople.start();
  service.answer = ({ call, identifier, sub, password }): ScriptedHttpAnswer => {
    if (call === 'verify') return { claims: { result: sub === 'anna' && password === PASSWORD ? 'proven' : 'wrong' } };
    const person = { sub: 'anna', username: 'anna', groups: ['sales'] };
    return { claims: identifier === 'anna' ? { result: 'found', person } : { result: 'nobody' } };
  };
  const source = new HttpSource(service.settings({ groups: {} }), sourceParts(pino({ level: 'silent' })));
  front = await startFront(embeddedLeg, { telemetry: work, sources: [source] });
}

/** Signs in with a new browser. */
async function findCosts(username: string, password = PASSWORD) {
  const client = await front.register({ skip_consent: true });
  const person = front.person();
  const page = await arrive({ client }, person);
  work.take();
  service.questions.length = 0;
  const { status } = await signIn(person, page, { username, password });
  const costs = work.take().map(({ request, statements, calls }) => [request, statements.length, calls.length]);
  return { status, costs, questions: service.questions.map(({ call }) => call) };
}

it('a sign-in needs two requests and one more statement than a local password, because people have several names', async () => {
  await start();
  await findCosts('anna');
  const costs = [
    ['POST /login/native', 13, 1],
    ['GET /consent', 2, 2],
  ];
  const questions = ['lookup', 'verify'];
  expect(await findCosts('anna')).toMatchObject({ costs, questions });
  // Unknown names cost the same as names of local accounts.
  for (const name of ['anna', 'nobody.at.all', 'maria.musterfrau']) {
    expect(await findCosts(name, 'wrong')).toEqual({ status: 422, costs: [['POST /login/native', 5, 0]], questions });
  }
});
