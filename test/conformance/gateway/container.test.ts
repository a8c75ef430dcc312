/** The gateway in front of a real Hydra in a container. */
import { containerLeg } from '../../support/upstream-container.js';
import { gatewayStories } from './stories.js';

gatewayStories(await containerLeg(process.env));
