/** The stories of the account area in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { describe } from '@jest/globals';
import { startInstallation } from '../support/installation.js';
import { binaryLeg } from '../support/upstream-binary.js';
import { accessStories } from './access-stories.js';
import { manageStoriesOn } from './manage-stories.js';

const leg = binaryLeg(process.env);

manageStoriesOn(leg);
if (!('missing' in leg)) {
  describe(`devices, apps and data, in front of ${leg.name} ${leg.version}`, () => {
    accessStories(() => startInstallation(leg));
  });
}
