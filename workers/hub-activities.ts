// All activities of the hub, on the parts that they share.
import type { Client } from '@temporalio/client';
import { hubApply } from '../activities/hub/apply.ts';
import type { HubCaches } from '../activities/hub/caches.ts';
import { hubChoose } from '../activities/hub/choose.ts';
import { hubCompare } from '../activities/hub/compare.ts';
import { hubDrain } from '../activities/hub/drain.ts';
import type { ChooseOptions } from '../activities/hub/field.ts';
import { hubMend } from '../activities/hub/mend.ts';
import { hubPetition } from '../activities/hub/petition.ts';
import { hubPlace } from '../activities/hub/place.ts';
import { hubPublishScore } from '../activities/hub/publish-score.ts';
import { hubPublish } from '../activities/hub/publish.ts';
import { hubRemove } from '../activities/hub/remove.ts';
import { hubRetire } from '../activities/hub/retire.ts';
import { hubTakeUp } from '../activities/hub/take-up.ts';
import type { Hub } from '../workflows/ports.ts';

export type Parts = Parameters<typeof hubApply>[0] &
  Pick<ChooseOptions, 'hubUid' | 'config'> & { readonly caches: HubCaches; readonly client: Client };

export function hubActivities(parts: Parts): Hub {
  const { kube, caches, client } = parts;
  const onCaches = { ...hubChoose(parts), ...hubDrain(parts), ...hubCompare(caches), ...hubPublishScore(kube, caches.scores) };
  const works = { ...hubRetire({ kube, caches }), ...hubRemove({ kube, caches }), ...hubTakeUp({ kube, caches }) };
  const onHub = { ...hubApply(parts), ...hubPublish(parts), ...works };
  return { ...onCaches, ...onHub, ...hubPlace({ ...onCaches, ...onHub }), ...hubPetition(client), ...hubMend(parts, client) };
}
