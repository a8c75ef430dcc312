/** The contract on the embedded upstream, which a gateway or client must not be able to distinguish from a real Hydra. */
import { embeddedLeg } from '../../support/upstream-embedded.js';
import { upstreamContract } from './contract.js';

upstreamContract(embeddedLeg);
