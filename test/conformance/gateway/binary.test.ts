/** The gateway in front of a real Hydra: HYDRA_BIN, or a hydra on the PATH. */
import { binaryLeg } from '../../support/upstream-binary.js';
import { gatewayStories } from './stories.js';

gatewayStories(binaryLeg(process.env));
