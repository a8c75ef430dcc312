import type { Command } from '../command.js';
import { facts } from '../table.js';

export const health: Command = {
  name: 'health',
  about: 'check whether Foyer, its database and Hydra answer; exit code 1 if not',
  operands: [],
  options: { ready: { about: 'exit code 1 only if the gateway takes no requests, as /health/ready has it' } },
  async run({ api, options, print }) {
    const answer = await api.health();
    print(answer, () => facts([['foyer', answer.status], ...Object.entries(answer.parts)]));
    return options.has('ready') ? answer.ready : answer.status === 'ok';
  },
};
