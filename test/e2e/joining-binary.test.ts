/** The stories of joining in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { describe } from '@jest/globals';
import { startInstallation } from '../support/installation.js';
import { binaryLeg } from '../support/upstream-binary.js';
import { joinFurtherStoriesOn } from './joining-further-stories.js';
import { joinStoriesOn } from './joining-stories.js';
import { SIGN_UP_SETTINGS, signUpStories } from './sign-up-stories.js';

const leg = binaryLeg(process.env);

joinStoriesOn(leg);
if (!('missing' in leg)) {
  joinFurtherStoriesOn(leg);
  describe(`a sign-up with a passkey, in front of ${leg.name} ${leg.version}`, () => {
    signUpStories(() => startInstallation(leg, SIGN_UP_SETTINGS));
  });
}
