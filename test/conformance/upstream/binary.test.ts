/** The contract on a real Hydra that the harness starts: HYDRA_BIN, or a hydra on the PATH. */
import { binaryLeg } from '../../support/upstream-binary.js';
import { upstreamContract } from './contract.js';

upstreamContract(binaryLeg(process.env));
