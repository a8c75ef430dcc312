/** The stories of the television in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { binaryLeg } from '../support/upstream-binary.js';
import { televisionStoriesOn } from './television-stories.js';

televisionStoriesOn(binaryLeg(process.env));
