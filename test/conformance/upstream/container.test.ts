/** The contract on a real Hydra in a container, where a container engine and the image are available. */
import { containerLeg } from '../../support/upstream-container.js';
import { upstreamContract } from './contract.js';

upstreamContract(await containerLeg(process.env));
