/** The contract on a real Hydra in a container, where there is an engine and the image can be had. */
import { containerLeg } from '../../support/upstream-container.js';
import { upstreamContract } from './contract.js';

upstreamContract(await containerLeg(process.env));
