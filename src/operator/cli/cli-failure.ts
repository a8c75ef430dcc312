/** The exit codes of commands, and the error that ends a command with an exit code and a sentence for the operator. */
export const EXIT = { ok: 0, failure: 1, usage: 2, notFound: 3, conflict: 4, unreachable: 5, approvalRequired: 6 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export class CliFailure extends Error {
  /** @param code for programs (`--json`): the error code of the API, if the API caused the failure */
  constructor(
    readonly exitCode: ExitCode,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'CliFailure';
  }
}

export function buildUsageFailure(message: string): CliFailure {
  return new CliFailure(EXIT.usage, 'usage', message);
}
