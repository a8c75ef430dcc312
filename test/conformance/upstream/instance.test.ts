/** The contract on a Hydra that somebody runs: HYDRA_PUBLIC_URL and HYDRA_ADMIN_URL. */
import { instanceLeg } from '../../support/upstream-instance.js';
import { upstreamContract } from './contract.js';

upstreamContract(await instanceLeg(process.env));
