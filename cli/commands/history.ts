// `kubectl capp history`: placements, moves, revisions, rollbacks and events of a Capp; revisions, requests
// and events of a CappSet or a Bundle.
import { ApiError } from '../../kube/failure.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { historyOf, type Event, type Happening } from '../explain/capp/history.ts';
import { bundleHistoryOf, setHistoryOf } from '../explain/set/history.ts';
import { readNamed, type Found } from '../hub/named.ts';
import { revisionsOf } from '../hub/revisions.ts';
import { revisionsOfSet } from '../hub/sets.ts';
import { revisionsOfBundle } from '../hub/steered.ts';
import type { Hub } from '../hub/connection/hub.ts';
import { age } from '../show/age.ts';
import { formatFrom, print } from '../show/output.ts';
import { table } from '../show/table.ts';
import { acting, inFormats, onHub, type Call, type Program } from './command.ts';

interface Flags {
  readonly output?: string;
}

/** Under this version every role that may view a namespace may read them. */
const EVENT = { apiVersion: 'v1', kind: 'Event', plural: 'events', namespaced: true } as const;

export function addHistory(program: Program): void {
  inFormats(onHub(program.root.command('history')))
    .description(
      'what has happened to a Capp, a CappSet or a Bundle: placements, the last move, revisions and who wrote them, events',
    )
    .argument('<capp>', 'its name, namespace/name, cappset/name or bundle/name')
    .action(
      acting<Flags>(program, async (call) => {
        const format = formatFrom(call.flags.output);
        const history = await happenings(call, await readNamed(call.hub, call.args[0] ?? ''));
        const now = Date.now();
        print(call.terminal, format, history, () =>
          table(
            ['AGO', 'WHAT', 'REASON', 'TEXT'],
            history.map(({ at, what, reason, text }) => [age(at, now), what, reason, text]),
          ),
        );
        return 'done';
      }),
    );
}

async function happenings({ hub, terminal }: Call<Flags>, found: Found): Promise<Happening[]> {
  const { namespace = '', name, uid = '' } = found.object.metadata;
  const orNothing = async <T>(what: string, reading: Promise<T[]>): Promise<T[]> => {
    const read = await readable(reading);
    if (read === null)
      terminal.note(`You may not read ${what} in namespace ${namespace}: they are missing here.`);
    return read ?? [];
  };
  const events = await orNothing('events', eventsOf(hub, namespace, { name, uid }));
  switch (found.is) {
    case 'Capp':
      return historyOf(
        found.object,
        events,
        await orNothing('capprevisions', revisionsOf(hub, found.object)),
      );
    case 'CappSet':
      return setHistoryOf(
        found.object,
        events,
        await orNothing('setrevisions', revisionsOfSet(hub, found.object)),
      );
    case 'Bundle':
      return bundleHistoryOf(
        found.object,
        events,
        await orNothing('bundlerevisions', revisionsOfBundle(hub, found.object)),
      );
  }
}

async function eventsOf(
  { kube }: Hub,
  namespace: string,
  { name, uid }: { name: string; uid: string },
): Promise<Event[]> {
  const fieldSelector = `involvedObject.name=${name},involvedObject.uid=${uid}`;
  return (await kube.list<KubeObject & Event>(EVENT, { namespace, fieldSelector })).items;
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
