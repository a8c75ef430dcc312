/** Starts the embedded upstream in this process, in memory, with a clock that tests can move. */
import { startUpstream } from '../../embedded/upstream/start-upstream.js';
import { EMBEDDED, STAND_IN_URLS, type Leg, type Upstream, type UpstreamSettings } from './upstream-leg.js';

/** The imitated version, which a row of the suite compares with the answer of the upstream. */
const IMITATED_VERSION = 'v26.2.0';

export const embeddedLeg: Leg = {
  name: EMBEDDED,
  version: IMITATED_VERSION,
  configurable: true,
  reachesLoopback: true,
  decidesRaces: true,
  start: (settings = {}) => start(settings),
};

/** Handles answered challenges like releases up to v2.1. */
export const embeddedLegacyLeg: Leg = {
  ...embeddedLeg,
  name: `${EMBEDDED} in its legacy mode`,
  version: 'v2.1.2',
  start: (settings = {}) => start(settings, true),
};

async function start(settings: UpstreamSettings, legacy = false): Promise<Upstream> {
  let movedMs = 0;
  /** Short lifetimes are tested with a fixed clock, so that the speed of the machine does not matter. */
  const machineNow = settings.loginConsentRequestTtlSeconds === undefined ? Date.now : freeze(Date.now());
  const now = (): number => machineNow() + movedMs;
  const { publicUrl, adminUrl, close } = await startUpstream({
    host: '127.0.0.1',
    publicPort: 0,
    adminPort: 0,
    urls: STAND_IN_URLS,
    dataDir: null,
    secret: 'contract-suite-only-not-a-secret',
    now,
    legacy,
    ...settings,
  });
  return {
    publicUrl,
    adminUrl,
    urls: settings.urls ?? STAND_IN_URLS,
    now,
    moveClock: (milliseconds) => (movedMs += milliseconds),
    close,
  };
}

const freeze = (milliseconds: number) => (): number => milliseconds;
