/** The stories of the console in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { describe, it } from '@jest/globals';
import { shareInstallation } from '../support/browser-stage.js';
import { startInstallation } from '../support/installation.js';
import { binaryLeg } from '../support/upstream-binary.js';
import { consoleStories } from './console-stories.js';
import { supportCheckStories } from './support-check-stories.js';

const leg = binaryLeg(process.env);

if ('missing' in leg) {
  process.stderr.write(`SKIPPED: the console in a browser, in front of ${leg.name}: ${leg.missing}\n`);
  describe.skip(`the console in front of ${leg.name}`, () => {
    it('runs where the server is available', () => undefined);
  });
} else {
  describe(`the console in a browser, in front of ${leg.name} ${leg.version}`, () => {
    const shared = shareInstallation(() => startInstallation(leg, { SUPPORT_CHECK: 'true' }), 180_000);

    consoleStories(shared);
    describe('with the check of who is calling', () => supportCheckStories(shared));
  });
}
