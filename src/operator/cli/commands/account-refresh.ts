/** Updates one account, or all active accounts of a user source, from the source. */
import { findAccount } from '../account-command.js';
import { CliFailure, EXIT, buildUsageFailure } from '../cli-failure.js';
import type { Call, Command } from '../command.js';
import type { OperatorClient } from '../operator-client.js';
import { Progress, formatNumber } from '../progress.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatFacts } from '../table.js';

const STATES = {
  active: 'is up to date with',
  disabled: 'is now disabled, because the person is disabled at',
  gone: 'is now disabled, because the person no longer exists at',
} as const;

const PAGE_LIMIT = '200';
const AT_ONCE = 4;
/** So many failures in a row mean that the source does not answer at all. */
const MOST_UNANSWERED = 5;
/** So many in a row are rarely people who have left, but a search of the source that has become too narrow. */
const MOST_GONE = 20;
/** Failures that all further calls would have, too. */
const LASTING = ['unreachable', 'unauthorized', 'forbidden', 'limited'];

export const accountRefresh: Command = {
  name: 'account refresh',
  about: 'update one account or all of a user source from there; disable who is gone there',
  operands: ['id|username'],
  mayOmitOperands: true,
  options: {
    all: { about: 'all active accounts of --source, instead of one account' },
    source: { value: 'SOURCE', about: 'the user source, with --all' },
    ...REASON_OPTION,
  },
  async run(call) {
    const { api, operands, options, print } = call;
    const [named] = operands;
    if (options.has('all')) {
      if (named !== undefined) throw buildUsageFailure('--all names no account.');
      return refreshAll(options.requireText('source'), call);
    }
    if (options.has('source')) throw buildUsageFailure('--source is for --all.');
    if (named === undefined) throw buildUsageFailure('An account is required, or --all --source SOURCE.');
    const account = await api.refresh((await findAccount(api, named)).id);
    print(
      account,
      () => `${sanitize(account.username)} ${STATES[account.source_state]} the source ${sanitize(account.source)}.\n`,
    );
    return true;
  },
};

async function refreshAll(source: string, call: Call): Promise<boolean> {
  // An issuer has a colon, the id of a source has none.
  if (source.includes(':')) throw buildUsageFailure('A provider cannot be asked: it describes people only when they sign in.');
  // One client: `call.api` builds a new one each time.
  const { api } = call;
  const report = new Report(source, call);
  const accounts = listAccounts(api, source);
  const work = async (): Promise<void> => {
    for await (const account of accounts) await report.add(account, api);
  };
  // After a failure, the answers that are under way are counted too.
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const isComplete = report.end();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return isComplete;
}

interface Listed {
  id: string;
  username: string;
}

/** By the cursor of the list, so an account that is disabled meanwhile moves no other one. */
async function* listAccounts(api: OperatorClient, source: string): AsyncGenerator<Listed> {
  let cursor: string | undefined;
  let isEmpty = true;
  do {
    const page = await api.listAccounts({ source, status: 'active', limit: PAGE_LIMIT, cursor });
    if (page.accounts.length > 0) isEmpty = false;
    yield* page.accounts;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  if (!isEmpty) return;
  const message = `No active account belongs to the source ${source}; foyer source list shows the sources.`;
  throw new CliFailure(EXIT.notFound, 'account_not_found', message);
}

/** Refreshes accounts and counts what has become of them. */
class Report {
  readonly #progress: Progress;
  readonly #counts = { refreshed: 0, disabled: 0, failed: 0 };
  readonly #causes = new Map<string, number>();
  #isUpstreamSilent = false;
  /** How many answers in a row, up to the last one, were this one. */
  #row = { of: '', length: 0 };

  constructor(
    private readonly source: string,
    private readonly call: Call,
  ) {
    this.#progress = new Progress(call.terminal, 'accounts');
  }

  /** @throws CliFailure if asking for further people is useless or dangerous */
  async add({ id, username }: Listed, api: OperatorClient): Promise<void> {
    const answer = await api.refresh(id).catch((error: unknown) => {
      if (error instanceof CliFailure && !LASTING.includes(error.code)) return error;
      throw error;
    });
    if (answer instanceof CliFailure) {
      this.#counts.failed += 1;
      this.#causes.set(answer.code, (this.#causes.get(answer.code) ?? 0) + 1);
      this.#progress.end();
      this.call.warn(`${username}: ${answer.message}`);
    } else {
      this.#counts[answer.source_state === 'active' ? 'refreshed' : 'disabled'] += 1;
      if (answer.upstream === 'unavailable') this.#isUpstreamSilent = true;
    }
    const { refreshed, disabled, failed } = this.#counts;
    this.#progress.show(refreshed + disabled + failed);
    this.#countRow(answer instanceof CliFailure ? answer.code : answer.source_state);
  }

  /** @returns whether none failed */
  end(): boolean {
    this.#progress.end();
    const { refreshed, disabled, failed } = this.#counts;
    const causes = Object.fromEntries(this.#causes);
    const silent = this.#isUpstreamSilent ? { upstream: 'unavailable' } : {};
    if (refreshed + disabled + failed === 0) return true;
    const rows: [string, number][] = [['Refreshed', refreshed], ['Disabled', disabled], ['Failed', failed], ...this.#causes];
    this.call.print({ ...this.#counts, causes, ...silent }, () =>
      formatFacts(rows.map(([name, count]) => [sanitize(name), formatNumber(count)])),
    );
    return failed === 0;
  }

  #countRow(answer: string): void {
    this.#row = this.#row.of === answer ? { of: answer, length: this.#row.length + 1 } : { of: answer, length: 1 };
    const { length } = this.#row;
    if (answer === 'source_unavailable' && length === MOST_UNANSWERED) {
      const message = `The source ${this.source} did not answer ${length} times in a row, so no more people are asked for. Run the command again later.`;
      throw new CliFailure(EXIT.failure, answer, message);
    }
    if (answer !== 'gone' || length !== MOST_GONE) return;
    const message = `${length} people in a row are gone at the source ${this.source}. If they have left, run the command again: it goes on with the others. If not, correct the source, and foyer account enable lets people in again.`;
    throw new CliFailure(EXIT.failure, 'gone_in_a_row', message);
  }
}
