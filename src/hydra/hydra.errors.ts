/**
 * What can go wrong with the upstream, by name. The adapter turns statuses into these; nobody else knows Hydra's statuses.
 */
export abstract class UpstreamError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Missing, unknown, tampered or issued for another purpose (Hydra answers 404, or 400 when it is missing). */
export class ChallengeUnknown extends UpstreamError {}

/** Older than the upstream allows (401). The waiting request can be started again. */
export class ChallengeExpired extends UpstreamError {}

/** Already answered (410 or 409; Hydra since v2.2 says so for logout only). */
export class ChallengeUsed extends UpstreamError {}

/** The upstream understood and refused (another 4xx): a defect on our side or a rule of its own. */
export class UpstreamRefused extends UpstreamError {}

/** Down, slow, or answering something that is not its protocol. */
export class UpstreamUnavailable extends UpstreamError {}
