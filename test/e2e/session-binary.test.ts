/** The stories of sessions in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { binaryLeg } from '../support/upstream-binary.js';
import { sessionStoriesOn } from './session-stories.js';

sessionStoriesOn(binaryLeg(process.env));
