/** A double click on a form without script. */
import { jest } from '@jest/globals';

interface Flow {
  submit(...form: never[]): Promise<unknown>;
}

/** Sends a form twice, and lets `flow` begin with both requests in the same moment, so that neither is answered before the other arrives. */
export async function clickTwice<Answer>(flow: Flow, send: () => Promise<Answer>): Promise<[Answer, Answer]> {
  const submit = flow.submit.bind(flow);
  let release = (): void => undefined;
  const bothArrived = new Promise<void>((resolve) => (release = resolve));
  const spy = jest.spyOn(flow, 'submit').mockImplementation(async (...form: never[]) => {
    if (spy.mock.calls.length === 2) release();
    await bothArrived;
    return submit(...form);
  });
  try {
    return await Promise.all([send(), send()]);
  } finally {
    spy.mockRestore();
  }
}
