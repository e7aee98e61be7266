// A member that has lost its data comes back as a new one: it has promised the others what it does not know
// any more.
import { json } from 'node:stream/consumers';
import type { ClientTls } from '../hub/config/pair.ts';
import { askEtcd } from '../hub/store/ask.ts';
import { HUB_COMMAND_TIMES } from '../hub/times.ts';
import type { Member } from './members.ts';

/** Of etcdserverpb.Member, in etcd's JSON. One that has never started has no name. */
interface Known {
  readonly ID: string;
  readonly name?: string;
  readonly peerURLs?: readonly string[];
}

/**
 * Has the others forget who it was, and expect it anew; afterwards it may begin as one of an existing
 * cluster. Safe to repeat, also where an earlier call ended in between. Throws when no majority answers.
 */
export async function letInAgain(lost: Member, others: readonly Member[], tls: ClientTls): Promise<void> {
  const ask = (what: string, body: object): Promise<object> => askOneOf(others, tls, { what, body });
  const { members = [] } = (await ask('list', {})) as { readonly members?: readonly Known[] };
  const known = members.find(({ peerURLs }) => peerURLs?.includes(lost.peerUrl) === true);
  const hasStarted = known?.name !== undefined && known.name !== '';
  if (known !== undefined && !hasStarted) return;
  if (known !== undefined) await ask('remove', { ID: known.ID });
  await ask('add', { peerURLs: [lost.peerUrl] });
}

/** The first that answers. */
async function askOneOf(
  members: readonly Member[],
  tls: ClientTls,
  { what, body }: { readonly what: string; readonly body: object },
): Promise<object> {
  let reason: unknown = null;
  const quietMs = HUB_COMMAND_TIMES.serverAnswers.ms;
  for (const { near: server } of members)
    try {
      const answer = await askEtcd({ server, tls }, `/v3/cluster/member/${what}`, { body, quietMs });
      return (await json(answer)) as object;
    } catch (error) {
      reason = error;
    }
  throw reason;
}
