/** The stories of two tabs in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { binaryLeg } from '../support/upstream-binary.js';
import { twoTabsStoriesOn } from './two-tabs-stories.js';

twoTabsStoriesOn(binaryLeg(process.env));
