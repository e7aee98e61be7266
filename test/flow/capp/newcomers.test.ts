// The order in which a hub worker takes up workflows of which many wait: a new Capp goes before those that
// are begun again.
import { ringer } from '../../../bridge/ringer.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { cappWorkflowId } from '../../../workflows/names.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { storiesOf } from '../../support/flow/flow.ts';

const story = storiesOf('newcomers');
const OLD = 40;

story(
  'a new Capp is placed before the Capps whose workflows are begun again',
  async ({ client, world, startHub }) => {
    const bell = ringer(client, () => undefined, { pauseMs: () => 1 });
    const names = [...Array.from({ length: OLD }, (_, index) => `old-${index}`), 'new'];
    const about = { namespace: 'apps', cause: 'spec', changed: null } as const;
    for (const name of names.slice(0, OLD))
      bell.ring({ ...about, name, uid: `uid-of-${name}`, yields: true });
    await bell.queue.idle();
    bell.ring({ ...about, name: 'new', uid: 'uid-of-new' });
    await bell.queue.idle();
    const order: string[] = [];
    const place: Hub['place'] = (ref, state) => {
      if (!order.includes(ref.name)) order.push(ref.name);
      return world.hub.place(ref, state);
    };
    const turns = { maxConcurrentWorkflowTaskExecutions: 2, maxConcurrentWorkflowTaskPolls: 2 };
    await startHub({ ...turns, activities: { ...world.hub, place } });
    await eventually(() => order.includes('new') || undefined);
    expect(order.indexOf('new')).toBeLessThan(OLD / 2);
    await Promise.all(
      names.map((name) =>
        client.workflow.getHandle(cappWorkflowId('apps', name)).terminate('the test is over'),
      ),
    );
  },
);
