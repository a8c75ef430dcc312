/** The same in front of a real Hydra in a container. */
import { containerLeg } from '../support/upstream-container.js';
import { accountAreaOn } from './account-area-stories.js';

accountAreaOn(await containerLeg(process.env));
