// A refusal for want of rights counts when it is repeated: an API server that has just started knows no
// rights yet. The transport is a stand-in that answers in turn.
import { bounded } from '../../../kube/bounded.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Transport } from '../../../kube/http/transport.ts';

const refusal = (code: number, by: string | null = null): ApiError =>
  new ApiError({ method: 'POST', path: '/works', code, reason: 'Why', by });

/**
 * What a call becomes when it is answered so in turn, and how often it was sent. The last answer is repeated.
 */
async function called(
  answers: readonly (ApiError | 'done')[],
  { leftMs = 9_000, signal }: { readonly leftMs?: number; readonly signal?: AbortSignal } = {},
) {
  let sent = 0;
  const transport = {
    deadlineMs: 10_000,
    send: async () => {
      const answer = answers[Math.min(sent, answers.length - 1)];
      sent += 1;
      if (answer instanceof ApiError) throw answer;
      return answer;
    },
  } as unknown as Transport;
  const within = { until: Date.now() + leftMs, signal: new AbortController().signal };
  const outcome = await bounded(transport, within)
    .send({ method: 'POST', path: '/works' }, { signal })
    .catch((error: unknown) => error);
  return { sent, outcome };
}

test('a call that a server refused before it knew any rights is sent again', async () => {
  expect(await called([refusal(403), refusal(403), 'done'])).toEqual({ sent: 3, outcome: 'done' });
});

test('a right that is lacking is said after the third try', async () => {
  const lacking = refusal(403);
  expect(await called([lacking])).toEqual({ sent: 3, outcome: lacking });
});

test.each([
  ['a policy, a webhook or a quota refuses', refusal(403, 'ValidatingAdmissionPolicy one')],
  ['the call is refused for another reason', refusal(404)],
])('where %s, that counts at once', async (_, answer) => {
  expect(await called([answer, 'done'])).toEqual({ sent: 1, outcome: answer });
});

test('a call that is cancelled alone while it waits ends at once', async () => {
  const call = new AbortController();
  const outcome = called([refusal(403), 'done'], { signal: call.signal });
  await Promise.resolve();
  const gone = new Error('nobody wants it any more');
  call.abort(gone);
  expect(await outcome).toEqual({ sent: 1, outcome: gone });
});

test('a call without time for another try is not sent again', async () => {
  expect(await called([refusal(403), 'done'], { leftMs: 1_000 })).toMatchObject({ sent: 1 });
});
