/** A refusal of the operator API: status, code and a sentence for the caller. `fault-answers.ts` makes the rest of them. */
export interface FaultHints {
  field?: string;
  faults?: readonly string[];
  headers?: Readonly<Record<string, string>>;
}

export class OperatorFault extends Error {
  /** @param message one English sentence for the caller, without secrets */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hints: FaultHints = {},
  ) {
    super(message);
    this.name = 'OperatorFault';
  }
}
