/** The test kit with everything in containers, if there is an engine and the images of HYDRA_IMAGE, FOYER_IMAGE, FOYER_DEMO_IMAGE. */
import { describe, it } from '@jest/globals';
import type { Foyer } from '../../test-kit/index.js';
import { kitStories } from '../support/testing-kit-stories.js';
import { loadKit } from '../support/testing-kit.js';

const { startFoyer, KitError } = await loadKit();

/** An error of this kind is a reason to skip; any other is a fault. */
async function startFoyerOrExplain(): Promise<Foyer | string> {
  try {
    return await startFoyer({ mode: 'docker' });
  } catch (error) {
    if (error instanceof KitError) return error.message;
    throw error;
  }
}

const foyer = await startFoyerOrExplain();
if (typeof foyer === 'string') {
  process.stderr.write(`SKIPPED: the test kit in containers: ${foyer}\n`);
  const group = describe['skip'];
  group('the test kit in containers', () => {
    it('runs where an engine and the images are available', () => undefined);
  });
} else {
  kitStories('in containers', () => Promise.resolve(foyer));
}
