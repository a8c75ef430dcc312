/** The stories of passkeys in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { describe } from '@jest/globals';
import { startInstallation } from '../support/installation.js';
import { binaryLeg } from '../support/upstream-binary.js';
import { passkeyAccountStories } from './passkey-account-stories.js';
import { passkeyStoriesOn } from './passkey-stories.js';
import { browserTrustStories } from './trusted-browser-stories.js';

const leg = binaryLeg(process.env);

passkeyStoriesOn(leg);
if (!('missing' in leg)) {
  describe(`passkeys that people make, in front of ${leg.name} ${leg.version}`, () => {
    passkeyAccountStories(() => startInstallation(leg));
  });
  describe(`trusted browsers, in front of ${leg.name} ${leg.version}`, () => {
    browserTrustStories(() => startInstallation(leg));
  });
}
