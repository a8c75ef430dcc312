/** The contract on the embedded upstream, which must not be told from a real Hydra by what a gateway or client sees. */
import { embeddedLeg } from '../../support/upstream-embedded.js';
import { upstreamContract } from './contract.js';

upstreamContract(embeddedLeg);
