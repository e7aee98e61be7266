// What each story costs on a real stack, counted: a change that adds a request, an event or a workflow task
// fails here, whatever else the machine does meanwhile. Needs a stack with an audit log (AUDIT=1).
import { beyond } from '../../testbed/counts/budget.ts';
import { countStories } from '../../testbed/counts/count.ts';
import { openStack } from '../../testbed/stack.ts';

/** The least of so many counts: on a busy machine rings and writes come apart that otherwise are one. */
const LIVES = 10;

test('no story costs more requests, events, workflow tasks or signals than its budget', async () => {
  const stack = await openStack();
  try {
    expect(beyond(await countStories(stack, LIVES))).toEqual([]);
  } finally {
    await stack.close();
  }
});
