/** Errors of Hydra. Only the adapter knows Hydra's status codes and maps them to these. */
export abstract class UpstreamError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Missing, unknown, modified or issued for another purpose (Hydra answers 404, or 400 if it is missing). */
export class ChallengeUnknown extends UpstreamError {}

/** Older than Hydra accepts (401). The request can be started again. */
export class ChallengeExpired extends UpstreamError {}

/** Already answered (410 or 409; Hydra since v2.2 only for logout). */
export class ChallengeUsed extends UpstreamError {}

/** No device waits with this code: wrong, expired or already answered. */
export class UserCodeRefused extends UpstreamError {}

/** The registration of the client limits sign-ins in a way that cannot be read, so none can be allowed. */
export class ClientUnreadable extends UpstreamError {
  /** @param member of `metadata.foyer` */
  constructor(clientId: string, { member, fault }: { member: string; fault: string }) {
    super(`metadata.foyer of the client ${JSON.stringify(clientId)}: ${member} ${fault}`);
  }
}

/** Hydra understood and refused the request (another 4xx): a defect here or a rule of Hydra. */
export class UpstreamRefused extends UpstreamError {}

/** Unreachable, slow, or answering outside its protocol. */
export class UpstreamUnavailable extends UpstreamError {
  constructor(
    message: string,
    /** No answer within the time limit of the call. */
    readonly isTimeOut = false,
  ) {
    super(message);
  }
}
