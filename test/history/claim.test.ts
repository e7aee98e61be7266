// The workflow by which a hub holds its Temporal namespace does nothing, whoever rings it.
import { CLAIM_WORKFLOW, CLAIM_WORKFLOW_ID } from '../../workflows/names.ts';
import { quietLogs } from '../support/flow/quiet-logs.ts';
import { Book } from '../support/replay/book.ts';
import { replayAll } from '../support/replay/replay.ts';

quietLogs();

test('it gives no command, and stays', async () => {
  const book = new Book(CLAIM_WORKFLOW, null, CLAIM_WORKFLOW_ID).turn().ring('spec').turn();
  const replayed = await replayAll(new Map([['claim', book]]));
  expect(replayed.get('claim')).toEqual({ error: undefined, said: [] });
});
