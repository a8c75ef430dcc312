export interface FaultHints {
  /** The member or parameter with the fault. */
  field?: string;
  /** JSON Pointer into the field. */
  pointer?: string;
  faults?: readonly string[];
  headers?: Readonly<Record<string, string>>;
}

/** An error of the operator API: status, code and a message for the client. `fault-answers.ts` maps other errors. */
export class OperatorFault extends Error {
  /** @param message in English, for the client, without secrets */
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
