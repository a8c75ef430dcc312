/** The stories of a registration in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { describe, it } from '@jest/globals';
import { startInstallation } from '../support/installation.js';
import { binaryLeg } from '../support/upstream-binary.js';
import { registrationStories } from './registration-stories.js';

const leg = binaryLeg(process.env);
if ('missing' in leg) {
  process.stderr.write(`SKIPPED: a registration in a browser, in front of ${leg.name}: ${leg.missing}\n`);
  const group = describe['skip'];
  group(`a registration in front of ${leg.name}`, () => {
    it('runs where the server is available', () => undefined);
  });
} else {
  describe(`a registration in a browser, in front of ${leg.name} ${leg.version}`, () => {
    registrationStories(() => startInstallation(leg));
  });
}
