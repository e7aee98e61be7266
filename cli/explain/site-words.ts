// The names of OCM's and our own objects that tell how a site is.
import { CPU_AVAILABLE, MEMORY_AVAILABLE, SCORE_OBJECTS } from '../../crds/ocm/add-on.ts';
import { AVAILABLE, LOCAL_CLUSTER } from '../../crds/ocm/ocm.ts';
import type { SiteWords } from './sites.ts';

export const SITE_WORDS: SiteWords = {
  available: AVAILABLE,
  scoreObjects: SCORE_OBJECTS,
  cpu: CPU_AVAILABLE,
  memory: MEMORY_AVAILABLE,
  localCluster: LOCAL_CLUSTER,
};
