/** The gateway in front of the embedded upstream; these stories always run. */
import { embeddedLeg } from '../../support/upstream-embedded.js';
import { gatewayStories } from './stories.js';

gatewayStories(embeddedLeg);
