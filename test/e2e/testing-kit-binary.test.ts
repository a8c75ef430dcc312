/** The Foyer of the test kit in front of a running Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { describe, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import type { Foyer } from '../../test-kit/index.js';
import { kitStories } from '../support/testing-kit-stories.js';
import { loadKit } from '../support/testing-kit.js';
import { binaryLeg } from '../support/upstream-binary.js';
import { STAND_IN_URLS, type Leg } from '../support/upstream-leg.js';
import { findFreePorts } from '../../test-kit/free-ports.js';

const { startFoyer } = await loadKit();

async function startBefore(leg: Leg): Promise<Foyer> {
  const [port = 0] = await findFreePorts(1);
  const toUrl = (path: string): string => `http://localhost:${port}${path}`;
  const urls = { ...STAND_IN_URLS, login: toUrl(PATHS.login), consent: toUrl(PATHS.consent), error: toUrl(PATHS.error) };
  const upstream = await leg.start({ urls });
  const { publicUrl: hydraPublicUrl, adminUrl: hydraAdminUrl } = upstream;
  const foyer = await startFoyer({ mode: 'upstream', hydraPublicUrl, hydraAdminUrl, port });
  const stop = foyer.stop.bind(foyer);
  const stopBoth = async (): Promise<void> => {
    try {
      await stop();
    } finally {
      await upstream.close();
    }
  };
  return Object.assign(foyer, { stop: stopBoth });
}

const leg = binaryLeg(process.env);
if ('missing' in leg) {
  process.stderr.write(`SKIPPED: the test kit in front of ${leg.name}: ${leg.missing}\n`);
  const group = describe['skip'];
  group(`the test kit in front of ${leg.name}`, () => {
    it('runs where the server is available', () => undefined);
  });
} else {
  kitStories(`in front of ${leg.name} ${leg.version}`, () => startBefore(leg));
}
