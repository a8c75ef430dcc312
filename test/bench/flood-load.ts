/** A process that makes the load of `--flood=N`: guesses at a steady rate, or single sign-ins beside them. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { getAgent } from './browser-client.js';
import { LoginWalk, UnexpectedAnswer, type Person, type Route } from './login-walk.js';
import { answerQuestions } from './worker.js';

/** How the gateway knows a person who signs in with the right password. */
export const KNOWN_BY = ['device', 'network', 'nothing'] as const;
export type KnownBy = (typeof KNOWN_BY)[number];

export interface Guesses {
  sent: number;
  seconds: number;
  /** Number of answers by status; 0: no answer. */
  statuses: Record<number, number>;
}

/** Milliseconds from the login page to the code at the app; of a refused sign-in, to the refusal. */
export interface SignIns {
  durations: number[];
  /** Milliseconds of the answer to the password alone. */
  waits: number[];
  refused: number;
}

interface LoadPlan {
  route: Route;
  people: readonly Omit<Person, 'address'>[];
}

const FORMS = 100;
const CONNECTIONS = 1000;
const TICK_MS = 5;
const PAUSE_MS = 200;
const BUSY = 503;

let addresses = 0;

/** A network of its own for each number: addresses of carriers (RFC 6598), and private ones. */
function buildAddress(network: 10 | 100): string {
  const number = ++addresses;
  return `${network}.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
}

export function generateFlood(): void {
  let plan: LoadPlan;
  let forms: LoginWalk[] = [];
  const people: Record<KnownBy, Person[]> = { device: [], network: [], nothing: [] };
  const createWalk = (person: Person): LoginWalk => new LoginWalk(plan.route, person, getAgent(CONNECTIONS));

  /** Everybody signs in once, so that their devices and networks are known. */
  async function prepareSignIns(given: LoadPlan): Promise<void> {
    plan = given;
    for (const [index, person] of plan.people.entries()) {
      const knownBy = KNOWN_BY[index % KNOWN_BY.length] ?? 'nothing';
      const known = { ...person, address: buildAddress(100) };
      const walk = createWalk(known);
      await walk.complete();
      people[knownBy].push(knownBy === 'device' ? { ...known, device: walk.device } : known);
    }
  }

  /** The forms of login pages, which take any number of guesses. */
  async function prepareGuesses(given: LoadPlan): Promise<void> {
    plan = given;
    forms = Array.from({ length: FORMS }, () => createWalk({ username: '', password: '', address: buildAddress(10) }));
    for (const form of forms) await (await form.begin()).requestGateway('loginPage');
  }

  /** Each guess is for a name of its own, from an address of its own; a slow answer delays no later guess. */
  async function guess({ perMinute, seconds }: { perMinute: number; seconds: number }): Promise<Guesses> {
    const statuses: Record<number, number> = {};
    const running = new Set<Promise<void>>();
    const begin = performance.now();
    const send = async (index: number): Promise<void> => {
      const name = `guess-${randomBytes(6).toString('hex')}`;
      const person = { username: name, password: `wrong ${name}`, address: buildAddress(10) };
      const status = (await forms[index % forms.length]?.guess(person).catch(() => 0)) ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
    };
    let sent = 0;
    for (let passed = 0; passed < seconds; passed = (performance.now() - begin) / 1000) {
      for (; sent < (passed * perMinute) / 60; sent++) {
        const sending = send(sent).finally(() => running.delete(sending));
        running.add(sending);
      }
      await sleep(TICK_MS);
    }
    const took = (performance.now() - begin) / 1000;
    await Promise.all(running);
    return { sent, seconds: took, statuses };
  }

  /** One sign-in at a time of each kind. */
  async function signIn(seconds: number): Promise<Record<KnownBy, SignIns>> {
    const until = performance.now() + seconds * 1000;
    const measure = async (knownBy: KnownBy): Promise<[KnownBy, SignIns]> => {
      const signIns: SignIns = { durations: [], waits: [], refused: 0 };
      for (let index = 0; performance.now() < until; index++) {
        const person = people[knownBy][index % people[knownBy].length];
        if (!person) throw new Error('There are too few people.');
        // A known device comes from anywhere.
        await signInOnce(createWalk(knownBy === 'network' ? person : { ...person, address: buildAddress(100) }), signIns);
        await sleep(PAUSE_MS);
      }
      return [knownBy, signIns];
    };
    return Object.fromEntries(await Promise.all(KNOWN_BY.map(measure))) as Record<KnownBy, SignIns>;
  }

  answerQuestions({ prepareSignIns, prepareGuesses, guess, signIn });
}

async function signInOnce(walk: LoginWalk, signIns: SignIns): Promise<void> {
  await walk.begin();
  const begin = performance.now();
  try {
    await walk.requestGateway('loginPage');
    const sent = performance.now();
    await walk.requestGateway('login').finally(() => signIns.waits.push(performance.now() - sent));
    await walk.followUpstream('login');
    await walk.requestGateway('skippedConsent');
    await walk.followUpstream('skippedConsent');
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer) || error.status !== BUSY) throw error;
    signIns.refused++;
  }
  signIns.durations.push(performance.now() - begin);
}
