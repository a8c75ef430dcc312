/** Answers of the operator API about scheduled deletions. */
import type { AccountAnswer } from './wire.js';

/** The account, and when it will be deleted. */
export interface DeletionAnswer extends AccountAnswer {
  deletion_due_at: string;
}

/** The account, and whether its deletion was scheduled. */
export interface KeptAnswer extends AccountAnswer {
  was_due: boolean;
}
