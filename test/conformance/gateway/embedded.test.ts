/** The gateway in front of the embedded upstream: always. */
import { embeddedLeg } from '../../support/upstream-embedded.js';
import { gatewayStories } from './stories.js';

gatewayStories(embeddedLeg);
