/** Shows whether Foyer and the systems that it needs answer, and whether its clock agrees with that of the database. */
import type { Command } from '../command.js';
import { formatFacts } from '../table.js';

export const health: Command = {
  name: 'health',
  about: 'show the state of the database, the clock and Hydra; exit code 1 if one is not ok',
  operands: [],
  options: { ready: { about: 'exit code 1 only if the gateway accepts no requests, as in /health/ready' } },
  async run({ api, options, print }) {
    const answer = await api.getHealth();
    print(answer, () => formatFacts([['foyer', answer.status], ...Object.entries(answer.parts)]));
    return options.has('ready') ? answer.ready : answer.status === 'ok';
  },
};
