/** The gateway behind nginx, in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { binaryLeg } from '../../support/upstream-binary.js';
import { nginxStories } from './nginx-stories.js';

nginxStories(binaryLeg(process.env));
