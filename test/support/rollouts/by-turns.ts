// The same story as the hub worker's turns tell it, on simulated sites: by what they write and by the status.
import { jest } from '@jest/globals';
import { ABORT, APPROVE, RETRY } from '../../../crds/labels.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { aTemplate, imageOf } from '../builders/fleet/sets.ts';
import { setWorld } from '../testbeds/fleet/set-world.ts';
import { turningSets } from '../testbeds/fleet/turning.ts';
import { CHECKED_SECONDS, figuresOf, READY_SECONDS, type Story } from './stories.ts';
import { EDITED_AT, isReachable, type Moment, type Teller } from './transcript.ts';

const REF = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;

/** Jest's timers must be fake ones. The uid of the set is `set-uid`. */
export async function byTurns(story: Story): Promise<Teller> {
  jest.setSystemTime(EDITED_AT - 3_600_000);
  let isRung = false;
  const world = worldOf(story, () => void (isRung = true));
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
      let isAsked = false;
      for (;;) {
        const was = world.writes.capps;
        isRung = false;
        const { wakeAt } = await turn();
        // Within a turn nothing rings but what it writes on a Capp.
        isAsked ||= isRung;
        if (isRung || world.writes.capps > was) continue;
        const gets: Record<string, string[]> = {};
        for (const [site, image] of images()) if (before.get(site) !== image) (gets[image] ??= []).push(site);
        const said = progressing(world.set);
        return { gets, ...said, wakeAt, isDone: said.reason === 'Done', isAsked };
      }
    },
  };
}

function progressing({ status }: CappSet): Pick<Moment, 'reason' | 'message'> {
  const said = status?.conditions?.find(({ type }) => type === 'Progressing');
  return {
    reason: said?.reason ?? '',
    message: said?.message.replace(status?.revision ?? '', 'new') ?? '',
  };
}

function siteOf(name: string): string {
  return name.replace('many-', '');
}

function worldOf(story: Story, ring: () => void) {
  return setWorld({
    clusters: story.clusters,
    spec: {
      sites: { clusters: story.clusters },
      template: aTemplate('old'),
      strategy: { maxConcurrent: '100%' },
    },
    readyAfterMs: READY_SECONDS * 1_000,
    ring,
    counted: () => figuresOf(story, Date.now()),
    judgedAfterMs: CHECKED_SECONDS * 1_000,
    fails: (capp) => imageOf(capp) === 'new' && story.failing?.includes(siteOf(capp.metadata.name)) === true,
  });
}
