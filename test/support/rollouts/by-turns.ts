// The same story as the hub worker's turns tell it, on simulated sites: by what they write and by the status.
import { jest } from '@jest/globals';
import { ABORT, APPROVE, RETRY } from '../../../crds/labels.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { aTemplate, imageOf } from '../builders/fleet/sets.ts';
import { setWorld } from '../testbeds/fleet/set-world.ts';
import { turningSets } from '../testbeds/fleet/turning.ts';
import { READY_SECONDS, type Story } from './stories.ts';
import { EDITED_AT, isReachable, type Moment, type Teller } from './transcript.ts';

const REF = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;

/** Jest's timers must be fake ones. The uid of the set is `set-uid`. */
export async function byTurns(story: Story): Promise<Teller> {
  jest.setSystemTime(EDITED_AT - 3_600_000);
  const world = setWorld({
    clusters: story.clusters,
    spec: {
      sites: { clusters: story.clusters },
      template: aTemplate('old'),
      strategy: { maxConcurrent: '100%' },
    },
    readyAfterMs: READY_SECONDS * 1_000,
    ring: () => undefined,
    fails: (capp) => imageOf(capp) === 'new' && story.failing?.includes(siteOf(capp.metadata.name)) === true,
  });
  const { turnFleet } = turningSets(world.options);
  let memory: RolloutMemory | null = null;
  const turn = async () => {
    const turned = await turnFleet(REF, { memory, minimumVersions: {}, most: 100, isAgain: false });
    if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
    memory = turned.memory;
    return turned;
  };
  const annotate = (annotations: Readonly<Record<string, string>>): void => {
    world.set = { ...world.set, metadata: { ...world.set.metadata, annotations } };
  };
  const images = () => new Map([...world.capps].map(([name, capp]) => [siteOf(name), imageOf(capp) ?? '']));
  await turn();
  await jest.advanceTimersByTimeAsync(EDITED_AT - Date.now() - 1_800_000);
  await turn();
  await jest.advanceTimersByTimeAsync(EDITED_AT - Date.now());
  world.edit({ template: aTemplate('new'), strategy: story.strategy });
  return {
    approve: (stage) => annotate({ [APPROVE]: `${stage}#${world.set.status?.revision ?? ''}` }),
    ask: (what) => {
      if (what === 'abort') annotate({ [ABORT]: `${world.set.status?.revision ?? ''}#1` });
      else if (what === 'retry') annotate({ [RETRY]: '#1' });
      else world.edit({ template: aTemplate('old') });
    },
    look: async (now): Promise<Moment> => {
      await jest.advanceTimersByTimeAsync(now - Date.now());
      const before = images();
      for (const site of Object.keys(story.lost ?? {})) world.reach(site, isReachable(story, site, now));
      for (;;) {
        const was = world.writes.capps;
        const { wakeAt } = await turn();
        if (world.writes.capps > was) continue;
        const gets: Record<string, string[]> = {};
        for (const [site, image] of images()) if (before.get(site) !== image) (gets[image] ??= []).push(site);
        const { conditions = [] } = world.set.status ?? {};
        const { reason = '', message = '' } = conditions.find(({ type }) => type === 'Progressing') ?? {};
        const said = message.replace(world.set.status?.revision ?? '', 'new');
        return { gets, reason, message: said, wakeAt, isDone: reason === 'Done' };
      }
    },
  };
}

function siteOf(name: string): string {
  return name.replace('many-', '');
}
