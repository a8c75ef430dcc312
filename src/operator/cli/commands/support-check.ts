/** Checks who is calling the help desk. */
import type { SupportCheckAnswer } from '../../wire-support.js';
import { buildAccountCommand, findAccount } from '../account-command.js';
import { formatTime } from '../account-text.js';
import type { Command } from '../command.js';
import { REASON_OPTION } from '../reason-option.js';

export const supportCheckAsk = buildAccountCommand({
  name: 'account support-check ask',
  about: 'show a person three words to read out, in the account area or at /support',
  options: REASON_OPTION,
  async run({ id }, { api, print }) {
    const check = await api.askSupportCheck(id);
    print(
      check,
      () =>
        `The account area, and /support for a person who cannot sign in, show three words until ${formatTime(check.expires_at)}. Ask for them.\n`,
    );
  },
});

export const supportCheckAnswer: Command = {
  name: 'account support-check answer',
  about: 'compare the words that the person read out; exit code 1 if they are wrong',
  operands: ['id|username'],
  options: { words: { value: 'WORDS', about: 'the three words, in quotes; required' }, ...REASON_OPTION },
  async run({ api, operands, options, print }) {
    const words = options.requireText('words');
    const { id } = await findAccount(api, operands[0]);
    const check = await api.answerSupportCheck(id, words);
    print(check, () => `${formatState(check)}\n`);
    return check.state === 'passed';
  },
};

function formatState({ state, tries_left: triesLeft }: SupportCheckAnswer): string {
  if (state === 'passed')
    return 'The words are right: the person who is calling is signed in to this account, or reads its mail.';
  if (state === 'refused') return 'The words are wrong. The check has ended without a proof.';
  return `The words are wrong. Tries left: ${triesLeft}.`;
}
