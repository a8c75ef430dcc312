/** The stories of devices in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { binaryLeg } from '../support/upstream-binary.js';
import { deviceStoriesOn } from './device-stories.js';

deviceStoriesOn(binaryLeg(process.env));
