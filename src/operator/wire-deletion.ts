/** Answers about the wait before the deletion of an account. */
import type { AccountAnswer } from './wire.js';

/** The account, and when it will be deleted. */
export interface DeletionAnswer extends AccountAnswer {
  deletion_due_at: string;
}

/** The account, and whether it was about to be deleted. */
export interface KeptAnswer extends AccountAnswer {
  was_due: boolean;
}
