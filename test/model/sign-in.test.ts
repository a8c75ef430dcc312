/**
 * Performs random actions of people, browsers and tabs at the running gateway, and compares the gateway with the model after every step.
 * A failure prints its seed and the shortest sequence that fails. `MODEL_SEED` sets the first seed, and `MODEL_STEPS` the number of steps.
 */
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { createActions, Walk } from './sign-in.actions.js';
import { SignInWorld } from './sign-in.world.js';

/** A third of the steps is performed in each of three installations. */
const STEPS = Math.ceil(Number(process.env['MODEL_STEPS'] ?? 500) / 3);
const SEED = Number(process.env['MODEL_SEED'] ?? 1);
const MAX_WALK_LENGTH = 100;
const WALKS_PER_SEED = 20;
const TIME_LIMIT_MS = 1_800_000 + STEPS * 1000;

describe.each([
  ['at the registration service', 'service'],
  ['here', 'own'],
  ['here, after an approval', 'approval'],
] as const)('signing in, where people create their accounts %s,', (_where, mode) => {
  let world: SignInWorld;
  let judgedRequests = 0;

  beforeAll(async () => {
    world = await SignInWorld.start(mode);
  });

  afterAll(() => world.close());

  it(
    `[LOG-14] [MFV-7] [TSK-2] [TSK-12] [TSK-13] [TSK-14] [MCS-2] [JOI-10] [JOI-20] [JOI-25] [JOI-26] [INV-2] [INV-3] agrees with the model after each of ${STEPS} random steps`,
    async () => {
      const walks = fc.asyncProperty(createActions(MAX_WALK_LENGTH), async (all) => {
        const walk = await Walk.begin(world);
        for (const action of all) {
          const faults = await walk.take(action);
          if (faults.length > 0) throw new Error(`${JSON.stringify(action)}: ${faults.join('; ')}`);
        }
        judgedRequests += walk.judgedRequests;
      });
      for (let seed = SEED; judgedRequests < STEPS; seed++)
        await fc.assert(walks, { seed, numRuns: WALKS_PER_SEED, plugins: [fc.unbiased()] });
    },
    TIME_LIMIT_MS,
  );
});
