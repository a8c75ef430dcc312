import type { Command } from '../command.js';
import { findAccount } from '../find-account.js';
import { shown } from '../shown-text.js';
import { UPSTREAM_SILENT } from '../upstream-silent.js';

export const accountLink: Command = {
  name: 'account link',
  about: 'let the account belong to a person of a source or provider; its password here goes',
  operands: ['id|username', 'source'],
  options: {
    subject: { value: 'ID', about: 'the id of the person there' },
    username: { value: 'NAME', about: 'what the person signs in with there; for sources, in place of --subject' },
  },
  async run({ api, operands, options, print, warn }) {
    const { id, username } = await findAccount(api, operands[0]);
    const source = operands[1] ?? '';
    const [subject, name] = [options.text('subject'), options.text('username')];
    const person = { ...(subject === undefined ? {} : { subject }), ...(name === undefined ? {} : { username: name }) };
    const answer = await api.link(id, { source, ...person });
    print(answer, () => `${shown(username)} belongs to ${shown(answer.source_subject)} of ${shown(answer.source)}.\n`);
    if (answer.upstream === 'unavailable') warn(UPSTREAM_SILENT);
    return true;
  },
};
