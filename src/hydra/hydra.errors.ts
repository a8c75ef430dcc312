/** An error of a call to Hydra. Code that uses the port sees only the classes below, never Hydra's status codes (`upstream-failure.ts`). */
export abstract class UpstreamError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Hydra does not know the challenge or the client, or the challenge was modified or issued for another purpose (404). */
export class ChallengeUnknown extends UpstreamError {}

/** The challenge is older than Hydra accepts (401). The request can be started again. */
export class ChallengeExpired extends UpstreamError {}

/** The challenge was already answered (410 or 409; since v2.2 Hydra reports this only for logout), or there is a client with this id (409). */
export class ChallengeUsed extends UpstreamError {}

/** No device is waiting for this code: the code is wrong, expired or already answered. */
export class UserCodeRefused extends UpstreamError {}

/** The registration of the client limits sign-ins in a way that cannot be read, so no sign-in can be allowed. */
export class ClientUnreadable extends UpstreamError {
  /** @param member of `metadata.foyer` */
  constructor(clientId: string, { member, fault }: { member: string; fault: string }) {
    super(`metadata.foyer of the client ${JSON.stringify(clientId)}: ${member} ${fault}`);
  }
}

/** Hydra refused members of a client, or a cursor. An operator may read the message: Hydra's explanation, or a text about the cursor. */
export class ClientRefused extends UpstreamError {}

/** Hydra understood and refused the request (another 4xx): a defect in Foyer or a rule of Hydra. */
export class UpstreamRefused extends UpstreamError {}

/** Hydra is unreachable or slow, refuses access (401), reports an error of its own (5xx), or does not follow its protocol. */
export class UpstreamUnavailable extends UpstreamError {
  constructor(
    message: string,
    /** Whether there was no answer within the time limit of the call. */
    readonly isTimeOut = false,
  ) {
    super(message);
  }
}
