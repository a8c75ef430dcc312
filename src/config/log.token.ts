/** Injection token of the installation's log, a pino `Logger`. */
export const LOG = Symbol('Log');
