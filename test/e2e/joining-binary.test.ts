/** The stories of joining in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { binaryLeg } from '../support/upstream-binary.js';
import { joinStoriesOn } from './joining-stories.js';

joinStoriesOn(binaryLeg(process.env));
