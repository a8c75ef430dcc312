/** Updates one account, or all active accounts of a user source, from the source. */
import { findAccount } from '../account-command.js';
import { CliFailure, EXIT, buildUsageFailure } from '../cli-failure.js';
import type { Call, Command } from '../command.js';
import { LARGEST_PAGE, readPages, type OperatorClient } from '../operator-client.js';
import { Progress, formatNumber } from '../progress.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatFacts } from '../table.js';

const STATES = {
  active: 'is up to date with',
  disabled: 'is now disabled, because the person is disabled at',
  gone: 'is now disabled, because the person no longer exists at',
} as const;

const CONCURRENT_CALLS = 4;
/** If the source does not answer this many calls in a row, it probably does not answer at all. */
const MAX_UNANSWERED = 5;
/** If this many people in a row no longer exist, the search of the source has probably become too narrow. */
const MAX_GONE = 20;
/** Failures that every further call would repeat. */
const LASTING_FAILURES = ['unreachable', 'unauthorized', 'forbidden', 'limited'];

export const accountRefresh: Command = {
  name: 'account refresh',
  about: 'update accounts from their user source; disable those of people not active there',
  operands: ['id|username'],
  mayOmitOperands: true,
  options: {
    all: { about: 'update all active accounts of --source instead of one account' },
    source: { value: 'SOURCE', about: 'the user source, with --all' },
    ...REASON_OPTION,
  },
  async run(call) {
    const { api, operands, options, print } = call;
    const [reference] = operands;
    if (options.has('all')) {
      if (reference !== undefined) throw buildUsageFailure('--all and an account must not be given together.');
      return refreshAll(options.requireText('source'), call);
    }
    if (options.has('source')) throw buildUsageFailure('--source requires --all.');
    if (reference === undefined) throw buildUsageFailure('An account is required, or --all --source SOURCE.');
    const account = await api.refresh((await findAccount(api, reference)).id);
    print(
      account,
      () => `${sanitize(account.username)} ${STATES[account.source_state]} the source ${sanitize(account.source)}.\n`,
    );
    return true;
  },
};

async function refreshAll(source: string, call: Call): Promise<boolean> {
  // An issuer and the stored name of a SCIM source (`scim:ID`) contain a colon. The id of a source that can be queried does not.
  if (source.includes(':'))
    throw buildUsageFailure('Providers and SCIM sources cannot be queried: they send data about people themselves.');
  // All calls share one client, because each access to `call.api` creates a new one.
  const { api } = call;
  const refresher = new AccountRefresher(source, call);
  const accounts = listAccounts(api, source);
  const work = async (): Promise<void> => {
    for await (const account of accounts) await refresher.refresh(account, api);
  };
  // After a failure, the calls in progress are still awaited and counted.
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENT_CALLS }, work));
  const isComplete = refresher.end();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return isComplete;
}

interface ListedAccount {
  id: string;
  username: string;
}

/** Continues at the cursor of each page, so that an account that is disabled meanwhile does not shift the others. */
async function* listAccounts(api: OperatorClient, source: string): AsyncGenerator<ListedAccount> {
  let isEmpty = true;
  const pages = readPages((cursor) => api.listAccounts({ source, status: 'active', limit: LARGEST_PAGE, cursor }));
  for await (const page of pages) {
    if (page.accounts.length > 0) isEmpty = false;
    yield* page.accounts;
  }
  if (!isEmpty) return;
  const message = `No active account belongs to the source ${source}; foyer source list shows the sources.`;
  throw new CliFailure(EXIT.notFound, 'account_not_found', message);
}

/** Refreshes accounts and counts the results. */
class AccountRefresher {
  readonly #progress: Progress;
  readonly #counts = { refreshed: 0, disabled: 0, failed: 0 };
  readonly #failureCountByCode = new Map<string, number>();
  #isHydraUnavailable = false;
  /** The last answer, and how many times in a row it has been received. */
  #repetition = { answer: '', count: 0 };

  constructor(
    private readonly source: string,
    private readonly call: Call,
  ) {
    this.#progress = new Progress(call.terminal, 'accounts');
  }

  /** @throws CliFailure if refreshing further accounts is useless or dangerous */
  async refresh({ id, username }: ListedAccount, api: OperatorClient): Promise<void> {
    const answer = await api.refresh(id).catch((error: unknown) => {
      if (error instanceof CliFailure && !LASTING_FAILURES.includes(error.code)) return error;
      throw error;
    });
    if (answer instanceof CliFailure) {
      this.#counts.failed += 1;
      this.#failureCountByCode.set(answer.code, (this.#failureCountByCode.get(answer.code) ?? 0) + 1);
      this.#progress.end();
      this.call.warn(`${username}: ${answer.message}`);
    } else {
      this.#counts[answer.source_state === 'active' ? 'refreshed' : 'disabled'] += 1;
      if (answer.upstream === 'unavailable') this.#isHydraUnavailable = true;
    }
    const { refreshed, disabled, failed } = this.#counts;
    this.#progress.show(refreshed + disabled + failed);
    this.#countRepetition(answer instanceof CliFailure ? answer.code : answer.source_state);
  }

  /** @returns whether no refresh failed */
  end(): boolean {
    this.#progress.end();
    const { refreshed, disabled, failed } = this.#counts;
    const causes = Object.fromEntries(this.#failureCountByCode);
    const upstream = this.#isHydraUnavailable ? { upstream: 'unavailable' } : {};
    if (refreshed + disabled + failed === 0) return true;
    const rows: [string, number][] = [
      ['Refreshed', refreshed],
      ['Disabled', disabled],
      ['Failed', failed],
      ...this.#failureCountByCode,
    ];
    this.call.print({ ...this.#counts, causes, ...upstream }, () =>
      formatFacts(rows.map(([name, count]) => [sanitize(name), formatNumber(count)])),
    );
    return failed === 0;
  }

  /** @throws CliFailure if the answer has been repeated too often */
  #countRepetition(answer: string): void {
    const count = this.#repetition.answer === answer ? this.#repetition.count + 1 : 1;
    this.#repetition = { answer, count };
    if (answer === 'source_unavailable' && count === MAX_UNANSWERED) {
      const message = `The source ${this.source} did not answer ${count} times in a row, so the other accounts were not refreshed. Run the command again later.`;
      throw new CliFailure(EXIT.failure, answer, message);
    }
    if (answer !== 'gone' || count !== MAX_GONE) return;
    const message = `${count} people in a row no longer exist at the source ${this.source}. If they have left, run the command again to continue with the others. Otherwise correct the source, and enable the accounts again with foyer account enable.`;
    throw new CliFailure(EXIT.failure, 'gone_in_a_row', message);
  }
}
