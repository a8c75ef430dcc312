/** The stories of the account area in front of a real Hydra in a container. */
import { containerLeg } from '../support/upstream-container.js';
import { manageStoriesOn } from './manage-stories.js';

manageStoriesOn(await containerLeg(process.env));
