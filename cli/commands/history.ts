// `kubectl capp history`: placements, moves, revisions, rollbacks and events of a Capp.
import { ApiError } from '../../kube/failure.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { historyOf, type Event } from '../explain/history.ts';
import { readCapp } from '../hub/capps.ts';
import { revisionsOf } from '../hub/revisions.ts';
import type { Hub } from '../hub/hub.ts';
import { age } from '../show/age.ts';
import { formatFrom, print } from '../show/output.ts';
import { table } from '../show/table.ts';
import { acting, inFormats, onHub, type Program } from './command.ts';

interface Flags {
  readonly output?: string;
}

/** Under this version every role that may view a namespace may read them. */
const EVENT = { apiVersion: 'v1', kind: 'Event', plural: 'events', namespaced: true } as const;

export function addHistory(program: Program): void {
  inFormats(onHub(program.root.command('history')))
    .description('what has happened to a Capp: its last placements, its last move, its revisions, its events')
    .argument('<capp>', 'its name, or namespace/name')
    .action(
      acting<Flags>(program, async ({ args: [name = ''], flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const capp = await readCapp(hub, name);
        const { namespace = '', name: plain, uid = '' } = capp.metadata;
        const events = await eventsOf(hub, namespace, { name: plain, uid });
        if (events === null)
          terminal.note(`You may not read events in namespace ${namespace}: they are missing here.`);
        const revisions = await readable(revisionsOf(hub, capp));
        if (revisions === null)
          terminal.note(`You may not read capprevisions in namespace ${namespace}: they are missing here.`);
        const history = historyOf(capp, events ?? [], revisions ?? []);
        const now = Date.now();
        print(terminal, format, history, () =>
          table(
            ['AGO', 'WHAT', 'REASON', 'TEXT'],
            history.map(({ at, what, reason, text }) => [age(at, now), what, reason, text]),
          ),
        );
        return 'done';
      }),
    );
}

async function eventsOf(
  { kube }: Hub,
  namespace: string,
  { name, uid }: { name: string; uid: string },
): Promise<Event[] | null> {
  const fieldSelector = `involvedObject.name=${name},involvedObject.uid=${uid}`;
  return readable(
    kube.list<KubeObject & Event>(EVENT, { namespace, fieldSelector }).then(({ items }) => items),
  );
}

/** Null if the person may not read it. */
async function readable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return null;
    throw error;
  }
}
