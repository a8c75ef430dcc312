import type { Command } from '../command.js';
import { facts } from '../table.js';

export const health: Command = {
  name: 'health',
  about: 'check whether Foyer, its database and the OAuth server answer; exit code 1 if not',
  operands: [],
  options: {},
  async run({ api, print }) {
    const answer = await api.health();
    print(answer, () => facts([['foyer', answer.status], ...Object.entries(answer.parts)]));
    return answer.status === 'ok';
  },
};
